//! Spellings, precedence levels and arities: the one table that lexer, parser and printer share.
//!
//! Levels are the numbers of the language reference, larger binds tighter. Everything is left
//! associative but `**` (to the right) and the comparisons (not at all). This module knows no
//! text and no trees, only the words and signs themselves.

use crate::ast::{BinaryOp, Builtin, Constant, Quantifier};

/// Precedence levels.
pub mod level {
    /// `;` and `||`, only inside brackets.
    pub const COMPOSITION: u8 = 20;
    /// `=>`
    pub const IMPLIES: u8 = 30;
    /// `&` and `or`, one level.
    pub const AND_OR: u8 = 40;
    /// `<=>`
    pub const EQUIVALENT: u8 = 60;
    /// `=`, `:`, `<` and their kin; not associative.
    pub const COMPARISON: u8 = 90;
    /// `⦂`; not associative.
    pub const OF_TYPE: u8 = 120;
    /// Arrows between sets.
    pub const ARROW: u8 = 125;
    /// Set, relation and sequence operators, and `|->`.
    pub const SETS: u8 = 160;
    /// `..`
    pub const INTERVAL: u8 = 170;
    /// `+`, `-`, `\`
    pub const SUM: u8 = 180;
    /// `*`, `/`, `mod`, `×`
    pub const PRODUCT: u8 = 190;
    /// `**`, right associative.
    pub const POWER: u8 = 200;
    /// Unary minus; its operand is a postfix expression.
    pub const NEGATE: u8 = 210;
    /// `~`, image, call, field: written behind their operand.
    pub const POSTFIX: u8 = 230;
}

macro_rules! binary_operators {
    ($($op:ident $ascii:literal $unicode:literal $level:ident;)*) => {
        /// Every binary operator.
        pub const BINARY_OPS: &[BinaryOp] = &[$(BinaryOp::$op),*];

        impl BinaryOp {
            /// How it is written in ASCII; the few without ASCII spelling give their glyph.
            pub fn spelling(self) -> &'static str {
                match self { $(BinaryOp::$op => $ascii),* }
            }

            /// How it is written with glyphs; the ASCII spelling where there is none.
            pub fn unicode(self) -> &'static str {
                match self { $(BinaryOp::$op => $unicode),* }
            }

            /// Its precedence; larger binds tighter.
            pub fn level(self) -> u8 {
                match self { $(BinaryOp::$op => level::$level),* }
            }
        }
    };
}

