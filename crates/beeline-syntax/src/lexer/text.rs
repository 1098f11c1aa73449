//! The meaning of literal texts: escapes, hexadecimal numbers, pragmas.

use smol_str::SmolStr;

/// A pragma comment `/*@word content*/`, taken apart.
pub(crate) struct Pragma<'a> {
    pub word: &'a str,
    /// What follows the word, without blanks around it.
    pub content: &'a str,
}

impl<'a> Pragma<'a> {
    /// Reads a whole comment; `None` when it is no pragma.
    pub fn of(comment: &'a str) -> Option<Pragma<'a>> {
        let inside = comment.strip_prefix("/*@")?.strip_suffix("*/")?.trim_start();
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let length = inside.find(|c| !is_word(c)).unwrap_or(inside.len());
        (length > 0).then(|| Pragma { word: &inside[..length], content: inside[length..].trim() })
    }

    /// The content as a word or, in quotes, as a string.
    pub fn word_or_string(&self) -> SmolStr {
        match self.content.strip_prefix('"').and_then(|c| c.strip_suffix('"')) {
            Some(inside) => unescaped(inside),
            None => SmolStr::new(self.content),
        }
    }
}

/// Resolves `\"`, `\'`, `\n`, `\r`, `\t` and `\\`; any other pair stays as it is.
pub(crate) fn unescaped(raw: &str) -> SmolStr {
    if !raw.contains('\\') {
        return SmolStr::new(raw);
    }
    let mut out = String::with_capacity(raw.len());
    let mut chars = raw.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some(same @ ('"' | '\'' | '\\')) => out.push(same),
            Some(other) => out.extend(['\\', other]),
            None => out.push('\\'),
        }
    }
    SmolStr::from(out)
}

/// Does the text end in a backslash that escapes nothing?
pub(crate) fn ends_in_lone_backslash(raw: &str) -> bool {
    raw.bytes().rev().take_while(|&b| b == b'\\').count() % 2 == 1
}

/// CR and CR LF become LF, as in strings over several lines.
pub(crate) fn normalised_lines(raw: &str) -> String {
    raw.replace("\r\n", "\n").replace('\r', "\n")
}

/// The decimal digits of a hexadecimal number, given its digits.
pub(crate) fn hex_to_decimal(digits: &str) -> String {
    // Little-endian limbs in base 10^9.
    const LIMB: u64 = 1_000_000_000;
    let mut limbs: Vec<u64> = vec![0];
    for digit in digits.chars().filter_map(|c| c.to_digit(16)) {
        let mut carry = u64::from(digit);
        for limb in &mut limbs {
            let value = *limb * 16 + carry;
            *limb = value % LIMB;
            carry = value / LIMB;
        }
        if carry > 0 {
            limbs.push(carry);
        }
    }
    let mut out = String::new();
    for (i, limb) in limbs.iter().rev().enumerate() {
        out += &if i == 0 { limb.to_string() } else { format!("{limb:09}") };
    }
    out
}

/// A text short enough for a message.
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    let line = text.lines().next().unwrap_or("");
    let mut out: String = line.chars().take(MOST).collect();
    if out.len() < text.len() {
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        assert_eq!(unescaped(r#"a\"b\'c\n\t\\d\q"#), "a\"b'c\n\t\\d\\q");
        assert!(ends_in_lone_backslash(r"a\"));
        assert!(!ends_in_lone_backslash(r"a\\"));
    }

    #[test]
    fn hexadecimal() {
        assert_eq!(hex_to_decimal("0"), "0");
        assert_eq!(hex_to_decimal("fF"), "255");
        assert_eq!(hex_to_decimal("123456789abcdef0"), "1311768467463790320");
        assert_eq!(hex_to_decimal("de0b6b3a7640000"), "1000000000000000000");
    }

    #[test]
    fn pragmas() {
        let p = Pragma::of("/*@ label  inv1 */").unwrap();
        assert_eq!((p.word, p.content), ("label", "inv1"));
        assert_eq!(Pragma::of("/*@label \"a b\"*/").unwrap().word_or_string(), "a b");
        assert!(Pragma::of("/* @label x*/").is_none());
        assert!(Pragma::of("/*@*/").is_none());
        assert!(Pragma::of("/*@/").is_none());
    }
}
