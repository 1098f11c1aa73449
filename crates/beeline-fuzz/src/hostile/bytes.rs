//! Bytes that are hardly a model: long literals, cut-off files, noise.

use super::{Template, grows, invariant, one};

type Files = Vec<(String, Vec<u8>)>;

macro_rules! templates {
    ($($name:literal $sizes:expr, $make:expr;)*) => {
        &[$(Template { name: $name, sizes: &$sizes, make: $make },)*]
    };
}

const SANE: &str = "MACHINE M(p)\nCONSTRAINTS p : 1..3\nSETS S = {a, b}; D\nCONSTANTS c\nPROPERTIES c : S --> D\n\
    DEFINITIONS d(x) == x + 1; GOAL == v = 3\nVARIABLES v, w\nINVARIANT v : 0..9 & w : seq(0..3) & !x.(x : ran(w) => x < 9)\n\
    INITIALISATION v := 0 || w := []\nOPERATIONS\n  r <-- o(x) = PRE x : 0..3 & \"text\" /= \"\" THEN ANY y WHERE y = d(x) \
    THEN v, w := (v + y) mod 9, w <- x || r := v END END;\n  t = IF v = 0 THEN v :: 1..2 ELSE CHOICE skip OR v := 0 END END\nEND\n";

const SUFFIXES: [&str; 8] = ["mch", "ref", "imp", "def", "eventb", "bum", "buc", "zip"];

fn named(suffix: usize, bytes: Vec<u8>) -> Files {
    vec![(format!("M.{}", SUFFIXES[suffix % SUFFIXES.len()]), bytes)]
}

/// Bytes that look like nothing, the same for each seed.
fn noise(seed: usize, length: usize) -> Vec<u8> {
    let mut state = seed as u64 ^ 0x9E37_79B9_7F4A_7C15;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..length).map(|_| next()).collect()
}

/// The sane machine with some bytes changed.
fn spoiled(seed: usize) -> Files {
    let mut text = SANE.as_bytes().to_vec();
    for pair in noise(seed, 24).chunks(2) {
        let at = (usize::from(pair[0]) * 7 + usize::from(pair[1])) % text.len();
        text[at] = pair[1];
    }
    named(0, text)
}

/// Words of the language in no order.
fn soup(seed: usize) -> Files {
    let words = [
        "MACHINE",
        "END",
        "x",
        "(",
        ")",
        "{",
        "}",
        "|",
        ":",
        "&",
        "or",
        "=>",
        "!",
        "#",
        "%",
        ".",
        ",",
        "POW",
        "INVARIANT",
        "IF",
        "THEN",
        "ELSE",
        "ANY",
        "WHERE",
        "VARIABLES",
        "OPERATIONS",
        "=",
        "==",
        ";",
        "||",
        ":=",
        "::",
        "1",
        "..",
        "\"s\"",
        "[",
        "]",
        "^",
        "WHILE",
        "DO",
        "VARIANT",
        "INITIALISATION",
        "DEFINITIONS",
        "SETS",
        "\\/",
        "|->",
        "-->",
        "<+",
        "~",
        "'",
        "rec",
        "struct",
    ];
    let text: Vec<&str> =
        noise(seed, 5_000).iter().map(|b| words[usize::from(*b) % words.len()]).collect();
    named(0, format!("MACHINE M {}", text.join(" ")).into_bytes())
}

