//! `cargo xtask bench archive`: how fast a large archive is loaded, and how soon a hostile one is refused.

use crate::program::program;
use crate::repository;
use beeline_bench::process::Watch;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use zip::write::SimpleFileOptions;

#[derive(clap::Args)]
pub struct Arguments {
    /// The program; default: a release build
    #[arg(long)]
    program: Option<PathBuf>,
}

/// A project of this many megabytes is loaded in less than two seconds.
const LARGE_MB: usize = 10;
/// A hostile archive is refused in so much time and memory.
const SOON: Duration = Duration::from_secs(1);
const LITTLE_KIB: u64 = 256 << 10;

pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let program = program(arguments.program.as_deref())?;
    let folder = repository().join("target/archives");
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let mut fine = true;
    let large = large()?;
    let megabytes = large.len() as f64 / 1e6;
    let (code, time, kib) = load(&program, &folder.join("large.zip"), &large)?;
    let good = code == Some(0) && time < Duration::from_secs(2);
    fine &= good;
    println!(
        "a project of {megabytes:.1} MB: exit {code:?}, {:.2} s, {} MB{}",
        time.as_secs_f64(),
        kib >> 10,
        told(good)
    );
    for (name, bytes) in hostile()? {
        let (code, time, kib) = load(&program, &folder.join(format!("{name}.zip")), &bytes)?;
        let good = code == Some(2) && time < SOON && kib < LITTLE_KIB;
        fine &= good;
        println!(
            "{name}: {:.1} MB, exit {code:?}, {:.2} s, {} MB{}",
            bytes.len() as f64 / 1e6,
            time.as_secs_f64(),
            kib >> 10,
            told(good)
        );
    }
    Ok(fine)
}

fn told(good: bool) -> &'static str {
    if good { "" } else { "  MISSED" }
}

/// Runs `beeline types` on an archive: its exit code, time and the most memory it held.
fn load(program: &Path, path: &Path, bytes: &[u8]) -> Result<(Option<i32>, Duration, u64), String> {
    std::fs::write(path, bytes).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut command = Command::new(program);
    command.args(["types", "--main", "p/M0"]).arg(path);
    let ended = Watch::new().memory().keep(0).run(&mut command)?;
    let time = Duration::from_secs_f64(ended.cost.wall_seconds);
    Ok((ended.status.and_then(|status| status.code()), time, ended.cost.peak_kib))
}

fn zipped(files: &[(String, Vec<u8>)]) -> Result<Vec<u8>, String> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (path, bytes) in files {
        writer.start_file(path, SimpleFileOptions::default()).map_err(|e| e.to_string())?;
        writer.write_all(bytes).map_err(|e| e.to_string())?;
    }
    Ok(writer.finish().map_err(|e| e.to_string())?.into_inner())
}

/// A machine of Rodin with so many invariants, and a comment that does not pack well.
fn machine(invariants: usize, comment: &str) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<org.eventb.core.machineFile version=\"5\">\n\
         <org.eventb.core.variable name=\"v\" org.eventb.core.identifier=\"x\"/>\n",
    );
    for i in 0..invariants {
        text.push_str(&format!(
            "<org.eventb.core.invariant name=\"i{i}\" org.eventb.core.label=\"inv{i}\" \
             org.eventb.core.predicate=\"x ∈ 0‥{}\"/>\n",
            i + 9
        ));
    }
    text.push_str(&format!("<!-- {comment} -->\n"));
    text.push_str(
        "<org.eventb.core.event name=\"e\" org.eventb.core.convergence=\"0\" \
         org.eventb.core.extended=\"false\" org.eventb.core.label=\"INITIALISATION\">\n\
         <org.eventb.core.action name=\"a\" org.eventb.core.assignment=\"x ≔ 0\" \
         org.eventb.core.label=\"act1\"/>\n</org.eventb.core.event>\n\
         </org.eventb.core.machineFile>\n",
    );
    text
}

/// Letters and digits that do not pack well.
fn noise(bytes: usize, mut dice: u64) -> String {
    let mut letter = || {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        char::from(b"abcdefghijklmnopqrstuvwxyz0123456789"[(dice >> 33) as usize % 36])
    };
    (0..bytes).map(|_| letter()).collect()
}

/// Hundreds of machines with their proof files, as large as a large project is.
fn large() -> Result<Vec<u8>, String> {
    let mut files = Vec::new();
    for i in 0..400usize {
        let text = machine(if i == 0 { 400 } else { 40 }, &noise(12_500, i as u64 + 1));
        files.push((format!("p/M{i}.bum"), text.into_bytes()));
        let rows = |kind: &str, stamp: &str| -> String {
            let row = |n: usize| {
                format!(
                    "<org.eventb.core.{kind} name=\"e/inv{n}/INV\" \
                     org.eventb.core.confidence=\"1000\" org.eventb.core.{stamp}=\"{n}\"/>\n"
                )
            };
            (0..40).map(row).collect()
        };
        let noise = noise(12_500, i as u64 + 7_777);
        for (suffix, root, kind) in [("bpo", "poFile", "poSequent"), ("bps", "psFile", "psStatus")]
        {
            let text = format!(
                "<org.eventb.core.{root}>\n<!-- {noise} -->\n{}</org.eventb.core.{root}>\n",
                rows(kind, "poStamp")
            );
            files.push((format!("p/M{i}.{suffix}"), text.into_bytes()));
        }
    }
    let bytes = zipped(&files)?;
    match bytes.len() >= LARGE_MB * 1_000_000 {
        true => Ok(bytes),
        false => Err(format!("the archive has {} bytes only", bytes.len())),
    }
}

/// Archives that mean harm.
fn hostile() -> Result<Vec<(&'static str, Vec<u8>)>, String> {
    let one = |bytes: Vec<u8>| zipped(&[("p/M0.bum".to_owned(), bytes)]);
    let plain = machine(3, "").into_bytes();
    let whole = one(plain.clone())?;
    let many: Vec<_> = (0..20_000).map(|i| (format!("p/M{i}.bum"), b"<a/>".to_vec())).collect();
    // Just within the ratio, and as much as may be unpacked.
    let wide: Vec<_> = (0..14u64)
        .map(|i| {
            let mut text = noise(130_000, i + 1).into_bytes();
            text.resize(18 << 20, b' ');
            (format!("p/M{i}.bum"), text)
        })
        .collect();
    let deep = format!("{}{}", "<a>".repeat(2_000_000), "</a>".repeat(2_000_000));
    let entity = "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><x>&b;</x>";
    let mut flipped = whole.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 0x55;
    Ok(vec![
        ("bomb", one(vec![b' '; 300 << 20])?),
        ("many-entries", zipped(&many)?),
        ("just-within", zipped(&wide)?),
        ("deep", one(deep.into_bytes())?),
        ("document-type", one(entity.as_bytes().to_vec())?),
        ("truncated", whole[..whole.len() / 2].to_vec()),
        ("damaged", flipped),
        ("no-xml", one(noise(4 << 20, 9).into_bytes())?),
    ])
}
