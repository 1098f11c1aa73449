//! Input made to hurt: every answer is a located problem, in linear time and bounded stack.
#![allow(clippy::unwrap_used)]

mod support;

use beeline_source::Code;
use beeline_syntax::limits::{MAX_CHAIN, MAX_NESTING};
use beeline_syntax::{Parsed, parse_file, parse_formula};
use support::{file_problems, formula_problems};

/// Runs on a thread with the stack that threads have by default.
fn on_small_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap()
}

fn codes(parsed: &Parsed) -> Vec<Code> {
    parsed.problems.list().iter().map(|d| d.code).collect()
}

#[test]
fn a_million_opening_brackets() {
    for opener in [
        "(",
        "{",
        "[",
        "f(",
        "f[",
        "not(",
        "!x.(",
        "IF ",
        "{x|",
        "-(",
        "2**",
        "rec(a:",
        "LET x BE ",
    ] {
        let text = opener.repeat(1_000_000 / opener.len());
        on_small_stack(move || {
            let parsed = parse_formula(&text, 1);
            assert_eq!(codes(&parsed), [Code::TOO_DEEP], "{}", &text[..4]);
            let machine = format!("MACHINE M INVARIANT {text} END");
            assert_eq!(codes(&parse_file(&machine, 1))[0], Code::TOO_DEEP);
        });
    }
}

#[test]
fn a_million_opening_blocks() {
    for opener in [
        "BEGIN ",
        "IF P THEN ",
        "ANY x WHERE P THEN ",
        "CHOICE ",
        "WHILE P DO ",
        "CASE e OF EITHER 1 THEN ",
    ] {
        let text = format!("MACHINE M OPERATIONS o = {}", opener.repeat(1_000_000 / opener.len()));
        let found = on_small_stack(move || codes(&parse_file(&text, 1)));
        assert_eq!(found[0], Code::TOO_DEEP, "{opener}");
        assert!(found.len() <= 3, "{opener}: {found:?}");
    }
}

#[test]
fn nesting_up_to_the_limit_is_fine_and_trees_can_be_used() {
    on_small_stack(|| {
        let deep = MAX_NESTING as usize - 2;
        let text = format!("{}x{}", "(".repeat(deep), ")".repeat(deep));
        let parsed = parse_formula(&text, 1);
        assert!(parsed.problems.is_empty(), "{:?}", parsed.problems);
        let unit = parsed.unit.unwrap();
        assert!(unit == unit.clone());
    });
}

#[test]
fn chains_up_to_the_limit_are_fine_and_longer_ones_are_refused() {
    on_small_stack(|| {
        let chain = |n: u32| format!("x{}", "+x".repeat(n as usize));
        let parsed = parse_formula(&chain(MAX_CHAIN - 1), 1);
        assert!(parsed.problems.is_empty());
        let unit = parsed.unit.unwrap();
        assert!(unit == unit.clone());
        assert_eq!(codes(&parse_formula(&chain(MAX_CHAIN + 1), 1)), [Code::TOO_DEEP]);
        assert_eq!(
            codes(&parse_formula(&format!("f{}", "(x)".repeat(100_000)), 1)),
            [Code::TOO_DEEP]
        );
        assert_eq!(
            codes(&parse_formula(&format!("r{}", "'f".repeat(100_000)), 1)),
            [Code::TOO_DEEP]
        );
        let alternating = format!("a{}", " & a or a".repeat(100_000));
        assert_eq!(codes(&parse_formula(&alternating, 1)), [Code::TOO_DEEP]);
    });
}

#[test]
fn nested_statements_up_to_the_limit_can_be_used() {
    on_small_stack(|| {
        let deep = MAX_NESTING as usize - 3;
        let text = format!("{}skip{}", "IF a THEN ".repeat(deep), " END".repeat(deep));
        let parsed = parse_formula(&format!("#SUBSTITUTION {text}"), 1);
        assert!(parsed.problems.is_empty(), "{:?}", parsed.problems);
        let unit = parsed.unit.unwrap();
        assert!(unit == unit.clone() && !format!("{unit:?}").is_empty());
    });
}

#[test]
fn nested_chains_do_not_add_up_past_the_limit() {
    on_small_stack(|| {
        let mut text = "x".to_owned();
        for _ in 0..20 {
            text = format!("({text}{})", "+x".repeat(400));
        }
        assert_eq!(codes(&parse_formula(&text, 1)), [Code::TOO_DEEP]);
    });
}

