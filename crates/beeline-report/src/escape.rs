//! Makes text from files harmless: no escape sequence and no direction trick reaches a terminal.
//!
//! Control characters become their visible pictures (`␛`), everything else that would change how
//! the rest of a line is shown becomes the replacement character. [`xml`] and [`json`] do the same
//! for their formats, where characters of the format itself are escaped as well.

use unicode_width::UnicodeWidthChar;

/// The visible stand-in of a character, if it may not be shown as it is.
fn stand_in(c: char) -> Option<char> {
    match c {
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + c as u32),
        '\u{7f}' => Some('␡'),
        // C1 controls (0x9b begins an escape sequence), soft hyphens, line and paragraph
        // separators, directional marks, embeddings, overrides and isolates, annotations, tag
        // characters, and what is no character at all (and so has no place in XML).
        '\u{80}'..='\u{9f}'
        | '\u{ad}'
        | '\u{180e}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{fffe}'..='\u{ffff}'
        | '\u{61c}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{e0000}'..='\u{e007f}' => Some('\u{fffd}'),
        _ => None,
    }
}

/// One character as it may be shown.
pub fn visible_char(c: char) -> char {
    stand_in(c).unwrap_or(c)
}

/// A text as it may be shown on one line.
pub fn visible(text: &str) -> String {
    text.chars().map(visible_char).collect()
}

/// A text of several lines as it may be shown: line ends and tabs stay.
pub fn visible_lines(text: &str) -> String {
    text.chars().map(|c| if matches!(c, '\n' | '\t') { c } else { visible_char(c) }).collect()
}

/// As much of a text, made visible, as fits into so many columns of a line.
pub fn fit(text: &str, columns: usize) -> String {
    let mut used = 0;
    let fits = |c: &char| {
        used += c.width().unwrap_or(0);
        used <= columns
    };
    text.chars().map(visible_char).take_while(fits).collect()
}

/// A text of several lines as it may stand in XML, between tags or quotes.
pub fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible_lines(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// JSON text with every dangerous character as `\uXXXX`.
///
/// JSON's own escaping covers only the first 32. The others, and what begins a tag where JSON is
/// put into a page, can stand inside strings alone, so that they can be replaced in the finished
/// text.
pub fn json(text: String) -> String {
    let invisible = |c: char| c >= '\u{7f}' && stand_in(c).is_some();
    if !text.contains(|c| c == '<' || invisible(c)) {
        return text;
    }
    let mut escaped = String::with_capacity(text.len() + 64);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let begins_tag =
            |next: &char| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?');
        if invisible(c) || c == '<' && chars.peek().is_some_and(begins_tag) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                escaped.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            escaped.push(c);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_lose_their_power() {
        assert_eq!(visible("a\u{1b}[31mb\u{9b}0m\u{202e}c\u{7f}"), "a␛[31mb\u{fffd}0m\u{fffd}c␡");
        assert_eq!(visible("Größe ∀"), "Größe ∀");
        assert_eq!(visible_lines("a\n\tb\r"), "a\n\tb␍");
    }

    #[test]
    fn a_line_is_cut_by_columns_not_by_characters() {
        assert_eq!(fit("漢字 and more", 6), "漢字 a");
        assert_eq!(fit("漢字", 3), "漢");
        assert_eq!(fit("a\u{1b}[2Jb", 3), "a␛[");
        assert_eq!(fit("", 0), "");
    }

    #[test]
    fn xml_has_no_markup_and_no_characters_that_it_forbids() {
        assert_eq!(xml("<a b='&\">\u{1b}\u{ffff}\n"), "&lt;a b=&#39;&amp;&quot;&gt;␛\u{fffd}\n");
    }

    #[test]
    fn json_stays_the_same_value() {
        let value = serde_json::json!({"n": "x\u{9b}y\u{e0041}z\u{1b}"});
        let text = json(value.to_string());
        assert_eq!(text, r#"{"n":"x\u009by\udb40\udc41z\u001b"}"#);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
        let tags = serde_json::json!("x < 1 </script> x <: S <b>");
        let text = json(tags.to_string());
        assert_eq!(text, r#""x < 1 \u003c/script> x <: S \u003cb>""#);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), tags);
    }
}
