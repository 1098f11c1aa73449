//! Named elements beside nameless ones: every mode finds what is wrong, and visits each class once.
//!
//! Each machine was once explored wrongly by some mode: a state was taken for another one that no
//! permutation makes of it.

use crate::Folder;
use serde_json::Value;

const MODES: [&str; 7] =
    ["constants", "flood", "markers", "tree-markers", "canonical", "hybrid", "auto"];
const ORDERS: [&[&str]; 4] = [
    &["--search", "bf"],
    &["--search", "df"],
    &["--search", "random", "--seed", "3"],
    &["--search", "random", "--seed", "11"],
];

fn check(folder: &Folder, arguments: &[&str]) -> Value {
    let ran = folder.run(&[&["check", "--json"], arguments].concat());
    serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{} {}", ran.out, ran.err))
}

fn nodes(json: &Value) -> u64 {
    json["counts"]["nodes"].as_u64().unwrap()
}

/// Every mode that reduces states and every order: this verdict, and with `--all` so many classes.
fn all_agree(name: &str, text: &str, verdict: &str, classes: u64) {
    let folder = Folder::new(&format!("orbits-{name}")).with("M.mch", text);
    for mode in MODES {
        for order in ORDERS {
            let arguments = [&["--symmetry", mode, "M.mch"], order].concat();
            let found = check(&folder, &arguments);
            assert_eq!(found["verdict"], verdict, "{name} {mode} {order:?} {found}");
            if mode == "constants" {
                continue;
            }
            let found = check(&folder, &[&["--all", "--symmetry-audit"], &arguments[..]].concat());
            assert_eq!(nodes(&found), classes, "{name} {mode} {order:?}");
            let audit = &found["symmetry"]["audit"];
            for fault in ["collisions", "split", "wrong_twins"] {
                assert_eq!(audit[fault], 0, "{name} {mode} {order:?} {audit}");
            }
        }
    }
}

/// A function from a set of its own to elements without names, wrong for one argument only.
fn keys(sets: &str, from: &str, one: &str, two: &str) -> String {
    format!(
        "MACHINE Keys SETS KEY; {sets} DEFINITIONS scope_KEY == 4
        VARIABLES held INVARIANT held : {from} +-> KEY & {two} /: dom(held)
        INITIALISATION held := {{}}
        OPERATIONS
          give(k) = PRE k : KEY & held = {{}} THEN held := {{{one} |-> k}} END;
          lend(k) = PRE k : KEY & held = {{}} THEN held := {{{two} |-> k}} END;
          drop = PRE held /= {{}} THEN held := {{}} END
        END"
    )
}

#[test]
fn arguments_with_names_stay_what_they_are() {
    let four = keys("DOOR = {gate, back, side, roof}", "DOOR", "gate", "back");
    all_agree("doors", &four, "violated", 4);
    // More doors than keys.
    let six = "DOOR = {gate, back, side, roof, attic, cellar}";
    all_agree("more-doors", &keys(six, "DOOR", "roof", "cellar"), "violated", 4);
    all_agree("numbers", &keys("DOOR = {gate}", "(2..7)", "3", "5"), "violated", 4);
    let pairs = keys("DOOR = {gate, back}", "(DOOR * BOOL)", "(gate |-> TRUE)", "(back |-> TRUE)");
    all_agree("pairs", &pairs, "violated", 4);
}

#[test]
fn total_functions_and_relations_to_nameless_elements() {
    // 3 ** 4 functions from four doors; up to permutations, partitions of the doors into at most
    // three parts: 1 + 7 + 6.
    let text = "MACHINE Total SETS KEY; DOOR = {gate, back, side, roof} DEFINITIONS scope_KEY == 3
        VARIABLES opens, newest INVARIANT opens : DOOR --> KEY & newest : DOOR
          & not(opens(gate) /= opens(back) & opens(back) = opens(roof) & opens(side) = opens(gate)
            & newest = roof)
        INITIALISATION opens :: DOOR --> KEY || newest := gate
        OPERATIONS change(d, k) = PRE d : DOOR & k : KEY THEN opens(d) := k || newest := d END END";
    all_agree("total", text, "violated", 1 + 14 * 4);
    // Subsets of doors for two keys: multisets of two out of eight.
    let text = "MACHINE Many SETS KEY; DOOR = {gate, back, side} DEFINITIONS scope_KEY == 2
        VARIABLES opens INVARIANT opens : DOOR <-> KEY & opens /= DOOR * KEY
        INITIALISATION opens := {}
        OPERATIONS add(d, k) = PRE d : DOOR & k : KEY THEN opens := opens \\/ {d |-> k} END END";
    all_agree("relation", text, "violated", 37);
}

/// Numbers for which 64 bits of a hash are the same.
const ONE: &str = "1512366075204170935818410520166303587";
const OTHER: &str = "1512366075204170937453709203589281548";

