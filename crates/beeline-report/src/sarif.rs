//! Diagnostics as SARIF 2.1.0, the exchange format of static analysis tools.

use crate::{Report, place};
use beeline_source::{CODES, Diagnostic, Label, Severity, SourceMap};
use serde_json::{Value, json};

impl Report<'_> {
    /// Everything as a SARIF log with one run.
    pub fn sarif(&self, version: &str) -> Value {
        let results: Vec<Value> =
            self.groups.iter().flat_map(|g| g.list.iter().map(|d| result(g.sources, d))).collect();
        json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": {"driver": {"name": "beeline", "semanticVersion": version, "rules": rules()}},
                "columnKind": "unicodeCodePoints",
                "results": results,
            }],
        })
    }
}

fn rules() -> Vec<Value> {
    let rule = |&(code, severity, title): &(beeline_source::Code, Severity, &str)| {
        json!({
            "id": code.to_string(),
            "shortDescription": {"text": title},
            "fullDescription": {"text": crate::explain(code)},
            "defaultConfiguration": {"level": severity.word()},
        })
    };
    CODES.iter().map(rule).collect()
}

fn result(sources: &SourceMap, d: &Diagnostic) -> Value {
    let mut text = d.message.clone();
    for help in &d.help {
        text.push_str(&format!("\nhelp: {help}"));
    }
    let related: Vec<Value> = d.secondary.iter().filter_map(|l| location(sources, l)).collect();
    let mut result = json!({
        "ruleId": d.code.to_string(),
        "ruleIndex": CODES.iter().position(|e| e.0 == d.code),
        "level": d.severity.word(),
        "message": {"text": text},
        "locations": Vec::from_iter(location(sources, &d.primary)),
    });
    if !related.is_empty() {
        result["relatedLocations"] = related.into();
    }
    result
}

fn location(sources: &SourceMap, label: &Label) -> Option<Value> {
    let place = place(sources, label.span);
    let uri = uri(place.file.as_deref()?);
    let mut location = json!({"physicalLocation": {
        "artifactLocation": {"uri": uri},
        "region": {
            "startLine": place.line,
            "startColumn": place.column,
            "endLine": place.end_line,
            "endColumn": place.end_column,
        },
    }});
    if !label.text.is_empty() {
        location["message"] = json!({"text": label.text});
    }
    Some(location)
}

/// A path as a URI reference (RFC 3986): absolute ones get the scheme `file`.
fn uri(path: &str) -> String {
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "" });
    for (i, byte) in path.bytes().enumerate() {
        // A colon in the first part of a relative path would read as a scheme.
        let plain = byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&byte);
        if plain && !(i == 0 && byte == b'~') {
            uri.push(byte as char);
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_source::{Code, Diagnostics, Span};

    #[test]
    fn a_result_points_to_its_rule_and_place() {
        let mut map = SourceMap::new();
        let id = map.add("a b/M.mch", "x\ny").unwrap();
        let base = map.file(id).base;
        let mut list = Diagnostics::new();
        list.push(
            Diagnostic::new(Code::UNKNOWN_NAME, Span::new(base + 2, base + 3), "y is not known")
                .help("declare it")
                .also(Span::new(base, base + 1), "like this"),
        );
        let mut report = Report::new();
        report.add(&map, &list);
        let log = report.sarif("0.1.0");
        let run = &log["runs"][0];
        let result = &run["results"][0];
        assert_eq!(result["message"]["text"], "y is not known\nhelp: declare it");
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], "B0501");
        assert_eq!(run["tool"]["driver"]["rules"].as_array().unwrap().len(), CODES.len());
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "a%20b/M.mch");
        assert_eq!(
            place["region"],
            json!({"startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 2})
        );
        assert_eq!(result["relatedLocations"][0]["message"]["text"], "like this");
    }

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("/a/ü.mch"), "file:///a/%C3%BC.mch");
        assert_eq!(uri("C:x.mch"), "C%3Ax.mch");
    }
}
