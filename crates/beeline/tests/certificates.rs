//! Certificates: what a check kept is accepted as a proof, and anything else is not.
#![allow(clippy::unwrap_used)]

use beeline::certify::{Certificate, Claimed, Refused, read, write};
use beeline::symmetry::Mode;
use beeline::{Checker, NoCertificate, Specification, WorkLimits};

const CLUB: &str = "MACHINE Club SETS PERSON CONSTANTS founder PROPERTIES founder : PERSON
    VARIABLES members, guests INVARIANT members <: PERSON & guests <: PERSON & members /\\ guests = {}
    INITIALISATION members, guests := {founder}, {}
    OPERATIONS
      join(p) = PRE p : guests THEN members := members \\/ {p} || guests := guests - {p} END;
      visit(p) = PRE p : PERSON - (members \\/ guests) THEN guests := guests \\/ {p} END;
      leave(p) = PRE p : guests THEN guests := guests - {p} END;
      meet = skip
    END";

fn club() -> Specification {
    Specification::from_text(CLUB).unwrap()
}

/// The certificate of a check, with so many persons.
fn made(specification: &Specification, mode: Mode, persons: u64) -> Vec<u8> {
    let outcome = Checker::new(specification.clone())
        .set_size("PERSON", persons)
        .symmetry(mode)
        .certified()
        .run()
        .unwrap();
    assert!(outcome.holds(), "{outcome}");
    outcome.certificate(&WorkLimits::default()).unwrap()
}

fn result(specification: &Specification, bytes: &[u8]) -> Result<(usize, usize), String> {
    let certified = specification.certify(bytes, &WorkLimits::default());
    match certified.map_err(|damage| damage.to_string())?.result {
        Ok(accepted) => Ok((accepted.states, accepted.permuted)),
        Err(Refused::Wrong(why)) => Err(why),
        Err(Refused::Unknown(why)) => panic!("{why}"),
    }
}

#[test]
fn what_a_check_kept_is_accepted() {
    let club = club();
    // Each of four is the founder; the others are members, guests or neither.
    assert_eq!(result(&club, &made(&club, Mode::None, 4)), Ok((4 * 27, 0)));
    // One of them stands for all four; then also one state for those in which the same numbers are there.
    assert_eq!(result(&club, &made(&club, Mode::Constants, 4)), Ok((27, 3)));
    let (states, permuted) = result(&club, &made(&club, Mode::Auto, 4)).unwrap();
    assert_eq!(states, 10);
    assert!(permuted > 10, "{permuted}");
}

/// Another scope, another model, fewer checks: the claim is another one.
#[test]
fn a_certificate_belongs_to_what_it_was_made_of() {
    let club = club();
    let bytes = made(&club, Mode::Auto, 3);
    let other =
        Specification::from_text(&CLUB.replace(
            "p : guests THEN guests",
            "p : members THEN members := members - {p} || guests",
        ));
    let why = result(&other.unwrap(), &bytes).unwrap_err();
    assert!(why.contains("reached"), "{why}");
    let strict = CLUB
        .replace("members /\\ guests = {}", "card(members) < 3")
        .replace("INITIALISATION", "ASSERTIONS 1 = 1 INITIALISATION");
    let why = result(&Specification::from_text(&strict).unwrap(), &bytes).unwrap_err();
    assert!(why.contains("card(members) < 3 is false"), "{why}");
    // An element that the model names cannot be moved.
    let named = Specification::from_text(
        "MACHINE N SETS S = {a, b} VARIABLES x INVARIANT x : S INITIALISATION x :: S
         OPERATIONS op = IF x = a THEN x := b END END",
    )
    .unwrap();
    let outcome = Checker::new(named.clone()).certified().run().unwrap();
    let bytes = outcome.certificate(&WorkLimits::default()).unwrap();
    assert_eq!(result(&named, &bytes), Ok((2, 0)));
    let mut certificate = read(&bytes).unwrap();
    let Claimed::Holds(kept) = &mut certificate.claimed else { panic!() };
    kept.states.truncate(1);
    kept.leads.truncate(1);
    kept.permutations.push(beeline::certify::Permutation(vec![(0, vec![1, 0])]));
    kept.initial_leads[0].push(0);
    kept.leads[0].push(0);
    let why = result(&named, &write(&certificate).unwrap()).unwrap_err();
    assert_eq!(why, "permutation 0 is none that the model cannot see");
}