#[test]
fn wide_is_not_deep() {
    let conjunction = format!("x=0{}", " & x=1+1".repeat(200_000));
    assert!(parse_formula(&conjunction, 1).problems.is_empty());
    let set = format!("{{0{}}}", ",1+1".repeat(200_000));
    assert!(parse_formula(&set, 1).problems.is_empty());
    let sequence = format!("#SUBSTITUTION x:=0{}", ";x:=1+1".repeat(100_000));
    assert!(parse_formula(&sequence, 1).problems.is_empty());
}

#[test]
fn labels_and_substitutions_before_predicates_count_as_nesting() {
    on_small_stack(|| {
        let labels = "/*@label a*/ ".repeat(100_000);
        assert_eq!(codes(&parse_formula(&labels, 1)), [Code::TOO_DEEP]);
        let wp = "[x:=1]".repeat(100_000);
        assert_eq!(codes(&parse_formula(&wp, 1)), [Code::TOO_DEEP]);
    });
}

#[test]
fn many_broken_things_give_a_bounded_list() {
    let text = format!("MACHINE M DEFINITIONS {} END", "D == + ;".repeat(50_000));
    assert!(parse_file(&text, 1).problems.list().len() <= 500);
    let text = format!("MACHINE M OPERATIONS {}", "o = x = ;".repeat(50_000));
    assert!(parse_file(&text, 1).problems.list().len() <= 500);
    let text = "\u{1}a".repeat(100_000);
    assert!(parse_formula(&text, 1).problems.list().len() <= 500);
}

#[test]
fn every_prefix_of_a_machine_is_answered() {
    let text = "/*@package p*/MACHINE M(X) SEES a.B /*@file \"x\"*/ SETS S={a,b};T DEFINITIONS d(x)==x,y;\
        \"f.def\"; e==BEGIN x:=1||y:=2 END CONSTANTS c /*@desc k*/ PROPERTIES !x.(x:S=>x=`id`) \
        INVARIANT {x|x>0}=f~[{1}] & /*@label l*/ r'a=\"é\\n\" VARIABLES v INITIALISATION v:=IF a THEN b ELSE c END;w::S \
        OPERATIONS r<--o(p)=PRE p:S THEN CASE p OF EITHER 1 THEN skip OR 2 THEN WHILE a DO b INVARIANT c VARIANT d END END END END;\
        q=ANY z WHERE z=∅ THEN x:(x$0=1) END END";
    assert!(file_problems(text).is_empty(), "{:?}", file_problems(text));
    for (cut, _) in text.char_indices().skip(1) {
        assert!(!file_problems(&text[..cut]).is_empty(), "{}", &text[..cut]);
        formula_problems(&text[cut..]);
        file_problems(&text[cut..]);
    }
}

#[test]
fn every_deletion_and_doubling_of_a_token_is_answered() {
    let text = "MACHINE M SETS S = { a , b } ; T DEFINITIONS d ( x ) == x , y ; e == BEGIN x := 1 || y := 2 END \
        INVARIANT { x | x > 0 } = f ~ [ { 1 } ] & r ' a = # x . ( x : S ) INITIALISATION v := IF a THEN b ELSE c END ; w :: S \
        OPERATIONS r <-- o ( p ) = PRE p : S THEN CASE p OF EITHER 1 THEN skip OR 2 THEN WHILE a DO b INVARIANT c VARIANT d END END END END ; \
        q = ANY z WHERE z = 1 THEN x : ( x $0 = 1 ) END END";
    let words: Vec<&str> = text.split_whitespace().collect();
    for i in 0..words.len() {
        let mut fewer = words.clone();
        fewer.remove(i);
        let mut more = words.clone();
        more.insert(i, words[i]);
        for variant in [fewer, more] {
            let text = variant.join(" ");
            let problems = file_problems(&text);
            assert!(problems.len() <= 4, "{text}\n{problems:#?}");
        }
    }
}

#[test]
fn huge_literals() {
    assert!(parse_formula(&"9".repeat(100_000), 1).problems.is_empty());
    assert_eq!(codes(&parse_formula(&"9".repeat(100_001), 1)), [Code::LITERAL_TOO_LONG]);
    let hex = format!("0x{}", "f".repeat(1_000_000));
    assert_eq!(codes(&parse_formula(&hex, 1)), [Code::LITERAL_TOO_LONG]);
}
