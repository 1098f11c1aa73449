//! Certificates as bytes: a line that says what it is, then numbers of seven bits a byte.
//!
//! Values come first, each once. A state is a row of numbers of values, and tells only those that differ from the
//! state before. What does not fit together is [`Damage`]; whether the rest is right is asked elsewhere.

use crate::bytes::{Damage, Input, put, put_signed, put_text};
use crate::certificate::{Asked, Certificate, Claimed, Kept, Known, Scope, Shown};
use crate::nodes;
use crate::permute::Permutation;
use beeline_judge::Value;

/// The first line.
const HEAD: &[u8] = b"beeline certificate 1\n";

/// More values in states than this are not read.
const MAX_CELLS: usize = 1 << 30;

/// The bytes of a certificate; nothing if one of its values is not listed.
pub fn write(certificate: &Certificate) -> Option<Vec<u8>> {
    let (mut values, mut body) = (nodes::Writer::default(), Vec::new());
    match &certificate.claimed {
        Claimed::Holds(kept) => {
            body.push(0);
            write_kept(kept, &mut values, &mut body)?;
        }
        Claimed::Violated(known, shown) => {
            body.push(1);
            write_trace(known, &mut values, &mut body)?;
            let (kind, number) = match shown {
                Shown::Invariant(n) => (0, *n),
                Shown::Assertion(n) => (1, *n),
                Shown::Deadlock => (2, 0),
            };
            body.push(kind);
            put(&mut body, u64::from(number));
        }
    }
    let mut out = HEAD.to_vec();
    let Scope { sets, maxint, minint } = &certificate.scope;
    put(&mut out, sets.len() as u64);
    for (name, size) in sets {
        put_text(&mut out, name);
        put(&mut out, u64::from(*size));
    }
    put_signed(&mut out, *maxint);
    put_signed(&mut out, *minint);
    let Asked { invariants, assertions, deadlock, goal } = certificate.asked;
    let asked = [invariants, assertions, deadlock, goal];
    out.push(asked.iter().rev().fold(0, |byte, asked| byte << 1 | u8::from(*asked)));
    let (count, nodes) = values.finish();
    put(&mut out, count);
    out.extend(nodes);
    out.extend(body);
    Some(out)
}

fn write_row(row: &[Value], values: &mut nodes::Writer, out: &mut Vec<u8>) -> Option<Vec<u64>> {
    let numbers: Option<Vec<u64>> = row.iter().map(|v| values.number(v)).collect();
    let numbers = numbers?;
    put(out, numbers.len() as u64);
    numbers.iter().for_each(|n| put(out, *n));
    Some(numbers)
}

fn write_kept(kept: &Kept, values: &mut nodes::Writer, out: &mut Vec<u8>) -> Option<()> {
    put(out, kept.setups.len() as u64);
    for setup in &kept.setups {
        write_row(setup, values, out)?;
    }
    let width = kept.states.first().map_or(0, |(_, row)| row.len());
    put(out, width as u64);
    put(out, kept.states.len() as u64);
    let mut last = vec![0; width];
    for (setup, row) in &kept.states {
        put(out, u64::from(*setup));
        let numbers: Option<Vec<u64>> = row.iter().map(|v| values.number(v)).collect();
        let numbers = numbers.filter(|n| n.len() == width)?;
        let changed: Vec<usize> = (0..width).filter(|i| numbers[*i] != last[*i]).collect();
        put(out, changed.len() as u64);
        for place in changed {
            put(out, place as u64);
            put(out, numbers[place]);
        }
        last = numbers;
    }
    put(out, kept.permutations.len() as u64);
    for Permutation(rows) in &kept.permutations {
        put(out, rows.len() as u64);
        for (set, to) in rows {
            put(out, u64::from(*set));
            put(out, to.len() as u64);
            to.iter().for_each(|e| put(out, u64::from(*e)));
        }
    }
    let lists = std::iter::once(&kept.setup_leads).chain(&kept.initial_leads).chain(&kept.leads);
    for list in lists {
        put(out, list.len() as u64);
        list.iter().for_each(|n| put(out, u64::from(*n)));
    }
    Some(())
}

