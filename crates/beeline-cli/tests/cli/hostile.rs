//! Input that means harm, or might as well.

use crate::{Folder, SWITCH};

#[test]
fn what_is_not_a_file() {
    let folder = Folder::new("not-a-file");
    for command in ["parse", "fmt", "lint", "types"] {
        for (path, what) in [(".", "a folder"), ("/dev/zero", "a device")] {
            let ran = folder.run(&[command, path]);
            assert_eq!(ran.code, Some(2), "{command} {path}");
            let said = ran.out + &ran.err;
            assert!(said.contains("error[B0303]") && said.contains(what), "{command}: {said}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_that_nobody_writes_to() {
    let folder = Folder::new("fifo");
    let made = std::process::Command::new("mkfifo").arg(folder.path("P.mch")).status().unwrap();
    assert!(made.success());
    for command in ["parse", "fmt", "lint", "types"] {
        let ran = folder.run(&[command, "P.mch"]);
        assert_eq!(ran.code, Some(2), "{command}");
        assert!((ran.out + &ran.err).contains("a pipe"), "{command}");
    }
}

#[test]
fn missing_and_empty_files() {
    let folder = Folder::new("empty").with("E.mch", "").with("C.mch", "/* nothing */\n");
    folder.run(&["parse", "no/such.mch"]).is(
        2,
        "error[B0301]: no/such.mch was not found\n   \
         = help: check the spelling and the folder you are in\n\n",
        "",
    );
    for file in ["E.mch", "C.mch"] {
        let ran = folder.run(&["parse", "--json", file]);
        assert_eq!((ran.code, &*ran.places()[0].0), (Some(2), "B0202"), "{file}");
    }
}

#[test]
fn a_comment_without_end() {
    let folder = Folder::new("comment").with("M.mch", "MACHINE M\n /* no end\nEND");
    let ran = folder.run(&["parse", "--json", "M.mch"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.places()[0], ("B0102".into(), Some(2), Some(2)));
}

#[test]
fn bytes_that_are_not_utf8() {
    let latin = b"MACHINE M /* caf\xe9 */\nEND\n";
    let folder = Folder::new("latin").with("M.mch", latin);
    let ran = folder.run(&["parse", "--json", "M.mch"]);
    assert_eq!((ran.code, ran.places()), (Some(0), vec![("B0101".into(), Some(1), Some(17))]));
    let ran = folder.run(&["fmt", "--write", "M.mch"]);
    assert_eq!((ran.code, &*ran.out), (Some(2), ""));
    assert!(ran.err.contains("M.mch is not valid UTF-8, and was not changed"));
    assert_eq!(std::fs::read(folder.path("M.mch")).unwrap(), latin);
}

#[test]
fn random_bytes_are_refused_in_words() {
    let mut state = 12345_u32;
    let mut byte = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let noise: Vec<u8> = (0..100_000).map(|_| byte()).collect();
    let folder = Folder::new("noise").with("M.mch", noise);
    for command in ["parse", "fmt", "lint", "types"] {
        let ran = folder.run(&[command, "M.mch"]);
        assert_eq!(ran.code, Some(2), "{command}");
        let control = |c: char| c.is_control() && c != '\n';
        assert!(!(ran.out + &ran.err).contains(control), "{command}");
    }
}

#[test]
fn escape_sequences_do_not_reach_the_terminal() {
    let text = "MACHINE M\nINVARIANT \u{1b}]0;owned\u{7}\u{9b}2J = \u{202e}x ( END";
    let folder = Folder::new("\u{1b}[31mred").with("\u{1b}[2J.mch", text);
    for arguments in
        [&["parse"][..], &["parse", "--json"], &["lint"], &["lint", "--sarif"], &["types"]]
    {
        let mut arguments = arguments.to_vec();
        arguments.push("\u{1b}[2J.mch");
        let ran = folder.run(&arguments);
        assert_eq!(ran.code, Some(2));
        let said = ran.out + &ran.err;
        let bad = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!said.contains(bad), "{arguments:?}: {said:?}");
    }
    // Mistakes on the command line are shown safely as well.
    let ran = folder.run(&["\u{1b}[2J"]);
    assert!(!ran.err.contains('\u{1b}'), "{:?}", ran.err);
}

#[test]
fn a_line_of_ten_megabytes() {
    let text = format!("MACHINE M INVARIANT {}x = ( END", "x = 1 & ".repeat(1_250_000));
    let folder = Folder::new("long-line").with("M.mch", text);
    let ran = folder.run(&["parse", "M.mch"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.out.len() < 4_000, "{}", ran.out.len());
    assert!(ran.out.contains("M.mch:1:10000"), "{}", ran.out);
}

#[test]
fn a_byte_order_mark_is_no_error() {
    let folder = Folder::new("bom").with("Switch.mch", format!("\u{feff}{SWITCH}"));
    folder.run(&["parse", "Switch.mch"]).is(0, "Switch.mch: ok\n", "");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let folder = Folder::new("full");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = crate::beeline(&folder.0).arg("explain").stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.starts_with("error: the output cannot be written: "), "{err}");
}

#[cfg(unix)]
#[test]
fn fmt_write_does_not_follow_into_what_it_cannot_write() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("readonly").with("M.mch", "MACHINE M END");
    std::fs::set_permissions(folder.path("M.mch"), std::fs::Permissions::from_mode(0o444)).unwrap();
    folder.run(&["fmt", "--write", "M.mch"]).is(
        2,
        "",
        "error: M.mch cannot be written: the file is read-only\n",
    );
    assert_eq!(folder.names(), ["M.mch"]);
}

#[test]
fn files_outside_the_folder_stay_unread() {
    let folder = Folder::new("outside")
        .with("secret.def", "DEFINITIONS secret == 1")
        .with("m/U.mch", "MACHINE U DEFINITIONS \"../secret.def\" END")
        .with("m/P.mch", "MACHINE P DEFINITIONS \"/etc/passwd\" END")
        .with("m/L.mch", "MACHINE L DEFINITIONS \"L.def\" END");
    for file in ["m/U.mch", "m/P.mch"] {
        let ran = folder.run(&["lint", "--json", file]);
        let place = ("B0302".into(), Some(1), Some(23));
        assert_eq!((ran.code, ran.places()), (Some(2), vec![place]), "{file}");
        assert!(!ran.out.contains("root:"));
    }
    assert_eq!(folder.run(&["lint", "--root", ".", "m/U.mch"]).code, Some(0));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../secret.def", folder.path("m/L.def")).unwrap();
        let ran = folder.run(&["lint", "--json", "m/L.mch"]);
        assert_eq!((ran.code, &*ran.places()[0].0), (Some(2), "B0302"));
    }
}

#[test]
fn broken_event_b_is_refused_with_its_place() {
    let machine = |inner: &str| {
        format!(
            "<?xml version=\"1.0\"?>\n<org.eventb.core.machineFile version=\"5\">\n{inner}\n\
             </org.eventb.core.machineFile>\n"
        )
    };
    let refines = |name: &str| {
        machine(&format!(
            "<org.eventb.core.refinesMachine name=\"a\" org.eventb.core.target=\"{name}\"/>"
        ))
    };
    let sees = "<org.eventb.core.seesContext name=\"a\" org.eventb.core.target=\"Nowhere\"/>";
    let folder = Folder::new("broken-event-b")
        .with("doctype.bum", format!("<!DOCTYPE x>\n{}", machine("")))
        .with("entity.bum", machine("<org.eventb.core.variable name=\"&unknown;\"/>"))
        .with("unknown.bum", machine("<org.eventb.core.varable name=\"a\"/>"))
        .with("missing.bum", machine(sees))
        .with("open.bum", "<org.eventb.core.machineFile>\n<org.eventb.core.variable")
        .with("Ring1.bum", refines("Ring2"))
        .with("Ring2.bum", refines("Ring1"))
        .with("half.eventb", "package(load_event_b_project([event_b_model(none,\n'M',[")
        .with("byte.eventb", "package(load_event_b_project([],[],[],\n  _E) @ ).\n");
    for (file, line) in [
        ("doctype.bum", 1),
        ("entity.bum", 3),
        ("missing.bum", 3),
        ("open.bum", 1),
        ("Ring1.bum", 2),
        ("half.eventb", 2),
        ("byte.eventb", 2),
    ] {
        let ran = folder.run(&["lint", "--json", file]);
        assert_eq!(ran.code, Some(2), "{file}: {}{}", ran.out, ran.err);
        let (code, found, _) = ran.places()[0].clone();
        assert_eq!(found, Some(line), "{file}: {code}");
    }
    // Plug-ins add elements of their own: one that nobody knows is told of, and passed over.
    let ran = folder.run(&["lint", "--json", "unknown.bum"]);
    assert_eq!((ran.code, ran.places()), (Some(0), vec![("B0315".into(), Some(3), Some(1))]));
}

#[test]
fn broken_archives_are_refused_in_words() {
    let folder = Folder::new("broken-archives")
        .with("cut.zip", b"PK\x03\x04\x14\x00\x00\x00\x08\x00")
        .with("empty.zip", [&b"PK\x05\x06"[..], &[0; 18]].concat());
    for (file, words) in
        [("cut.zip", "the archive cannot be read"), ("empty.zip", "no Rodin machine")]
    {
        let ran = folder.run(&["check", file]);
        assert_eq!(ran.code, Some(2), "{file}");
        assert!((ran.out + &ran.err).contains(words), "{file}");
    }
}

/// The small half of `cargo xtask hostile`: whatever a file is, there is an answer.
#[test]
fn every_kind_of_hostile_model_has_an_answer() {
    let folder = Folder::new("kinds");
    let (next, wrong) = (std::sync::atomic::AtomicUsize::new(0), std::sync::Mutex::new(Vec::new()));
    let all = beeline_fuzz::hostile(true);
    assert!(all.len() > 200);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(model) =
                    all.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
                {
                    for (name, bytes) in &model.files {
                        let path = folder.path(&model.name).join(name);
                        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                        std::fs::write(path, bytes).unwrap();
                    }
                    let main = format!("{}/{}", model.name, model.files[0].0);
                    let limits = ["--timeout", "0.5", "--memory", "1G"];
                    let ran = folder.run(&[&["check", main.as_str()], &limits[..]].concat());
                    let said = ran.out + &ran.err;
                    let answered = ran.code.is_some_and(|code| (0..=4).contains(&code));
                    if !answered || said.contains("panicked") || said.contains("worker was lost") {
                        wrong.lock().unwrap().push(format!("{}: {:?}", model.name, ran.code));
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