#[test]
fn each_part_that_is_missing_is_missed() {
    let club = club();
    for mode in [Mode::None, Mode::Constants, Mode::Auto] {
        let whole = read(&made(&club, mode, 3)).unwrap();
        let Claimed::Holds(kept) = &whole.claimed else { panic!() };
        let with = |change: &dyn Fn(&mut beeline::certify::Kept)| {
            let mut kept = kept.clone();
            change(&mut kept);
            let changed = Certificate { claimed: Claimed::Holds(kept), ..whole.clone() };
            result(&club, &write(&changed).unwrap())
        };
        assert!(with(&|_| {}).is_ok());
        for place in 0..kept.states.len() {
            let gone = with(&|kept| {
                kept.states.remove(place);
                kept.leads.remove(place);
            });
            assert!(gone.is_err(), "{mode}: state {place}");
        }
        // A state too many: nothing leads to it. Members and guests are the same here.
        let more = with(&|kept| {
            let (setup, mut row) = kept.states[0].clone();
            row[1] = row[0].clone();
            kept.states.push((setup, row));
            kept.leads.push(Vec::new());
        });
        assert!(more.unwrap_err().contains("nothing leads to it"));
        for list in 0..kept.leads.len() {
            if !kept.leads[list].is_empty() {
                assert!(with(&|kept| _ = kept.leads[list].pop()).is_err());
                assert!(with(&|kept| kept.leads[list].push(0)).is_err());
            }
        }
        assert!(with(&|kept| drop(kept.setups.pop())).is_err());
    }
}

#[test]
fn bytes_are_the_same_again_and_every_other_byte_is_noticed() {
    let club = club();
    let bytes = made(&club, Mode::Auto, 3);
    let whole = read(&bytes).unwrap();
    assert_eq!(write(&whole).unwrap(), bytes);
    let mut accepted = 0;
    for place in 0..bytes.len() {
        for bit in [1, 4, 0x80] {
            let mut changed = bytes.clone();
            changed[place] ^= bit;
            let Ok(other) = read(&changed) else { continue };
            // What is accepted all the same claims something else that is true: other bounds, or fewer checks.
            if result(&club, &changed).is_ok() {
                accepted += 1;
                assert!(other.scope != whole.scope || other.asked != whole.asked, "{place} {bit}");
                assert_eq!(other.scope.sets, whole.scope.sets);
                assert_eq!(other.claimed, whole.claimed);
            }
        }
        assert!(read(&bytes[..place]).is_err());
    }
    assert!(accepted < 10, "{accepted}");
}

#[test]
fn a_violation_is_proved_by_its_trace_and_what_has_no_words_is_refused() {
    let text = "MACHINE Count VARIABLES n INVARIANT n < 3 INITIALISATION n := 0
        OPERATIONS up(k) = PRE k : 1..2 THEN n := n + k END END";
    let count = Specification::from_text(text).unwrap();
    let outcome = Checker::new(count.clone()).certified().run().unwrap();
    let bytes = outcome.certificate(&WorkLimits::default()).unwrap();
    assert!(result(&count, &bytes).is_ok());
    let mended = Specification::from_text(&text.replace("1..2 THEN", "1..2 & n < 1 THEN"));
    assert!(result(&mended.unwrap(), &bytes).unwrap_err().contains("step"));
    let cut = Checker::new(count.clone()).max_states(Some(1)).certified().run().unwrap();
    assert_eq!(
        cut.certificate(&WorkLimits::default()),
        Err(NoCertificate::Verdict("no_error_found"))
    );
    let other = Checker::new(club()).run().unwrap();
    assert_eq!(other.certificate(&WorkLimits::default()), Err(NoCertificate::NotKept));
}
