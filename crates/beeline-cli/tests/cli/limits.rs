//! Limits are answers: located errors and the exit code 2, never a crash.

use crate::Folder;

fn places(name: &str, text: &str) -> Vec<(String, Option<u64>, Option<u64>)> {
    let ran = Folder::new(name).with("M.mch", text).run(&["parse", "--json", "M.mch"]);
    assert_eq!(ran.code, Some(2));
    ran.places()
}

#[test]
fn a_million_opening_brackets() {
    let text = format!("MACHINE M INVARIANT {}", "(".repeat(1_000_000));
    let found = places("brackets", &text);
    assert_eq!(found[0], ("B0801".into(), Some(1), Some(521)));
}

#[test]
fn towers_of_everything_that_nests() {
    for (i, unit) in
        ["[", "{", "not(", "!x.(", "POW(", "-(", "IF 1=1 THEN ", "x(", "{x|"].iter().enumerate()
    {
        let text = format!("MACHINE M INVARIANT x = {}1", unit.repeat(100_000));
        let found = places(&format!("tower-{i}"), &text);
        assert!(found.iter().any(|f| f.0 == "B0801"), "{unit}: {found:?}");
    }
}

#[test]
fn towers_of_substitutions() {
    for (i, unit) in ["BEGIN ", "PRE 1=1 THEN ", "VAR x IN ", "SELECT 1=1 THEN "].iter().enumerate()
    {
        let text = format!("MACHINE M INITIALISATION {} skip", unit.repeat(100_000));
        let found = places(&format!("subst-{i}"), &text);
        assert!(found.iter().any(|f| f.0 == "B0801"), "{unit}: {found:?}");
    }
}

#[test]
fn long_chains_are_fine_or_refused_but_never_a_crash() {
    for (i, operator) in ["+", "&", "=>", "|->", ";", ".."].iter().enumerate() {
        let text = format!("MACHINE M INVARIANT x{} END", format!("{operator}x").repeat(200_000));
        let folder = Folder::new(&format!("chain-{i}")).with("M.mch", text);
        let code = folder.run(&["parse", "M.mch"]).code;
        assert!(code == Some(0) || code == Some(2), "{operator}: {code:?}");
    }
}

#[test]
fn a_file_above_the_limit() {
    let folder = Folder::new("large");
    let file = std::fs::File::create(folder.path("M.mch")).unwrap();
    file.set_len((64 << 20) + 1).unwrap();
    folder.run(&["parse", "M.mch"]).is(
        2,
        "error[B0311]: M.mch has more than 67108864 bytes\n   \
         = help: is it really a specification?\n\n",
        "",
    );
}

#[test]
fn thousands_of_errors_are_counted_and_not_all_shown() {
    let text = format!("MACHINE M OPERATIONS {} END", "o = x := ; ".repeat(5_000));
    let ran = Folder::new("errors").with("M.mch", text).run(&["parse", "--json", "M.mch"]);
    let json = ran.json();
    assert!(json["diagnostics"].as_array().unwrap().len() <= 500);
    assert!(json["errors"].as_u64() >= Some(500));
}

/// The code of the first error of a model, and the exit code 2.
fn first_error(name: &str, text: &str) -> String {
    let ran = Folder::new(name).with("M.mch", text).run(&["lint", "--json", "M.mch"]);
    assert_eq!(ran.code, Some(2), "{name}");
    ran.places()[0].0.clone()
}

#[test]
fn towers_of_definitions() {
    let step = |i: usize| format!("; d{i} == d{} + d{}", i - 1, i - 1);
    let doubled: String = (1..40).map(step).collect();
    let text = format!("MACHINE M DEFINITIONS d0 == 1{doubled} ASSERTIONS d39 = 1 END");
    assert_eq!(first_error("doubled", &text), "B0802");
    let step = |i: usize| format!("; d{i} == (d{})", i - 1);
    let deep: String = (1..20_000).map(step).collect();
    let text = format!("MACHINE M DEFINITIONS d0 == 1{deep} ASSERTIONS d19999 = 1 END");
    assert_eq!(first_error("deep", &text), "B0801");
    let text = "MACHINE M DEFINITIONS a == b; b == a ASSERTIONS a = 1 END";
    assert_eq!(first_error("circle", text), "B0401");
}

