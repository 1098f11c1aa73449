//! The standard definition libraries, embedded in the program.

/// The text of a standard library by its file name.
pub fn library(_name: &str) -> Option<&'static str> {
    None
}
