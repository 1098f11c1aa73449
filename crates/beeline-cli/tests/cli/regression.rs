//! Faults that were there once.

use crate::Folder;

#[test]
fn an_error_at_the_very_end_of_a_file_is_shown() {
    let folder = Folder::new("at-end").with("M.mch", "MACHINE M\n");
    let ran = folder.run(&["parse", "M.mch"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.out.contains("--> M.mch:2:1\n"), "{}", ran.out);
}