binary_operators! {
    Implies "=>" "⇒" IMPLIES;
    Equivalent "<=>" "⇔" EQUIVALENT;
    Equal "=" "=" COMPARISON;
    NotEqual "/=" "≠" COMPARISON;
    Member ":" "∈" COMPARISON;
    NotMember "/:" "∉" COMPARISON;
    Subset "<:" "⊆" COMPARISON;
    StrictSubset "<<:" "⊂" COMPARISON;
    NotSubset "/<:" "⊈" COMPARISON;
    NotStrictSubset "/<<:" "⊄" COMPARISON;
    Less "<" "<" COMPARISON;
    LessEqual "<=" "≤" COMPARISON;
    Greater ">" ">" COMPARISON;
    GreaterEqual ">=" "≥" COMPARISON;
    Composition ";" ";" COMPOSITION;
    SymbolicComposition "/*@symbolic*/ ;" "/*@symbolic*/ ;" COMPOSITION;
    ParallelProduct "||" "∥" COMPOSITION;
    Relation "<->" "↔" ARROW;
    PartialFunction "+->" "⇸" ARROW;
    TotalFunction "-->" "→" ARROW;
    PartialInjection ">+>" "⤔" ARROW;
    TotalInjection ">->" "↣" ARROW;
    PartialSurjection "+->>" "⤀" ARROW;
    TotalSurjection "-->>" "↠" ARROW;
    PartialBijection ">+>>" ">+>>" ARROW;
    TotalBijection ">->>" "⤖" ARROW;
    TotalRelation "<<->" "\u{E100}" ARROW;
    SurjectiveRelation "<->>" "\u{E101}" ARROW;
    TotalSurjectiveRelation "<<->>" "\u{E102}" ARROW;
    Override "<+" "\u{E103}" SETS;
    DirectProduct "><" "⊗" SETS;
    BackwardComposition "∘" "∘" SETS;
    Concat "^" "⌒" SETS;
    DomainRestrict "<|" "◁" SETS;
    DomainSubtract "<<|" "⩤" SETS;
    RangeRestrict "|>" "▷" SETS;
    RangeSubtract "|>>" "⩥" SETS;
    Prepend "->" "⇾" SETS;
    Append "<-" "⇽" SETS;
    Union "\\/" "∪" SETS;
    Intersection "/\\" "∩" SETS;
    Take "/|\\" "↑" SETS;
    Drop "\\|/" "↓" SETS;
    Maplet "|->" "↦" SETS;
    Interval ".." "‥" INTERVAL;
    Minus "-" "−" SUM;
    Plus "+" "+" SUM;
    SetMinus "\\" "∖" SUM;
    Times "*" "∗" PRODUCT;
    Cartesian "×" "×" PRODUCT;
    Divide "/" "÷" PRODUCT;
    Modulo "mod" "mod" PRODUCT;
    Power "**" "˄" POWER;
}

impl BinaryOp {
    /// Does it make a predicate of its operands?
    pub fn makes_predicate(self) -> bool {
        matches!(self.level(), level::IMPLIES | level::EQUIVALENT | level::COMPARISON)
    }

    /// May it not be repeated without parentheses (`a = b = c`)?
    pub fn is_comparison(self) -> bool {
        self.level() == level::COMPARISON
    }
}

macro_rules! builtins {
    ($($op:ident $keyword:literal $least:literal..=$most:expr;)*) => {
        /// Every keyword operator.
        pub const BUILTINS: &[Builtin] = &[$(Builtin::$op),*];

        impl Builtin {
            /// The word it is written with.
            pub fn keyword(self) -> &'static str {
                match self { $(Builtin::$op => $keyword),* }
            }

            /// The fewest and the most arguments it takes.
            pub fn arity(self) -> (usize, usize) {
                match self { $(Builtin::$op => ($least, $most)),* }
            }
        }
    };
}

builtins! {
    Not "not" 1..=1;
    BoolOf "bool" 1..=1;
    Finite "@finite" 1..=1;
    Partition "@partition" 1..=usize::MAX;
    Pow "POW" 1..=1;
    Pow1 "POW1" 1..=1;
    Fin "FIN" 1..=1;
    Fin1 "FIN1" 1..=1;
    Card "card" 1..=1;
    Min "min" 1..=1;
    Max "max" 1..=1;
    GeneralUnion "union" 1..=1;
    GeneralInter "inter" 1..=1;
    Dom "dom" 1..=1;
    Ran "ran" 1..=1;
    Identity "id" 1..=1;
    Closure "closure" 1..=1;
    Closure1 "closure1" 1..=1;
    Iterate "iterate" 2..=2;
    Fnc "fnc" 1..=1;
    Rel "rel" 1..=1;
    Prj1 "prj1" 1..=2;
    Prj2 "prj2" 1..=2;
    Seq "seq" 1..=1;
    Seq1 "seq1" 1..=1;
    Iseq "iseq" 1..=1;
    Iseq1 "iseq1" 1..=1;
    Perm "perm" 1..=1;
    Size "size" 1..=1;
    First "first" 1..=1;
    Last "last" 1..=1;
    Front "front" 1..=1;
    Tail "tail" 1..=1;
    Rev "rev" 1..=1;
    Conc "conc" 1..=1;
    Floor "floor" 1..=1;
    Ceiling "ceiling" 1..=1;
    ToReal "real" 1..=1;
    Tree "tree" 1..=1;
    Btree "btree" 1..=1;
    Const "const" 2..=2;
    Top "top" 1..=1;
    Sons "sons" 1..=1;
    Prefix "prefix" 1..=1;
    Postfix "postfix" 1..=1;
    Sizet "sizet" 1..=1;
    Mirror "mirror" 1..=1;
    Rank "rank" 2..=2;
    Father "father" 2..=2;
    Son "son" 3..=3;
    Subtree "subtree" 2..=2;
    Arity "arity" 2..=2;
    Bin "bin" 1..=3;
    Left "left" 1..=1;
    Right "right" 1..=1;
    Infix "infix" 1..=1;
}

