//! Partial order reduction from outside: every report says that counts are those of a part.

use crate::Folder;

const APART: &str = "MACHINE Apart
  VARIABLES x, y, z INVARIANT x : INTEGER & y : INTEGER & z : INTEGER & z < 4
  INITIALISATION x := 0 || y := 0 || z := 0
  OPERATIONS
    up_x = SELECT x < 5 THEN x := x + 1 END;
    up_y = SELECT y < 5 THEN y := y + 1 END;
    up_z = SELECT z < 3 THEN z := z + 1 END
  END";

fn folder(name: &str) -> Folder {
    Folder::new(name)
        .with("Apart.mch", APART)
        .with(
            "Wrong.mch",
            APART.replace("z < 4", "x + y < 9").replace("MACHINE Apart", "MACHINE Wrong"),
        )
        .with("Scope.mch", APART.replace("VARIABLES", "DEFINITIONS SCOPE == x < 2 VARIABLES"))
}

#[test]
fn one_way_to_the_deadlock_is_enough_and_as_short_as_any() {
    let folder = folder("por-deadlock");
    let all = folder.run(&["check", "--json", "--shortest", "Apart.mch"]).json();
    let part = folder.run(&["check", "--json", "--shortest", "--por", "on", "Apart.mch"]).json();
    let steps = |json: &serde_json::Value| json["finding"]["trace"].as_array().unwrap().len();
    assert_eq!((steps(&all), steps(&part)), (14, 14));
    assert_eq!(all["counts"]["nodes"], 145);
    assert_eq!(part["counts"]["nodes"], 15);
    assert_eq!(part["partial_order"]["steps_left_out"], 15);
    assert!(all["partial_order"].is_null());
    // Nobody asks for deadlocks, and what is known of z holds anyway: nothing is worth a step.
    let held = folder.run(&["check", "--json", "--por", "on", "--no-deadlock", "Apart.mch"]).json();
    assert_eq!(
        (held["verdict"].as_str(), held["counts"]["nodes"].as_u64()),
        (Some("holds"), Some(2))
    );
}

#[test]
fn every_report_says_that_it_is_reduced() {
    let folder = folder("por-told");
    let told = "partial order: the state space is reduced, 15 steps in 10 states were left out";
    let ran = folder.run(&["check", "--por", "audit", "--junit", "j.xml", "Apart.mch"]);
    assert!(ran.out.contains(told), "{}", ran.out);
    assert!(ran.out.contains("audit: nothing is lost; the whole has 145 nodes"), "{}", ran.out);
    assert!(folder.read("j.xml").contains(told));
    let plain = folder.run(&["check", "Apart.mch"]);
    assert!(!plain.out.contains("partial order"), "{}", plain.out);
}

#[test]
fn every_kind_of_finding_is_kept() {
    let folder = folder("por-all");
    let kinds = |arguments: &[&str]| {
        let json = folder.run(&[&["check", "--json", "--all"], arguments].concat()).json();
        let found = json["findings"].as_array().unwrap().clone();
        found.iter().map(|f| f["kind"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let all = kinds(&["Wrong.mch"]);
    assert_eq!(all.len(), 2, "{all:?}");
    assert_eq!(kinds(&["--por", "on", "Wrong.mch"]), all);
    assert_eq!(kinds(&["--por", "on", "--search", "df", "Wrong.mch"]).len(), 2);
}

#[test]
fn a_scope_is_refused_with_what_to_do() {
    let ran = folder("por-scope").run(&["check", "--por", "on", "Scope.mch"]);
    assert!(ran.err.contains("does not work with a definition SCOPE"), "{}", ran.err);
    assert!(ran.err.contains("use --por off"), "{}", ran.err);
}
