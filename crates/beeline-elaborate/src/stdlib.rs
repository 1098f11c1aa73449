//! The standard definition libraries, built into the program.
//!
//! A model that names `"LibraryIO.def"`, or sees `LibraryStrings`, finds the file here when it does
//! not stand beside the model. Each external has a type, which a built-in must have too, and a body
//! that says what it means as far as the language can say it. This module knows texts only.

macro_rules! libraries {
    ($($name:literal)*) => {
        /// The names of all libraries.
        pub const NAMES: &[&str] = &[$($name),*];

        const TEXTS: &[&str] = &[$(include_str!(concat!("../stdlib/", $name))),*];
    };
}

libraries! {
    "CHOOSE.def"
    "LibraryBits.def"
    "LibraryCSV.def"
    "LibraryFiles.def"
    "LibraryFiles.mch"
    "LibraryHash.def"
    "LibraryIO.def"
    "LibraryMath.def"
    "LibraryMath.mch"
    "LibraryMeta.def"
    "LibraryProB.def"
    "LibraryRandom.def"
    "LibraryReals.def"
    "LibraryRegex.def"
    "LibrarySVG.def"
    "LibraryStrings.def"
    "LibraryStrings.mch"
    "LibraryXML.def"
    "SCCS.def"
    "SORT.def"
}

/// The text of a library by its file name, folders in front of it aside.
///
/// Old models spell some names in other cases (`LibrarySTRINGS.def`); they are understood too.
pub fn library(name: &str) -> Option<&'static str> {
    let file = name.rsplit(['/', '\\']).next()?;
    let exact = NAMES.iter().position(|n| *n == file);
    let index = exact.or_else(|| NAMES.iter().position(|n| n.eq_ignore_ascii_case(file)))?;
    TEXTS.get(index).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_found_by_file_name_in_any_case() {
        let strings = library("LibraryStrings.def");
        assert!(strings.is_some_and(|text| text.contains("EXTERNAL_FUNCTION_STRING_APPEND ")));
        assert_eq!(library("LibrarySTRINGS.def"), strings);
        assert_eq!(library("stdlib/LibraryStrings.def"), strings);
        assert!(
            library("LibraryStrings.mch").is_some_and(|t| t.contains("MACHINE LibraryStrings"))
        );
        assert_eq!(library("Library.def"), None);
        assert_eq!(library(""), None);
    }

    /// Every external has exactly one ordinary definition too.
    #[test]
    fn externals_come_in_pairs() {
        let kinds = ["EXTERNAL_FUNCTION_", "EXTERNAL_PREDICATE_", "EXTERNAL_SUBSTITUTION_"];
        let mut count = 0;
        for name in NAMES.iter().filter(|name| name.ends_with(".def")) {
            let text = library(name).unwrap();
            let heads: Vec<&str> =
                text.lines().filter_map(|l| l.trim().split_once(" ==")).map(|(h, _)| h).collect();
            for head in &heads {
                let Some(external) = kinds.iter().find_map(|k| head.strip_prefix(k)) else {
                    continue;
                };
                let external = external.split('(').next().unwrap();
                let body = heads.iter().filter(|h| h.split('(').next() == Some(external)).count();
                assert_eq!(body, 1, "{external} in {name}");
                count += 1;
            }
        }
        assert!(count > 200, "only {count} externals");
    }

    /// What is evaluated takes the arguments that the library gives it.
    #[test]
    fn declared_parameters_fit_the_table() {
        let mut known = 0;
        for name in NAMES.iter().filter(|name| name.ends_with(".def")) {
            for line in library(name).unwrap().lines() {
                let Some((head, _)) = line.trim().split_once(" ==") else { continue };
                let (function, parameters) = head.split_once('(').unwrap_or((head, ""));
                let Some(of) = beeline_model::LibraryFunction::named(function) else { continue };
                let count = parameters.split(',').filter(|p| !p.is_empty()).count();
                assert!(of.takes(count), "{function} with {count} parameters in {name}");
                known += 1;
            }
        }
        assert!(known > 120, "only {known} of the table");
    }
}
