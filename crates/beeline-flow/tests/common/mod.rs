//! Small models for the tests of this crate.

use beeline_model::Model;
use beeline_source::MemoryLoader;

/// The model of a text.
pub fn model(text: &str) -> Model {
    let files = MemoryLoader::new().with("M.mch", text);
    let loaded = beeline_elaborate::load(&files, "M.mch");
    loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.list()))
}

/// The extended algorithm of Euclid, as the publication has it: Table 10, Figures 16 and 21.
pub const GCD: &str = "\
MACHINE ExtendedGcd
VARIABLES a, b, d, u, v, up, f, s, t, q, r, dn, dk, uk, vk
INVARIANT
  a : 1..8 & b : 1..8 & d : INTEGER & u : INTEGER & v : INTEGER &
  up : BOOL & dn : BOOL & f : 0..8 &
  s : 0..8 +-> INTEGER & t : 0..8 +-> INTEGER &
  q : 0..8 +-> INTEGER & r : 0..8 +-> INTEGER &
  dk : INTEGER & uk : INTEGER & vk : INTEGER
INITIALISATION
  a :: 1..8 || b :: 1..8 || d, u, v := 0, 0, 0 || up := FALSE ||
  f := 0 || s := {} || t := {} || q := {} || r := {} ||
  dn := FALSE || dk, uk, vk := 0, 0, 0
OPERATIONS
  upini = SELECT up = FALSE THEN
      up := TRUE || f := 0 || s := {0 |-> a} || t := {0 |-> b} ||
      q := {0 |-> a / b} || r := {0 |-> a mod b}
    END;
  up_ = SELECT up = TRUE & dn = FALSE & r(f) /= 0 THEN
      f := f + 1 || s(f + 1) := t(f) || t(f + 1) := r(f) ||
      q(f + 1) := t(f) / r(f) || r(f + 1) := t(f) mod r(f)
    END;
  dnini = SELECT up = TRUE & dn = FALSE & r(f) = 0 THEN
      dn := TRUE || dk := t(f) || uk := 0 || vk := 1
    END;
  dn_ = SELECT dn = TRUE & f > 0 THEN
      f := f - 1 || uk := vk || vk := uk - q(f - 1) * vk
    END;
  gcd = SELECT up = TRUE & dn = TRUE & f = 0 THEN
      d := dk || u := uk || v := vk
    END
END";
