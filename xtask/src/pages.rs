//! Pages of the book that are made from the program's own data, in whole or in part.

use crate::repository;
use beeline::explore::Order;
use std::fmt::Write as _;
use std::fs;

const DIAGNOSTICS: &str = "docs/book/diagnostics.md";
const SEARCH: &str = "docs/book/search.md";

/// How the table of search orders begins.
const ORDERS: &str = "| order | which state comes next | good for |\n|---|---|---|\n";

/// Writes them all.
pub fn write() -> Result<bool, String> {
    save(DIAGNOSTICS, &beeline_report::explanations_page())?;
    let page = read(SEARCH)?;
    save(SEARCH, &with_orders(&page).ok_or("the page of search orders has no table")?)?;
    Ok(true)
}

fn read(page: &str) -> Result<String, String> {
    let path = repository().join(page);
    fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))
}

fn save(page: &str, text: &str) -> Result<(), String> {
    let path = repository().join(page);
    fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))
}

/// The page with the table of orders as the program has it; the rest is written by hand.
fn with_orders(page: &str) -> Option<String> {
    let (before, rest) = page.split_once(ORDERS)?;
    let (_, after) = rest.split_once("\n\n")?;
    let mut table = String::new();
    for words in Order::words() {
        let _ = writeln!(table, "| `{}` | {} | {} |", words.name, words.next, words.good_for);
    }
    Some(format!("{before}{ORDERS}{table}\n{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_diagnostics_is_up_to_date() {
        let fresh = beeline_report::explanations_page();
        assert!(read(DIAGNOSTICS).unwrap() == fresh, "run `cargo xtask pages`");
    }

    #[test]
    fn the_page_of_search_orders_is_up_to_date() {
        let page = read(SEARCH).unwrap();
        assert!(with_orders(&page).unwrap() == page, "run `cargo xtask pages`");
    }
}
