//! What the file loader reads and what it never reads.

#![allow(clippy::unwrap_used)]

use beeline::FsLoader;
use beeline::source::{LoadError, Loader};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder that is removed when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("beeline-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn loader(main: &str, roots: &[PathBuf]) -> FsLoader {
    FsLoader::new(Path::new(main), roots).unwrap()
}

#[test]
fn files_below_the_models_folder_are_read() {
    let folder = Folder::new("below");
    let main = folder.file("m/M.mch", "M");
    let sub = folder.file("m/sub/N.mch", "N");
    let loader = loader(&main, &[]);
    assert_eq!(loader.load(loader.main_name()), Ok(("M".into(), false)));
    let path = loader.join(&main, "sub/N.mch");
    assert_eq!(path, sub);
    assert_eq!(loader.load(&path), Ok(("N".into(), false)));
    assert!(loader.exists(&path));
    assert_eq!(loader.load(&loader.join(&main, "O.mch")), Err(LoadError::NotFound));
    assert_eq!(loader.load(&loader.join(&main, "a\0b")), Err(LoadError::NotFound));
    // The empty path and the folder itself are no files.
    assert_eq!(
        loader.load(&loader.join(&main, "sub")),
        Err(LoadError::NotAFile("a folder".into()))
    );
}

#[test]
fn nothing_outside_is_read_unless_a_root_is_declared() {
    let folder = Folder::new("outside");
    let main = folder.file("m/M.mch", "M");
    let other = folder.file("other/N.mch", "N");
    let outside =
        || LoadError::Outside("only files below the folder of the main file are read".into());
    let strict = loader(&main, &[]);
    let up = strict.join(&main, "../other/N.mch");
    assert_eq!(strict.load(&up), Err(outside()));
    assert!(!strict.exists(&up));
    assert_eq!(strict.load(&strict.join(&main, &other)), Err(outside()));
    assert_eq!(strict.load("/etc/passwd"), Err(outside()));
    let open = loader(&main, &[folder.0.join("other")]);
    assert_eq!(open.load(&up), Ok(("N".into(), false)));
    assert_eq!(open.roots(), [format!("{}/other/", folder.0.display())]);
    // A folder whose name merely begins like an allowed one is another folder.
    let twin = folder.file("m2/N.mch", "N");
    assert_eq!(open.load(&twin), Err(outside()));
}

#[test]
fn a_missing_root_is_refused() {
    let folder = Folder::new("root");
    let main = folder.file("M.mch", "M");
    assert!(FsLoader::new(Path::new(&main), &[folder.0.join("none")]).is_err());
    assert!(FsLoader::new(Path::new(&main), &[PathBuf::from(&main)]).is_err());
}

#[test]
fn a_size_limit_holds() {
    let folder = Folder::new("size");
    let main = folder.file("M.mch", "12345");
    let loader = loader(&main, &[]);
    assert_eq!(loader.clone().with_max_bytes(5).load(&main), Ok(("12345".into(), false)));
    assert_eq!(loader.with_max_bytes(4).load(&main), Err(LoadError::TooLarge(4)));
}

#[cfg(unix)]
#[test]
fn links_are_judged_by_where_they_lead() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new("links");
    let main = folder.file("m/M.mch", "M");
    folder.file("m/N.mch", "N");
    let secret = folder.file("secret", "s");
    symlink(&secret, folder.0.join("m/out.mch")).unwrap();
    symlink("N.mch", folder.0.join("m/in.mch")).unwrap();
    symlink("loop.mch", folder.0.join("m/loop.mch")).unwrap();
    symlink("..", folder.0.join("m/up")).unwrap();
    let loader = loader(&main, &[]);
    let load = |name: &str| loader.load(&loader.join(&main, name));
    let why = "it is a link to a file elsewhere";
    assert_eq!(load("out.mch"), Err(LoadError::Outside(why.into())));
    assert_eq!(load("in.mch"), Ok(("N".into(), false)));
    assert!(matches!(load("up/secret"), Err(LoadError::Outside(_))));
    assert!(matches!(load("loop.mch"), Err(LoadError::Io(_))));
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_are_not_opened() {
    let folder = Folder::new("pipe");
    let pipe = folder.0.join("P.mch");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let name = pipe.to_str().unwrap();
    assert_eq!(loader(name, &[]).load(name), Err(LoadError::NotAFile("a pipe".into())));
    let zero = loader("/dev/zero", &[]);
    assert_eq!(zero.load("/dev/zero"), Err(LoadError::NotAFile("a device".into())));
}

#[cfg(unix)]
#[test]
fn a_folder_whose_name_is_not_unicode() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new("bytes");
    let odd = folder.0.join(OsStr::from_bytes(b"caf\xe9"));
    fs::create_dir(&odd).unwrap();
    fs::write(odd.join("M.mch"), "M").unwrap();
    fs::write(odd.join("N.mch"), "N").unwrap();
    let loader = FsLoader::new(&odd.join("M.mch"), &[]).unwrap();
    assert_eq!(loader.load(loader.main_name()), Ok(("M".into(), false)));
    let sibling = loader.join(loader.main_name(), "N.mch");
    assert_eq!(loader.load(&sibling), Ok(("N".into(), false)));
}
