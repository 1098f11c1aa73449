//! The manifest: a few lines of text, the last of which is a hash of the others.

use super::Digest;
use crate::cuts::Cuts;
use beeline_source::Span;
use beeline_transition::CutReason;
use std::fmt::Write;

/// What was known when the checkpoint was made, besides the states.
#[derive(Debug, Default)]
pub(crate) struct Manifest {
    pub identity: Digest,
    /// How states are laid out in the log: see `Engine::layout_number`.
    pub layout: u64,
    /// How often each variable got a wider layout than the model says.
    pub widened: Vec<u64>,
    pub log_bytes: u64,
    pub log_hash: Digest,
    pub states: u32,
    pub roots: u32,
    pub depth: u32,
    pub transitions: u64,
    pub checks: u64,
    pub saved: u64,
    pub guards: u64,
    pub guards_known: u64,
    pub expanded: u64,
    pub covered: Vec<u64>,
    /// What the search order remembers.
    pub frontier: Vec<u64>,
    /// States in which something was found, in order.
    pub findings: Vec<u64>,
    pub cuts: Cuts,
    /// Portions of the valuations of the constants: whether there are more, and the size of each.
    pub setups: Vec<u64>,
    /// Portions of initial states that were taken.
    pub portions: u64,
    /// States that were visited.
    pub visited: u64,
    /// States that have more steps.
    pub late: Vec<u64>,
    /// How often plans were looked at again, and when they could not be.
    pub points: [u64; 2],
    pub seconds: f64,
}

const KIND: &str = "beeline checkpoint ";
const VERSION: &str = "6";

/// All reasons; a checkpoint names them by place, so new ones go to the end.
const REASONS: [CutReason; 17] = [
    CutReason::Constants,
    CutReason::InitialStates,
    CutReason::LargeSet,
    CutReason::EvaluationSteps,
    CutReason::Time,
    CutReason::States,
    CutReason::Depth,
    CutReason::Memory,
    CutReason::Disk,
    CutReason::Ignored,
    CutReason::HashCompaction,
    CutReason::SymmetryMarker,
    CutReason::Unsupported,
    CutReason::SkippedError,
    CutReason::WorkerLost,
    CutReason::Interrupted,
    CutReason::NotChecked,
];

fn hexadecimal(digest: &Digest) -> String {
    blake3::Hash::from_bytes(*digest).to_hex().to_string()
}

fn digest(text: &str) -> Option<Digest> {
    blake3::Hash::from_hex(text).ok().map(|hash| *hash.as_bytes())
}

impl Manifest {
    /// As text.
    pub fn text(&self) -> String {
        let mut out = format!("{KIND}{VERSION}\n");
        let _ = writeln!(out, "identity {}", hexadecimal(&self.identity));
        let _ = writeln!(out, "hash {}", hexadecimal(&self.log_hash));
        let mut line = |name: &str, numbers: &[u64]| {
            let _ = write!(out, "{name}");
            numbers.iter().for_each(|n| {
                let _ = write!(out, " {n}");
            });
            out.push('\n');
        };
        line("layout", &[self.layout]);
        line("widened", &self.widened);
        line("log", &[self.log_bytes]);
        line("states", &[u64::from(self.states), u64::from(self.roots), u64::from(self.depth)]);
        line("sums", &[self.transitions, self.checks, self.saved, self.expanded]);
        line("guards", &[self.guards, self.guards_known]);
        line("milliseconds", &[(self.seconds * 1e3) as u64]);
        line("covered", &self.covered);
        line("frontier", &self.frontier);
        line("findings", &self.findings);
        line("setups", &self.setups);
        line("portions", &[self.portions, self.visited]);
        line("late", &self.late);
        line("points", &self.points);
        for cut in self.cuts.list() {
            let reason = REASONS.iter().position(|r| *r == cut.reason).unwrap_or(0);
            let words = cut.words.replace('\\', "\\\\").replace('\n', "\\n");
            let Span { start, end } = cut.span;
            let _ = writeln!(out, "cut {reason} {start} {end} {} {words}", cut.count);
        }
        let _ = writeln!(out, "end {}", blake3::hash(out.as_bytes()));
        out
    }

