//! Faults that were there once.

use crate::Folder;

#[test]
fn an_error_at_the_very_end_of_a_file_is_shown() {
    let folder = Folder::new("at-end").with("M.mch", "MACHINE M\n");
    let ran = folder.run(&["parse", "M.mch"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.out.contains("--> M.mch:2:1\n"), "{}", ran.out);
}

/// Our own Rodin project, with a change of the machine that its proof files do not know.
fn stale(name: &str, from: &str, to: &str) -> Folder {
    let own =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/event-b/Turnstile");
    let read = |file: &str| std::fs::read_to_string(own.join(file)).unwrap();
    let machine = read("Turnstile.bum").replace(from, to);
    assert_ne!(machine, read("Turnstile.bum"));
    ["Limit.buc", "Turnstile.bpo", "Turnstile.bps"]
        .iter()
        .fold(Folder::new(name).with("P/Turnstile.bum", machine), |folder, file| {
            folder.with(&format!("P/{file}"), read(file))
        })
}

#[test]
fn a_proof_of_another_obligation_hides_nothing() {
    let limit = "<org.eventb.core.guard name=\"k\" org.eventb.core.label=\"grd2\" \
                 org.eventb.core.predicate=\"inside &lt; limit\"/>";
    for (name, from, to) in [
        ("stale-guard", limit, ""),
        ("stale-weak", "inside &gt; 0", "inside ≥ 0"),
        ("stale-action", "inside + 1", "inside + 2"),
        ("stale-start", "inside ≔ 0", "inside ≔ limit + 1"),
        ("stale-invariant", "inside ∈ 0‥limit", "inside ∈ 0‥1"),
    ] {
        let folder = stale(name, from, to);
        for proof in ["on", "off", "audit"] {
            let ran = folder.run(&["check", "--no-deadlock", "--proof", proof, "P"]);
            assert_eq!(ran.code, Some(1), "{name} --proof {proof}: {}{}", ran.out, ran.err);
        }
    }
}

#[test]
fn an_invariant_that_only_types_has_a_meaning_as_well() {
    let machine = |claim: &str| {
        format!(
            "MACHINE M SETS D VARIABLES f INVARIANT f : INTEGER +-> D & {claim} INITIALISATION f := {{}} \
             OPERATIONS stay = skip END"
        )
    };
    for claim in [
        "f(0) : D",
        "{f(0)} <: D",
        "f(0) |-> 1 : D * INTEGER",
        "rec(a : f(0), b : TRUE) : struct(a : D, b : BOOL)",
        "min({x | x : INTEGER & x > 0 & x < 0}) : INTEGER",
    ] {
        let folder = Folder::new("only-types").with("M.mch", machine(claim));
        let ran = folder.run(&["check", "M.mch"]);
        assert_eq!(ran.code, Some(1), "{claim}: {}{}", ran.out, ran.err);
        assert!(ran.out.contains("the invariant is not well-defined"), "{claim}: {}", ran.out);
    }
    let folder = Folder::new("only-types").with("M.mch", machine("{f} <: POW(INTEGER * D)"));
    assert_eq!(folder.run(&["check", "M.mch"]).code, Some(0));
}

#[test]
fn a_precondition_without_a_meaning_is_confirmed_whatever_follows_it() {
    let body = |body: &str| {
        format!(
            "MACHINE M SETS D VARIABLES v INVARIANT v : 0..1 INITIALISATION v := 1 \
             OPERATIONS op(p) = {body}; stay = skip END"
        )
    };
    let fails = "PRE p : D & size({0} * D) < v THEN ANY y WHERE y : D & 1 = 2 THEN skip END END";
    let folder = Folder::new("guard-any").with("M.mch", body(fails));
    let ran = folder.run(&["check", "M.mch"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    // What stands at the head is one condition, and a part that is false decides.
    let never = "PRE p : D & size({0} * D) < v THEN SELECT 1 = 2 THEN skip END END";
    let folder = Folder::new("guard-select").with("M.mch", body(never));
    let ran = folder.run(&["check", "M.mch"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
}

#[test]
fn bounds_of_more_than_64_bits_bound() {
    let large = "1512366075204170935818410520166303587";
    for (formula, value) in [
        (format!("{{x | x : -1..2 & x > {large}}}"), "{}"),
        (format!("{{x | x : -1..2 & x < -{large}}}"), "{}"),
        (format!("{{x | x : -1..2 & x < {large} & x > -{large}}}"), "{-1,0,1,2}"),
        (format!("bool(#x.(x : -1..2 & x >= {large}))"), "FALSE"),
    ] {
        let ran = Folder::new("wide-bounds").run(&["eval", &formula]);
        assert!(ran.out.contains(value), "{formula}: {}{}", ran.out, ran.err);
    }
    let machine = format!(
        "MACHINE M CONSTANTS k PROPERTIES k : -1..2 & k > {large} VARIABLES x INVARIANT x : 0..1 \
         INITIALISATION x := 0 OPERATIONS stay = skip END"
    );
    let ran = Folder::new("wide-bounds").with("M.mch", machine).run(&["check", "M.mch"]);
    assert_eq!(ran.code, Some(2), "{}{}", ran.out, ran.err);
}

#[test]
fn never_possible_is_not_said_where_a_step_fails() {
    let machine = |value: &str| {
        format!(
            "MACHINE M VARIABLES x INVARIANT x : 0..9 INITIALISATION x := 0 OPERATIONS \
             go = PRE x = 0 THEN x := {value} END; rest = PRE x = 5 THEN x := 0 END END"
        )
    };
    let said = |value: &str| {
        let folder = Folder::new("never-possible").with("M.mch", machine(value));
        folder.run(&["check", "--all", "M.mch"]).out.contains("never enabled: rest")
    };
    assert!(said("1"));
    // Somebody would divide by another number.
    assert!(!said("5 / x"));
}

#[test]
fn a_result_without_a_value_is_not_one_of_minus_one() {
    let machine = "MACHINE M VARIABLES x INVARIANT x : 0..3 INITIALISATION x := 0 OPERATIONS \
                   r <-- op = CHOICE r := -1 OR skip END; go = PRE x < 3 THEN x := x + 1 END END";
    let folder = Folder::new("unassigned-result").with("M.mch", machine);
    for engine in ["general", "packed", "native"] {
        let out = folder.run(&["check", "--engine", engine, "M.mch"]).out;
        assert!(out.contains("4 states, 12 transitions"), "{engine} {out}");
    }
}

#[test]
fn variables_that_never_change_are_told_where_all_is_known() {
    let machine = "MACHINE M VARIABLES x, y, z INVARIANT x : 0..2 & y : 0..1 & z : 0..1\n \
                   INITIALISATION x, y, z := 0, 0, 0 OPERATIONS \
                   step = PRE x < 2 THEN x := x + 1 END; back = PRE x = 2 THEN x := 0 END; \
                   flip = PRE x = 7 THEN y := 1 - y END END";
    let folder = Folder::new("never-changed").with("M.mch", machine);
    let whole = folder.run(&["check", "M.mch"]);
    assert_eq!(whole.code, Some(0), "{}{}", whole.out, whole.err);
    assert!(whole.out.contains("never enabled: flip\nnever changed: y, z\n"), "{}", whole.out);
    let cut = folder.run(&["check", "--max-states", "2", "M.mch"]);
    assert!(!cut.out.contains("never"), "{}", cut.out);
    let json = folder.run(&["check", "--json", "M.mch"]).out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["verdict"], "holds");
    assert_eq!(json["observations"][0]["kind"], "never_enabled");
    assert_eq!(json["observations"][1]["name"], "y");
    assert_eq!(json["observations"][1]["where"], "M.mch:1:24");
}

#[test]
fn one_finding_that_is_confirmed_is_a_violation() {
    // The judge does not list `s`, and need not: the other conjunct is false as well.
    let machine = "MACHINE M VARIABLES x, s INVARIANT x : 0..1 & s <: INTEGER & \
                   #(y, z).(y : s & z : s & y = x + 7 & y = y + 1) & x < 1 \
                   INITIALISATION x := 1 || s := {x | x : NATURAL & x mod 2 = 0} OPERATIONS stay = skip END";
    let folder = Folder::new("one-confirmed").with("M.mch", machine);
    for options in [&["--engine", "general"][..], &["--engine", "packed", "--search", "df"]] {
        let ran = folder.run(&[&["check", "--all"], options, &["M.mch"]].concat());
        assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    }
}

#[test]
fn the_judge_knows_ends_of_infinite_sets_and_what_tells_them_apart() {
    for invariant in
        ["min(s \\/ {x}) > 0", "s = ran(%y.(y : NATURAL | y + 1))", "NATURAL1 = s \\/ {x}"]
    {
        let machine = format!(
            "MACHINE M VARIABLES x, s INVARIANT x : 0..1 & s <: INTEGER & {invariant} INITIALISATION \
             x := 0 || s := NATURAL1 - {{4}} OPERATIONS stay = skip END"
        );
        let ran = Folder::new("infinite-ends").with("M.mch", machine).run(&["check", "M.mch"]);
        // What the engine knows, the judge confirms.
        assert_ne!(ran.code, Some(4), "{invariant}: {}{}", ran.out, ran.err);
        assert_ne!(ran.code, Some(0), "{invariant}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn constants_that_are_none_violate_nothing() {
    // Whether -1 is in that set the engine does not find out, and tries the values of `c`.
    let machine = "MACHINE M CONSTANTS c PROPERTIES c : 0..3 & (c < 1 or -1 : ran(%z.(z : NATURAL | z + 1))) \
                   VARIABLES x INVARIANT x : 0..3 & c < 2 INITIALISATION x := 0 OPERATIONS stay = skip END";
    let ran = Folder::new("no-constants").with("M.mch", machine).run(&["check", "M.mch"]);
    assert!(matches!(ran.code, Some(0 | 3)), "{}{}", ran.out, ran.err);
}

#[test]
fn a_precondition_below_a_guard_is_a_promise() {
    let code = |operation: &str, engine: &str| {
        let machine = format!(
            "MACHINE M VARIABLES x, y INVARIANT x : 0..9 & y : 0..9 INITIALISATION x := 0 || y := 0 \
             OPERATIONS stay = skip; {operation} END"
        );
        let folder = Folder::new("inner-pre").with("M.mch", machine);
        folder.run(&["check", "--engine", engine, "M.mch"]).code
    };
    for (operation, expected) in [
        // Whoever is let in must find it true.
        ("go = SELECT x = 0 THEN PRE y > 5 THEN y := 1 END END", 1),
        ("go = SELECT x = 0 THEN PRE y < 5 THEN y := 1 END END", 0),
        ("go = SELECT x = 1 THEN PRE y > 5 THEN y := 1 END END", 0),
        ("go(p) = PRE p : 0..3 THEN SELECT x = 0 THEN PRE y > p THEN y := p END END END", 1),
        // The precondition of the operation, in one piece or several, and what types its parameters.
        ("go = PRE x = 0 THEN PRE y > 5 THEN y := 1 END END", 0),
        ("go(p) = SELECT x = 0 THEN PRE p : 0..3 & y > 5 THEN y := p END END", 0),
    ] {
        for engine in ["general", "packed", "native"] {
            assert_eq!(code(operation, engine), Some(expected), "{engine}: {operation}");
        }
    }
}

#[test]
fn an_operation_that_fails_is_confirmed_with_its_own_arguments() {
    // All values of `q` would be all relations of integers.
    let machine = "MACHINE M VARIABLES x INVARIANT x : 0..1 INITIALISATION x := 0 OPERATIONS \
                   r <-- go(p, q) = PRE p : 0..1 & q : {s | s : seq(0..2) & size(s) <= 2} THEN \
                   BEGIN PRE p > 0 THEN skip END END || r := q ^ q END END";
    let folder = Folder::new("own-arguments").with("M.mch", machine);
    let ran = folder.run(&["check", "--timeout", "20", "M.mch"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("go(p=0, q={}) fails"), "{}", ran.out);
}
