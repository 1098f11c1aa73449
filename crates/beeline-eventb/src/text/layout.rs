//! One way to lay out Event-B text.
//!
//! Only blanks and line ends change: formulas, names and comments stay as they are written. Every
//! clause, label and event begins a line; a blank line that stood before one stays, and so does a line
//! end within a formula.

use super::scan::{keyword, word_at};

/// Where lines begin: clauses of events, and what is labelled in them and in clauses of machines.
const EVENT: usize = 2;
const EVENT_CLAUSE: usize = 4;
const ITEM: usize = 2;
const EVENT_ITEM: usize = 6;

/// The text laid out.
pub fn format(text: &str) -> String {
    let mut layout = Layout::default();
    for token in tokens(text) {
        layout.token(&token);
    }
    layout.end()
}

struct Token<'t> {
    kind: Kind,
    text: &'t str,
    /// A line began before it, and perhaps an empty one.
    lines: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Keyword(&'static str),
    Label,
    Comment,
    Other,
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let text = text.trim_start_matches('\u{feff}');
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let blanks = rest.len() - rest.trim_start().len();
        let lines = rest[..blanks].matches('\n').count();
        at += blanks;
        if at == text.len() {
            break;
        }
        let (kind, length) = token(text, at);
        found.push(Token { kind, text: &text[at..at + length], lines });
        at += length;
    }
    found
}

/// The token that begins here.
fn token(text: &str, at: usize) -> (Kind, usize) {
    let rest = &text[at..];
    if rest.starts_with("//") {
        let line = rest.find('\n').unwrap_or(rest.len());
        return (Kind::Comment, rest[..line].trim_end().len());
    }
    if rest.starts_with("/*") {
        return (Kind::Comment, rest.find("*/").map_or(rest.trim_end().len(), |end| end + 2));
    }
    if rest.starts_with('@') {
        return (Kind::Label, rest.find(char::is_whitespace).unwrap_or(rest.len()));
    }
    let word = word_at(text, at);
    if let Some(found) = keyword(word) {
        return (Kind::Keyword(found), word.len());
    }
    // Up to a blank, or to what is a token of its own.
    let mut length = 0;
    let mut boundary = false;
    for c in rest.chars() {
        let here = at + length;
        let ends = c.is_whitespace()
            || (length > 0 && (c == '@' || text[here..].starts_with("//")))
            || (length > 0 && text[here..].starts_with("/*"))
            || (boundary && keyword(word_at(text, here)).is_some());
        if ends {
            break;
        }
        boundary = !(c.is_alphanumeric() || c == '_' || c == '\'');
        length += c.len_utf8();
    }
    (Kind::Other, length)
}

#[derive(Default)]
struct Layout<'t> {
    out: String,
    /// Comments on lines of their own, which stand before what comes next.
    waiting: Vec<(bool, &'t str)>,
    in_event: bool,
    /// Between the first word of a component or event and its first clause.
    in_head: bool,
    /// In a list of names.
    in_names: bool,
    /// How far labels stand in.
    item: usize,
    /// What came last, comments aside.
    last: Option<Kind>,
    /// The last thing was a comment up to the end of its line.
    ended: bool,
}

impl<'t> Layout<'t> {
    fn token(&mut self, token: &Token<'t>) {
        match token.kind {
            Kind::Comment => return self.comment(token),
            Kind::Keyword(word) => self.keyword(word, token),
            Kind::Label if self.last == Some(Kind::Keyword("theorem")) => self.beside(token.text),
            Kind::Label => {
                self.in_names = false;
                self.line(self.item, token.lines > 1, token.text);
            }
            // Where a formula or list was broken it stays so.
            Kind::Other if token.lines > 0 && !self.in_head && self.last != Some(Kind::Label) => {
                let indent = self.item + if self.in_names { 0 } else { 2 };
                self.line(indent, false, token.text);
            }
            Kind::Other => self.beside(token.text),
        }
        self.last = Some(token.kind);
    }

