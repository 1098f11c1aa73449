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