/// `x0, x1, …` with an equation between each and the next.
fn chained(n: usize, equation: impl Fn(usize) -> String, last: &str) -> String {
    let names: Vec<String> = (0..n).map(|i| format!("x{i}")).collect();
    let equations: Vec<String> = (1..n).map(equation).collect();
    let (names, equations) = (names.join(", "), equations.join(" & "));
    format!("MACHINE M CONSTANTS {names} PROPERTIES {equations} & {last} END")
}

#[test]
fn types_that_grow_out_of_one_another() {
    let doubling = chained(60, |i| format!("x{i} = x{} |-> x{}", i - 1, i - 1), "x0 = 1");
    assert_eq!(first_error("doubling", &doubling), "B0801");
    let halving = chained(60, |i| format!("x{} = x{i} |-> x{i}", i - 1), "x59 = 1");
    assert_eq!(first_error("halving", &halving), "B0801");
    let nesting = chained(10_000, |i| format!("x{i} = {{x{}}}", i - 1), "x0 = 1");
    assert_eq!(first_error("nesting", &nesting), "B0801");
    let inward = chained(10_000, |i| format!("x{} = {{x{i}}}", i - 1), "x9999 = 1");
    assert_eq!(first_error("inward", &inward), "B0801");
}

#[test]
fn machines_that_refer_to_each_other() {
    let folder = Folder::new("circle")
        .with("M.mch", "MACHINE M INCLUDES M END")
        .with("A.mch", "MACHINE A SEES B END")
        .with("B.mch", "MACHINE B SEES A END");
    for file in ["M.mch", "A.mch"] {
        let ran = folder.run(&["lint", "--json", file]);
        assert_eq!((ran.code, &*ran.places()[0].0), (Some(2), "B0305"), "{file}");
    }
}

#[test]
fn a_definition_file_that_reads_itself_is_refused() {
    let folder = Folder::new("self")
        .with("M.mch", "MACHINE M DEFINITIONS \"D.def\" ASSERTIONS one = 1 END")
        .with("D.def", "DEFINITIONS \"D.def\"; one == 1");
    let ran = folder.run(&["lint", "--json", "M.mch"]);
    assert_eq!((ran.code, ran.places()), (Some(2), vec![("B0401".into(), Some(1), Some(13))]));
}

#[test]
fn what_is_wrong_near_the_root_is_found_however_much_there_is() {
    // Millions of valuations, of initial states, of steps from one state: nobody waits for all.
    for (name, text) in [
        (
            "many-valuations",
            "MACHINE M CONSTANTS plan PROPERTIES plan : 1..9 --> 1..9 VARIABLES tick \
             INVARIANT tick : 0..4 INITIALISATION tick := 0 OPERATIONS \
             step = BEGIN tick := tick + 1 END END",
        ),
        (
            "many-starts",
            "MACHINE M VARIABLES team INVARIANT card(team) < 3 INITIALISATION team :: POW(1..50) \
             OPERATIONS wait = skip END",
        ),
        (
            "many-steps",
            "MACHINE M VARIABLES team INVARIANT card(team) < 3 INITIALISATION team := {} \
             OPERATIONS choose(t) = PRE t : POW(1..50) THEN team := t END END",
        ),
    ] {
        let folder = Folder::new(name).with("M.mch", text);
        for order in ["auto", "bf", "df"] {
            let ran = folder.run(&["check", "--memory", "1G", "--search", order, "M.mch"]);
            assert_eq!(ran.code, Some(1), "{name} {order}: {}{}", ran.out, ran.err);
            assert!(ran.out.starts_with("violated: the invariant is violated"), "{}", ran.out);
        }
    }
}

#[test]
fn a_thousand_operations_keep_to_the_limit_of_time() {
    // Each of them tries more candidates than machine code may in one go.
    let operation = |i: usize| {
        format!(
            "op{i}(p, q) = PRE p : 1..2000 & q : 1..2000 & p * q = x + {} THEN x := 1 - x END",
            10_000_019 + i
        )
    };
    let operations: Vec<String> = (0..1000).map(operation).collect();
    let text = format!(
        "MACHINE M VARIABLES x INVARIANT x : 0..1 INITIALISATION x := 0 OPERATIONS {} END",
        operations.join("; ")
    );
    let folder = Folder::new("thousand-operations").with("M.mch", text);
    let ran = folder.run(&["check", "--no-deadlock", "--timeout", "1", "--json", "M.mch"]);
    // Whoever is fast enough may come to the end.
    assert!(matches!(ran.code, Some(0 | 3)), "{}{}", ran.out, ran.err);
}
