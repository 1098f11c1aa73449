//! Two things that processors do and safe Rust has no words for: ask for memory ahead, and compare
//! all entries of a cache line at once.
//!
//! Both are safe to call with any arguments, and have a form for processors that are not known here.
//! This crate refuses to know what is in the memory.

/// Entries of a line: as many as a cache line of 64 bytes has.
pub const LINE: usize = 16;

/// Asks for the memory of a value, and does not wait for it. It changes nothing but time.
#[inline(always)]
#[allow(unsafe_code)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction has no effect that can be seen, whatever the address; this one is
        // that of a value.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
    }
    #[cfg(target_arch = "aarch64")]
    {
        // SAFETY: the same; it touches neither registers nor the stack.
        unsafe {
            std::arch::asm!(
                "prfm pldl1keep, [{0}]",
                in(reg) std::ptr::from_ref(value),
                options(nostack, preserves_flags, readonly)
            );
        }
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = value;
}

/// Which entries of a line are this number above their lowest `bits`, a bit each.
#[inline(always)]
pub fn matches(line: &[u32; LINE], bits: u32, number: u32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    let found = at_once(line, bits, number);
    #[cfg(not(target_arch = "x86_64"))]
    let found = one_by_one(line, bits, number);
    found
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
#[allow(unsafe_code)]
fn at_once(line: &[u32; LINE], bits: u32, number: u32) -> u32 {
    use std::arch::x86_64::{
        _mm_cmpeq_epi32, _mm_cvtsi32_si128, _mm_loadu_si128, _mm_movemask_epi8, _mm_packs_epi16,
        _mm_packs_epi32, _mm_set1_epi32, _mm_srl_epi32,
    };
    // SAFETY: every processor of this architecture has these instructions (SSE2). The only ones that
    // read memory read four entries each, from the first, the fifth, the ninth and the thirteenth of
    // sixteen, and need no alignment.
    unsafe {
        let (shift, wanted) = (_mm_cvtsi32_si128(bits as i32), _mm_set1_epi32(number as i32));
        let four = |from: usize| {
            let entries = _mm_loadu_si128(line.as_ptr().add(from).cast());
            _mm_cmpeq_epi32(_mm_srl_epi32(entries, shift), wanted)
        };
        // All bits of an entry are equal now: saturation keeps them.
        let low = _mm_packs_epi32(four(0), four(4));
        let high = _mm_packs_epi32(four(8), four(12));
        _mm_movemask_epi8(_mm_packs_epi16(low, high)) as u32
    }
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn one_by_one(line: &[u32; LINE], bits: u32, number: u32) -> u32 {
    let found = |(at, entry): (usize, &u32)| u32::from(entry >> bits == number) << at;
    line.iter().enumerate().map(found).fold(0, |all, bit| all | bit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_entries_that_match_are_found_and_no_others() {
        let mut seed = 1u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed >> 8
        };
        for _ in 0..10_000 {
            let bits = next() % 32;
            let mut line = [0; LINE];
            for entry in &mut line {
                *entry = ((next() % 4) << 30) | ((next() % 3) << bits) | (next() % 2);
            }
            for number in [0, 1, line[3] >> bits, line[15] >> bits, u32::MAX >> bits] {
                assert_eq!(matches(&line, bits, number), one_by_one(&line, bits, number));
            }
        }
        assert_eq!(matches(&[7 << 20 | 9; LINE], 20, 7), 0xFFFF);
        let mut line = [0; LINE];
        line[5] = u32::MAX;
        assert_eq!((matches(&line, 31, 1), matches(&line, 0, 0)), (1 << 5, 0xFFDF));
    }

    #[test]
    fn asking_for_memory_changes_nothing() {
        let values = [3u64, 4];
        prefetch(&values[1]);
        assert_eq!(values, [3, 4]);
    }
}