const LITERALS: &[Template] = templates! {
    "digits" [20, 100_000, 5_000_000], |n| invariant(&format!("v < {}", "7".repeat(n)));
    "digits-many" [20, 2_000], |n| invariant(&super::list(n, " & ", |i| format!("v < {i}{}", "7".repeat(2_000))));
    "digits-compared" [20, 500_000], |n| invariant(&format!("v /= {0} & {0} = {0}", "7".repeat(n)));
    "digits-shown" [20, 300_000], |n| invariant(&format!("v = {}", "7".repeat(n)));
    "digits-grown" [20, 300_000], |n| grows("1", &format!("v + {}", "7".repeat(n)));
    "digits-hex" [20, 4_000, 1_000_000], |n| invariant(&format!("v < 0x{}", "F".repeat(n)));
    "digits-real" [20, 100_000], |n| invariant(&format!("1.5 < {}.{}", "7".repeat(n), "3".repeat(n)));
    "long-string" [20, 10_000_000], |n| invariant(&format!("\"{}\" /= \"\"", "s".repeat(n)));
    "long-strings-shown" [20, 1_000_000], |n| invariant(&format!("\"{}\" = \"\"", "s".repeat(n)));
    "long-name" [20, 1_000_000], |n| one(format!("MACHINE M VARIABLES {0} INVARIANT {0} : 0..1 INITIALISATION {0} := 3 END", "n".repeat(n)));
    "long-names" [20, 2_000], |n| one(format!("MACHINE M VARIABLES {} END", super::list(n, ",", |i| format!("{}{i}", "n".repeat(1_000)))));
    "long-comment" [20, 20_000_000], |n| one(format!("MACHINE M /* {} */ END", "c".repeat(n)));
    "long-line" [20, 20_000_000], |n| one(format!("MACHINE M {} END", " ".repeat(n)));
    "long-dots" [20, 100_000], |n| invariant(&format!("v = {}v", "v.".repeat(n)));
    "long-primes" [20, 100_000], |n| invariant(&format!("v = v{}", "'".repeat(n)));
    "long-lines" [20, 5_000_000], |n| one(format!("MACHINE M {} oops", "\n".repeat(n)));
    "long-carriage" [20, 1_000_000], |n| one(format!("MACHINE M {} END", "\r".repeat(n)));
};

const NOISE: &[Template] = templates! {
    "cut-off" [9, 10, 15, 30, 44, 60, 75, 90, 120, 150, 180, 210, 240, 270, 300, 330, 360, 390, 420, 450, 480, 510, 540, 600], |n| named(0, SANE.as_bytes()[..n.min(SANE.len())].to_vec());
    "spoiled" [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24], spoiled;
    "soup" [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], soup;
    "noise" [0, 1, 2, 3, 4, 5, 6, 7], |n| named(n, noise(n, 3_000));
    "noise-large" [0, 4, 5, 7], |n| named(n, noise(n, 5_000_000));
    "nul" [0, 4, 5, 7], |n| named(n, vec![0; 100_000]);
    "empty" [0, 1, 2, 3, 4, 5, 6, 7], |n| named(n, Vec::new());
    "not-utf8" [0, 4, 5], |n| named(n, [SANE.as_bytes(), &[0xC3, 0x28, 0xFF, 0xFE]].concat());
    "utf16" [0, 4, 5], |n| named(n, SANE.encode_utf16().flat_map(u16::to_le_bytes).collect());
    "byte-order-mark" [0, 4], |n| named(n, [&[0xEF, 0xBB, 0xBF], SANE.as_bytes()].concat());
    "sane-elsewhere" [1, 2, 3, 4, 5, 6, 7], |n| named(n, SANE.as_bytes().to_vec());
    "quote" [1, 100_000], |n| one(format!("MACHINE M DEFINITIONS d == {}", "\"".repeat(n)));
    "backquotes" [1, 100_000], |n| one(format!("MACHINE M VARIABLES {}", "`".repeat(n)));
    "comment-open" [1, 100_000], |n| one(format!("MACHINE M {}", "/* ".repeat(n)));
    "controls" [1, 100_000], |n| one(format!("MACHINE M {} END", "\u{1b}[2J\u{7}\u{202e}".repeat(n)));
    "symbols" [1, 100_000], |n| one(format!("MACHINE M INVARIANT {} END", "∀∃∈⇒ℕ".repeat(n)));
};

pub(super) const TEMPLATES: &[&[Template]] = &[LITERALS, NOISE];