fn write_trace(known: &Known, values: &mut nodes::Writer, out: &mut Vec<u8>) -> Option<()> {
    write_row(&known.setup, values, out)?;
    write_row(&known.initial, values, out)?;
    put(out, known.steps.len() as u64);
    for (operation, arguments, state) in &known.steps {
        put(out, u64::from(*operation));
        write_row(arguments, values, out)?;
        write_row(state, values, out)?;
    }
    Some(())
}

/// Reads a certificate.
pub fn read(bytes: &[u8]) -> Result<Certificate, Damage> {
    let rest = bytes.strip_prefix(HEAD).ok_or(Damage("it begins in another way"))?;
    let mut input = Input::new(rest);
    let count = input.count()?;
    let sets: Result<Vec<_>, Damage> =
        (0..count).map(|_| Ok((input.text()?, input.small()?))).collect();
    let scope = Scope { sets: sets?, maxint: input.signed()?, minint: input.signed()? };
    let bits = input.byte()?;
    if bits > 15 {
        return Err(Damage("no list of checks"));
    }
    let asked = Asked {
        invariants: bits & 1 != 0,
        assertions: bits & 2 != 0,
        deadlock: bits & 4 != 0,
        goal: bits & 8 != 0,
    };
    let count = input.count()?;
    let values = nodes::Reader::read(&mut input, count)?;
    let claimed = match input.byte()? {
        0 => Claimed::Holds(read_kept(&mut input, &values)?),
        1 => {
            let known = read_trace(&mut input, &values)?;
            let shown = match (input.byte()?, input.small()?) {
                (0, n) => Shown::Invariant(n),
                (1, n) => Shown::Assertion(n),
                (2, 0) => Shown::Deadlock,
                _ => return Err(Damage("no kind of finding")),
            };
            Claimed::Violated(known, shown)
        }
        _ => return Err(Damage("no verdict")),
    };
    match input.is_empty() {
        true => Ok(Certificate { scope, asked, claimed }),
        false => Err(Damage("it goes on after its end")),
    }
}

fn read_row(input: &mut Input<'_>, values: &nodes::Reader) -> Result<Vec<Value>, Damage> {
    let count = input.count()?;
    (0..count).map(|_| values.get(input.number()?)).collect()
}

fn read_kept(input: &mut Input<'_>, values: &nodes::Reader) -> Result<Kept, Damage> {
    let mut kept = Kept::default();
    for _ in 0..input.count()? {
        kept.setups.push(read_row(input, values)?);
    }
    let width = usize::try_from(input.number()?).map_err(|_| Damage("too many variables"))?;
    if width > 1 << 20 {
        return Err(Damage("too many variables"));
    }
    let mut last = vec![0; width];
    let count = input.count()?;
    if count.saturating_mul(width) > MAX_CELLS {
        return Err(Damage("too many states"));
    }
    for _ in 0..count {
        let setup = input.small()?;
        for _ in 0..input.count()? {
            let place = usize::try_from(input.number()?).map_err(|_| Damage("no variable"))?;
            *last.get_mut(place).ok_or(Damage("no variable"))? = input.number()?;
        }
        let row: Result<Vec<Value>, Damage> = last.iter().map(|n| values.get(*n)).collect();
        kept.states.push((setup, row?));
    }
    for _ in 0..input.count()? {
        let mut rows = Vec::new();
        for _ in 0..input.count()? {
            let (set, count) = (input.small()?, input.count()?);
            let to: Result<Vec<u32>, Damage> = (0..count).map(|_| input.small()).collect();
            rows.push((set, to?));
        }
        kept.permutations.push(Permutation(rows));
    }
    let list = |input: &mut Input<'_>| -> Result<Vec<u32>, Damage> {
        let count = input.count()?;
        (0..count).map(|_| input.small()).collect()
    };
    kept.setup_leads = list(input)?;
    for _ in 0..kept.setups.len() {
        kept.initial_leads.push(list(input)?);
    }
    for _ in 0..kept.states.len() {
        kept.leads.push(list(input)?);
    }
    Ok(kept)
}

fn read_trace(input: &mut Input<'_>, values: &nodes::Reader) -> Result<Known, Damage> {
    let (setup, initial) = (read_row(input, values)?, read_row(input, values)?);
    let mut steps = Vec::new();
    for _ in 0..input.count()? {
        steps.push((input.small()?, read_row(input, values)?, read_row(input, values)?));
    }
    Ok(Known { setup, initial, steps })
}
