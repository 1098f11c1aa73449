//! The targets and the promises they check.

use beeline::source::{Diagnostics, MemoryLoader, SourceMap};
use beeline::{FormatError, ParsedFile};
use beeline_report::{Report, Style};
use std::io::Write;

/// A target: its name and what it does with bytes.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: &[Target] = &[
    ("parse", parse),
    ("definitions", definitions),
    ("roundtrip", roundtrip),
    ("types", types),
    ("format", format),
    ("eventb", eventb),
    ("package", package),
    ("rodin", rodin),
    ("archive", archive),
];

/// The target of this name.
pub fn target(name: &str) -> Option<Target> {
    TARGETS.iter().copied().find(|t| t.0 == name)
}

/// Any text parses to a tree or to located problems, which can be shown.
fn parse(bytes: &[u8]) {
    let file = parsed(bytes);
    let known = file.unit().is_some() || file.is_eventb();
    assert!(known || file.diagnostics().has_errors(), "no tree and no error");
    can_be_shown(&file.sources, file.diagnostics());
}

/// A tree without errors prints to a text that parses to the same tree and prints the same.
fn roundtrip(bytes: &[u8]) {
    let file = parsed(bytes);
    let Some(unit) = file.sound_unit() else { return };
    let text = beeline::print(unit);
    let again = parsed(text.as_bytes());
    assert!(!again.diagnostics().has_errors(), "the printed text has errors:\n{text}");
    let Some(unit_again) = again.unit() else { panic!("the printed text is no unit:\n{text}") };
    assert!(
        beeline::on_large_stack(|| unit == unit_again),
        "the printed text says something else:\n{text}"
    );
    assert_eq!(text, beeline::print(unit_again), "the printed text prints differently");
}

/// Formatting keeps the meaning, and formatted text stays as it is.
fn format(bytes: &[u8]) {
    match beeline::format(&parsed(bytes)) {
        Ok(text) => {
            let again = beeline::format(&parsed(text.as_bytes()));
            assert_eq!(again.as_ref(), Ok(&text), "formatted text is formatted differently");
        }
        Err(FormatError::WouldChangeMeaning) => panic!("formatting would change the meaning"),
        Err(FormatError::Errors | FormatError::NotUtf8 | FormatError::NoLayout) => {}
    }
}

/// Any text loads to a model or to errors. A second file follows a line `----`.
fn types(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (main, other) = text.split_once("\n----\n").unwrap_or((&text, ""));
    load(MemoryLoader::new().with("M.mch", main).with("N.mch", other).with("D.def", other));
}

/// Any definition file loads.
fn definitions(bytes: &[u8]) {
    const MAIN: &str = "MACHINE M DEFINITIONS \"D.def\" VARIABLES v INVARIANT v : INTEGER & D(v) = A \
                        INITIALISATION v := A OPERATIONS op = S END";
    let text = String::from_utf8_lossy(bytes);
    load(MemoryLoader::new().with("M.mch", MAIN).with("D.def", &text));
}

/// Any bytes are Event-B in some form, with a model or with errors, or something else.
fn eventb(bytes: &[u8]) {
    let Some(loaded) = beeline::open_bytes("M.eventb", bytes) else { return };
    assert_eq!(loaded.model.is_none(), loaded.diagnostics.has_errors(), "a model means no error");
    let mut report = Report::new();
    report.add(&loaded.sources, &loaded.diagnostics);
    report.text(Style::Plain);
}

/// The same, as a package: its frame is given, so that mutations reach what is inside.
fn package(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    eventb(format!("package(load_event_b_project([{text}],[],[],_E)).").as_bytes());
}

/// The same, as the formulas of a Rodin file.
fn rodin(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for (element, attribute) in [("invariant", "predicate"), ("variant", "expression")] {
        let text = format!(
            "<org.eventb.core.machineFile><org.eventb.core.{element} \
             org.eventb.core.{attribute}=\"{text}\"/></org.eventb.core.machineFile>"
        );
        eventb(text.as_bytes());
    }
}

/// The same, as files of an archive: one that is whole, and one in which a few bytes are changed.
fn archive(bytes: &[u8]) {
    eventb(&[b"PK\x03\x04", bytes].concat());
    let Some(mut whole) = zipped(bytes) else { return };
    eventb(&whole);
    // Places and values come from the input as well.
    for change in bytes.chunks_exact(4).take(3) {
        let at = usize::from(change[0]) << 8 | usize::from(change[1]);
        let at = at % whole.len().max(1);
        whole[at] ^= change[2].max(1);
    }
    eventb(&whole);
    whole.truncate(whole.len() - usize::from(bytes.last().copied().unwrap_or(1)) % whole.len());
    eventb(&whole);
}

/// An archive of a project whose machine is these bytes.
fn zipped(bytes: &[u8]) -> Option<Vec<u8>> {
    let context = "<org.eventb.core.contextFile/>";
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in [("p/M.bum", bytes), ("p/C.buc", context.as_bytes()), ("p/M.bps", bytes)]
    {
        writer.start_file(name, zip::write::SimpleFileOptions::default()).ok()?;
        writer.write_all(content).ok()?;
    }
    Some(writer.finish().ok()?.into_inner())
}

fn load(loader: MemoryLoader) {
    let loaded = beeline::open_with(&loader, "M.mch");
    assert_eq!(loaded.model.is_none(), loaded.diagnostics.has_errors(), "a model means no error");
    can_be_shown(&loaded.sources, &loaded.diagnostics);
}

fn parsed(bytes: &[u8]) -> ParsedFile {
    let (text, replaced) = beeline::decode(bytes.to_vec());
    beeline::parse_text("M.mch", text, replaced)
}

/// Every diagnostic names a place in a file, and all three outputs can be made.
fn can_be_shown(sources: &SourceMap, diagnostics: &Diagnostics) {
    for d in diagnostics.list() {
        let span = d.primary.span;
        let place = sources.file_of(span);
        let inside = place.is_some_and(|(_, f)| span.end <= f.span().end);
        assert!(inside, "{} `{}` has no place", d.code, d.message);
        assert!(!d.message.is_empty());
    }
    let mut report = Report::new();
    report.add(sources, diagnostics);
    let text = report.text(Style::Plain);
    let control = |c: char| c.is_control() && c != '\n';
    assert!(!text.contains(control), "a control character is shown");
    let json = beeline_report::to_json(&report.json());
    assert!(!json.contains(control), "a control character is in JSON");
}
