//! Random formulas over the names of a machine, as text.

mod exprs;
mod preds;
mod rich;
mod sets;

use super::node::{Node, atom, expr, name, pred};
use super::types::{FREE, Given, Ty};
use crate::random::Random;

/// Of larger sets not all subsets are listed: a machine is to be checked in milliseconds.
const SUBSETS_OF: usize = 5;

/// A name with its type.
#[derive(Clone, Debug)]
pub struct Known {
    /// The name.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// Does it hold a set that cannot be listed?
    pub symbolic: bool,
    /// Is it a function that has a value everywhere?
    pub total: bool,
}

/// What formulas are grown from.
pub struct Grow<'r> {
    /// Chance.
    pub random: &'r mut Random,
    /// Given sets.
    pub sets: Vec<Given>,
    /// Constants, variables and bound names.
    pub known: Vec<Known>,
    /// Now and then a formula may be without a meaning.
    pub wild: bool,
    /// Constants that stand for symbolic values: of a kind, a row, the name.
    pub aliases: Vec<(&'static str, usize, String)>,
    /// Forms of formulas that are rare elsewhere are used as well.
    pub rich: bool,
    /// Constructors of the free type, with what they are made of.
    pub constructors: Vec<(String, Option<Ty>)>,
    /// Definitions with parameters; those without a type are predicates.
    pub macros: Vec<(String, Vec<Ty>, Option<Ty>)>,
    /// For new names.
    fresh: usize,
}