    /// From text; otherwise in what way it is not exactly what was written.
    pub fn read(text: &str) -> Result<Manifest, &'static str> {
        let (first, _) = text.split_once('\n').ok_or("it is truncated")?;
        match first.strip_prefix(KIND) {
            Some(VERSION) => {}
            Some(_) => return Err("it was written by another version"),
            None => return Err("it is not a checkpoint"),
        }
        // A manifest that was cut off must not pass for a shorter one.
        let end = text.trim_end().rfind('\n').ok_or("it is truncated")? + 1;
        let (body, end) = text.split_at(end);
        if end != format!("end {}\n", blake3::hash(body.as_bytes())) {
            return Err("its checksum is wrong");
        }
        Manifest::read_lines(body.lines().skip(1)).ok_or("it cannot be read")
    }

    fn read_lines<'a>(lines: impl Iterator<Item = &'a str>) -> Option<Manifest> {
        let mut all = Manifest::default();
        for line in lines {
            let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
            if name == "cut" {
                all.read_cut(rest)?;
                continue;
            }
            if name == "identity" {
                all.identity = digest(rest)?;
                continue;
            }
            if name == "hash" {
                all.log_hash = digest(rest)?;
                continue;
            }
            let numbers: Option<Vec<u64>> =
                rest.split(' ').filter(|t| !t.is_empty()).map(|t| t.parse().ok()).collect();
            let numbers = numbers?;
            match (name, &numbers[..]) {
                ("layout", &[n]) => all.layout = n,
                ("widened", _) => all.widened = numbers,
                ("log", &[bytes]) => all.log_bytes = bytes,
                ("states", &[states, roots, depth]) => {
                    all.states = states.try_into().ok()?;
                    all.roots = roots.try_into().ok()?;
                    all.depth = depth.try_into().ok()?;
                }
                ("sums", &[transitions, checks, saved, expanded]) => {
                    (all.transitions, all.checks, all.saved) = (transitions, checks, saved);
                    all.expanded = expanded;
                }
                ("guards", &[tried, known]) => (all.guards, all.guards_known) = (tried, known),
                ("milliseconds", &[n]) => all.seconds = n as f64 / 1e3,
                ("covered", _) => all.covered = numbers,
                ("frontier", _) => all.frontier = numbers,
                ("findings", _) => all.findings = numbers,
                ("setups", _) => all.setups = numbers,
                ("late", _) => all.late = numbers,
                ("points", &[looked, skipped]) => all.points = [looked, skipped],
                ("portions", &[portions, visited]) => {
                    (all.portions, all.visited) = (portions, visited);
                }
                _ => return None,
            }
        }
        Some(all)
    }

    fn read_cut(&mut self, rest: &str) -> Option<()> {
        let mut parts = rest.splitn(5, ' ');
        let reason = *REASONS.get(parts.next()?.parse::<usize>().ok()?)?;
        let start = parts.next()?.parse().ok()?;
        let end = parts.next()?.parse().ok()?;
        let count = parts.next()?.parse().ok()?;
        let mut words = String::new();
        let mut letters = parts.next()?.chars();
        while let Some(c) = letters.next() {
            words.push(match c {
                '\\' if letters.next()? == 'n' => '\n',
                c => c,
            });
        }
        self.cuts.note(reason, Span { start, end }, &words, count);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_comes_back_and_damage_is_noticed() {
        let mut cuts = Cuts::default();
        cuts.note(CutReason::Depth, Span::NONE, "too\ndeep \\ and more", 3);
        cuts.note(CutReason::LargeSet, Span { start: 3, end: 9 }, "", 1);
        let manifest = Manifest {
            identity: [0xA7; 32],
            layout: 3,
            widened: vec![0, 2],
            log_bytes: 12,
            log_hash: [9; 32],
            states: 5,
            roots: 1,
            depth: 2,
            transitions: 10,
            covered: vec![1, 0, 3],
            frontier: vec![2, 4, 5],
            setups: vec![1, 7],
            portions: 3,
            visited: 11,
            cuts,
            seconds: 1.5,
            ..Manifest::default()
        };
        let text = manifest.text();
        let again = Manifest::read(&text).unwrap();
        assert_eq!(again.text(), text);
        assert_eq!(again.cuts.list(), manifest.cuts.list());
        assert_eq!((again.covered, again.seconds), (vec![1, 0, 3], 1.5));
        assert_eq!((again.layout, again.widened), (3, vec![0, 2]));
        assert_eq!((again.setups, again.portions, again.visited), (vec![1, 7], 3, 11));
        for at in 0..text.len() {
            let mut bad = text.clone().into_bytes();
            for bit in 0..7 {
                bad[at] ^= 1 << bit;
                let text = String::from_utf8(bad.clone()).unwrap();
                assert!(Manifest::read(&text).is_err(), "bit {bit} of byte {at}");
                bad[at] ^= 1 << bit;
            }
            assert!(Manifest::read(&text[..at]).is_err());
        }
    }

    #[test]
    fn other_versions_and_other_files_are_told_apart() {
        let refused = |text: &str| Manifest::read(text).unwrap_err();
        assert_eq!(refused("beeline checkpoint 3\nend 7\n"), "it was written by another version");
        assert_eq!(refused("MACHINE M\nEND\n"), "it is not a checkpoint");
        assert_eq!(refused(""), "it is truncated");
    }

    #[test]
    fn every_reason_has_a_place() {
        // The last one of the enumeration: a new one after it must be added here.
        assert_eq!(REASONS.len(), CutReason::NotChecked as usize + 1);
        assert!(REASONS.iter().enumerate().all(|(i, r)| *r as usize == i));
    }
}
