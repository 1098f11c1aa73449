//! How many instructions a check takes, counted by valgrind: the same number in every run, whatever else the
//! machine does. It says nothing of caches and of time.

use std::path::Path;
use std::process::Command;

/// Is the counter there?
pub fn is_installed() -> bool {
    Command::new("valgrind").arg("--version").output().is_ok_and(|o| o.status.success())
}

/// Instructions of one check with these options. A program that does not come to an answer has no number.
pub fn count(program: &Path, options: &[String], model: &Path) -> Result<u64, String> {
    let output = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .arg(program)
        .arg("check")
        .args(options)
        .arg(model)
        .output()
        .map_err(|e| format!("valgrind: {e}"))?;
    let words = String::from_utf8_lossy(&output.stderr);
    // `violated` and `incomplete` are answers; a signal is none.
    match (output.status.code(), read(&words)) {
        (Some(0 | 1 | 3), Some(count)) => Ok(count),
        (code, _) => Err(format!("{}: no count, exit code {code:?}: {words}", model.display())),
    }
}

/// The number in the line `==1234== I   refs:      1,872,627,195`.
fn read(words: &str) -> Option<u64> {
    let line = words.lines().find(|line| line.contains("refs:"))?;
    let digits: String = line.split("refs:").nth(1)?.chars().filter(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn the_number_is_found_among_what_valgrind_prints() {
        let words = "==1== Command: x\n==1== \n==1== I   refs:      1,872,627,195\n";
        assert_eq!(read(words), Some(1_872_627_195));
        assert_eq!(read("==1== Process terminating"), None);
    }
}