impl<'r> Grow<'r> {
    /// Nothing is known yet.
    pub fn new(random: &'r mut Random) -> Grow<'r> {
        Grow {
            random,
            sets: Vec::new(),
            known: Vec::new(),
            wild: false,
            aliases: Vec::new(),
            rich: false,
            constructors: Vec::new(),
            macros: Vec::new(),
            fresh: 0,
        }
    }

    /// A name that is not used yet.
    pub fn fresh(&mut self, stem: &str) -> String {
        self.fresh += 1;
        format!("{stem}{}", self.fresh)
    }

    /// One name more.
    pub fn learn(&mut self, name: &str, ty: Ty) {
        self.known.push(Known { name: name.to_owned(), ty, symbolic: false, total: false });
    }

    /// Grows something with more names.
    pub fn within<T>(&mut self, more: &[(String, Ty)], grow: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.known.len();
        more.iter().for_each(|(name, ty)| self.learn(name, ty.clone()));
        let grown = grow(self);
        self.known.truncate(before);
        grown
    }

    /// A known name of a type.
    pub fn named(&mut self, ty: &Ty) -> Option<Node> {
        let fit: Vec<&Known> = self.known.iter().filter(|k| k.ty == *ty && !k.symbolic).collect();
        if fit.is_empty() {
            return None;
        }
        Some(name(fit[self.random.below(fit.len())].name.clone()))
    }

    /// How many values [`Grow::base`] gives.
    fn base_size(&self, ty: &Ty) -> usize {
        match ty {
            Ty::Int => 4,
            Ty::Bool | Ty::Str => 2,
            Ty::Free => SUBSETS_OF,
            Ty::Given(set) => self.sets[*set].size,
            Ty::Pow(of) => match self.base_size(of) {
                n if n > SUBSETS_OF => 2,
                n => 1 << n,
            },
            Ty::Pair(a, b) | Ty::Rec(a, b) => {
                self.base_size(a).saturating_mul(self.base_size(b)).min(1 << 20)
            }
        }
    }

    /// All values of a type, or enough of them.
    pub fn base(&mut self, ty: &Ty) -> Node {
        match ty {
            Ty::Int => {
                let high = 1 + self.random.below(3);
                atom(format!("(0..{high})"))
            }
            Ty::Bool => atom("BOOL"),
            Ty::Free => atom(FREE),
            Ty::Str => atom("{\"a\", \"b\"}"),
            Ty::Given(set) => name(self.sets[*set].name.clone()),
            Ty::Pow(of) if self.base_size(of) > SUBSETS_OF => expr("{{}, @}", [self.base(of)]),
            Ty::Pow(of) => expr("POW(@)", [self.base(of)]),
            Ty::Pair(a, b) => expr("((@) * (@))", [self.base(a), self.base(b)]),
            Ty::Rec(a, b) => expr("struct(a : @, c : @)", [self.base(a), self.base(b)]),
        }
    }

    /// Says what a name ranges over; numbers now and then by bounds, some of which are variables.
    pub fn typing(&mut self, this: &str, ty: &Ty) -> Node {
        let x = || name(this.to_owned());
        if *ty != Ty::Int || self.random.chance(65) {
            let base = self.base(ty);
            return pred("@ : @", [x(), base]);
        }
        // Parameters may be bounded by each other, which is no bound.
        let is_bound = |k: &&Known| k.ty == *ty && k.name.starts_with(['v', 'k']);
        let bounds: Vec<String> =
            self.known.iter().filter(is_bound).map(|k| k.name.clone()).collect();
        let high = match !bounds.is_empty() && self.random.chance(40) {
            true => name(self.random.pick(&bounds)),
            false => atom(self.random.pick(&["0", "1", "2", "3"])),
        };
        match self.random.below(5) {
            0 => pred("@ : NATURAL & @ <= @", [x(), x(), high]),
            1 => pred("@ : 0..@", [x(), high]),
            2 => pred("@ : INTEGER & @ > -2 & @ < @", [x(), x(), x(), high]),
            3 => pred("@ >= -1 & @ <= @", [x(), x(), high]),
            _ => pred("@ : INTEGER & -@ <= 1 & @ <= @", [x(), x(), x(), high]),
        }
    }

    /// All values of a type.
    fn whole(&mut self, ty: &Ty) -> Node {
        match ty {
            Ty::Int => atom("INTEGER"),
            Ty::Str => atom("STRING"),
            Ty::Pow(of) => expr("POW(@)", [self.whole(of)]),
            Ty::Pair(a, b) => expr("((@) * (@))", [self.whole(a), self.whole(b)]),
            Ty::Rec(a, b) => expr("struct(a : @, c : @)", [self.whole(a), self.whole(b)]),
            Ty::Bool | Ty::Given(_) | Ty::Free => self.base(ty),
        }
    }

    /// A type to speak of: mostly one that some name has.
    pub fn any_type(&mut self) -> Ty {
        match self.random.below(10) {
            0 => Ty::Int,
            1 => Ty::Bool,
            2 if !self.sets.is_empty() => Ty::Given(self.random.below(self.sets.len())),
            _ => {
                let fit: Vec<&Known> = self.known.iter().filter(|k| !k.symbolic).collect();
                if fit.is_empty() {
                    return Ty::Int;
                }
                fit[self.random.below(fit.len())].ty.clone()
            }
        }
    }

    /// A type of single things.
    pub fn plain_type(&mut self) -> Ty {
        if self.rich && !self.constructors.is_empty() && self.random.chance(15) {
            return Ty::Free;
        }
        match self.random.below(6) {
            0 => Ty::Int,
            1 => Ty::Bool,
            _ if !self.sets.is_empty() => Ty::Given(self.random.below(self.sets.len())),
            _ => Ty::Int,
        }
    }

    /// A function among the known names with this result.
    fn function_to(&mut self, result: &Ty) -> Option<(Node, Ty)> {
        let fit: Vec<(String, Ty)> = self
            .known
            .iter()
            .filter(|k| !k.symbolic && (k.total || self.wild))
            .filter_map(|k| match &k.ty {
                Ty::Pow(of) => match &**of {
                    Ty::Pair(a, b) if **b == *result => Some((k.name.clone(), (**a).clone())),
                    _ => None,
                },
                _ => None,
            })
            .collect();
        if fit.is_empty() {
            return None;
        }
        let (function, from) = fit[self.random.below(fit.len())].clone();
        Some((name(function), from))
    }

    /// A record or pair among the known names that holds such a thing.
    fn holder_of(&mut self, part: &Ty) -> Option<Node> {
        let mut fit = Vec::new();
        for k in self.known.clone().iter().filter(|k| !k.symbolic) {
            if let Ty::Pair(a, b) = &k.ty
                && (**a == *part || **b == *part)
            {
                let which = if **a == *part { "prj1(@, @)(@)" } else { "prj2(@, @)(@)" };
                // All numbers: what the pair holds may be any of them.
                let (left, right) = (self.whole(a), self.whole(b));
                fit.push(expr(which, [left, right, name(k.name.clone())]));
            }
            match &k.ty {
                Ty::Rec(a, _) if **a == *part => fit.push(expr("@'a", [name(k.name.clone())])),
                Ty::Rec(_, b) if **b == *part => fit.push(expr("@'c", [name(k.name.clone())])),
                _ => {}
            }
        }
        if fit.is_empty() { None } else { Some(self.random.pick(&fit)) }
    }
}
