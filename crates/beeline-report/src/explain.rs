//! The long story of each code, from one Markdown file that the book shows as well.

use beeline_source::{CODES, Code};

/// A section a code, `## B0101: title`, in the order of [`CODES`].
const EXPLANATIONS: &str = include_str!("explanations.md");

/// What a code means, how it comes about and what to do, in Markdown.
pub fn explain(code: Code) -> &'static str {
    let heading = format!("## {code}");
    let Some(start) = EXPLANATIONS.find(&heading) else { return code.title() };
    let Some(body) = EXPLANATIONS[start..].split_once('\n') else { return code.title() };
    body.1.split("\n## ").next().unwrap_or(body.1).trim()
}

/// All explanations as one page of the book.
pub fn explanations_page() -> String {
    let mut page = String::from(
        "# Diagnostics\n\nEvery diagnostic has a stable code. `beeline explain CODE` shows the \
         text below. Errors stop a model from being used, warnings and notes do not; \
         `beeline lint --allow CODE` hides a warning or note.\n\n",
    );
    for (code, severity, title) in CODES {
        page.push_str(&format!(
            "## {code}: {title}\n\n*{}*\n\n{}\n\n",
            severity.word(),
            explain(*code)
        ));
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_explained_and_every_explanation_has_a_code() {
        let headings: Vec<String> =
            EXPLANATIONS.lines().filter_map(|l| l.strip_prefix("## ")).map(str::to_owned).collect();
        let expected: Vec<String> = CODES.iter().map(|e| e.0.to_string()).collect();
        assert_eq!(headings, expected);
        for (code, _, title) in CODES {
            assert!(explain(*code).len() > title.len(), "{code} needs an explanation");
        }
    }
}