    fn keyword(&mut self, word: &'static str, token: &Token<'t>) {
        let blank = token.lines > 1;
        let qualified =
            matches!(self.last, Some(Kind::Keyword("ordinary" | "convergent" | "anticipated")));
        self.in_names = true;
        match word {
            "machine" | "context" => {
                self.in_head = true;
                self.line(0, !self.out.is_empty(), token.text);
            }
            "refines" | "sees" | "extends" if self.in_head => self.beside(token.text),
            "event" if qualified => self.beside(token.text),
            "event" | "ordinary" | "convergent" | "anticipated" => {
                (self.in_event, self.in_head) = (true, true);
                let first = self.last == Some(Kind::Keyword("events"));
                self.line(EVENT, !first, token.text);
            }
            "any" | "where" | "when" | "with" | "then" | "begin" => {
                (self.in_head, self.item) = (false, EVENT_ITEM);
                self.line(EVENT_CLAUSE, blank, token.text);
            }
            "end" if self.in_event => {
                (self.in_event, self.in_head) = (false, false);
                self.line(EVENT, false, token.text);
            }
            "end" => self.line(0, blank, token.text),
            "theorem" => self.line(self.item, blank, token.text),
            _ => {
                (self.in_head, self.item) = (false, ITEM);
                self.line(0, true, token.text);
            }
        }
    }

    /// Behind what stands before it in its line, or before what comes next.
    fn comment(&mut self, token: &Token<'t>) {
        if token.lines == 0 && !self.out.is_empty() && self.waiting.is_empty() {
            self.out.push(' ');
            self.out.push_str(token.text);
            self.ended = token.text.starts_with("//");
        } else {
            self.waiting.push((token.lines > 1, token.text));
        }
    }

    /// Begins a line, behind the comments that wait for it.
    fn line(&mut self, indent: usize, mut blank: bool, text: &str) {
        for (number, (apart, comment)) in std::mem::take(&mut self.waiting).into_iter().enumerate()
        {
            self.begin(indent, apart || (blank && number == 0), comment);
            blank = false;
        }
        self.begin(indent, blank, text);
        self.ended = false;
    }

    fn begin(&mut self, indent: usize, blank: bool, text: &str) {
        if !self.out.is_empty() {
            self.out.push_str(if blank { "\n\n" } else { "\n" });
        }
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.out.push_str(text);
    }

    /// Goes on in the same line.
    fn beside(&mut self, text: &str) {
        if self.ended || !self.waiting.is_empty() {
            return self.line(self.item + 2, false, text);
        }
        if !self.out.is_empty() {
            self.out.push(' ');
        }
        self.out.push_str(text);
    }

    fn end(mut self) -> String {
        for (apart, comment) in std::mem::take(&mut self.waiting) {
            self.begin(0, apart, comment);
        }
        self.out.push('\n');
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROUGH: &str = "// head\nmachine M refines A sees C\n\n\nvariables x  y // two\ninvariants @a x ∈ ℕ @b\n\
        y>x\n  theorem @c x<y\n/* why */ @d y < 9\nvariant 9-y\nevents event INITIALISATION then @i x,y:=0,1 end\n\
        convergent event up any k where @g k ∈ 1‥2\n\n   @h y+k<9 // room\n   then @n y ≔\n y\n  + k end end";

    const NEAT: &str = "// head\nmachine M refines A sees C\n\nvariables x y // two\n\ninvariants\n  @a x ∈ ℕ\n  @b y>x\n  \
        theorem @c x<y\n  /* why */\n  @d y < 9\n\nvariant 9-y\n\nevents\n  event INITIALISATION\n    then\n      \
        @i x,y:=0,1\n  end\n\n  convergent event up\n    any k\n    where\n      @g k ∈ 1‥2\n\n      @h y+k<9 // room\n    \
        then\n      @n y ≔\n        y\n        + k\n  end\nend\n";

    #[test]
    fn every_clause_and_label_begins_a_line() {
        assert_eq!(format(ROUGH), NEAT);
        assert_eq!(format(NEAT), NEAT);
    }

    #[test]
    fn nothing_but_blanks_changes() {
        let odd = "machine M(x)end @l//c\n@m a/*b*/b \u{feff}end end event";
        let packed = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(packed(&format(odd)), packed(odd));
        assert_eq!(format(""), "\n");
        assert_eq!(format("end/*\n\n"), "end /*\n");
    }
}
