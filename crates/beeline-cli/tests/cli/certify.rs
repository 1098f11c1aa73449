//! `beeline check --certificate` and `beeline certify`, from outside.

use super::Folder;

const LAMP: &str =
    "MACHINE Lamp SETS ROOM VARIABLES on INVARIANT on <: ROOM INITIALISATION on := {}
OPERATIONS light(r) = PRE r : ROOM THEN on := on \\/ {r} END; dark = on := {} END
";

#[test]
fn a_certificate_is_saved_and_accepted_and_another_model_has_none_of_it() {
    let folder = Folder::new("certify")
        .with("Lamp.mch", LAMP)
        .with("Low.mch", LAMP.replace("<: ROOM INIT", "<: ROOM & card(on) < 3 INIT"));
    for symmetry in ["none", "auto"] {
        let check = ["check", "--set-size", "ROOM=3", "--symmetry", symmetry];
        let ran = folder.run(&[&check[..], &["--certificate", "lamp.cert", "Lamp.mch"]].concat());
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
        let ran = folder.run(&["certify", "--json", "Lamp.mch", "lamp.cert"]);
        let json = ran.json();
        let states = if symmetry == "none" { 8 } else { 4 };
        assert_eq!((ran.code, &json["states"]), (Some(0), &states.into()), "{json}");
        assert_eq!(
            (&json["result"], &json["verdict"]),
            (&"accepted".into(), &"holds".into()),
            "{json}"
        );
        assert_eq!(json["sets"].to_string(), r#"[["ROOM",3]]"#);
        let ran = folder.run(&["certify", "Low.mch", "lamp.cert"]);
        assert_eq!(ran.code, Some(1));
        assert!(ran.out.starts_with("rejected: card(on) < 3 is false in state"), "{}", ran.out);
    }
    let text = folder.run(&["certify", "Lamp.mch", "lamp.cert"]).out;
    assert!(text.starts_with("proved: holds   Lamp.mch\n4 states and"), "{text}");
    assert!(text.contains("not part of it: temporal formulas, refinement"), "{text}");
    let folder = folder.with("other.cert", "beeline");
    let ran = folder.run(&["certify", "Lamp.mch", "other.cert"]);
    ran.is(1, "rejected: not a certificate: it begins in another way   other.cert\n", "");
}

#[test]
fn what_a_certificate_has_no_words_for_is_refused() {
    let folder = Folder::new("certify-refused").with("Lamp.mch", LAMP).with(
        "LampR.ref",
        "REFINEMENT LampR REFINES Lamp VARIABLES on INITIALISATION on := {}
         OPERATIONS light(r) = on := on \\/ {r}; dark = on := {} END",
    );
    for (options, words) in [
        (&["--por", "on", "Lamp.mch"][..], "--certificate needs --por off"),
        (&["--method", "symbolic", "Lamp.mch"][..], "--certificate needs --method explicit"),
        (&["--search", "portfolio", "Lamp.mch"][..], "--certificate needs one search order"),
        (&["LampR.ref"][..], "--certificate is about one machine"),
    ] {
        let ran = folder.run(&[&["check", "--certificate", "c"], options].concat());
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(ran.err.contains(words), "{}", ran.err);
    }
    let ran = folder.run(&["check", "--no-refinement", "--certificate", "c", "LampR.ref"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(folder.run(&["certify", "LampR.ref", "c"]).code, Some(0));
    // A verdict that is none of the two has no certificate, and stays what it is.
    let ran = folder.run(&["check", "--max-states", "1", "--certificate", "d", "Lamp.mch"]);
    assert_eq!(ran.code, Some(3));
    assert!(ran.err.starts_with("no certificate: a certificate proves holds or violated"));
}
