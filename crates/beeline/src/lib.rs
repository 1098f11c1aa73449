//! The library door of Beeline.
