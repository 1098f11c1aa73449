//! Theories in packages: data types, direct and recursive operators, and what only axioms describe.
#![allow(clippy::unwrap_used)]

use beeline::explore::{Cancel, Options};
use beeline::model::verify;
use beeline::{CheckOptions, Checked, OpenOptions, open};

/// Terms of a package, written like formulas.
fn id(name: &str) -> String {
    format!("identifier(none,{name})")
}

fn op(name: &str, arguments: &[&str]) -> String {
    format!("extended_expr(none,'{name}',[{}],[])", arguments.join(","))
}

fn list_of(of: &str) -> String {
    op("List", &[of])
}

const INTEGER: &str = "integer_set(none)";

/// Lists over any type, with their length and a last element put to them; lists of small numbers; ways
/// that are named or measured.
fn theory() -> String {
    let any = id("'T'");
    let list = list_of(&any);
    let nil = op("nil", &[]);
    let cons = op("cons", &[&id("h"), &id("t")]);
    let case = |pattern: &str, value: &str| format!("case(l,[],{pattern},{value})");
    let operator = |name: &str, arguments: &str, nil_case: &str, cons_case: &str| {
        let cases = [case(&nil, nil_case), case(&cons, cons_case)].join(",");
        format!("operator({name},[{arguments}],truth(none),[],[{cases}])")
    };
    let len = operator(
        "len",
        &format!("argument(l,{list})"),
        "integer(none,0)",
        &format!("add(none,integer(none,1),{})", op("len", &[&id("t")])),
    );
    let append = operator(
        "append",
        &format!("argument(l,{list}),argument(x,{any})"),
        &op("cons", &[&id("x"), &nil]),
        &op("cons", &[&id("h"), &op("append", &[&id("t"), &id("x")])]),
    );
    let small = operator(
        "small",
        &format!("argument(l,{})", list_of(INTEGER)),
        "truth(none)",
        &format!(
            "conjunct(none,less(none,{},integer(none,3)),extended_pred(none,small,[{}],[]))",
            id("h"),
            id("t")
        ),
    );
    let twice = format!(
        "operator(twice,[argument(k,{INTEGER})],truth(none),\
         [multiplication(none,{},integer(none,2))],[])",
        id("k")
    );
    format!(
        "theory(theory_name('P','Lists'),[],['T'],\
         [datatype('List',[{any}],[constructor(nil,[]),\
           constructor(cons,[destructor(head,{any}),destructor(tail,{list})])]),\
          datatype('Way',[],[constructor(north,[]),constructor(by,[destructor(far,{INTEGER})])])],\
         [{len},{append},{small},{twice}],\
         [axiomatic_def_block(b,[],[opdef(mystery,[argument(k,{INTEGER})],[])],[])],[])"
    )
}

/// A queue that is filled at its end and emptied at its beginning, with one more invariant.
fn queue(invariant: &str) -> String {
    let (q, w, x) = (id("q"), id("w"), id("x"));
    let event = |name: &str, parameters: &str, guards: &[String], actions: &[(&str, String)]| {
        let assign = |(v, e): &(&str, String)| format!("assign(none,[{}],[{e}])", id(v));
        let actions: Vec<String> = actions.iter().map(assign).collect();
        let (guards, actions) = (guards.join(","), actions.join(","));
        format!("event(none,{name},ordinary(none),[],[{parameters}],[{guards}],[],[{actions}],[])")
    };
    let nil = op("nil", &[]);
    let begin = event("'INITIALISATION'", "", &[], &[("q", nil.clone()), ("w", op("north", &[]))]);
    let put = event(
        "put",
        &x,
        &[
            format!("member(none,{x},interval(none,integer(none,1),integer(none,2)))"),
            format!("less(none,{},integer(none,2))", op("len", &[&q])),
        ],
        &[("q", op("append", &[&q, &x])), ("w", op("by", &[&op("twice", &[&x])]))],
    );
    let get = event(
        "get",
        &x,
        &[format!("not_equal(none,{q},{nil})"), format!("equal(none,{x},{})", op("head", &[&q]))],
        &[("q", op("tail", &[&q]))],
    );
    format!(
        "package(load_event_b_project([event_b_model(none,'M',[sees(none,[]),\
         variables(none,[{q},{w}]),invariant(none,[member(none,{q},{}),member(none,{w},{}),\
         {invariant}]),theorems(none,[]),events(none,[{begin},{put},{get}])])],[],\
         [exporter_version(3),{}],_E)).\n",
        list_of(INTEGER),
        op("Way", &[]),
        theory()
    )
}

/// Verdict, states and transitions, or the first problem.
fn outcome(name: &str, text: &str) -> String {
    let folder = std::env::temp_dir().join(format!("beeline-theory-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("M.eventb");
    std::fs::write(&path, text).unwrap();
    let loaded = open(&path, &OpenOptions::default());
    std::fs::remove_dir_all(&folder).unwrap();
    let Some(model) = &loaded.model else {
        return loaded.diagnostics.list().iter().find(|d| d.is_error()).unwrap().message.clone();
    };
    assert_eq!(verify(model), [""; 0]);
    let explore = Options { all: true, threads: 1, ..Options::default() };
    let options = CheckOptions { explore, ..CheckOptions::default() };
    let checked = Checked::run(model, &options, &Cancel::new(), &|_| {}).ok().unwrap();
    let counts = &checked.outcome.exploration.counts;
    let word = checked.outcome.verdict.word();
    format!("{word} {} {}", counts.states(), counts.transitions)
}

#[test]
fn recursive_operators_and_predicates() {
    // Seven lists; what was put last is known once there was one: 9 states, and one for the constants.
    let small = format!("extended_pred(none,small,[{}],[])", id("q"));
    assert_eq!(outcome("small", &queue(&small)), "holds 10 18");
    let short = format!("less(none,{},integer(none,3))", op("len", &[&id("q")]));
    assert_eq!(outcome("short", &queue(&short)), "holds 10 18");
    let shorter = format!("less(none,{},integer(none,2))", op("len", &[&id("q")]));
    assert_eq!(outcome("shorter", &queue(&shorter)), "violated 10 18");
}

#[test]
fn values_are_taken_apart() {
    // What was put last is measured: by(2) or by(4).
    let (w, far) = (id("w"), op("far", &[&id("w")]));
    let known = |numbers: &str| {
        format!(
            "disjunct(none,equal(none,{w},{}),member(none,{far},set_extension(none,[{numbers}])))",
            op("north", &[])
        )
    };
    assert_eq!(outcome("known", &queue(&known("integer(none,2),integer(none,4)"))), "holds 10 18");
    assert_eq!(outcome("unknown", &queue(&known("integer(none,2)"))), "violated 10 18");
}

#[test]
fn what_nobody_defines_is_said_where_it_is_used() {
    let with = |name: &str| {
        let call = op(name, &["integer(none,1)"]);
        outcome(name, &queue(&format!("less(none,{call},integer(none,2))")))
    };
    assert_eq!(
        with("mystery"),
        "operator `mystery` is not supported: it is described by axioms, but not defined"
    );
    assert_eq!(with("nowhere"), "operator `nowhere` is not known here");
}
