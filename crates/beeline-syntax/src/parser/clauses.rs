//! The clauses of a machine.

use super::recover::Stop;
use super::{Failed, Parse, Parser};
use crate::ast::{
    BinaryOp, Clause, ClauseKind, ConstantsKind, Declared, Expr, ExprKind, FreeType, Ident,
    MachineKind, MachineRef, OperationsKind, SetDecl, SetElements, VariablesKind,
};
use crate::lexer::text::Pragma;
use crate::token::{Keyword, Tok};
use beeline_source::{Code, Diagnostic, Span};

const SEMICOLON: Tok = Tok::Op(BinaryOp::Composition);
const EQUAL: Tok = Tok::Op(BinaryOp::Equal);

impl Parser<'_> {
    /// All clauses up to the END of the machine.
    pub(super) fn clauses(&mut self, kind: MachineKind) -> Vec<Clause> {
        let mut clauses: Vec<Clause> = Vec::new();
        let mut seen: Vec<(Keyword, Span)> = Vec::new();
        loop {
            let keyword = match self.peek() {
                Tok::Eof | Tok::Keyword(Keyword::End) => return clauses,
                Tok::Keyword(k) if k.opens_clause() => k,
                _ => {
                    self.no_clause();
                    self.skip_to_clause();
                    continue;
                }
            };
            let word = self.here();
            self.check_clause(keyword, kind, &mut seen);
            self.advance();
            let mark = self.mark();
            let clause = self.clause(keyword);
            self.blocks.clear();
            self.unwinding = false;
            if !self.at_clause_end() {
                self.clause_goes_on(keyword);
                self.resync(mark, Stop::Clause);
            }
            if let Ok(kind) = clause {
                let span = self.span_from(word);
                clauses.push(Clause { kind, keyword: word, span });
            }
        }
    }

    fn clause(&mut self, keyword: Keyword) -> Parse<ClauseKind> {
        use ClauseKind::*;
        Ok(match keyword {
            Keyword::Constraints => Constraints(self.clause_formula()),
            Keyword::Properties => Properties(self.clause_formula()),
            Keyword::Invariant => Invariant(self.clause_formula()),
            Keyword::Variant => Variant(self.clause_formula()),
            Keyword::Assertions => Assertions(self.assertions()),
            Keyword::Sets => Sets(self.semicolon_list(Self::set_declaration)),
            Keyword::Freetypes => FreeTypes(self.semicolon_list(Self::free_type)),
            Keyword::Constants => Constants(ConstantsKind::Plain, self.declared()),
            Keyword::ConcreteConstants => Constants(ConstantsKind::Concrete, self.declared()),
            Keyword::AbstractConstants => Constants(ConstantsKind::Abstract, self.declared()),
            Keyword::Variables => Variables(VariablesKind::Plain, self.declared()),
            Keyword::ConcreteVariables => Variables(VariablesKind::Concrete, self.declared()),
            Keyword::AbstractVariables => Variables(VariablesKind::Abstract, self.declared()),
            Keyword::Definitions => Definitions(self.definitions()),
            Keyword::Expressions => Expressions(self.formula_definitions()),
            Keyword::Predicates => Predicates(self.formula_definitions()),
            Keyword::Initialisation | Keyword::Initialization => {
                Initialisation(self.top_sequence())
            }
            Keyword::Operations => Operations(OperationsKind::Operations, self.operations()),
            Keyword::Events => Operations(OperationsKind::Events, self.operations()),
            Keyword::LocalOperations => Operations(OperationsKind::Local, self.operations()),
            Keyword::Values => Values(self.semicolon_list(Self::value)),
            Keyword::Sees => Sees(self.machine_refs()?),
            Keyword::Uses => Uses(self.machine_refs()?),
            Keyword::Includes => Includes(self.machine_refs()?),
            Keyword::Extends => Extends(self.machine_refs()?),
            Keyword::Imports => Imports(self.machine_refs()?),
            Keyword::Promotes => Promotes(self.names("an operation")?),
            Keyword::Refines => Refines(self.machine_ref()?),
            _ => return Err(Failed),
        })
    }

    fn clause_formula(&mut self) -> Expr {
        let start = self.here();
        let mark = self.mark();
        match self.formula() {
            Ok(e) => e,
            Err(Failed) => {
                self.resync(mark, Stop::Clause);
                Expr::new(ExprKind::Error, self.span_from(start))
            }
        }
    }

    /// `item ; item ; …`; a broken item is skipped.
    fn semicolon_list<T>(&mut self, item: fn(&mut Self) -> Parse<T>) -> Vec<T> {
        let mut list = Vec::new();
        loop {
            let mark = self.mark();
            match item(self) {
                Ok(item) => list.push(item),
                Err(Failed) => self.resync(mark, Stop::Semicolon),
            }
            let separator = self.here();
            if !self.eat(SEMICOLON) {
                return list;
            }
            if self.at_clause_end() {
                self.stray_separator(separator);
                return list;
            }
        }
    }

    fn assertions(&mut self) -> Vec<Expr> {
        self.semicolon_list(Self::formula)
    }

    /// `x, y /*@desc …*/, z`
    fn declared(&mut self) -> Vec<Declared> {
        let mut list = Vec::new();
        loop {
            let mark = self.mark();
            match self.name("a name to declare") {
                Ok(name) => {
                    let description = self.description();
                    list.push(Declared { name, description });
                }
                Err(Failed) => self.resync(mark, Stop::Comma),
            }
            if self.peek() == SEMICOLON && Self::is_name(self.peek_at(1)) {
                let message = "declared names are separated by `,`, not by `;`";
                self.report(Diagnostic::new(Code::SYNTAX, self.here(), message));
                self.advance();
            } else if !self.eat(Tok::Comma) {
                return list;
            }
        }
    }

    fn set_declaration(&mut self) -> Parse<SetDecl> {
        let start = self.here();
        let name = self.name("a set")?;
        let elements = if !self.eat(EQUAL) {
            SetElements::Deferred
        } else if self.peek() == Tok::LeftBrace {
            let open = self.open_bracket();
            let names = self.names("an element of the set")?;
            self.close_bracket(Tok::RightBrace, open, "the set")?;
            SetElements::Enumerated(names)
        } else {
            SetElements::FromDefinition(self.name("`{` or a definition")?)
        };
        let span = self.span_from(start);
        let description = self.description();
        Ok(SetDecl { name, elements, description, span })
    }

    fn free_type(&mut self) -> Parse<FreeType> {
        let start = self.here();
        let name = self.simple_name("a free type")?;
        let parameters = self.parameters("a parameter of the free type")?;
        if !self.eat(EQUAL) {
            return self.unexpected("`=` and the constructors of the free type");
        }
        let constructors = self.comma_list(Self::constructor)?;
        Ok(FreeType { name, parameters, constructors, span: self.span_from(start) })
    }

    fn constructor(&mut self) -> Parse<(Ident, Option<Expr>)> {
        let name = self.simple_name("a constructor")?;
        if self.peek() != Tok::LeftParen {
            return Ok((name, None));
        }
        let open = self.open_bracket();
        let argument = self.bracketed_formula()?;
        self.close_bracket(Tok::RightParen, open, "the constructor")?;
        Ok((name, Some(argument)))
    }

    fn value(&mut self) -> Parse<(Ident, Expr)> {
        let name = self.name("a constant or a set")?;
        if !self.eat(EQUAL) {
            return self.unexpected("`=` and a value");
        }
        Ok((name, self.formula()?))
    }

    fn machine_refs(&mut self) -> Parse<Vec<MachineRef>> {
        self.comma_list(Self::machine_ref)
    }

    /// `prefix.M(E) /*@file "x"*/`
    fn machine_ref(&mut self) -> Parse<MachineRef> {
        let start = self.here();
        let first = self.pos;
        let whole = self.name("a machine")?;
        let (prefix, name) = self.split_reference(whole, first);
        let mut arguments = Vec::new();
        if self.peek() == Tok::LeftParen {
            let open = self.open_bracket();
            arguments = self.comma_list(Self::bracketed_formula)?;
            self.close_bracket(Tok::RightParen, open, "the list of arguments")?;
        }
        let mut file = None;
        if self.peek() == Tok::File {
            let token = self.advance();
            let path = Pragma::of(self.source(token)).map(|p| p.word_or_string());
            file = path.map(|name| Ident { name, span: self.span_of(token) });
        }
        Ok(MachineRef { prefix, name, arguments, file, span: self.span_from(start) })
    }

    /// Splits `a.b.M`, whose first token is `first`, at its last dot.
    fn split_reference(&self, whole: Ident, first: usize) -> (Option<Ident>, Ident) {
        if self.pos < first + 3 {
            return (None, whole);
        }
        let last = self.tokens[self.pos - 1];
        let name = Ident { name: self.name_of(last), span: self.span_of(last) };
        let cut = whole.name.len().saturating_sub(name.name.len() + 1);
        let before = self.span_of(self.tokens[self.pos - 3]);
        let span = Span::new(whole.span.start, before.end);
        (Some(Ident { name: whole.name[..cut].into(), span }), name)
    }
}
