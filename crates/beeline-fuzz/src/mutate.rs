//! Inputs for the plain fuzzer: mutations of seeds at the level of tokens, repeatable by a seed.

/// A small generator of random numbers (splitmix64): the same seed gives the same run.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// A generator.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`; 0 if there is none.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.number() % (limit.max(1) as u64)) as usize
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list.get(self.below(list.len())).copied().unwrap_or("")
    }
}

/// Words and signs of B; `fuzz/b.dict` lists the same.
pub const DICTIONARY: &[&str] = &[
    "MACHINE",
    "REFINEMENT",
    "IMPLEMENTATION",
    "SYSTEM",
    "REFINES",
    "SEES",
    "USES",
    "INCLUDES",
    "EXTENDS",
    "IMPORTS",
    "PROMOTES",
    "CONSTRAINTS",
    "SETS",
    "FREETYPES",
    "CONSTANTS",
    "ABSTRACT_CONSTANTS",
    "PROPERTIES",
    "VALUES",
    "VARIABLES",
    "CONCRETE_VARIABLES",
    "INVARIANT",
    "ASSERTIONS",
    "DEFINITIONS",
    "INITIALISATION",
    "OPERATIONS",
    "LOCAL_OPERATIONS",
    "EVENTS",
    "END",
    "BEGIN",
    "PRE",
    "THEN",
    "ASSERT",
    "IF",
    "ELSIF",
    "ELSE",
    "SELECT",
    "WHEN",
    "CHOICE",
    "OR",
    "CASE",
    "OF",
    "EITHER",
    "ANY",
    "WHERE",
    "LET",
    "BE",
    "IN",
    "VAR",
    "WHILE",
    "DO",
    "VARIANT",
    "skip",
    "TRUE",
    "FALSE",
    "BOOL",
    "NAT",
    "NAT1",
    "INT",
    "INTEGER",
    "NATURAL",
    "STRING",
    "REAL",
    "MAXINT",
    "MININT",
    "POW",
    "POW1",
    "FIN",
    "card",
    "dom",
    "ran",
    "id",
    "seq",
    "iseq",
    "perm",
    "size",
    "first",
    "last",
    "front",
    "tail",
    "rev",
    "conc",
    "closure",
    "closure1",
    "iterate",
    "union",
    "inter",
    "UNION",
    "INTER",
    "SIGMA",
    "PI",
    "min",
    "max",
    "mod",
    "not",
    "or",
    "bool",
    "prj1",
    "prj2",
    "rec",
    "struct",
    "succ",
    "pred",
    "floor",
    "ceiling",
    "real",
    "btrue",
    "bfalse",
    "tree",
    "btree",
    "const",
    "son",
    "father",
    "bin",
    "infix",
    "fnc",
    "rel",
    "x",
    "y",
    "S",
    "f",
    "D",
    "A",
    "N",
    "op",
    "x.y",
    "x$0",
    "`a b`",
    "0",
    "1",
    "42",
    "0xFF",
    "1.5",
    "1e3",
    "99999999999999999999999999",
    "\"a\"",
    "\"D.def\"",
    "\"\\n\"",
    "'''a\nb'''",
    "/* c */",
    "// c\n",
    "/*@desc d */",
    "/*@label l */",
    "/*@symbolic */",
    "/*@file \"N.mch\" */",
    "/*",
    "*/",
    "\"",
    "`",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ";",
    "||",
    "|",
    "&",
    "=",
    "==",
    "/=",
    ":",
    "/:",
    "::",
    ":=",
    ":(",
    "<--",
    "<:",
    "<<:",
    "/<:",
    "/<<:",
    "<",
    "<=",
    ">",
    ">=",
    "=>",
    "<=>",
    "<->",
    "+->",
    "-->",
    ">+>",
    ">->",
    "+->>",
    "-->>",
    ">+>>",
    ">->>",
    "<<->",
    "<->>",
    "<<->>",
    "<+",
    "><",
    "^",
    "<|",
    "<<|",
    "|>",
    "|>>",
    "->",
    "<-",
    "\\/",
    "/\\",
    "/|\\",
    "\\|/",
    "|->",
    "..",
    "+",
    "-",
    "*",
    "/",
    "**",
    "~",
    "'",
    "!",
    "#",
    "%",
    ".",
    "@finite",
    "@partition",
    "@prj1",
    "[]",
    "{}",
    "<>",
    "∀",
    "∃",
    "λ",
    "∈",
    "⇒",
    "∧",
    "∨",
    "¬",
    "ℕ",
    "∅",
    "↦",
    "×",
    "\u{9b}",
    "\u{1b}[0m",
    "\0",
    "\r",
    "\u{2028}",
    "GOAL",
    "SCOPE",
    "SET_PREF_MAXINT",
    "scope_S",
    "ASSERT_LTL",
    "HEURISTIC_FUNCTION",
];

