//! Tokens: what the lexer gives the parser. Compact, `Copy`, and without text of their own.

use crate::ast::{BinaryOp, Builtin, Constant, Quantifier};

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tok {
    Eof,
    /// Something the lexer has already complained about.
    Bad,
    Ident,
    /// A name in back-quotes.
    Quoted,
    /// A name, unless a parenthesis follows.
    TreeWord(Builtin),
    Integer,
    Hex,
    Real,
    Text,
    MultiLineText,
    TemplateText,
    Constant(Constant),
    Builtin(Builtin),
    Quantifier(Quantifier),
    Keyword(Keyword),
    /// A binary operator; `-`, `;`, `||`, `=`, `:` are here whatever they turn out to mean.
    Op(BinaryOp),
    /// An operator written the other way round: `⊇` is `⊆` with its operands swapped.
    Flipped(BinaryOp),
    And,
    Or,
    OfType,
    LeftParen,
    RightParen,
    LeftBracket,
    RightBracket,
    LeftBrace,
    RightBrace,
    Comma,
    Bar,
    Dot,
    /// `·` and its like: separates bound names from the body, never parts of a name.
    GlyphDot,
    Tilde,
    Prime,
    DollarZero,
    /// `:=`
    Assign,
    /// `::`
    DoubleColon,
    /// `<--`
    Output,
    /// `==`
    DoubleEqual,
    /// `/*@symbolic*/`
    Symbolic,
    /// `/*@label …*/`
    Label,
    /// `/*@desc …*/`
    Desc,
    /// `/*@file …*/`
    File,
    /// `/*@generated*/`
    Generated,
    /// `/*@package …*/`
    Package,
    /// `/*@import-package …*/`
    ImportPackage,
    /// `#FORMULA` and its like, at the very start.
    Prefix(Prefix),
}

/// What stands before a formula of a prompt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Prefix {
    Formula,
    Substitution,
    /// Known, but not offered.
    Other,
}

/// A token and its place, as byte offsets into the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub tok: Tok,
    pub start: u32,
    pub end: u32,
}

macro_rules! keywords {
    ($($name:ident $word:literal)*) => {
        /// Reserved words with a place in the grammar.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Keyword { $($name),* }

        impl Keyword {
            /// The word itself.
            pub fn word(self) -> &'static str {
                match self { $(Keyword::$name => $word),* }
            }
        }

        const GRAMMAR_WORDS: &[(&str, Tok)] = &[$(($word, Tok::Keyword(Keyword::$name))),*];
    };
}

keywords! {
    AbstractConstants "ABSTRACT_CONSTANTS"
    AbstractVariables "ABSTRACT_VARIABLES"
    Any "ANY"
    Assert "ASSERT"
    Assertions "ASSERTIONS"
    Be "BE"
    Begin "BEGIN"
    Case "CASE"
    Choice "CHOICE"
    ConcreteConstants "CONCRETE_CONSTANTS"
    ConcreteVariables "CONCRETE_VARIABLES"
    Constants "CONSTANTS"
    Constraints "CONSTRAINTS"
    Definitions "DEFINITIONS"
    Do "DO"
    Either "EITHER"
    Else "ELSE"
    Elsif "ELSIF"
    End "END"
    Events "EVENTS"
    Expressions "EXPRESSIONS"
    Extends "EXTENDS"
    Freetypes "FREETYPES"
    If "IF"
    Implementation "IMPLEMENTATION"
    Imports "IMPORTS"
    In "IN"
    Includes "INCLUDES"
    Initialisation "INITIALISATION"
    Initialization "INITIALIZATION"
    Invariant "INVARIANT"
    Let "LET"
    LocalOperations "LOCAL_OPERATIONS"
    Machine "MACHINE"
    Model "MODEL"
    Of "OF"
    Operations "OPERATIONS"
    OrBranch "OR"
    Pre "PRE"
    Predicates "PREDICATES"
    Promotes "PROMOTES"
    Properties "PROPERTIES"
    Rec "rec"
    Refinement "REFINEMENT"
    Refines "REFINES"
    Sees "SEES"
    Select "SELECT"
    Sets "SETS"
    Skip "skip"
    Struct "struct"
    System "SYSTEM"
    Then "THEN"
    Uses "USES"
    Values "VALUES"
    Var "VAR"
    Variables "VARIABLES"
    Variant "VARIANT"
    When "WHEN"
    Where "WHERE"
    While "WHILE"
    Witness "WITNESS"
}

