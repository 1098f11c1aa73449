//! What is said of broken texts: one problem per slip, at its place, in the user's words.

mod support;

use beeline_syntax::parse_file;
use support::{file_problems, formula_problems};

fn formulas(cases: &[(&str, &str)]) {
    for (text, problem) in cases {
        assert_eq!(formula_problems(text), [*problem], "{text}");
    }
}

fn files(cases: &[(&str, &[&str])]) {
    for (text, problems) in cases {
        assert_eq!(file_problems(text), *problems, "{text}");
    }
}

#[test]
fn operators_and_operands() {
    formulas(&[
        ("a = & b", "1:5 B0201 two operators in a row: `=` and `&`"),
        ("a & ", "1:5 B0201 an operand is missing after `&`, found the end of the text"),
        ("(a + )", "1:6 B0201 an operand is missing after `+`, found `)`"),
        ("a = b = c", "1:7 B0201 comparisons cannot be chained: `=` follows another one"),
        ("a < b <= c", "1:7 B0201 comparisons cannot be chained: `<=` follows another one"),
        ("a == b", "1:3 B0209 `==` only introduces a definition"),
        ("a =< b", "1:4 B0209 `=<` is not an operator of B"),
        ("a <> b", "1:3 B0209 `<>` is the empty sequence"),
        ("a b", "1:3 B0201 an operator is missing between `a` and `b`"),
        ("x = 1 (y = 2)", "1:7 B0201 an operator is missing between the number 1 and `(`"),
        ("1x", "1:2 B0201 an operator is missing between the number 1 and `x`"),
        ("(a = 1) || (b = 2)", "1:9 B0201 expected an operator or the end, found `||`"),
        (
            "(a = 1 || b = 2)",
            "1:8 B0209 `||` composes relations, but one of its operands is a predicate",
        ),
        ("--x", "1:2 B0204 a minus directly after a minus needs parentheses"),
        ("f~~", "1:3 B0204 `~` cannot be repeated without parentheses"),
        ("f(g())", "1:5 B0201 a call needs an argument between its parentheses"),
    ]);
}

#[test]
fn parentheses_that_b_wants() {
    formulas(&[
        ("not x = 1", "1:1 B0204 in B, `not` needs parentheses"),
        ("¬ x = 1", "1:1 B0204 in B, `¬` needs parentheses"),
        ("card s = 1", "1:1 B0204 in B, `card` needs parentheses"),
        ("!x.x = 1", "1:6 B0204 the body of `!` needs parentheses"),
        ("#x·x = 1", "1:4 B0204 the body of `#` needs parentheses"),
    ]);
    formulas(&[
        ("card(a, b)", "1:1 B0215 `card` takes 1 argument, but gets 2"),
        ("iterate(r)", "1:1 B0215 `iterate` takes 2 arguments, but gets 1"),
        ("prj1(a, b, c)", "1:1 B0215 `prj1` takes 1 to 2 arguments, but gets 3"),
    ]);
    assert_eq!(
        formula_problems("#FORMULA IF a THEN b END"),
        ["1:22 B0211 an IF expression or predicate needs ELSE"]
    );
    assert_eq!(
        formula_problems("%x.(x : S)"),
        ["1:10 B0201 expected `|` between the predicate and the value of `%`, found `)`"]
    );
    assert_eq!(
        formula_problems("!x (x = 1)"),
        ["1:4 B0201 expected `.` after the bound names of `!`, found `(`"]
    );
}

#[test]
fn keywords_as_names() {
    formulas(&[
        ("size = 1", "1:1 B0203 `size` is a keyword and cannot be a name"),
        ("x + union", "1:5 B0204 in B, `union` needs parentheses"),
        ("!id.(id : S)", "1:2 B0203 `id` is a keyword and cannot be a name"),
        ("r'id", "1:3 B0203 `id` is a keyword and cannot be a name"),
    ]);
    files(&[(
        "MACHINE M VARIABLES x, first, y INVARIANT x = y END",
        &["1:24 B0203 `first` is a keyword and cannot be a name"],
    )]);
}

