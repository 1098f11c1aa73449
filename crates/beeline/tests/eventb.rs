//! Event-B from files to verdicts: every form, what refinement owes, and input that is broken.
#![allow(clippy::unwrap_used)]

use beeline::explore::{Cancel, Options};
use beeline::model::{EventbOptions, Loaded, verify};
use beeline::{CheckOptions, Checked, OpenOptions, open, open_formulas};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("beeline-eventb-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn load(path: &Path, eventb: EventbOptions) -> Loaded {
    open(path, &OpenOptions { eventb, ..OpenOptions::default() })
}

/// Verdict, states, transitions and the kinds of findings.
fn outcome(loaded: &Loaded) -> String {
    let problems: Vec<_> = loaded.diagnostics.list().iter().filter(|d| d.is_error()).collect();
    let Some(model) = &loaded.model else { return problems[0].message.to_string() };
    assert_eq!(verify(model), [""; 0]);
    let explore = Options { all: true, threads: 1, ..Options::default() };
    let options = CheckOptions { explore, ..CheckOptions::default() };
    let checked = Checked::run(model, &options, &Cancel::new(), &|_| {}).ok().unwrap();
    let found = &checked.outcome;
    let mut kinds: Vec<&str> = found.findings.iter().map(|f| f.told.kind).collect();
    kinds.dedup();
    let counts = &found.exploration.counts;
    let word = found.verdict.word();
    format!("{word} {} {} {}", counts.states(), counts.transitions, kinds.join(" "))
        .trim()
        .to_owned()
}

#[track_caller]
fn check(name: &str, text: &str, wanted: &str) {
    let folder = Folder::new(name);
    let path = folder.file("Model.eventb", text);
    assert_eq!(outcome(&load(&path, EventbOptions::default())), wanted);
}

const ABSTRACT: &str = "
machine A
variables n
invariants @inv1 n ∈ 0‥3
events
  event INITIALISATION then @act1 n ≔ 0 end
  event up any k where @grd1 k ∈ 1‥2 @grd2 n + k ≤ 3 then @act1 n ≔ n + k end
end
";

#[test]
fn a_refinement_with_witness_and_gluing_invariant() {
    // Two steps of one make up what the abstraction does in one or two.
    check(
        "witness",
        &format!(
            "{ABSTRACT} machine B refines A variables m
             invariants @glue m = n
             events
               event INITIALISATION then @act1 m ≔ 0 end
               event up refines up where @grd1 m < 3 with @k k = 1 then @act1 m ≔ m + 1 end
             end"
        ),
        "violated 4 4 deadlock",
    );
}

#[test]
fn what_is_owed_to_the_abstraction() {
    let refinement = |event: &str| {
        format!(
            "{ABSTRACT} machine B refines A variables n m
             invariants @m m ∈ BOOL
             events
               event INITIALISATION then @act1 n ≔ 0 @act2 m ≔ FALSE end
               {event}
             end"
        )
    };
    // A guard that is too weak: from 3 the abstract event is not possible.
    let weak = "event up refines up where @g n ≤ 3 with @k k = 1 then @a n ≔ n + 1 end";
    check("weak", &refinement(weak), "violated 4 4 guard_strengthening");
    // Another value than the abstract action gives.
    let other = "event up refines up where @g n < 3 with @k k = 1 then @a n ≔ 0 end";
    check("other", &refinement(other), "violated 1 1 simulation");
    // A new event may not touch abstract variables.
    let touch = "event new where @g n = 0 then @a n ≔ 1 end";
    check("touch", &refinement(touch), "violated 1 1 simulation");
    // No value for the parameter fits.
    let none = "event up refines up where @g n = 0 with @k k = 7 then @a n ≔ n + 7 end";
    check("none", &refinement(none), "violated 1 1 guard_strengthening");
    // Nothing is owed by a machine that is run alone.
    let folder = Folder::new("alone");
    let path = folder.file("Model.eventb", &refinement(other));
    let level = EventbOptions { level: Some("B".to_owned()), ..EventbOptions::default() };
    assert_eq!(outcome(&load(&path, level)), "holds 1 2");
}

