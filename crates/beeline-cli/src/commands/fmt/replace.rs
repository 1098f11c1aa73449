//! Replacing a file's contents as one step: readers see the old text or the new, never a part.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes `text` to a new file beside `path`, then renames it over `path`.
///
/// A link stays a link: the file it leads to is replaced. Permissions are kept.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    let target = path.canonicalize()?;
    let permissions = fs::metadata(&target)?.permissions();
    if permissions.readonly() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
    }
    let temporary = temporary_name(&target);
    let done =
        write_new(&temporary, text, permissions).and_then(|()| fs::rename(&temporary, &target));
    if done.is_err() {
        // Best effort: the first error is the one to tell.
        let _ = fs::remove_file(&temporary);
    }
    done
}

fn write_new(path: &Path, text: &str, permissions: fs::Permissions) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())?;
    file.set_permissions(permissions)?;
    file.sync_all()
}

/// A hidden name in the same folder, so that renaming stays within one file system.
fn temporary_name(target: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(target.file_name().unwrap_or_default());
    name.push(format!(".{}.tmp", std::process::id()));
    target.with_file_name(name)
}
