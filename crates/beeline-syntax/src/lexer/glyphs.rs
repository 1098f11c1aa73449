//! Characters beyond ASCII: what each glyph stands for, and which ones may be part of a name.

use super::{Lexer, name_length};
use crate::ast::{BinaryOp, Builtin, Constant, Quantifier};
use crate::token::Tok;

/// Glyphs that are one token by themselves.
fn glyph(c: char) -> Option<Tok> {
    use BinaryOp::*;
    Some(match c {
        '⇒' | '⟹' => Tok::Op(Implies),
        '∧' => Tok::And,
        '∨' => Tok::Or,
        '⇔' | '⟺' => Tok::Op(Equivalent),
        '≠' => Tok::Op(NotEqual),
        '∈' => Tok::Op(Member),
        '∉' => Tok::Op(NotMember),
        '⊆' => Tok::Op(Subset),
        '⊂' | '⊊' => Tok::Op(StrictSubset),
        '⊈' => Tok::Op(NotSubset),
        '⊄' => Tok::Op(NotStrictSubset),
        '≤' => Tok::Op(LessEqual),
        '≥' => Tok::Op(GreaterEqual),
        '⊇' => Tok::Flipped(Subset),
        '⊃' => Tok::Flipped(StrictSubset),
        '⊉' => Tok::Flipped(NotSubset),
        '⊅' | '⊋' => Tok::Flipped(NotStrictSubset),
        '∋' => Tok::Flipped(Member),
        '∌' => Tok::Flipped(NotMember),
        '¬' => Tok::Builtin(Builtin::Not),
        '∥' | '‖' => Tok::Op(ParallelProduct),
        '⦂' => Tok::OfType,
        '↔' => Tok::Op(Relation),
        '⇸' => Tok::Op(PartialFunction),
        '→' => Tok::Op(TotalFunction),
        '⤔' => Tok::Op(PartialInjection),
        '↣' => Tok::Op(TotalInjection),
        '⤀' => Tok::Op(PartialSurjection),
        '↠' => Tok::Op(TotalSurjection),
        '⤖' => Tok::Op(TotalBijection),
        '\u{E100}' => Tok::Op(TotalRelation),
        '\u{E101}' => Tok::Op(SurjectiveRelation),
        '\u{E102}' => Tok::Op(TotalSurjectiveRelation),
        '\u{E103}' | '⋖' => Tok::Op(Override),
        '⊗' => Tok::Op(DirectProduct),
        '∘' => Tok::Op(BackwardComposition),
        '⌒' => Tok::Op(Concat),
        '◁' => Tok::Op(DomainRestrict),
        '⩤' | '◀' => Tok::Op(DomainSubtract),
        '▷' => Tok::Op(RangeRestrict),
        '⩥' | '▶' => Tok::Op(RangeSubtract),
        '⇾' => Tok::Op(Prepend),
        '⇽' => Tok::Op(Append),
        '∪' => Tok::Op(Union),
        '∩' => Tok::Op(Intersection),
        '↑' => Tok::Op(Take),
        '↓' => Tok::Op(Drop),
        '↦' => Tok::Op(Maplet),
        '‥' => Tok::Op(Interval),
        '∖' => Tok::Op(SetMinus),
        '∗' => Tok::Op(Times),
        '×' | '⨯' => Tok::Op(Cartesian),
        '÷' => Tok::Op(Divide),
        '˄' => Tok::Op(Power),
        '∼' => Tok::Tilde,
        '∀' => Tok::Quantifier(Quantifier::Forall),
        '∃' => Tok::Quantifier(Quantifier::Exists),
        'λ' | '𝜆' => Tok::Quantifier(Quantifier::Lambda),
        '⋃' => Tok::Quantifier(Quantifier::Union),
        '⋂' => Tok::Quantifier(Quantifier::Inter),
        '∑' => Tok::Quantifier(Quantifier::Sigma),
        '∏' => Tok::Quantifier(Quantifier::Pi),
        '≔' => Tok::Assign,
        '←' | '⟵' => Tok::Output,
        '≜' => Tok::DoubleEqual,
        '∅' => Tok::Constant(Constant::EmptySet),
        '𝔹' => Tok::Constant(Constant::Bool),
        'ℤ' => Tok::Constant(Constant::Integer),
        'ℕ' => Tok::Constant(Constant::Natural),
        'ℝ' => Tok::Constant(Constant::Real),
        'ℙ' => Tok::Builtin(Builtin::Pow),
        '⊤' => Tok::Constant(Constant::Truth),
        '⊥' => Tok::Constant(Constant::Falsity),
        '∣' => Tok::Bar,
        '·' | '⋅' | '•' => Tok::GlyphDot,
        _ => return None,
    })
}

/// A glyph that people write for something B spells otherwise.
pub(super) fn hint(c: char) -> Option<&'static str> {
    Some(match c {
        '⋀' => "write `∧` or `&`; for a whole set, quantify: `!x.(x : S => P)`",
        '⋁' => "write `∨` or `or`; for a whole set, quantify: `#x.(x : S & P)`",
        '∊' => "write `∈` or `:`",
        '∍' => "write `∋`, or swap the operands of `:`",
        '∄' => "write `not(#x.(P))`",
        '⊢' | '⊨' | '⊦' => "B has no turnstile; for an implication write `=>`",
        '⇐' | '⟸' => "swap the operands and write `=>`",
        '“' | '”' | '„' => "strings are written with `\"`",
        '–' | '—' => "a minus is written `-`",
        '…' => "an interval is written `a..b`",
        _ => return None,
    })
}

pub(super) fn starts_name(c: char) -> bool {
    c.is_ascii_alphabetic() || (!c.is_ascii() && c != 'λ' && continues_name(c))
}

pub(super) fn continues_name(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    c == 'λ' || (c.is_alphabetic() && glyph(c).is_none())
}

pub(super) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{fffd}')
}

fn is_space(c: char) -> bool {
    matches!(c, '\u{a0}' | '\u{2028}' | '\u{2029}')
}

/// Does this character, which is not ASCII, mean nothing at all?
pub(super) fn is_unknown(c: char) -> bool {
    !is_space(c) && !starts_name(c) && glyph(c).is_none() && !matches!(c, '−' | '⁻')
}

impl Lexer<'_> {
    /// The token that begins with a character beyond ASCII.
    pub(super) fn wide(&mut self) {
        let rest = &self.text[self.pos..];
        let Some(c) = rest.chars().next() else { return };
        let end = self.pos + c.len_utf8();
        if c == '−' {
            return self.minus_sign();
        }
        if is_space(c) {
            self.pos = end;
            return;
        }
        if c == '⁻' && rest[c.len_utf8()..].starts_with('¹') {
            return self.push(Tok::Tilde, end + '¹'.len_utf8());
        }
        match glyph(c) {
            Some(tok) => self.glyph(tok, end),
            None if starts_name(c) => {
                let end = self.pos + name_length(rest);
                self.push(Tok::Ident, end);
            }
            None => self.unknown(),
        }
    }

    /// A glyph that ends at `end`, with the `1` that may belong to it.
    fn glyph(&mut self, tok: Tok, end: usize) {
        let after = &self.text[end..];
        let one = ["1", "₁"].into_iter().find(|one| after.starts_with(one)).map(str::len);
        match (tok, one) {
            (Tok::Constant(Constant::Natural), Some(one)) => {
                self.push(Tok::Constant(Constant::Natural1), end + one);
            }
            (Tok::Builtin(Builtin::Pow), Some(one)) => {
                self.push(Tok::Builtin(Builtin::Pow1), end + one);
            }
            _ => self.push(tok, end),
        }
    }
}
