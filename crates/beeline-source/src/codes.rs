//! The stable diagnostic codes. A code keeps its meaning for ever; a retired one is not used again.
//!
//! `B01xx` text and tokens, `B02xx` syntax, `B03xx` files and machines, `B04xx` definitions,
//! `B05xx` names, `B06xx` types, `B07xx` rules of the language, `B08xx` limits, `B09xx` advice.

use crate::severity::Severity;
use std::fmt;

/// A diagnostic code such as `B0101`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(u16);

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $severity:ident, $title:literal;)*) => {
        impl Code {
            $(#[doc = $title] $(#[$doc])* pub const $name: Code = Code($number);)*
        }

        /// Every code, its severity and its title, in order.
        pub const CODES: &[(Code, Severity, &str)] = &[
            $((Code::$name, Severity::$severity, $title),)*
        ];
    };
}

codes! {
    NOT_UTF8 = 101, Warning, "the file is not valid UTF-8";
    UNTERMINATED_COMMENT = 102, Error, "a comment is not closed";
    UNTERMINATED_STRING = 103, Error, "a string is not closed";
    UNKNOWN_CHARACTER = 104, Error, "a character is not valid in B";
    BAD_IDENTIFIER = 105, Error, "an identifier is malformed";
    BAD_ESCAPE = 106, Error, "a string ends in a lone backslash";

    SYNTAX = 201, Error, "something else was expected here";
    EMPTY_FILE = 202, Error, "the file contains no machine";
    KEYWORD_AS_NAME = 203, Error, "a keyword is used as a name";
    MISSING_PARENTHESES = 204, Error, "parentheses are required here";
    DUPLICATE_CLAUSE = 205, Error, "a clause occurs twice";
    MISSING_SEPARATOR = 206, Error, "a separator is missing";
    STRAY_SEPARATOR = 207, Error, "nothing follows a separator";
    UNCLOSED = 208, Error, "a bracket or block is not closed";
    BAD_OPERATOR = 209, Error, "this is not an operator of B";
    BAD_TARGET = 210, Error, "this cannot be assigned to";
    MISSING_ELSE = 211, Error, "an IF expression or predicate needs ELSE";
    BAD_CLAUSE_FOR_KIND = 212, Error, "a clause is not allowed in this kind of machine";
    EXPECTED_PREDICATE = 213, Error, "a predicate was expected";
    EXPECTED_EXPRESSION = 214, Error, "an expression was expected";
    WRONG_ARGUMENT_COUNT = 215, Error, "an operator has the wrong number of arguments";
    UNKNOWN_PRAGMA = 216, Warning, "a pragma is not known";
    MISPLACED_PRAGMA = 217, Error, "a pragma is in the wrong place";

    FILE_NOT_FOUND = 301, Error, "a file was not found";
    FILE_OUTSIDE = 302, Error, "a file is outside the folders that may be read";
    FILE_UNREADABLE = 303, Error, "a file cannot be read";
    NAME_MISMATCH = 304, Error, "a machine's name differs from its file's name";
    MACHINE_CYCLE = 305, Error, "machines depend on each other cyclically";
    WRONG_UNIT = 306, Error, "a file does not contain what is expected";
    DUPLICATE_MACHINE = 307, Error, "a machine is included twice";
    BAD_PACKAGE = 308, Error, "a package pragma does not match the folder";
    MACHINE_ARGUMENTS = 309, Error, "a machine gets the wrong arguments";
    UNKNOWN_PROMOTED = 310, Error, "a promoted operation does not exist";
    FILE_TOO_LARGE = 311, Error, "a file is larger than the limit";

    BAD_EVENTB = 312, Error, "an Event-B file is malformed";
    BAD_ARCHIVE = 313, Error, "an archive cannot be read";
    MISSING_COMPONENT = 314, Error, "a context or machine was not found";
    UNKNOWN_ELEMENT = 315, Warning, "an element of an Event-B file is not known";
    SEVERAL_COMPONENTS = 316, Error, "it is not clear which machine is meant";

    DEFINITION_CYCLE = 401, Error, "definitions use each other recursively";
    DUPLICATE_DEFINITION = 402, Error, "a definition occurs twice";
    DEFINITION_ARITY = 403, Error, "a definition is used with the wrong number of arguments";
    DEFINITION_KIND = 404, Error, "a definition is used as something it is not";
    DEFINITION_CAPTURE = 405, Warning, "a definition's bound variable has the name of one in its argument";
    BAD_EXTERNAL = 406, Error, "an external declaration is malformed";

    UNKNOWN_NAME = 501, Error, "a name is not known here";
    DUPLICATE_NAME = 502, Error, "a name is declared twice";
    NOT_VISIBLE = 503, Error, "a name is not visible here";
    UNKNOWN_OPERATION = 504, Error, "an operation is not known here";
    NOT_ASSIGNABLE = 505, Error, "this may not be assigned here";
    BAD_BEFORE_VALUE = 506, Error, "an old value x$0 cannot be used here";
    UNKNOWN_FIELD = 507, Error, "a record has no such field";
    CLASH = 508, Error, "two machines declare the same name";

    TYPE_MISMATCH = 601, Error, "types do not match";
    TYPE_UNKNOWN = 602, Error, "the type of something cannot be inferred";
    TYPE_INFINITE = 603, Error, "a type would contain itself";
    NOT_NUMERIC = 604, Error, "a number was expected";
    NO_OVERLOAD = 605, Error, "an operator cannot be applied to its operands";
    ARITY = 606, Error, "a call has the wrong number of arguments";

    MISSING_CLAUSE = 701, Error, "a clause is missing";
    PARALLEL_WRITE = 702, Error, "two parallel substitutions write the same variable";
    DUPLICATE_OPERATION = 703, Error, "an operation is declared twice";
    FORALL_NOT_IMPLICATION = 704, Error, "the body of a universal quantifier must be an implication";
    BAD_LET = 705, Error, "a LET needs one equation for each of its identifiers";
    BAD_CASE_LABEL = 706, Error, "a CASE label must be a literal or an enumerated element";
    RECURSIVE_CALL = 707, Error, "operations call each other recursively";
    LOCAL_CALL = 708, Error, "an operation calls another one of the same machine";
    REFINED_SIGNATURE = 710, Error, "a refined operation has a different signature";
    NOT_INITIALISED = 711, Warning, "a variable is not initialised";
    BAD_SPECIAL_DEFINITION = 714, Warning, "a definition with a special meaning has an unusable body";
    MISSING_OPERATION = 715, Warning, "an operation of the abstraction is not refined";
    NEW_OPERATION = 716, Warning, "an operation of a refinement refines nothing";
    REFINED_NAME = 717, Warning, "a parameter has another name in the abstraction";
    MISSING_SEES = 718, Warning, "a machine is seen by the abstraction only";

    TOO_DEEP = 801, Error, "a formula is nested too deeply";
    EXPANSION_TOO_LARGE = 802, Error, "definitions expand to too large a formula";
    TOO_MANY_FILES = 803, Error, "a model needs too many files";
    TOO_MANY_INSTANCES = 804, Error, "a composition has too many machines";
    LITERAL_TOO_LONG = 805, Error, "a number has too many digits";

    MIXED_AND_OR = 901, Warning, "& and or are mixed without parentheses";
    DEFINITION_HIDES = 902, Warning, "a definition hides a declared name";
    UNUSED_VARIABLE = 903, Warning, "a variable is never used";
    INVARIANT_ONLY_TYPES = 904, Warning, "the invariant only gives types";
    UNREACHABLE_BRANCH = 905, Warning, "a branch can never be taken";
    UNUSED_DEFINITION = 906, Note, "a definition is never used";
    UNUSED_PARAMETER = 907, Warning, "a parameter is never used";
    NEVER_WRITTEN = 909, Note, "a variable is never changed by an operation";
    UNKNOWN_PREFERENCE = 910, Warning, "a preference is not known";
    IMPLICATION_CHAIN = 911, Warning, "=> associates to the left";
    EXISTS_IMPLICATION = 913, Warning, "an existential quantifier over an implication is almost always true";
    UNUSED_CONSTANT = 914, Warning, "a constant is never used";
    NARROW_INTEGERS = 915, Warning, "MAXINT or MININT is too small for what the model says";
    NOT_IMPLEMENTABLE = 916, Warning, "a construct has no place in an implementation";
}

impl Code {
    /// The severity of diagnostics with this code.
    pub fn severity(self) -> Severity {
        self.entry().1
    }

    /// What the code stands for, in a few words.
    pub fn title(self) -> &'static str {
        self.entry().2
    }

    /// The code with this name (`B0101`, in either case).
    pub fn by_name(name: &str) -> Option<Code> {
        CODES.iter().map(|e| e.0).find(|c| c.to_string().eq_ignore_ascii_case(name))
    }

    fn entry(self) -> (Code, Severity, &'static str) {
        // Codes are only made by the macro above, each with its row.
        CODES.iter().copied().find(|e| e.0 == self).unwrap_or((self, Severity::Error, ""))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "B{:04}", self.0)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_ascend_and_are_found_by_name() {
        assert!(CODES.windows(2).all(|w| w[0].0 < w[1].0));
        assert_eq!(Code::by_name("b0102"), Some(Code::UNTERMINATED_COMMENT));
        assert_eq!(Code::by_name("B9999"), None);
        assert_eq!(Code::MIXED_AND_OR.severity(), Severity::Warning);
    }
}
