//! Comments, pragmas and tokens at the edges.

mod support;

use beeline_source::Span;
use beeline_syntax::ast::{HeadPragma, Unit};
use beeline_syntax::{CommentKind, parse_file, parse_formula};
use support::{file_problems, formula, formula_problems, machine};

#[test]
fn comments_are_collected_in_order() {
    let text = "#!/bin/beeline\nMACHINE M /* a */ // b\n/*@unit m*/ END";
    let parsed = parse_file(text, 1);
    assert!(parsed.problems.is_empty());
    let found: Vec<_> = parsed
        .comments
        .iter()
        .map(|c| (c.kind, &text[c.span.start as usize - 1..c.span.end as usize - 1]))
        .collect();
    assert_eq!(
        found,
        [
            (CommentKind::SheBang, "#!/bin/beeline"),
            (CommentKind::Block, "/* a */"),
            (CommentKind::Line, "// b"),
            (CommentKind::Block, "/*@unit m*/"),
        ]
    );
}

#[test]
fn spans_are_global() {
    let parsed = parse_formula("a + bc", 100);
    let Some(Unit::Formula(e)) = parsed.unit else { panic!() };
    assert_eq!(e.span, Span::new(100, 106));
}

#[test]
fn head_pragmas_and_byte_order_mark() {
    let m =
        machine("\u{feff}/*@generated*/ /*@package a.b*/ /*@import-package \"c\"*/ MACHINE M END");
    assert_eq!(m.pragmas.len(), 3);
    assert!(matches!(&m.pragmas[1], HeadPragma::Package(p) if p.name == "a.b"));
    assert!(matches!(&m.pragmas[2], HeadPragma::ImportPackage(p) if p.name == "c"));
}

#[test]
fn pragmas_in_the_wrong_place() {
    assert_eq!(
        file_problems("MACHINE M /*@package p*/ END"),
        ["1:11 B0217 the pragma `@package` belongs to the head of the file"]
    );
    assert_eq!(
        file_problems("MACHINE M INVARIANT /*@desc d*/ x = 1 END"),
        ["1:21 B0217 a description comes after what it describes, not before it"]
    );
    assert_eq!(
        formula_problems("a <=> /*@label l*/ b"),
        ["1:7 B0217 a label names a predicate, but this is inside of one"]
    );
    assert_eq!(
        formula_problems("/*@symbolic*/ {a, b}(x)"),
        ["1:15 B0217 `@symbolic` cannot be used for a set given by its elements"]
    );
    assert_eq!(
        formula_problems("/*@symbolic*/ {a|P}(x) /*@file \"f\"*/"),
        ["1:24 B0217 expected an operator or the end, found the pragma /*@file \"f\"*/"]
    );
}

#[test]
fn an_unknown_pragma_is_a_comment_with_a_warning() {
    let parsed = parse_file("MACHINE M /*@wibble x*/ END", 1);
    assert!(!parsed.problems.has_errors());
    assert_eq!(parsed.comments.len(), 1);
    assert_eq!(parsed.problems.list()[0].message, "`@wibble` is not a known pragma");
}

#[test]
fn formula_prefixes_and_the_exists_sign() {
    assert_eq!(formula("#FORMULA 1 + 2"), "(+ 1 2)");
    assert_eq!(formula("#x.(x=1)"), "(# <x> (= x 1))");
    assert_eq!(formula("#PREDICATE #x.(x=1)"), "(# <x> (= x 1))");
    assert!(matches!(parse_file("#EXPRESSION 1", 1).unit, Some(Unit::Formula(_))));
    assert!(matches!(parse_formula("x := 1 ; y := 2", 1).unit, Some(Unit::Substitution(_))));
    assert_eq!(
        formula_problems("#OPPATTERN op(_)")[0],
        "1:11 B0201 this kind of text is not offered"
    );
}

#[test]
fn problems_of_tokens() {
    let cases = [
        ("a \\= b", "1:3 B0209 `\\=` is not an operator of B"),
        ("a \\: b", "1:3 B0209 `\\:` is not an operator of B"),
        ("a != b", "1:3 B0209 `!=` is not an operator of B"),
        ("a && b", "1:3 B0209 `&&` is not an operator of B"),
        ("a /* b", "1:3 B0102 this comment is not closed"),
        ("\"abc", "1:1 B0103 this string is not closed"),
        ("x = \"a\\\" & y", "1:5 B0103 this string is not closed"),
        ("'''abc", "1:1 B0103 this string is not closed"),
        ("a ? b", "1:3 B0104 `?` is not valid in B"),
        ("a \0\0 b", "1:3 B0104 the character U+0000 is not valid in B"),
        ("a ⇐ b", "1:3 B0104 `⇐` is not valid in B"),
        ("_x = 1", "1:1 B0105 a name cannot begin with an underscore: `_x`"),
        ("`x = 1", "1:1 B0105 this quoted name is not closed"),
        ("`a.b` = 1", "1:1 B0105 this quoted name contains a dot"),
        ("'''a\\'''", "1:1 B0106 this string ends in a lone backslash"),
        ("x$1 = 1", "1:2 B0104 `$` is not valid in B"),
    ];
    for (text, problem) in cases {
        assert_eq!(formula_problems(text), [problem], "{text}");
    }
}

#[test]
fn an_empty_text_is_said_to_be_empty() {
    for text in ["", "  \n", "/* only a comment */", "\u{feff}"] {
        let problems = file_problems(text);
        assert_eq!(problems.len(), 1, "{text:?}");
        assert!(
            problems[0].ends_with("B0202 the text is empty: there is no machine"),
            "{problems:?}"
        );
    }
}