#[test]
fn choices_of_the_abstraction() {
    let abstraction = "
      machine A variables x
      invariants @inv1 x ∈ 0‥2
      events
        event INITIALISATION then @act1 x ≔ 0 end
        event jump then @act1 x :∣ x' ∈ 0‥2 ∧ x' ≠ x end
      end";
    // x is gone: the witness says what it would have become.
    check(
        "gone",
        &format!(
            "{abstraction} machine B refines A variables y
             invariants @glue x = 2 ∗ y
             events
               event INITIALISATION then @act1 y ≔ 0 end
               event jump refines jump with @x' x' = 2 ∗ y' then @act1 y ≔ 1 − y end
             end"
        ),
        "holds 2 3",
    );
    // Without a witness the abstraction chooses, and the gluing invariant breaks.
    check(
        "free",
        &format!(
            "{abstraction} machine B refines A variables y
             invariants @glue x = 2 ∗ y
             events
               event INITIALISATION then @act1 y ≔ 0 end
               event jump refines jump then @act1 y ≔ 1 − y end
             end"
        ),
        "violated 6 13 invariant",
    );
}

#[test]
fn merged_events_and_variants() {
    check(
        "merged",
        "machine A variables x
         invariants @inv1 x ∈ 0‥2
         events
           event INITIALISATION then @act1 x ≔ 0 end
           event one where @g x = 0 then @a x ≔ x + 1 end
           event two where @g x = 1 then @a x ≔ x + 1 end
         end
         machine B refines A variables x
         variant 2 − x
         events
           event INITIALISATION then @act1 x ≔ 0 end
           convergent event both refines one two where @g x < 2 then @a x ≔ x + 1 end
         end",
        "violated 3 3 deadlock",
    );
    check(
        "variant",
        "machine A variables x
         invariants @inv1 x ∈ ℕ
         variant x
         events
           event INITIALISATION then @act1 x ≔ 0 end
           convergent event up where @g x < 2 then @a x ≔ x + 1 end
         end",
        "violated 1 1 variant",
    );
    check(
        "negative variant",
        "machine A variables x
         invariants @inv1 x ∈ ℤ
         variant x
         events
           event INITIALISATION then @act1 x ≔ 1 end
           convergent event down where @g x > −2 then @a x ≔ x − 1 end
         end",
        "violated 3 3 variant_bound",
    );
    // The second variant may grow when the first one shrinks, and only then.
    let minutes = |next: &str| {
        format!(
            "machine A variables h m
             invariants @inv1 h ∈ 0‥2 @inv2 m ∈ 0‥2
             variant h
             variant m
             events
               event INITIALISATION then @act1 h ≔ 2 @act2 m ≔ 2 end
               convergent event tick where @g m > 0 then @a m ≔ m − 1 end
               convergent event hour where @g m = 0 ∧ h > 0 then @a h ≔ {next} @b m ≔ 2 end
             end"
        )
    };
    check("two variants", &minutes("h − 1"), "violated 9 9 deadlock");
    check("two variants that do not shrink", &minutes("h"), "violated 3 3 variant");
}

#[test]
fn contexts() {
    // An enumeration leaves no constant to be found; others are fixed up to renaming.
    let machine = "machine M sees C variables x invariants @t x ∈ S
      events event INITIALISATION then @a x :∈ S end event same then @a x ≔ x end end";
    let context =
        |axioms: &str| format!("context C sets S constants a b axioms {axioms} end {machine}");
    check("partition", &context("@p partition(S, {a}, {b})"), "holds 2 4");
    check("listed", &context("@p S = {a, b} @q ¬ a = b"), "holds 2 4");
    check("open", &context("@p a ∈ S @q b ∈ S @r a ≠ b"), "holds 3 5");
    check(
        "alone",
        "context C constants n axioms @n n ∈ 1‥3 @odd n mod 2 = 1 end",
        "violated 4 4 deadlock",
    );
}

