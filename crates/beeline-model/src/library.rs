//! The external functions, predicates and substitutions that have a meaning: one table.
//!
//! A name is looked up once, when a call is typed. Both evaluators match on families without a
//! wildcard, so that neither can forget a function of the other. Types are declared where models
//! find them, in the definition libraries; a name that is not here is one that nobody evaluates.

/// Makes an enumeration a family, one of all families, and the table of names.
macro_rules! library {
    ($($(#[$about:meta])* $family:ident($of:ident) {
        $($variant:ident $arity:ident($least:literal) $($name:literal)*;)*
    })*) => {
        /// What an external function, predicate or substitution computes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum LibraryFunction {
            $($(#[$about])* $family($of),)*
        }

        $(
            $(#[$about])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            #[allow(missing_docs)] // What each computes is said in the library that declares it.
            pub enum $of { $($variant,)* }
        )*

        const TABLE: &[Row] = &[
            $($(Row {
                names: &[$($name),*],
                arity: Arity::$arity($least),
                function: LibraryFunction::$family($of::$variant),
            },)*)*
        ];
    };
}

struct Row {
    /// Other names than the first mean the same.
    names: &'static [&'static str],
    arity: Arity,
    function: LibraryFunction,
}

/// How many arguments may stand between the parentheses.
enum Arity {
    Exactly(usize),
    AtLeast(usize),
}

library! {
    /// Functions of a set or relation.
    Sets(SetFunction) {
        Choose Exactly(1) "CHOOSE";
        Mu Exactly(1) "MU";
        MuWd Exactly(1) "MU_WD";
        Sort Exactly(1) "SORT";
        Squash Exactly(1) "SQUASH";
        Sccs Exactly(1) "SCCS";
        Closure1 Exactly(1) "CLOSURE1";
        Maximize Exactly(1) "MAXIMIZE";
        Minimize Exactly(1) "MINIMIZE";
        UnsatCore Exactly(2) "UNSAT_CORE";
        MaxSat Exactly(2) "MAX_SAT";
    }

    /// Functions of integers.
    Integers(IntegerFunction) {
        Abs Exactly(1) "ABS";
        Sign Exactly(1) "SIGN";
        Sqrt Exactly(1) "SQRT";
        Msb Exactly(1) "MSB";
        Factorial Exactly(1) "FACTORIAL";
        Gcd Exactly(2) "GCD";
        Lcm Exactly(2) "LCM";
        FloorDiv Exactly(2) "FDIV";
        CeilingDiv Exactly(2) "CDIV";
        BitNot Exactly(1) "BNOT";
        BitAnd Exactly(2) "BAND";
        BitOr Exactly(2) "BOR";
        BitXor Exactly(2) "BXOR";
        ShiftLeft Exactly(2) "BLSHIFT";
        ShiftRight Exactly(2) "BRSHIFT";
        Sin Exactly(1) "SIN";
        Cos Exactly(1) "COS";
        Tan Exactly(1) "TAN";
        SinScaled Exactly(2) "SINx";
        CosScaled Exactly(2) "COSx";
        TanScaled Exactly(2) "TANx";
        LogScaled Exactly(3) "LOGx";
    }

    /// Functions of real numbers, and comparisons of them.
    Reals(RealFunction) {
        Pi Exactly(0) "RPI";
        Euler Exactly(0) "REULER";
        Zero Exactly(0) "RZERO";
        One Exactly(0) "RONE";
        Sin Exactly(1) "RSIN";
        Cos Exactly(1) "RCOS";
        Tan Exactly(1) "RTAN";
        Sinh Exactly(1) "RSINH";
        Cosh Exactly(1) "RCOSH";
        Tanh Exactly(1) "RTANH";
        Asin Exactly(1) "RASIN";
        Acos Exactly(1) "RACOS";
        Atan Exactly(1) "RATAN";
        Exp Exactly(1) "REXP";
        Ln Exactly(1) "RLOGe";
        Sqrt Exactly(1) "RSQRT";
        Abs Exactly(1) "RABS";
        Sign Exactly(1) "RSIGN";
        Fraction Exactly(1) "RFRACTION";
        Integer Exactly(1) "RINTEGER";
        Radians Exactly(1) "RADIANS";
        Degrees Exactly(1) "DEGREE";
        Round Exactly(1) "ROUND";
        Add Exactly(2) "RADD";
        Subtract Exactly(2) "RSUB";
        Multiply Exactly(2) "RMUL";
        Divide Exactly(2) "RDIV";
        Power Exactly(2) "RPOW";
        Max Exactly(2) "RMAX";
        Min Exactly(2) "RMIN";
        Log Exactly(2) "RLOG";
        Less Exactly(2) "RLT";
        LessEqual Exactly(2) "RLEQ";
        Greater Exactly(2) "RGT";
        GreaterEqual Exactly(2) "RGEQ";
        Equal Exactly(2) "REQ";
        NotEqual Exactly(2) "RNEQ";
    }

    /// Functions of texts, and texts of numbers.
    Texts(TextFunction) {
        Length Exactly(1) "STRING_LENGTH";
        Append Exactly(2) "STRING_APPEND";
        Reverse Exactly(1) "STRING_REV";
        Concat Exactly(1) "STRING_CONC";
        Split Exactly(2) "STRING_SPLIT";
        Join Exactly(2) "STRING_JOIN";
        Chars Exactly(1) "STRING_CHARS";
        Codes Exactly(1) "STRING_CODES";
        FromCodes Exactly(1) "CODES_TO_STRING";
        Upper Exactly(1) "STRING_TO_UPPER";
        Lower Exactly(1) "STRING_TO_LOWER";
        PadLeft Exactly(3) "STRING_PADLEFT";
        Replace Exactly(3) "STRING_REPLACE";
        Part Exactly(3) "SUB_STRING";
        ToInt Exactly(1) "STRING_TO_INT";
        FromInt Exactly(1) "INT_TO_STRING";
        FromIntHex Exactly(1) "INT_TO_HEX_STRING";
        FromIntDecimal Exactly(2) "INT_TO_DEC_STRING";
        DecimalToInt Exactly(2) "DEC_STRING_TO_INT";
        Format Exactly(2) "FORMAT_TO_STRING";
        IsInt Exactly(1) "STRING_IS_INT" "GET_STRING_IS_INT";
        IsNumber Exactly(1) "STRING_IS_NUMBER" "GET_STRING_IS_NUMBER"
            "STRING_IS_DECIMAL" "GET_STRING_IS_DECIMAL";
        IsAlphanumeric Exactly(1) "STRING_IS_ALPHANUMERIC" "GET_STRING_IS_ALPHANUMERIC";
        Contains Exactly(2) "STRING_CONTAINS_STRING" "GET_STRING_CONTAINS_STRING";
        EqualIgnoringCase Exactly(2)
            "STRING_EQUAL_CASE_INSENSITIVE" "GET_STRING_EQUAL_CASE_INSENSITIVE";
    }

    /// Functions and predicates of values of any type.
    Values(ValueFunction) {
        ToText Exactly(1) "TO_STRING" "STRINGIFY";
        ToInt Exactly(1) "TO_INT";
        Hash Exactly(1) "HASH";
        Sha Exactly(1) "SHA_HASH";
        ShaHex Exactly(1) "SHA_HASH_HEX";
        ArgumentCount Exactly(0) "ARGC";
        AssertExpr Exactly(3) "ASSERT_EXPR";
        AssertTrue Exactly(2) "ASSERT_TRUE";
        Less Exactly(2) "LESS";
    }

    /// What gives its last argument back: hints to a solver, and printing on the way.
    Echoes(Echo) {
        Symbolic AtLeast(1) "SYMBOLIC";
        Copy AtLeast(1) "COPY";
        Memoize AtLeast(1) "MEMOIZE_STORED_FUNCTION";
        Force AtLeast(1) "FORCE";
        Enumerated AtLeast(1) "ENUM";
        ObserveFunction AtLeast(1) "observe_fun";
        Print AtLeast(1) "vprintf";
        PrintToFile AtLeast(1) "fvprintf";
        TracedPrint AtLeast(1) "tvprintf";
    }

    /// What is true, or does nothing: printing, observing, and hints to a solver.
    Remarks(Remark) {
        Printf AtLeast(0) "printf" "tprintf" "iprintf" "dprintf" "fprintf" "PRINTF" "FPRINTF"
            "printf_nonvar" "printf_opt_trace" "printf_two";
        Print AtLeast(0) "PRINT";
        Observe AtLeast(0) "observe" "observe_silent" "observe_indent" "tobserve";
        Debug AtLeast(0) "DEBUG";
        Trace AtLeast(0) "TRACE";
        Sleep AtLeast(0) "SLEEP";
        See AtLeast(0) "SEE";
        Enumerate AtLeast(0) "ENUMERATE";
        DoNotEnumerate AtLeast(0) "DO_NOT_ENUMERATE";
        CheckDetermined AtLeast(0) "CHECK_DET";
        IsDetermined AtLeast(0) "IS_DETERMINED";
        IsDeterminedIntoFile AtLeast(0) "IS_DETERMINED_INTO_FILE";
        LessEqualSymmetric AtLeast(0) "LEQ_SYM" "LEQ_SYM_BREAK";
        MaximizeExpr AtLeast(0) "MAXIMIZE_EXPR";
        MinimizeExpr AtLeast(0) "MINIMIZE_EXPR";
        Warning AtLeast(0) "ADD_WARNING" "ADD_WARNINGS";
    }
}

impl LibraryFunction {
    /// What a name means, if anybody evaluates it.
    pub fn named(name: &str) -> Option<LibraryFunction> {
        TABLE.iter().find(|row| row.names.contains(&name)).map(|row| row.function)
    }

    /// Can it be called with so many arguments?
    ///
    /// Declarations are part of a model, which may declare what it likes: `f(a, b)` fits a function
    /// of one value of any type, too. Evaluators ask, and then rely on the number.
    pub fn takes(self, arguments: usize) -> bool {
        TABLE.iter().any(|row| {
            let fits = match row.arity {
                Arity::Exactly(number) => arguments == number,
                Arity::AtLeast(number) => arguments >= number,
            };
            row.function == self && fits
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_meaning() {
        let names: Vec<&str> = TABLE.iter().flat_map(|row| row.names).copied().collect();
        let different: std::collections::BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!(names.len(), different.len());
        assert!(TABLE.iter().all(|row| !row.names.is_empty()));
        assert_eq!(LibraryFunction::named("MU"), Some(LibraryFunction::Sets(SetFunction::Mu)));
        assert_eq!(LibraryFunction::named("mu"), None);
    }

    #[test]
    fn a_number_of_arguments_fits_or_not() {
        let takes = |name, count| LibraryFunction::named(name).is_some_and(|f| f.takes(count));
        assert!(takes("LOGx", 3) && !takes("LOGx", 2) && !takes("LOGx", 4));
        assert!(takes("RPI", 0) && !takes("RPI", 1));
        assert!(takes("vprintf", 2) && !takes("vprintf", 0));
        assert!(takes("printf", 0) && takes("printf", 5));
    }
}