#[test]
fn unclosed_brackets_point_to_the_opening_one() {
    let text = "MACHINE M\nINVARIANT (x = 1 & y = 2\nOPERATIONS o = skip END";
    assert_eq!(
        file_problems(text),
        ["3:1 B0208 the parenthesis is not closed: `)` is missing before the keyword `OPERATIONS`"]
    );
    let parsed = parse_file(text, 1);
    let label = &parsed.problems.list()[0].secondary[0];
    assert_eq!((label.span.start, label.text.as_str()), (21, "this bracket is open"));
    formulas(&[
        ("f(a", "1:4 B0208 the call is not closed: `)` is missing before the end of the text"),
        ("{a, b", "1:6 B0208 the set is not closed: `}` is missing before the end of the text"),
        ("(a, b]", "1:6 B0208 the parenthesis is not closed: `)` is missing before `]`"),
        ("a)", "1:2 B0208 this `)` closes nothing"),
    ]);
}

#[test]
fn missing_ends_name_the_open_block() {
    let text = "MACHINE M OPERATIONS\n o = PRE x = 1 THEN y := 2;\n p = BEGIN skip END\nEND";
    assert_eq!(
        file_problems(text),
        ["3:2 B0208 END is missing: PRE is still open where `p` begins"]
    );
    let parsed = parse_file(text, 1);
    assert_eq!(parsed.problems.list()[0].secondary[0].text, "this PRE is not closed");
    files(&[
        (
            "MACHINE M OPERATIONS o = IF a THEN b ELSE c INVARIANT x END",
            &["1:45 B0208 IF is not closed: END is missing before the keyword `INVARIANT`"],
        ),
        (
            "MACHINE M VARIABLES x",
            &["1:22 B0208 MACHINE is not closed: END is missing before the end of the text"],
        ),
        (
            "MACHINE M OPERATIONS o = CASE e OF EITHER 1 THEN a END; p = skip END",
            &["1:55 B0208 CASE is not closed: END is missing before `;`"],
        ),
        ("MACHINE M END END", &["1:15 B0201 the machine ends before the keyword `END`"]),
    ]);
}

#[test]
fn separators() {
    files(&[
        (
            "MACHINE M OPERATIONS o = skip p = skip END",
            &["1:30 B0206 `;` is missing before the operation `p`"],
        ),
        (
            "MACHINE M OPERATIONS o = skip; END",
            &["1:30 B0207 nothing but the keyword `END` follows this `;`"],
        ),
        (
            "MACHINE M OPERATIONS o = BEGIN a; END END",
            &["1:33 B0207 nothing but the keyword `END` follows this `;`"],
        ),
        (
            "MACHINE M OPERATIONS o = BEGIN x := 1 y := 2 END END",
            &["1:38 B0206 `;` or `||` is missing before `y`"],
        ),
        (
            "MACHINE M SETS S; T; CONSTANTS c END",
            &["1:20 B0207 nothing but the keyword `CONSTANTS` follows this `;`"],
        ),
        ("MACHINE M INVARIANT x = 1; END", &["1:26 B0207 nothing follows this `;` in INVARIANT"]),
        (
            "MACHINE M DEFINITIONS a == 1 b == 2; c(x) == 3 \"f.def\" END",
            &[
                "1:29 B0206 `;` is missing before the definition `b`",
                "1:47 B0206 `;` is missing before the definition the string \"f.def\"",
            ],
        ),
        (
            "MACHINE M VARIABLES x; y END",
            &["1:22 B0201 declared names are separated by `,`, not by `;`"],
        ),
    ]);
}

