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

/// A machine with an integer variable and this as the body of its only operation.
fn acting(body: &str) -> String {
    format!(
        "MACHINE M VARIABLES v INVARIANT v : INTEGER & v < 100000 INITIALISATION v := 0 OPERATIONS \
         act = PRE v = 0 THEN {body} END END"
    )
}

/// The verdict, the number of states and the reasons of cuts.
fn checked(name: &str, text: &str, options: &[&str]) -> (String, u64, Vec<String>) {
    let folder = Folder::new(name).with("M.mch", text);
    let ran = folder.run(&[&["check", "--json", "--no-deadlock", "M.mch"], options].concat());
    let json = ran.json();
    let cuts = json["cuts"].as_array().unwrap().iter();
    let cuts = cuts.map(|c| c["reason"].as_str().unwrap().to_owned()).collect();
    let code = match json["verdict"].as_str().unwrap() {
        "holds" => 0,
        "violated" => 1,
        "model_error" => 2,
        "no_error_found" => 3,
        _ => 4,
    };
    assert_eq!(ran.code, Some(code));
    (json["verdict"].as_str().unwrap().to_owned(), json["counts"]["states"].as_u64().unwrap(), cuts)
}

#[test]
fn a_loop_of_a_million_rounds_is_not_cut() {
    let text = acting(
        "VAR i IN i := 0; WHILE i < 1000000 DO i := i + 1 INVARIANT i >= 0 VARIANT 1000000 - i END; \
         v := i / 500000 END",
    );
    assert_eq!(checked("million", &text, &[]), ("holds".into(), 2, vec![]));
}

#[test]
fn long_bodies_and_many_variables_need_no_deep_stack() {
    let sequence = vec!["v := v + 1"; 12_000].join("; ");
    assert_eq!(checked("long-sequence", &acting(&sequence), &[]), ("holds".into(), 2, vec![]));
    let parallel = format!("{} || v := 7", vec!["skip"; 12_000].join(" || "));
    assert_eq!(checked("long-parallel", &acting(&parallel), &[]), ("holds".into(), 2, vec![]));
    let names: Vec<String> = (0..5_000).map(|i| format!("x{i}")).collect();
    let each = |with: &str, end: &str| {
        names.iter().map(|n| format!("{n}{end}")).collect::<Vec<_>>().join(with)
    };
    let text = format!(
        "MACHINE M VARIABLES {} INVARIANT {} INITIALISATION {} OPERATIONS o = x7 := 1 - x7 END",
        names.join(", "),
        each(" & ", " : 0..1"),
        each(" || ", " := 0")
    );
    assert_eq!(checked("many-variables", &text, &[]), ("holds".into(), 2, vec![]));
}

#[test]
fn many_bound_names_are_planned_in_time() {
    let names: Vec<String> = (0..1_500).map(|i| format!("p{i}")).collect();
    let guard: Vec<String> = names.iter().map(|n| format!("{n} = v + 1")).collect();
    let text = format!(
        "MACHINE M VARIABLES v INVARIANT v : 0..9 INITIALISATION v := 0 OPERATIONS o({}) = PRE v < 5 & {} \
         THEN v := p7 END END",
        names.join(", "),
        guard.join(" & ")
    );
    assert_eq!(checked("parameters", &text, &[]), ("holds".into(), 6, vec![]));
}

#[test]
fn sets_in_sets_are_as_deep_as_they_look() {
    let (open, close) = ("{".repeat(60), "}".repeat(60));
    let text = format!("MACHINE M CONSTANTS c PROPERTIES {open}c{close} = {open}5{close} END");
    assert_eq!(checked("singletons", &text, &[]).0, "holds");
    let text = format!(
        "MACHINE M CONSTANTS c, d PROPERTIES d = {open}5{close} & {open}c{close} = d & c : 1..9 END"
    );
    assert_eq!(checked("known-singletons", &text, &[]).0, "holds");
}

#[test]
fn values_that_multiply_are_cut_before_they_are_made() {
    let text = "MACHINE M VARIABLES s INVARIANT s : seq(0..9) INITIALISATION s := [1] OPERATIONS \
        grow = PRE size(s) < 3000000 THEN s := s^s^s^s^s^s^s END; \
        all = PRE size(s) > 100000 THEN s := conc(%i.(i : 1..5000 | s)) END END";
    let (verdict, _, cuts) = checked("conc", text, &["--memory", "300M", "--timeout", "60"]);
    assert_eq!(verdict, "no_error_found");
    assert!(cuts.iter().any(|c| c == "large_set" || c == "memory"), "{cuts:?}");
}

#[test]
fn a_tower_of_constructors_is_enumerated_within_limits() {
    let constructors: Vec<String> = (0..300).map(|i| format!("k{i}(T)")).collect();
    let text = format!(
        "MACHINE M FREETYPES T = {}, leaf VARIABLES x INVARIANT x : T INITIALISATION x :: T END",
        constructors.join(", ")
    );
    let (verdict, _, cuts) = checked("free-type", &text, &["--timeout", "1", "--memory", "1G"]);
    assert_eq!(verdict, "no_error_found");
    assert!(cuts.iter().any(|c| c == "time" || c == "memory" || c == "large_set"), "{cuts:?}");
}

#[test]
fn machines_that_include_each_other_twice() {
    let mut folder = Folder::new("doubling");
    for i in 0..40 {
        let text = format!("MACHINE M{i} INCLUDES a.M{0}, b.M{0} END", i + 1);
        folder = folder.with(&format!("M{i}.mch"), text);
    }
    let last = "MACHINE M40 VARIABLES v INVARIANT v : 0..1 INITIALISATION v := 0 END";
    let ran = folder.with("M40.mch", last).run(&["lint", "--json", "M0.mch"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.places().iter().any(|p| p.0 == "B0804" && p.1 == Some(1)), "{:?}", ran.places());
}

#[test]
fn numbers_of_millions_of_digits() {
    let text = format!("MACHINE M ASSERTIONS 1 < {} END", "7".repeat(3_000_000));
    assert_eq!(places("digits", &text), [("B0805".into(), Some(1), Some(26))]);
    let text = format!("MACHINE M ASSERTIONS 1 < {} END", "7".repeat(20_000));
    assert_eq!(checked("many-digits", &text, &[]).0, "holds");
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
            "MACHINE M VARIABLES team INVARIANT team <: 1..50 & card(team) < 3 INITIALISATION team :: POW(1..50) \
             OPERATIONS wait = skip END",
        ),
        (
            "many-steps",
            "MACHINE M VARIABLES team INVARIANT team <: 1..50 & card(team) < 3 INITIALISATION team := {} \
             OPERATIONS choose(t) = PRE t : POW(1..50) THEN team := t END END",
        ),
    ] {
        let folder = Folder::new(name).with("M.mch", text);
        // Breadth-first search finds some steps of all that wait before it looks at what is wrong.
        let orders: &[&str] = if name == "many-steps" { &["df"] } else { &["auto", "bf", "df"] };
        for order in orders {
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
