//! Tables of text, and of values separated by commas.

/// Columns as wide as their widest cell, the last one as it comes.
pub(super) fn aligned(head: &[&str], rows: &[Vec<String>]) -> String {
    let head: Vec<String> = head.iter().map(|h| (*h).to_owned()).collect();
    let wide = |column: usize| {
        let cells = rows.iter().chain([&head]).filter_map(|row| row.get(column));
        cells.map(|c| c.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(wide).collect();
    let mut text = String::new();
    for row in std::iter::once(&head).chain(rows) {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line += cell;
            let space = width.saturating_sub(cell.chars().count()) + 2;
            line.extend(std::iter::repeat_n(' ', space));
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// Values separated by commas, as RFC 4180 has them.
pub(super) fn csv(head: &[&str], rows: &[Vec<String>]) -> String {
    let quoted = |cell: &str| match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    };
    let mut text = head.join(",") + "\n";
    for row in rows {
        text += &row.iter().map(|c| quoted(c)).collect::<Vec<_>>().join(",");
        text.push('\n');
    }
    text
}
