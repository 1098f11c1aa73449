//! Replacing a file's contents as one step: readers see the old text or the new, never a part.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes to a new file beside `path`, then renames it over `path`; whatever happens in between, the
/// old contents are there.
///
/// A link stays a link: the file it leads to is replaced. Permissions are kept.
pub fn replace(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    let (target, permissions) = match path.canonicalize() {
        Ok(target) => {
            let permissions = fs::metadata(&target)?.permissions();
            (target, Some(permissions))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => (path.to_owned(), None),
        Err(error) => return Err(error),
    };
    if permissions.as_ref().is_some_and(Permissions::readonly) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
    }
    let temporary = temporary_name(&target);
    // Only a process that had the same number and died can have left one.
    let _ = fs::remove_file(&temporary);
    let done = write_new(&temporary, contents.as_ref(), permissions)
        .and_then(|()| fs::rename(&temporary, &target));
    if done.is_err() {
        // Best effort: the first error is the one to tell.
        let _ = fs::remove_file(&temporary);
    }
    done
}

fn write_new(path: &Path, contents: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
    let mut file: File = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(contents)?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    // A rename may reach the disk before what was written.
    file.sync_all()
}

/// A hidden name in the same folder, so that renaming stays within one file system.
fn temporary_name(target: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(target.file_name().unwrap_or_default());
    name.push(format!(".{}.tmp", std::process::id()));
    target.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of its own for each test.
    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("beeline-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_made_or_replaced_and_nothing_stays_beside_it() {
        let folder = folder("replace");
        let path = folder.join("runs.jsonl");
        replace(&path, "one\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\n");
        // A process that died in the middle has left this.
        fs::write(temporary_name(&path), "half a li").unwrap();
        replace(&path, "two\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two\n");
        assert_eq!(names(&folder), ["runs.jsonl"]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_cannot_be_written_leaves_the_old_text() {
        let folder = folder("replace-fails");
        let path = folder.join("results.json");
        fs::write(&path, "old").unwrap();
        // Nothing can be written beside it under that name.
        fs::create_dir(temporary_name(&path)).unwrap();
        assert!(replace(&path, "new").is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert!(replace(&folder.join("no/such/folder"), "new").is_err());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn permissions_are_kept_and_a_link_stays_a_link() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = folder("replace-link");
        let (path, link) = (folder.join("table.md"), folder.join("link.md"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        replace(&link, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        fs::set_permissions(&path, Permissions::from_mode(0o440)).unwrap();
        assert_eq!(replace(&path, "x").unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        fs::remove_dir_all(&folder).unwrap();
    }
}