impl Builtin {
    /// Is it built in only directly before a parenthesis, and a plain name elsewhere?
    pub fn is_tree_word(self) -> bool {
        self as u8 >= Builtin::Tree as u8
    }

    /// Can it be a name of the author's own even before a parenthesis, where that is declared?
    pub fn is_soft_word(self) -> bool {
        self.is_tree_word() || matches!(self, Builtin::Floor | Builtin::Ceiling | Builtin::ToReal)
    }

    /// Does it make a predicate?
    pub fn makes_predicate(self) -> bool {
        matches!(self, Builtin::Not | Builtin::Finite | Builtin::Partition)
    }

    /// Does it take this many arguments?
    pub fn takes(self, count: usize) -> bool {
        let (least, most) = self.arity();
        (least..=most).contains(&count) && !(self == Builtin::Bin && count == 2)
    }
}

impl Constant {
    /// How it is written in ASCII.
    pub fn keyword(self) -> &'static str {
        match self {
            Constant::True => "TRUE",
            Constant::False => "FALSE",
            Constant::Truth => "btrue",
            Constant::Falsity => "bfalse",
            Constant::MaxInt => "MAXINT",
            Constant::MinInt => "MININT",
            Constant::Integer => "INTEGER",
            Constant::Natural => "NATURAL",
            Constant::Natural1 => "NATURAL1",
            Constant::Int => "INT",
            Constant::Nat => "NAT",
            Constant::Nat1 => "NAT1",
            Constant::Bool => "BOOL",
            Constant::String => "STRING",
            Constant::Real => "REAL",
            Constant::Float => "FLOAT",
            Constant::Succ => "succ",
            Constant::Pred => "pred",
            Constant::Projection1 => "@prj1",
            Constant::Projection2 => "@prj2",
            Constant::Identity => "@id",
            Constant::EmptySet => "{}",
            Constant::EmptySequence => "[]",
        }
    }

    /// How it is written with glyphs; the ASCII spelling where there is none.
    pub fn unicode(self) -> &'static str {
        match self {
            Constant::Truth => "⊤",
            Constant::Falsity => "⊥",
            Constant::Integer => "ℤ",
            Constant::Natural => "ℕ",
            Constant::Natural1 => "ℕ₁",
            Constant::Bool => "𝔹",
            Constant::Real => "ℝ",
            Constant::EmptySet => "∅",
            _ => self.keyword(),
        }
    }
}

impl Quantifier {
    /// How it is written in ASCII.
    pub fn spelling(self) -> &'static str {
        match self {
            Quantifier::Forall => "!",
            Quantifier::Exists => "#",
            Quantifier::Lambda => "%",
            Quantifier::Sigma => "SIGMA",
            Quantifier::Pi => "PI",
            Quantifier::Union => "UNION",
            Quantifier::Inter => "INTER",
        }
    }

    /// How it is written with glyphs.
    pub fn unicode(self) -> &'static str {
        match self {
            Quantifier::Forall => "∀",
            Quantifier::Exists => "∃",
            Quantifier::Lambda => "λ",
            Quantifier::Sigma => "∑",
            Quantifier::Pi => "∏",
            Quantifier::Union => "⋃",
            Quantifier::Inter => "⋂",
        }
    }

    /// Is its body `(P | E)` rather than `(P)`?
    pub fn has_expression(self) -> bool {
        !matches!(self, Quantifier::Forall | Quantifier::Exists)
    }
}

