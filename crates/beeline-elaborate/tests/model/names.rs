//! Names: what a machine sees of others (section 9 of the language), renaming, clashes, slips.

use crate::support::{
    check_errors, check_errors_of, check_types_of, errors, helps, model_of, open,
};

const N: &str = "MACHINE N SETS S = {s1, s2} CONSTANTS c PROPERTIES c : S
    VARIABLES v INVARIANT v : S INITIALISATION v := s1
    OPERATIONS set(x) = PRE x : S THEN v := x END; r <-- get = r := v END";

fn with_n(main: &str, expected: &str) {
    check_errors_of(&[("M.mch", main), ("N.mch", N)], expected);
}

#[test]
fn every_link_shows_sets_constants_and_variables() {
    for clause in ["SEES", "USES", "INCLUDES", "EXTENDS"] {
        with_n(
            &format!(
                "MACHINE M {clause} N CONSTANTS d PROPERTIES d = c & d /= s2
                 OPERATIONS r <-- o = r := {{v, d}} END"
            ),
            "",
        );
    }
    check_errors_of(
        &[
            ("I.imp", "IMPLEMENTATION I REFINES A IMPORTS N OPERATIONS o = set(s1) END"),
            ("A.mch", "MACHINE A OPERATIONS o = skip END"),
            ("N.mch", N),
        ],
        "",
    );
}

#[test]
fn variables_of_others_are_read_only() {
    for clause in ["SEES", "USES", "INCLUDES", "EXTENDS"] {
        with_n(
            &format!("MACHINE M {clause} N\nOPERATIONS o = v := s1 END"),
            "M.mch:2:16 B0505 `v` belongs to machine `N`",
        );
    }
    with_n("MACHINE M INCLUDES N OPERATIONS o = set(s2) END", "");
    with_n("MACHINE M SEES N OPERATIONS r <-- o = r <-- get END", "");
}

/// A machine does not see what the machines it sees see.
#[test]
fn seeing_is_not_transitive() {
    let files = [
        ("M.mch", "MACHINE M SEES A\nOPERATIONS r <-- o = r := v END"),
        ("A.mch", "MACHINE A SEES N END"),
        ("N.mch", N),
    ];
    check_errors_of(&files, "M.mch:2:27 B0501 `v` is not known here");
    let mut through = files;
    through[1].1 = "MACHINE A INCLUDES N END";
    check_errors_of(&through, "");
}

#[test]
fn renamed_instances() {
    let files = [
        (
            "M.mch",
            "MACHINE M INCLUDES a.N, b.N VARIABLES w
             INVARIANT w <: S & a.v /= b.v INITIALISATION w := {a.v}
             OPERATIONS o = BEGIN a.set(s1) || b.set(c) END; r <-- p = r <-- a.get END",
        ),
        ("N.mch", N),
    ];
    // Sets and constants are shared; variables and operations are not.
    let m = model_of(&files);
    assert_eq!(m.sets.len(), 1);
    assert_eq!(m.constants.len(), 1);
    check_types_of(&files, "c : S\na.v : S\nb.v : S\nw : POW(S)");
    let names: Vec<&str> = m.operations.iter().map(|o| o.name.as_str()).collect();
    assert_eq!(names, ["a.set", "a.get", "b.set", "b.get", "o", "p"]);
    with_n(
        "MACHINE M INCLUDES a.N\nOPERATIONS r <-- o = r := v END",
        "M.mch:2:27 B0501 `v` is not known here",
    );
    check_errors_of(
        &[("M.mch", "MACHINE M INCLUDES N,\n N END"), ("N.mch", N)],
        "M.mch:2:2 B0307 machine `N` is included twice",
    );
}

