//! From a problem to finite domains: the part that is the same in every state once, the rest on
//! top of a copy of it.

use super::*;

/// What the conjuncts over constants alone come to.
#[derive(Clone)]
struct Base {
    grounding: Grounding,
    used: Vec<bool>,
    tests: Vec<usize>,
    partial: Vec<(usize, Sense)>,
}

/// Atoms without a meaning everywhere are looked at again so often, each time knowing more.
const ROUNDS: usize = 3;

/// Puts a problem into finite domains; nothing if it does not fit.
pub(super) fn prepare<'s>(f: &mut Frame<'s>, problem: &Problem) -> Result<Option<Ready>, Stop> {
    let mut base = match problem.number {
        None => match begin(f, problem)? {
            Some(base) => base,
            None => return Ok(None),
        },
        Some(number) => match f.memo.base::<Base>(number, &problem.reads, &f.slots) {
            // A copy: what depends on the state is added to it.
            Some(base) => base.clone(),
            None => {
                let faults = f.faults.len();
                let (base, whole) = f.noting(|f| {
                    let Some(mut base) = begin(f, problem)? else { return Ok(None) };
                    base.add(f, problem, true)?;
                    Ok::<_, Stop>(Some(base))
                });
                let Some(base) = base? else { return Ok(None) };
                // What was left out would have to be told again.
                if whole && f.faults.len() == faults {
                    f.memo.put_base(number, &problem.reads, &f.slots, base.clone());
                }
                base
            }
        },
    };
    base.add(f, problem, false)?;
    let Base { grounding, tests, partial, .. } = base;
    let Grounding { space, names, shadows, .. } = grounding;
    Ok(Some(Ready { space, names, tests, partial, shadows }))
}

/// The names, and no conjunct yet.
fn begin<'s>(f: &mut Frame<'s>, problem: &Problem) -> Result<Option<Base>, Stop> {
    let mut g = Grounding {
        space: Space::new(),
        names: Vec::new(),
        sides: Vec::new(),
        tables: FxHashMap::default(),
        shadows: FxHashSet::default(),
    };
    let mut used = vec![false; problem.atoms.len()];
    for unknown in &problem.unknowns {
        match g.shape(f, unknown, &mut used) {
            Ok(shape) => g.names.push(shape),
            Err(Fail::No) => return Ok(None),
            Err(Fail::Stop(stop)) => return Err(stop),
        }
    }
    g.break_symmetry(f, problem);
    Ok(Some(Base { grounding: g, used, tests: Vec::new(), partial: Vec::new() }))
}

impl Base {
    /// Adds the conjuncts over constants, or the others.
    fn add<'s>(&mut self, f: &mut Frame<'s>, problem: &Problem, fixed: bool) -> Result<(), Stop> {
        let mut forms = Vec::new();
        for (i, atom) in problem.atoms.iter().enumerate() {
            if !self.used[i] && atom.fixed == fixed {
                self.atom(f, problem, i, &mut forms)?;
            }
        }
        self.post(forms);
        for _ in 0..ROUNDS {
            let before = self.partial.len();
            if before == 0 {
                break;
            }
            if self.grounding.space.propagate().is_err() {
                self.grounding.space.post(Form::Const(false));
                break;
            }
            self.grounding.find_functions(f)?;
            let mut forms = Vec::new();
            for (i, _) in std::mem::take(&mut self.partial) {
                self.atom(f, problem, i, &mut forms)?;
            }
            self.post(forms);
            if self.partial.len() == before {
                break;
            }
        }
        Ok(())
    }

    fn atom<'s>(
        &mut self,
        f: &mut Frame<'s>,
        problem: &Problem,
        i: usize,
        forms: &mut Vec<Form>,
    ) -> Result<(), Stop> {
        let formed = match &problem.atoms[i].template {
            Some(template) => self.grounding.truth(f, template),
            None => Err(Fail::No),
        };
        match formed {
            Ok(sense) if sense.is_total() => forms.push(sense.holds),
            Ok(sense) => self.partial.push((i, sense)),
            // A part without a meaning here: the plain test will say so.
            Err(Fail::No) | Err(Fail::Stop(Stop::Fault(_))) => self.tests.push(i),
            Err(Fail::Stop(stop)) => return Err(stop),
        }
        Ok(())
    }

    fn post(&mut self, forms: Vec<Form>) {
        let space = &mut self.grounding.space;
        for clique in cliques::of(&forms) {
            space.post(Form::AllDifferent(clique.into_iter().map(Term::Var).collect()));
        }
        forms.into_iter().for_each(|form| space.post(form));
    }
}