#[test]
fn carrier_sets_that_correspond_to_something_else() {
    let machine = |init: &str| {
        format!(
            "machine M sees C variables x invariants @t x ∈ S
             events event INITIALISATION then @a {init} end event go any y where @g y ∈ S @h y ≠ x
             then @a x ≔ y end end"
        )
    };
    // Numbered: as many elements as numbers, in both directions; pairs; one set through another.
    let context = |axioms: &str| format!("context C sets S T constants c d n axioms {axioms} end ");
    let numbered = context("@n n = 3 @c c ∈ 1‥n ⤖ S @d d ∈ T ⤖ S × BOOL");
    check("numbered", &format!("{numbered}{}", machine("x ≔ c(2)")), "holds 4 8");
    let backwards = context("@n n = 3 @c c ∈ S ⤖ 1‥n @d d = card(T)");
    check("backwards", &format!("{backwards}{}", machine("x ≔ c∼(2)")), "holds 4 8");
    let pairs = context("@n n = 2 @d d ∈ T ⤖ 1‥n @c c ∈ T × BOOL ⤖ S");
    check("pairs", &format!("{pairs}{}", machine("x ≔ c(d∼(1) ↦ TRUE)")), "holds 5 14");
    // Infinitely many.
    let all = context("@n n = 7 @c c ∈ S ⤖ ℤ @d d = c∼(n)");
    let kept = "machine M sees C variables x invariants @t x ∈ S @u c(x) = 7
        events event INITIALISATION then @a x ≔ d end event same then @a x ≔ d end end";
    check("all", &format!("{all}{kept}"), "holds 2 3");
    // Neither of two carrier sets is taken for the other, nor one for itself.
    let two = context("@c c ∈ S ⤖ T @d d ∈ S ⤖ S @n n = 1");
    let text = format!("{two}{}", machine("x :∈ S"));
    let folder = Folder::new("two");
    let loaded = load(&folder.file("Model.eventb", &text), EventbOptions::default());
    let sets: Vec<String> = loaded.model.unwrap().sets.iter().map(|s| s.name.to_string()).collect();
    assert_eq!(sets, ["S", "T"]);
}

const BUM: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<org.eventb.core.machineFile org.eventb.core.configuration="org.eventb.core.fwd" version="5">
<org.eventb.core.seesContext name="a" org.eventb.core.target="C"/>
<org.eventb.core.variable name="b" org.eventb.core.identifier="x"/>
<org.eventb.core.invariant name="c" org.eventb.core.label="inv1" org.eventb.core.predicate="x &lt; limit ∧ x ∈ ℕ"/>
<org.eventb.core.event name="d" org.eventb.core.convergence="0" org.eventb.core.extended="false" org.eventb.core.label="INITIALISATION">
<org.eventb.core.action name="e" org.eventb.core.assignment="x ≔ 0" org.eventb.core.label="act1"/>
</org.eventb.core.event>
<org.eventb.core.event name="f" org.eventb.core.convergence="0" org.eventb.core.extended="false" org.eventb.core.label="step">
<org.eventb.core.action name="g" org.eventb.core.assignment="x ≔ (x + 1) mod limit" org.eventb.core.label="act1"/>
</org.eventb.core.event>
</org.eventb.core.machineFile>"#;

const BUC: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<org.eventb.core.contextFile org.eventb.core.configuration="org.eventb.core.fwd" version="3">
<org.eventb.core.constant name="a" org.eventb.core.identifier="limit"/>
<org.eventb.core.axiom name="b" org.eventb.core.label="axm1" org.eventb.core.predicate="limit = 3"/>
</org.eventb.core.contextFile>"#;

#[test]
fn rodin_files_and_folders() {
    let folder = Folder::new("rodin");
    let machine = folder.file("M.bum", BUM);
    let missing = outcome(&load(&machine, EventbOptions::default()));
    assert_eq!(missing, "there is no context `C` in the project");
    folder.file("C.buc", BUC);
    assert_eq!(outcome(&load(&machine, EventbOptions::default())), "holds 4 5");
    assert_eq!(outcome(&load(&folder.0, EventbOptions::default())), "holds 4 5");
    folder.file("N.bum", BUM);
    let several = outcome(&load(&folder.0, EventbOptions::default()));
    assert_eq!(several, "there are several machines: M, N");
    let main = EventbOptions { main: Some("N".to_owned()), ..EventbOptions::default() };
    assert_eq!(outcome(&load(&folder.0, main)), "holds 4 5");
}