/// The reserved words; a name that equals one must be written in back-quotes.
pub const KEYWORDS: &[&str] = &[
    "ABSTRACT_CONSTANTS",
    "ABSTRACT_VARIABLES",
    "ANY",
    "ASSERT",
    "ASSERTIONS",
    "BE",
    "BEGIN",
    "BOOL",
    "CASE",
    "CHOICE",
    "CONCRETE_CONSTANTS",
    "CONCRETE_VARIABLES",
    "CONSTANTS",
    "CONSTRAINTS",
    "DEFINITIONS",
    "DO",
    "EITHER",
    "ELSE",
    "ELSIF",
    "END",
    "EVENTS",
    "EXPRESSIONS",
    "EXTENDS",
    "FALSE",
    "FIN",
    "FIN1",
    "FLOAT",
    "FREETYPES",
    "IF",
    "IMPLEMENTATION",
    "IMPORTS",
    "IN",
    "INCLUDES",
    "INITIALISATION",
    "INITIALIZATION",
    "INT",
    "INTEGER",
    "INTER",
    "INVARIANT",
    "LET",
    "LOCAL_OPERATIONS",
    "MACHINE",
    "MAXINT",
    "MININT",
    "MODEL",
    "NAT",
    "NAT1",
    "NATURAL",
    "NATURAL1",
    "OF",
    "OPERATIONS",
    "OR",
    "PI",
    "POW",
    "POW1",
    "PRE",
    "PREDICATES",
    "PROMOTES",
    "PROPERTIES",
    "REAL",
    "REFINEMENT",
    "REFINES",
    "SEES",
    "SELECT",
    "SETS",
    "SIGMA",
    "STRING",
    "SYSTEM",
    "THEN",
    "TRUE",
    "UNION",
    "USES",
    "VALUES",
    "VAR",
    "VARIABLES",
    "VARIANT",
    "WHEN",
    "WHERE",
    "WHILE",
    "WITNESS",
    "bfalse",
    "bool",
    "btrue",
    "card",
    "ceiling",
    "closure",
    "closure1",
    "conc",
    "dom",
    "first",
    "floor",
    "fnc",
    "front",
    "id",
    "inter",
    "iseq",
    "iseq1",
    "iterate",
    "last",
    "max",
    "min",
    "mod",
    "not",
    "or",
    "perm",
    "pred",
    "prj1",
    "prj2",
    "ran",
    "real",
    "rec",
    "rel",
    "rev",
    "seq",
    "seq1",
    "size",
    "skip",
    "struct",
    "succ",
    "tail",
    "union",
];

/// Must this name be written in back-quotes to be read as a name? (Dots separate its parts.)
pub fn needs_quotes(name: &str) -> bool {
    !crate::lexer::is_plain_identifier(name) || KEYWORDS.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_sorted() {
        assert!(KEYWORDS.windows(2).all(|w| w[0] < w[1]));
    }

    #[test]
    fn words_that_need_quotes() {
        assert!(needs_quotes("id"));
        assert!(needs_quotes("stroke-width"));
        assert!(needs_quotes("_x"));
        assert!(needs_quotes(""));
        assert!(!needs_quotes("top"));
        assert!(!needs_quotes("x_1"));
    }

    #[test]
    fn tree_words_are_the_last_builtins() {
        assert!(Builtin::Infix.is_tree_word() && Builtin::Tree.is_tree_word());
        assert!(!Builtin::ToReal.is_tree_word());
        assert!(Builtin::Bin.takes(1) && !Builtin::Bin.takes(2) && Builtin::Bin.takes(3));
    }
}
