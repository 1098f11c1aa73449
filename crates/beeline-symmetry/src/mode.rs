//! The modes of symmetry reduction. They differ in the key they compute, and in nothing else.

use std::fmt;

/// How states that are permutations of each other are recognised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Not at all; nothing is reduced.
    None,
    /// States are not; of constants that differ only by a renaming of elements, one choice is
    /// taken.
    #[default]
    Constants,
    /// All permutations of each new state become known.
    Flood,
    /// Each state is replaced by one canonical form.
    Canonical,
    /// States with equal markers are taken to be symmetric.
    Markers,
    /// The same with trees in place of paths.
    TreeMarkers,
    /// Markers first; the exact test where two states share one.
    Hybrid,
    /// The cheapest exact mode for the model.
    Auto,
}

impl Mode {
    /// All modes, in the order of the manual.
    pub const ALL: [Mode; 8] = [
        Mode::None,
        Mode::Constants,
        Mode::Flood,
        Mode::Markers,
        Mode::TreeMarkers,
        Mode::Canonical,
        Mode::Hybrid,
        Mode::Auto,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Mode::None => "none",
            Mode::Constants => "constants",
            Mode::Flood => "flood",
            Mode::Canonical => "canonical",
            Mode::Markers => "markers",
            Mode::TreeMarkers => "tree-markers",
            Mode::Hybrid => "hybrid",
            Mode::Auto => "auto",
        }
    }

    /// The mode of this name.
    pub fn by_name(name: &str) -> Option<Mode> {
        Mode::ALL.into_iter().find(|m| m.name() == name)
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
