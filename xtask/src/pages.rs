//! Pages of the book that are made from the program's own data.

use crate::repository;
use std::fs;

/// Writes them all.
pub fn write() -> Result<bool, String> {
    let path = repository().join("docs/book/diagnostics.md");
    fs::write(&path, beeline_report::explanations_page())
        .map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_diagnostics_is_up_to_date() {
        let page = fs::read_to_string(repository().join("docs/book/diagnostics.md")).unwrap();
        let fresh = beeline_report::explanations_page();
        assert!(page == fresh, "run `cargo xtask pages`");
    }
}