/// Inside a renamed instance, `x` after `x :` is the new value too.
#[test]
fn becomes_such_in_a_renamed_instance() {
    let m = model_of(&[
        ("M.mch", "MACHINE M INCLUDES a.N END"),
        (
            "N.mch",
            "MACHINE N VARIABLES x INVARIANT x : NAT INITIALISATION x : (x : 1..3)
             OPERATIONS inc = x : (x = x$0 + 1); choose = x : (x > 1) END",
        ),
    ]);
    let reads: Vec<usize> = m.operations.iter().map(|o| o.reads.len()).collect();
    assert_eq!(reads, [1, 0]);
}

#[test]
fn instances_in_instances() {
    let m = model_of(&[
        ("M.mch", "MACHINE M INCLUDES b.A PROMOTES b.a.set, b.own END"),
        ("A.mch", "MACHINE A INCLUDES a.N PROMOTES a.set OPERATIONS own = a.set(s1) END"),
        ("N.mch", N),
    ]);
    assert_eq!(m.variables[0].name, "b.a.v");
    let offered = &m.concrete().operations;
    let names: Vec<&str> = offered.iter().map(|o| m.operation(*o).name.as_str()).collect();
    assert_eq!(names, ["b.a.set", "b.own"]);
}

#[test]
fn parameters_are_arguments() {
    let p = "MACHINE P(T, n) CONSTRAINTS n : NAT VARIABLES x INVARIANT x <: T & card(x) <= n
        INITIALISATION x := {} OPERATIONS add(e) = PRE e : T THEN x := x \\/ {e} END END";
    check_types_of(
        &[
            ("M.mch", "MACHINE M SETS S INCLUDES P(S, 2), q.P({k | k : 1..3}, 1 + 1) END"),
            ("P.mch", p),
        ],
        "x : POW(S)\nq.x : POW(INTEGER)",
    );
    check_errors_of(
        &[("M.mch", "MACHINE M INCLUDES\nP(BOOL) END"), ("P.mch", p)],
        "M.mch:2:1 B0309 machine `P` takes 2 arguments, not 1",
    );
    check_errors_of(
        &[("M.mch", "MACHINE M INCLUDES\nP(BOOL, TRUE) END"), ("P.mch", p)],
        "P.mch:1:33 B0601 this has type POW(INTEGER), so it cannot contain a value of type BOOL\n\
         P.mch:1:79 B0601 the two sides of `<=` have different types",
    );
    // The arguments of an instance may be those of the machine that includes it.
    check_types_of(
        &[
            ("M.mch", "MACHINE M SETS S INCLUDES Q(S) END"),
            ("Q.mch", "MACHINE Q(U) INCLUDES P(U, 3) END"),
            ("P.mch", p),
        ],
        "x : POW(S)",
    );
    check_errors(
        "MACHINE M(p) CONSTRAINTS p : NAT CONSTANTS c PROPERTIES\nc = p END",
        "M.mch:2:5 B0503 `p` is a machine parameter, which PROPERTIES cannot see",
    );
}

/// An argument that is copied a million times over is refused, not copied.
#[test]
fn arguments_of_arguments_do_not_explode() {
    let mut files = vec![("M.mch".to_owned(), "MACHINE M INCLUDES P0({1}) END".to_owned())];
    for i in 0..40 {
        let text = format!("MACHINE P{i}(S) INCLUDES P{}(S \\/ S) END", i + 1);
        files.push((format!("P{i}.mch"), text));
    }
    files.push(("P40.mch".to_owned(), "MACHINE P40(S) END".to_owned()));
    let files: Vec<(&str, &str)> = files.iter().map(|f| (&*f.0, &*f.1)).collect();
    let found = errors(&open(&files));
    assert_eq!(found.lines().count(), 1, "{found}");
    assert!(found.contains("B0802"), "{found}");
}