impl Keyword {
    /// Does it open a clause of a machine?
    pub fn opens_clause(self) -> bool {
        use Keyword::*;
        matches!(
            self,
            AbstractConstants
                | AbstractVariables
                | Assertions
                | ConcreteConstants
                | ConcreteVariables
                | Constants
                | Constraints
                | Definitions
                | Events
                | Expressions
                | Extends
                | Freetypes
                | Imports
                | Includes
                | Initialisation
                | Initialization
                | Invariant
                | LocalOperations
                | Operations
                | Predicates
                | Promotes
                | Properties
                | Refines
                | Sees
                | Sets
                | Uses
                | Values
                | Variables
                | Variant
        )
    }

    /// How many `END`s does it make necessary?
    pub fn ends_needed(self) -> u32 {
        use Keyword::*;
        match self {
            // CASE … EITHER … END END: EITHER opens the inner block.
            Any | Assert | Begin | Case | Choice | Either | If | Let | Pre | Select | Var
            | While | Witness => 1,
            _ => 0,
        }
    }
}

/// The words that are not in [`GRAMMAR_WORDS`], [`crate::operators::BUILTINS`] or constants.
const OTHER_WORDS: &[(&str, Tok)] = &[
    ("TRUE", Tok::Constant(Constant::True)),
    ("FALSE", Tok::Constant(Constant::False)),
    ("btrue", Tok::Constant(Constant::Truth)),
    ("bfalse", Tok::Constant(Constant::Falsity)),
    ("MAXINT", Tok::Constant(Constant::MaxInt)),
    ("MININT", Tok::Constant(Constant::MinInt)),
    ("INTEGER", Tok::Constant(Constant::Integer)),
    ("NATURAL", Tok::Constant(Constant::Natural)),
    ("NATURAL1", Tok::Constant(Constant::Natural1)),
    ("INT", Tok::Constant(Constant::Int)),
    ("NAT", Tok::Constant(Constant::Nat)),
    ("NAT1", Tok::Constant(Constant::Nat1)),
    ("BOOL", Tok::Constant(Constant::Bool)),
    ("STRING", Tok::Constant(Constant::String)),
    ("REAL", Tok::Constant(Constant::Real)),
    ("FLOAT", Tok::Constant(Constant::Float)),
    ("succ", Tok::Constant(Constant::Succ)),
    ("pred", Tok::Constant(Constant::Pred)),
    ("mod", Tok::Op(BinaryOp::Modulo)),
    ("or", Tok::Or),
    ("SIGMA", Tok::Quantifier(Quantifier::Sigma)),
    ("PI", Tok::Quantifier(Quantifier::Pi)),
    ("UNION", Tok::Quantifier(Quantifier::Union)),
    ("INTER", Tok::Quantifier(Quantifier::Inter)),
    ("not", Tok::Builtin(Builtin::Not)),
    ("bool", Tok::Builtin(Builtin::BoolOf)),
    ("POW", Tok::Builtin(Builtin::Pow)),
    ("POW1", Tok::Builtin(Builtin::Pow1)),
    ("FIN", Tok::Builtin(Builtin::Fin)),
    ("FIN1", Tok::Builtin(Builtin::Fin1)),
    ("card", Tok::Builtin(Builtin::Card)),
    ("min", Tok::Builtin(Builtin::Min)),
    ("max", Tok::Builtin(Builtin::Max)),
    ("union", Tok::Builtin(Builtin::GeneralUnion)),
    ("inter", Tok::Builtin(Builtin::GeneralInter)),
    ("dom", Tok::Builtin(Builtin::Dom)),
    ("ran", Tok::Builtin(Builtin::Ran)),
    ("id", Tok::Builtin(Builtin::Identity)),
    ("closure", Tok::Builtin(Builtin::Closure)),
    ("closure1", Tok::Builtin(Builtin::Closure1)),
    ("iterate", Tok::Builtin(Builtin::Iterate)),
    ("fnc", Tok::Builtin(Builtin::Fnc)),
    ("rel", Tok::Builtin(Builtin::Rel)),
    ("prj1", Tok::Builtin(Builtin::Prj1)),
    ("prj2", Tok::Builtin(Builtin::Prj2)),
    ("seq", Tok::Builtin(Builtin::Seq)),
    ("seq1", Tok::Builtin(Builtin::Seq1)),
    ("iseq", Tok::Builtin(Builtin::Iseq)),
    ("iseq1", Tok::Builtin(Builtin::Iseq1)),
    ("perm", Tok::Builtin(Builtin::Perm)),
    ("size", Tok::Builtin(Builtin::Size)),
    ("first", Tok::Builtin(Builtin::First)),
    ("last", Tok::Builtin(Builtin::Last)),
    ("front", Tok::Builtin(Builtin::Front)),
    ("tail", Tok::Builtin(Builtin::Tail)),
    ("rev", Tok::Builtin(Builtin::Rev)),
    ("conc", Tok::Builtin(Builtin::Conc)),
    ("floor", Tok::Builtin(Builtin::Floor)),
    ("ceiling", Tok::Builtin(Builtin::Ceiling)),
    ("real", Tok::Builtin(Builtin::ToReal)),
    ("tree", Tok::TreeWord(Builtin::Tree)),
    ("btree", Tok::TreeWord(Builtin::Btree)),
    ("const", Tok::TreeWord(Builtin::Const)),
    ("top", Tok::TreeWord(Builtin::Top)),
    ("sons", Tok::TreeWord(Builtin::Sons)),
    ("prefix", Tok::TreeWord(Builtin::Prefix)),
    ("postfix", Tok::TreeWord(Builtin::Postfix)),
    ("sizet", Tok::TreeWord(Builtin::Sizet)),
    ("mirror", Tok::TreeWord(Builtin::Mirror)),
    ("rank", Tok::TreeWord(Builtin::Rank)),
    ("father", Tok::TreeWord(Builtin::Father)),
    ("son", Tok::TreeWord(Builtin::Son)),
    ("subtree", Tok::TreeWord(Builtin::Subtree)),
    ("arity", Tok::TreeWord(Builtin::Arity)),
    ("bin", Tok::TreeWord(Builtin::Bin)),
    ("left", Tok::TreeWord(Builtin::Left)),
    ("right", Tok::TreeWord(Builtin::Right)),
    ("infix", Tok::TreeWord(Builtin::Infix)),
];