#[test]
fn assignments() {
    files(&[
        (
            "MACHINE M OPERATIONS o = x = 1; p = y := 2 END",
            &["1:28 B0209 `=` compares, it does not assign"],
        ),
        (
            "MACHINE M INITIALISATION 1 := 2 END",
            &["1:26 B0201 expected a substitution, found the number 1"],
        ),
        ("MACHINE M INITIALISATION x$0 := 2 END", &["1:26 B0210 this cannot be assigned to"]),
        ("MACHINE M INITIALISATION f(x) :: S END", &["1:26 B0210 this cannot be assigned to"]),
        (
            "MACHINE M INITIALISATION x : S END",
            &["1:30 B0204 `x : (P)` needs parentheses around its predicate"],
        ),
        (
            "MACHINE M INVARIANT x := 1 END",
            &["1:23 B0201 `:=` assigns, but the end of the clause INVARIANT was expected here"],
        ),
        (
            "MACHINE M OPERATIONS o == skip END",
            &["1:24 B0209 an operation is defined with `=`, not with `==`"],
        ),
        (
            "MACHINE M OPERATIONS o = WHEN a THEN b END; p = skip END",
            &["1:26 B0201 WHEN is only a branch of SELECT"],
        ),
    ]);
}

#[test]
fn clauses() {
    files(&[
        (
            "MACHINE M VARIABLES x VARIABLES y END",
            &["1:23 B0205 the clause VARIABLES occurs twice"],
        ),
        ("MACHINE M VALUES x = 1 END", &["1:11 B0212 a machine cannot have a clause VALUES"]),
        (
            "REFINEMENT R REFINES M USES U END",
            &["1:24 B0212 a refinement cannot have a clause USES"],
        ),
        (
            "MACHINE M VARIABLES x : INT END",
            &["1:23 B0201 VARIABLES lists names only, without types"],
        ),
        (
            "MACHINE M INVARIANTS x = 1 END",
            &["1:11 B0201 expected a clause or END, found `INVARIANTS`"],
        ),
        ("MACHINE M VARIABLES x INVARIAN x = 1 END", &["1:23 B0201 `INVARIAN` is not a clause"]),
        (
            "MACHIN M END",
            &[
                "1:1 B0201 expected MACHINE, REFINEMENT, IMPLEMENTATION or DEFINITIONS, found `MACHIN`",
            ],
        ),
        ("MACHINE a.b END", &["1:9 B0105 the name of a machine cannot contain dots"]),
    ]);
    let help = |text: &str| parse_file(text, 1).problems.list()[0].help.clone();
    assert_eq!(help("MACHINE M VARIABLES x INVARIAN x = 1 END"), ["did you mean INVARIANT?"]);
    assert_eq!(help("MACHINE M OPERATION o = skip END"), ["did you mean OPERATIONS?"]);
    assert_eq!(help("MACHIN M END"), ["did you mean MACHINE?"]);
}

#[test]
fn definitions() {
    files(&[
        ("MACHINE M DEFINITIONS d = 1 END", &["1:25 B0209 a definition is written with `==`"]),
        (
            "MACHINE M DEFINITIONS d == x + ; e == 1 END",
            &["1:32 B0201 an operand is missing after `+`, found `;`"],
        ),
        (
            "MACHINE M DEFINITIONS d == x := ; e == 1 END",
            &["1:33 B0201 expected a predicate or an expression, found `;`"],
        ),
        (
            "MACHINE M DEFINITIONS d == a := 1 || b := 2 END",
            &["1:35 B0204 `||` at the top of a definition needs a block around it"],
        ),
        (
            "MACHINE M DEFINITIONS <lib.def> END",
            &["1:23 B0201 a definition file is named in double quotes"],
        ),
    ]);
}

#[test]
fn several_slips_are_all_reported() {
    let text = "MACHINE M
VARIABLES x, y
INVARIANT x = & y
INITIALISATION x := (1 ; y := 2
OPERATIONS
  o = PRE x = THEN x := 1; y = 2; x := card END;
  p = SELECT not x THEN x := ] END;
  q = x := 3
END";
    assert_eq!(
        file_problems(text),
        [
            "3:15 B0201 two operators in a row: `=` and `&`",
            "4:28 B0208 the parenthesis is not closed: `)` is missing before `:=`",
            "6:15 B0201 an operand is missing after `=`, found the keyword `THEN`",
            "6:30 B0209 `=` compares, it does not assign",
            "6:40 B0204 in B, `card` needs parentheses",
            "7:14 B0204 in B, `not` needs parentheses",
            "7:30 B0201 expected a predicate or an expression, found `]`",
        ]
    );
}