/// Inputs do not grow beyond this.
const MAX_BYTES: usize = 16 << 10;

/// A new input from the seeds.
pub fn mutated(seeds: &[String], random: &mut Random) -> Vec<u8> {
    let choose = |random: &mut Random| seeds.get(random.below(seeds.len())).map_or("", |s| s);
    let mut tokens: Vec<&str> = tokens(choose(random));
    for _ in 0..=random.below(6) {
        let at = random.below(tokens.len());
        match random.below(9) {
            0 if !tokens.is_empty() => drop(tokens.remove(at)),
            1 if !tokens.is_empty() => tokens.insert(at, tokens[at]),
            2 if !tokens.is_empty() => {
                let other = random.below(tokens.len());
                tokens.swap(at, other);
            }
            3 if !tokens.is_empty() => tokens[at] = random.pick(DICTIONARY),
            4 => tokens.insert(at, random.pick(DICTIONARY)),
            5 => tokens.truncate(at),
            6 => {
                let other = self::tokens(choose(random));
                let (start, length) = (random.below(other.len()), 1 + random.below(12));
                tokens.splice(at..at, other.into_iter().skip(start).take(length));
            }
            7 => repeat(&mut tokens, at, random),
            _ => {
                let end = (at + 1 + random.below(8)).min(tokens.len());
                tokens.drain(at..end);
            }
        }
    }
    let mut bytes = tokens.concat().into_bytes();
    bytes.truncate(MAX_BYTES);
    if random.below(8) == 0 && !bytes.is_empty() {
        let at = random.below(bytes.len());
        bytes[at] = random.number() as u8;
    }
    bytes
}

/// A smaller input that still fails: pieces of tokens are left out while that is so.
pub fn shrunk(input: &[u8], fails: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    // Bytes that are no text cannot be cut at tokens; such an input stays as it is.
    let Ok(text) = std::str::from_utf8(input) else { return input.to_owned() };
    let mut kept = tokens(text);
    let mut piece = kept.len() / 2;
    while piece > 0 {
        let mut at = 0;
        while at < kept.len() {
            let end = (at + piece).min(kept.len());
            let without = [&kept[..at], &kept[end..]].concat();
            if fails(without.concat().as_bytes()) {
                kept = without;
            } else {
                at = end;
            }
        }
        piece /= 2;
    }
    kept.concat().into_bytes()
}

/// Repeats some tokens many times: towers of brackets, operators and lists.
fn repeat(tokens: &mut Vec<&str>, at: usize, random: &mut Random) {
    let end = (at + 1 + random.below(4)).min(tokens.len());
    let part: Vec<&str> = tokens[at..end].to_vec();
    let times = 1 << random.below(10);
    tokens.splice(at..at, part.iter().copied().cycle().take(part.len() * times));
}

/// Words, runs of white space, and single signs. Roughly B's own tokens; need not be exact.
fn tokens(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        _ if c.is_alphanumeric() || c == '_' => 0,
        _ if c.is_whitespace() => 1,
        '(' | ')' | '[' | ']' | '{' | '}' | ',' | ';' => 3,
        _ => 2,
    };
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match class(first) {
            3 => first.len_utf8(),
            kind => rest.find(|c| class(c) != kind).unwrap_or(rest.len()),
        };
        let (token, after) = rest.split_at(end);
        tokens.push(token);
        rest = after;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_the_whole_text() {
        let text = "MACHINE M1(x) /* é */ x:=x+1 END\n";
        assert_eq!(tokens(text).concat(), text);
        assert_eq!(tokens("x:={y}"), ["x", ":=", "{", "y", "}"]);
    }

    #[test]
    fn shrinking_keeps_what_fails() {
        let text = "MACHINE M VARIABLES x INVARIANT bad(x) = 1 END";
        let fails = |b: &[u8]| b.windows(3).any(|w| w == b"bad");
        assert_eq!(shrunk(text.as_bytes(), fails), b"bad");
    }

    #[test]
    fn the_same_seed_gives_the_same_inputs() {
        let seeds = vec!["MACHINE M END".to_owned()];
        let run = |seed| {
            let mut random = Random::new(seed);
            (0..50).map(|_| mutated(&seeds, &mut random)).collect::<Vec<_>>()
        };
        assert_eq!(run(7), run(7));
        assert_ne!(run(7), run(8));
    }
}
