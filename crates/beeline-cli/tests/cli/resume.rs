//! Going on from what was saved: only with the same check, and only if nothing is damaged.

use crate::{Folder, Ran};

/// Two levels: the abstract one holds, the concrete one does not.
const CHAIN: &str = "\
machine Room
variables people calls
invariants @few people ∈ 0‥50 @calls calls ∈ 0‥50
events
  event INITIALISATION then @none people ≔ 0 @quiet calls ≔ 0 end
  event enter where @room people < 50 then @more people ≔ people + 1 end
  event leave where @some people > 0 then @less people ≔ people − 1 end
  event call where @calm calls < 50 then @more calls ≔ calls + 1 end
end
machine Hall refines Room
variables people calls
invariants @fewer people < 30
events
  event INITIALISATION then @none people ≔ 0 @quiet calls ≔ 0 end
  event enter refines enter where @room people < 50 then @more people ≔ people + 1 end
  event leave refines leave where @some people > 0 then @less people ≔ people − 1 end
  event call refines call where @calm calls < 50 then @more calls ≔ calls + 1 end
end
";

const COUNT: &str = "\
MACHINE Count
SETS S
VARIABLES m, n, s
INVARIANT m : 0..40 & n : 0..40 & s <: S
INITIALISATION m, n := 0, 0 || s := {}
OPERATIONS
  on = SELECT m < 40 THEN m := m + 1 END;
  up = SELECT n < 40 THEN n := n + 1 END;
  down = SELECT n > 0 THEN n := n - 1 END;
  add(x) = PRE x : S THEN s := s \\/ {x} END
END
";

const SAVE: [&str; 5] = ["check", "--checkpoint", "saved", "--checkpoint-every", "0"];

fn run(folder: &Folder, more: &[&str]) -> Ran {
    folder.run(&[&SAVE[..], more].concat())
}

#[test]
fn a_checkpoint_of_another_level_or_main_machine_is_refused() {
    for option in ["--level", "--main"] {
        let folder = Folder::new(&format!("resume{option}")).with("Rooms.eventb", CHAIN);
        let ran = run(&folder, &[option, "Room", "Rooms.eventb"]);
        assert_eq!(ran.code, Some(0), "{} {}", ran.out, ran.err);
        let ran = run(&folder, &["--resume", "Rooms.eventb"]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
        assert!(ran.err.contains("another model, or to other options"), "{}", ran.err);
        assert!(ran.err.contains("use another folder for --checkpoint"), "{}", ran.err);
        // The same check goes on, and without a checkpoint the concrete level is violated.
        let ran = run(&folder, &[option, "Room", "--resume", "Rooms.eventb"]);
        assert_eq!(ran.code, Some(0), "{} {}", ran.out, ran.err);
        assert_eq!(folder.run(&["check", "Rooms.eventb"]).code, Some(1));
    }
}

#[test]
fn a_checkpoint_of_other_options_is_refused() {
    let folder = Folder::new("resume-options").with("Count.mch", COUNT);
    assert_eq!(run(&folder, &["Count.mch"]).code, Some(0));
    for options in [
        &["--set-size", "S=3"][..],
        &["--default-set-size", "4"],
        &["--maxint", "9"],
        &["--no-deadlock"],
        &["--goal", "n = 7"],
        &["--symmetry", "canonical"],
        &["--all"],
        &["--max-depth", "9"],
        &["--proof", "off"],
    ] {
        let ran = run(&folder, &[options, &["--resume", "Count.mch"]].concat());
        assert_eq!(ran.code, Some(2), "{options:?} {} {}", ran.out, ran.err);
        assert!(ran.err.contains("to other options"), "{options:?} {}", ran.err);
    }
    let ran = run(&folder, &["--resume", "--threads", "2", "--timeout", "60", "Count.mch"]);
    assert_eq!(ran.code, Some(0), "{} {}", ran.out, ran.err);
}

#[test]
fn a_damaged_checkpoint_is_undetermined_wherever_it_is_damaged() {
    let folder = Folder::new("resume-damage").with("Count.mch", COUNT);
    assert_eq!(run(&folder, &["Count.mch"]).code, Some(0));
    let names = ["saved/beeline.manifest", "saved/beeline.log"];
    for name in names {
        let good = std::fs::read(folder.path(name)).unwrap();
        let mut bad: Vec<(String, Vec<u8>)> = Vec::new();
        let places = [0, 1, 19, 20, 60, good.len() / 2, good.len() - 2, good.len() - 1];
        for at in places {
            for bit in [0, 5, 7] {
                let mut bytes = good.clone();
                bytes[at] ^= 1 << bit;
                bad.push((format!("bit {bit} of byte {at}"), bytes));
            }
            bad.push((format!("{at} bytes"), good[..at].to_vec()));
        }
        bad.push(("another file".to_owned(), COUNT.as_bytes().to_vec()));
        for (what, bytes) in bad {
            std::fs::write(folder.path(name), bytes).unwrap();
            let ran = run(&folder, &["--resume", "Count.mch"]);
            assert_eq!(ran.code, Some(4), "{name}, {what}: {} {}", ran.out, ran.err);
            assert!(ran.out.starts_with("undetermined: "), "{name}, {what}: {}", ran.out);
            assert!(ran.out.contains("the checkpoint is damaged"), "{name}, {what}: {}", ran.out);
            assert!(ran.out.contains("\n  help: to start again,"), "{}", ran.out);
        }
        std::fs::write(folder.path(name), good).unwrap();
    }
    // Older ones are told from damaged ones.
    let text = folder.read(names[0]);
    let old = text.replacen("beeline checkpoint 6", "beeline checkpoint 5", 1);
    std::fs::write(folder.path(names[0]), old).unwrap();
    let ran = run(&folder, &["--resume", "--json", "--junit", "r.xml", "Count.mch"]);
    assert_eq!(ran.code, Some(4));
    assert_eq!(ran.json()["verdict"], "undetermined");
    assert!(ran.json()["message"].as_str().unwrap().ends_with("it was written by another version"));
    assert!(folder.read("r.xml").contains("<error type=\"undetermined\""));
    std::fs::write(folder.path(names[0]), text).unwrap();
    std::fs::remove_file(folder.path(names[1])).unwrap();
    let ran = run(&folder, &["--resume", "Count.mch"]);
    assert!(ran.code == Some(4) && ran.out.contains("the file is missing"), "{}", ran.out);
}