#[test]
fn packages_of_three_vintages() {
    let event = |name: &str, status: &str, theorems: &str, action: &str| {
        format!("event(none,{name}{status},[],[],[]{theorems},[{action}],[])")
    };
    let set = |value: &str| format!("assign(none,[identifier(none,x)],[{value}])");
    for (status, theorems) in [("", ""), (",ordinary(none)", ""), (",ordinary(none)", ",[]")] {
        let init = event("'INITIALISATION'", status, theorems, &set("integer(none,0)"));
        let flip = set("minus(none,integer(none,1),identifier(none,x))");
        let flip = event("flip", status, theorems, &flip);
        let text = format!(
            "package(load_event_b_project([event_b_model(none,'M',[sees(none,[]),\
             variables(none,[identifier(none,x)]),\
             invariant(none,[member(rodinpos(inv1,i1),identifier(none,x),natural_set(none))]),\
             theorems(none,[]),events(none,[{init},{flip}])])],[],[exporter_version(3)],_E)).\n"
        );
        check("package", &text, "holds 2 3");
    }
}

#[test]
fn broken_input_is_refused_with_words() {
    let cases = [
        ("package(load_event_b_project([event_b_model(none,'M',[", "was expected here"),
        ("package(nothing).", "does not contain an Event-B package"),
        ("machine M refines M events end", "`M` refines itself"),
        ("machine M sees D events end", "there is no context `D`"),
        ("context C extends C end", "`C` extends itself"),
        ("machine M variables x invariants @i x ∈ end", "a formula was expected here"),
        ("machine M variables x invariants @i x = x events end", "the type of variable `x`"),
        ("machine M refines ../../etc/passwd end", "was expected here"),
        ("PK\u{3}\u{4} and then nothing", "the archive cannot be read"),
        ("<!DOCTYPE a><org.eventb.core.machineFile/>", "a document type is not allowed here"),
    ];
    for (text, wanted) in cases {
        let folder = Folder::new("broken");
        let path = folder.file("M.eventb", text);
        let found = outcome(&load(&path, EventbOptions::default()));
        assert!(found.contains(wanted), "{text}: {found}");
    }
}

#[test]
fn text_is_laid_out_and_nothing_else() {
    let formatted = |text: &str| {
        let file = beeline::parse_text("M.eventb", text.into(), false);
        beeline::format(&file)
    };
    let rough = "machine M variables x // one\ninvariants @i x ∈ ℕ events\n\
                 event INITIALISATION then @a x ≔ 0 end end";
    let neat = "machine M\n\nvariables x // one\n\ninvariants\n  @i x ∈ ℕ\n\nevents\n  \
                event INITIALISATION\n    then\n      @a x ≔ 0\n  end\nend\n";
    assert_eq!(formatted(rough).as_deref(), Ok(neat));
    assert_eq!(formatted(neat).as_deref(), Ok(neat));
    // A mistake is told with its place, and the text stays.
    let broken = beeline::parse_text("M.eventb", rough.replace("≔ 0", "≔").as_str().into(), false);
    assert!(broken.diagnostics().has_errors());
    assert_eq!(beeline::format(&broken), Err(beeline::FormatError::Errors));
    let package = "package(load_event_b_project([],[],[],_E)).";
    assert_eq!(formatted(package), Err(beeline::FormatError::NoLayout));
    assert_eq!(formatted(BUM), Err(beeline::FormatError::NoLayout));
}

#[test]
fn formulas_beside_a_model_are_read_in_its_language() {
    let folder = Folder::new("formulas");
    let path = folder.file("A.eventb", ABSTRACT);
    let asked = |formula: &str| {
        let loaded = open_formulas(&path, &OpenOptions::default(), &[formula]);
        let words = loaded.diagnostics.list().first().map(|d| d.message.to_string());
        (loaded.formulas.first().is_some_and(Option::is_some), words.unwrap_or_default())
    };
    for formula in ["n ∗ 2 ÷ 2 = n ∧ n ∈ ℕ", "n |-> n : NAT ** INT", "{x·x ∈ 1‥n ∣ x ∗ x}", "n + 1"]
    {
        assert_eq!(asked(formula), (true, String::new()), "{formula}");
    }
    // What only classical B can say is read as well.
    assert_eq!(asked("n : {1, 2} & not(n = 3)"), (true, String::new()));
    assert_eq!(asked("IF n = 1 THEN 2 ELSE 3 END"), (true, String::new()));
    let (read, words) = asked("n ∈ ∧");
    assert!(!read && words.contains("expected"), "{words}");
}
