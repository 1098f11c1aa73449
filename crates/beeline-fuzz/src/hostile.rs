//! Models that mean harm: templates times sizes, the same ones every time.
//!
//! Whatever they are, a check of them under limits ends in time, within its memory, with an exit code
//! that means something. This knows how they are written, not how they are run.

mod bytes;
mod projects;
mod shapes;
mod values;

/// A model in files, the one to open first.
#[derive(Clone, Debug)]
pub struct Hostile {
    /// The template and the size.
    pub name: String,
    /// Names and contents.
    pub files: Vec<(String, Vec<u8>)>,
}

/// What a template makes of a size.
type Make = fn(usize) -> Vec<(String, Vec<u8>)>;

/// A name, the sizes worth trying, and what is made of one.
struct Template {
    name: &'static str,
    sizes: &'static [usize],
    make: Make,
}

/// All of them; with `small` only the smallest of each template, which takes next to no time.
pub fn hostile(small: bool) -> Vec<Hostile> {
    let tables = [shapes::TEMPLATES, values::TEMPLATES, projects::TEMPLATES, bytes::TEMPLATES];
    let templates = tables.into_iter().flatten().copied().flatten();
    let sizes = |t: &Template| if small { &t.sizes[..1] } else { t.sizes };
    templates
        .flat_map(|t| sizes(t).iter().map(move |&n| (t, n)))
        .map(|(t, n)| Hostile { name: format!("{}-{n}", t.name), files: (t.make)(n) })
        .collect()
}

/// One file of classical B.
fn one(text: String) -> Vec<(String, Vec<u8>)> {
    vec![("M.mch".to_owned(), text.into_bytes())]
}

/// A machine whose only variable keeps its value, with this as one more invariant.
fn invariant(text: &str) -> Vec<(String, Vec<u8>)> {
    one(format!(
        "MACHINE M\nVARIABLES v\nINVARIANT v : INTEGER & ({text})\nINITIALISATION v := 0\nOPERATIONS\n  \
         tick = PRE v < 3 THEN v := v + 1 END\nEND\n"
    ))
}

/// A machine with an integer variable and this as the body of its only operation.
fn body(text: &str) -> Vec<(String, Vec<u8>)> {
    one(format!(
        "MACHINE M\nVARIABLES v\nINVARIANT v : INTEGER\nINITIALISATION v := 0\nOPERATIONS\n  \
         act = BEGIN {text} END\nEND\n"
    ))
}

/// A machine with a constant and its property.
fn property(text: &str) -> Vec<(String, Vec<u8>)> {
    one(format!("MACHINE M\nCONSTANTS c\nPROPERTIES {text}\nEND\n"))
}

/// A machine whose variable grows from a value by an expression.
fn grows(start: &str, step: &str) -> Vec<(String, Vec<u8>)> {
    one(format!(
        "MACHINE M\nVARIABLES v\nINVARIANT v = v\nINITIALISATION v := {start}\nOPERATIONS\n  \
         grow = BEGIN v := {step} END\nEND\n"
    ))
}

/// The texts for 1 to `n` with something between them.
fn list(n: usize, between: &str, item: impl Fn(usize) -> String) -> String {
    (1..=n).map(item).collect::<Vec<_>>().join(between)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_many_and_all_have_names() {
        let all = hostile(false);
        assert!(all.len() >= 500, "{}", all.len());
        let mut names: Vec<_> = all.iter().map(|h| &h.name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all.len());
        assert!(all.iter().all(|h| !h.files.is_empty()));
    }
}
