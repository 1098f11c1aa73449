//! Parses the files named on the command line and lists the problems, for work on the parser.
#![allow(clippy::print_stdout)]

use std::time::Instant;

fn main() {
    let mut bytes = 0;
    let mut seconds = 0.0;
    for path in std::env::args().skip(1) {
        let Ok(raw) = std::fs::read(&path) else { continue };
        let text = String::from_utf8_lossy(&raw);
        bytes += text.len();
        let start = Instant::now();
        let parsed = beeline_syntax::parse_file(&text, 1);
        seconds += start.elapsed().as_secs_f64();
        for d in parsed.problems.list() {
            let at = d.primary.span.start as usize - 1;
            let line = text[..at].matches('\n').count() + 1;
            let column = at - text[..at].rfind('\n').map_or(0, |n| n + 1) + 1;
            println!(
                "{path}:{line}:{column}: {} {} {} {:?}",
                d.severity.word(),
                d.code,
                d.message,
                d.help
            );
        }
    }
    println!("{bytes} bytes, {:.1} MB/s", bytes as f64 / 1e6 / seconds);
}