#[test]
fn large_numbers_with_one_hash_are_two_numbers() {
    let text = |value: &str, ty: &str, of: &dyn Fn(&str) -> String| {
        format!(
            "MACHINE Large SETS BOX DEFINITIONS scope_BOX == 3
            VARIABLES inside INVARIANT inside : BOX --> {ty} & {wrong} /: ran(inside)
            INITIALISATION inside := BOX * {{{value}}}
            OPERATIONS
              one(b) = PRE b : BOX & inside = BOX * {{{value}}} THEN inside(b) := {right} END;
              two(b) = PRE b : BOX & inside = BOX * {{{value}}} THEN inside(b) := {wrong} END;
              none = PRE inside /= BOX * {{{value}}} THEN inside := BOX * {{{value}}} END
            END",
            right = of(ONE),
            wrong = of(OTHER)
        )
    };
    let plain = text("0", "INTEGER", &|n| n.to_owned());
    all_agree("large", &plain, "violated", 4);
    let inside = text("(0 |-> TRUE)", "(INTEGER * BOOL)", &|n| format!("({n} |-> FALSE)"));
    all_agree("large-pairs", &inside, "violated", 4);
    let sets = text("{}", "POW(INTEGER)", &|n| format!("{{{n}, 5}}"));
    all_agree("large-sets", &sets, "violated", 4);
}

#[test]
fn constants_with_one_hash_make_no_twins() {
    // Two boxes look alike to 64 bits of a hash, and one of them is wrong.
    let text = format!(
        "MACHINE Weighed SETS BOX DEFINITIONS scope_BOX == 2
        CONSTANTS weight PROPERTIES weight : BOX >->> {{{ONE}, {OTHER}}}
        VARIABLES taken INVARIANT taken <: BOX & {OTHER} /: weight[taken]
        INITIALISATION taken := {{}}
        OPERATIONS take(b) = PRE b : BOX & taken = {{}} THEN taken := {{b}} END END"
    );
    // The root, one set-up, and three states.
    all_agree("weighed", &text, "violated", 5);
}

/// A value that needs more numbers than there was room for: what was remembered means nothing then.
#[test]
fn what_signatures_meant_before_they_were_laid_out_anew() {
    let text = "MACHINE Walk SETS BIRD; TREE = {ash, elm, fir, oak} DEFINITIONS scope_BIRD == 2;
          same == prj2(TREE, BIRD)(sits); on == prj1(TREE, BIRD)(sits)
        VARIABLES hour, sits INVARIANT hour : 0..7 & sits : TREE * BIRD & not(hour = 6 & on = ash)
        INITIALISATION hour := 0 || sits :: {ash} * BIRD
        OPERATIONS
          a = SELECT hour = 0 THEN hour := 6 || sits := (elm |-> same) END;
          b = SELECT hour = 6 & on = elm THEN hour := 1 || sits := (fir |-> same) END;
          c = SELECT hour = 1 THEN hour := 2 || sits := (oak |-> same) END;
          d = SELECT hour = 2 THEN hour := 6 || sits := (ash |-> same) END;
          e = SELECT hour = 6 & on = ash THEN hour := 7 END;
          f = SELECT hour = 7 THEN skip END
        END";
    all_agree("walk", text, "violated", 7);
    let text = "MACHINE Sit SETS BIRD; TREE = {ash, elm, fir, oak, yew} DEFINITIONS scope_BIRD == 2
        VARIABLES hour, sits, bell INVARIANT hour : 0..6 & sits : TREE * BIRD & bell : 0..1
        INITIALISATION hour :: 0..6 || sits :: TREE * BIRD || bell := 0
        OPERATIONS ring = SELECT bell = 0 THEN bell := 1 END;
          hear = SELECT bell = 1 THEN skip END END";
    all_agree("sit", text, "holds", 1 + 2 * 7 * 5);
}

/// Elements without names, of one or two sets, in all sorts of values beside elements with names.
#[test]
fn values_of_all_shapes() {
    // One key is chosen by the constants, so that two of three are alike.
    for (name, ty, first, next, classes) in [
        ("sequence", "seq(KEY)", "[]", "IF size(v) < 3 THEN v := v <- k END", 2 + 1 + 2 + 5 + 14),
        (
            "record",
            "struct(door : DOOR, key : KEY)",
            "rec(door : gate, key : chosen)",
            "CHOICE v := rec(door : back, key : k) OR v := rec(door : v'door, key : k) END",
            2 + 2 * 2,
        ),
        ("sets", "POW(POW(KEY))", "{}", "IF card(v) < 2 THEN v := v \\/ {{k}, {}} END", 2 + 1 + 2),
    ] {
        let text = format!(
            "MACHINE Shapes SETS KEY; DOOR = {{gate, back}} DEFINITIONS scope_KEY == 3
            CONSTANTS chosen PROPERTIES chosen : KEY
            VARIABLES v INVARIANT v : {ty} INITIALISATION v := {first}
            OPERATIONS put(k) = PRE k : KEY THEN {next} END END"
        );
        let folder = Folder::new(&format!("orbits-{name}")).with("M.mch", &text);
        for mode in ["flood", "canonical", "hybrid", "auto"] {
            let found = check(&folder, &["--all", "--symmetry", mode, "--symmetry-audit", "M.mch"]);
            assert_eq!(found["verdict"], "holds", "{name} {mode} {found}");
            assert_eq!(found["symmetry"]["audit"]["split"], 0, "{name} {mode} {found}");
            assert_eq!(nodes(&found), classes, "{name} {mode}");
        }
    }
}