#[test]
fn promotion() {
    let offered = |main: &str| {
        let m = model_of(&[("M.mch", main), ("N.mch", N)]);
        let ids = &m.concrete().operations;
        ids.iter().map(|o| m.operation(*o).name.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(offered("MACHINE M INCLUDES N END"), "");
    assert_eq!(offered("MACHINE M INCLUDES N PROMOTES get END"), "get");
    assert_eq!(offered("MACHINE M EXTENDS N OPERATIONS o = skip END"), "o set get");
    assert_eq!(offered("MACHINE M INCLUDES a.N PROMOTES a.get END"), "a.get");
    assert_eq!(offered("MACHINE M EXTENDS a.N END"), "a.set a.get");
    with_n(
        "MACHINE M INCLUDES N\nPROMOTES gte END",
        "M.mch:2:10 B0310 no included machine has an operation `gte`",
    );
    with_n(
        "MACHINE M INCLUDES a.N\nPROMOTES get END",
        "M.mch:2:10 B0310 no included machine has an operation `get`",
    );
    let files = [("M.mch", "MACHINE M INCLUDES a.N PROMOTES get END"), ("N.mch", N)];
    let help = open(&files).diagnostics.list()[0].help.clone();
    assert_eq!(help, ["did you mean `a.get`?"]);
    with_n(
        "MACHINE M INCLUDES N\nPROMOTES o OPERATIONS o = skip END",
        "M.mch:2:10 B0310 no included machine has an operation `o`",
    );
}

#[test]
fn refinements_see_their_abstraction() {
    let a = "MACHINE A SETS S CONSTANTS c PROPERTIES c : S VARIABLES x, y INVARIANT x : S & y <: S
        INITIALISATION x := c || y := {} OPERATIONS o = skip; r <-- q = r := x END";
    let refine = |text: &str, expected: &str| {
        check_errors_of(&[("R.ref", text), ("A.mch", a)], expected);
    };
    refine(
        "REFINEMENT R REFINES A VARIABLES x, z INVARIANT z : NAT & (z = 0 <=> y = {})
         INITIALISATION x := c; z := 0 OPERATIONS o = z := 1; r <-- q = r := x END",
        "",
    );
    refine(
        "REFINEMENT R REFINES A VARIABLES x INITIALISATION x := c\nOPERATIONS o = x :: y END",
        "R.ref:2:21 B0503 `y` is a variable of the abstraction, which this refinement replaces",
    );
    refine(
        "REFINEMENT R REFINES A VARIABLES x INITIALISATION x := c\nOPERATIONS o = y := {} END",
        "R.ref:2:16 B0505 `y` is a variable of the abstraction",
    );
    refine(
        "REFINEMENT R REFINES A OPERATIONS\n o(p) = PRE p : NAT THEN skip END END",
        "R.ref:2:2 B0710 `o` has a different signature from the operation it refines",
    );
    // The type of a result flows down.
    refine("REFINEMENT R REFINES A OPERATIONS r <-- q = r :: S END", "");
    refine(
        "REFINEMENT R REFINES A OPERATIONS\n r <-- q = r := 1 END",
        "R.ref:2:17 B0601 a value of type INTEGER cannot be assigned here",
    );
    check_errors(
        "REFINEMENT\nM END",
        "M.mch:2:1 B0701 the refinement `M` does not say what it refines",
    );
    check_errors(
        "IMPLEMENTATION\nM END",
        "M.mch:2:1 B0701 the implementation `M` does not say what it refines",
    );
}

#[test]
fn abstract_constants_made_concrete() {
    let m = model_of(&[
        ("R.ref", "REFINEMENT R REFINES A CONCRETE_CONSTANTS c, d PROPERTIES d = c END"),
        ("A.mch", "MACHINE A ABSTRACT_CONSTANTS c PROPERTIES c = 1 END"),
    ]);
    let rows: Vec<_> = m.constants.iter().map(|c| (c.name.as_str(), c.kind)).collect();
    let concrete = beeline_model::ConstantKind::Concrete;
    assert_eq!(rows, [("c", concrete), ("d", concrete)]);
}

#[test]
fn duplicates_and_clashes() {
    check_errors(
        "MACHINE M SETS S CONSTANTS\nS PROPERTIES S = 1 END",
        "M.mch:2:1 B0502 `S` is declared twice",
    );
    check_errors("MACHINE M SETS S = {a,\na} END", "M.mch:2:1 B0502 `a` is declared twice");
    check_errors(
        "MACHINE M VARIABLES x,\nx INVARIANT x = 1 INITIALISATION x := 1 END",
        "M.mch:2:1 B0502 `x` is declared twice",
    );
    check_errors(
        "MACHINE M OPERATIONS o = skip;\no = skip END",
        "M.mch:2:1 B0703 operation `o` is declared twice",
    );
    check_errors(
        "MACHINE M OPERATIONS o(p,\np) = PRE p = 1 THEN skip END END",
        "M.mch:2:1 B0502 `p` is declared twice",
    );
    with_n(
        "MACHINE M INCLUDES N VARIABLES\nv INVARIANT v = 1 INITIALISATION v := 1 END",
        "M.mch:2:1 B0502 `v` is declared twice",
    );
    check_errors_of(
        &[("M.mch", "MACHINE M SEES N,\nK END"), ("N.mch", N), ("K.mch", "MACHINE K SETS S END")],
        "M.mch:2:1 B0508 `S` comes from two different machines",
    );
    check_errors_of(
        &[
            ("M.mch", "MACHINE M INCLUDES N,\nK OPERATIONS r <-- o = r <-- get END"),
            ("N.mch", N),
            ("K.mch", "MACHINE K OPERATIONS r <-- get = r := 1 END"),
        ],
        "M.mch:2:30 B0508 two machines have an operation `get`",
    );
}

/// One slip, one message, however often the name is used.
#[test]
fn a_name_nobody_knows_is_told_once() {
    let text = "MACHINE M VARIABLES count INVARIANT count : NAT & cuont < 3 & cuont > 1
        INITIALISATION count := cuont OPERATIONS o = count := cuont + 1; p = cuont := 1 END";
    check_errors(text, "M.mch:1:51 B0501 `cuont` is not known here");
    assert_eq!(helps(text), ["did you mean `count`?"]);
    // After it, types are not doubted.
    check_errors(
        "MACHINE M CONSTANTS a PROPERTIES a = foo VARIABLES x INVARIANT x = a\nINITIALISATION x := TRUE
         OPERATIONS o = x := FALSE END",
        "M.mch:1:38 B0501 `foo` is not known here",
    );
    // Nor is it said that it is no predicate.
    check_errors(
        "MACHINE M CONSTANTS a PROPERTIES a = 1 & foo(a) & foo(2) & bar END",
        "M.mch:1:42 B0501 `foo` is not known here\nM.mch:1:60 B0501 `bar` is not known here",
    );
    check_errors(
        "MACHINE M OPERATIONS o = stp; p = skip; q = foo(1) END",
        "M.mch:1:26 B0504 there is no operation `stp` to call here\n\
         M.mch:1:45 B0504 there is no operation `foo` to call here",
    );
}

/// Words that are operators only before a parenthesis, unless the machine declares them.
#[test]
fn declared_names_win_over_soft_words() {
    let text = "MACHINE M DEFINITIONS top(x) == x > 1; infix(x) == BEGIN left := x END
        CONSTANTS real, son, b PROPERTIES real : NAT --> BOOL & son : NAT * NAT * NAT --> BOOL
          & b = real(1) & son(1, 2, 3) = TRUE & top(2)
        VARIABLES floor, left INVARIANT floor : NAT --> STRING & left : STRING
        INITIALISATION floor := %x.(x : NAT | \"a\"); left := floor(1)
        OPERATIONS o = BEGIN floor(1) := \"b\" || left := floor(2) END;
          p(right) = PRE right : NAT --> STRING THEN infix(right(1)) END END";
    check_types_of(
        &[("M.mch", text)],
        "real : POW(INTEGER * BOOL)\nson : POW(INTEGER * INTEGER * INTEGER * BOOL)\nb : BOOL\n\
         floor : POW(INTEGER * STRING)\nleft : STRING",
    );
}