const SLOTS: usize = 1024;
const LONGEST: usize = 18;

/// Open addressing over a hash that looks at four bytes; made by the compiler.
static WORDS: [Option<(&str, Tok)>; SLOTS] = word_table();

const fn hash(word: &[u8]) -> usize {
    let n = word.len();
    let h = word[0] as usize * 7
        + word[n - 1] as usize * 31
        + word[n / 2] as usize * 113
        + word[n / 3] as usize * 419
        + n * 59;
    h % SLOTS
}

const fn word_table() -> [Option<(&'static str, Tok)>; SLOTS] {
    let mut table = [None; SLOTS];
    let lists = [GRAMMAR_WORDS, OTHER_WORDS];
    let mut l = 0;
    while l < lists.len() {
        let mut i = 0;
        while i < lists[l].len() {
            let mut slot = hash(lists[l][i].0.as_bytes());
            while table[slot].is_some() {
                slot = (slot + 1) % SLOTS;
            }
            table[slot] = Some(lists[l][i]);
            i += 1;
        }
        l += 1;
    }
    table
}

/// The token that an ASCII word is.
pub(crate) fn word_token(word: &str) -> Tok {
    if word.len() < 2 || word.len() > LONGEST {
        return Tok::Ident;
    }
    let mut slot = hash(word.as_bytes());
    while let Some((known, tok)) = WORDS[slot] {
        if known == word {
            return tok;
        }
        slot = (slot + 1) % SLOTS;
    }
    Tok::Ident
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operators::{BUILTINS, KEYWORDS};

    #[test]
    fn every_reserved_word_is_known_and_no_other() {
        for word in KEYWORDS {
            let tok = word_token(word);
            assert!(!matches!(tok, Tok::Ident | Tok::TreeWord(_)), "{word}: {tok:?}");
        }
        for builtin in BUILTINS {
            let expected = match builtin {
                Builtin::Finite | Builtin::Partition => continue,
                b if b.is_tree_word() => Tok::TreeWord(*b),
                b => Tok::Builtin(*b),
            };
            assert_eq!(word_token(builtin.keyword()), expected);
        }
        let words = GRAMMAR_WORDS.iter().chain(OTHER_WORDS);
        for (word, tok) in words.clone() {
            assert_eq!(word_token(word), *tok);
            assert!(word.len() <= LONGEST);
            let reserved = KEYWORDS.binary_search(word).is_ok();
            assert_eq!(reserved, !matches!(tok, Tok::TreeWord(_)), "{word}");
        }
        assert_eq!(word_token("x"), Tok::Ident);
        assert_eq!(word_token("cards"), Tok::Ident);
        assert_eq!(word_token("Machine"), Tok::Ident);
    }

    #[test]
    fn tokens_are_small() {
        assert_eq!(size_of::<Token>(), 12);
    }
}
