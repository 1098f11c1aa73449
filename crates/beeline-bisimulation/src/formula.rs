//! Formulas that tell states apart: Hennessy–Milner logic, with an until for branching bisimulation.
//!
//! A formula is a list of parts, each after those it is made of. It does not know how it was found.

/// A step in a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// An internal step.
    Internal,
    /// One with this label.
    Visible(String),
}

/// A part of a formula; numbers are those of other parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// All of them are true; without any, it is true.
    All(Vec<usize>),
    /// It is false.
    Not(usize),
    /// Some step leads to a state where it is true.
    Step(Action, usize),
    /// Internal steps through states where the first is true lead to one where it is true as well, and which
    /// has a step to a state where the second is true. If that is an internal one, it may be missing.
    Until(usize, Action, usize),
    /// Internal steps through states where it is true lead to such a state on an internal cycle.
    Endless(usize),
}

/// A formula about one state of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// The last one is the whole.
    pub(crate) parts: Vec<Part>,
}

/// A formula that is longer is written as a list of definitions.
const LINE: u64 = 120;
/// And one that is nested deeper.
const DEEP: u32 = 60;

impl Formula {
    /// How many parts it has; a part that is used in several places counts once.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// The formula as text: one line if it is short, otherwise definitions, the whole last.
    pub fn lines(&self) -> Vec<String> {
        let Some(whole) = self.parts.len().checked_sub(1) else { return vec!["true".to_owned()] };
        let (mut size, mut depth) = (Vec::new(), Vec::new());
        for part in &self.parts {
            let below = below(part);
            size.push(below.iter().fold(1u64, |sum, i| sum.saturating_add(size[*i])));
            depth.push(1 + below.iter().map(|i| depth[*i]).max().unwrap_or(0u32));
        }
        if size[whole] <= LINE && depth[whole] <= DEEP {
            return vec![self.text(whole, false, &|_| None)];
        }
        // What is one or two words is not worth a name.
        let small = |part: usize| size[part] <= 2;
        let mut named: Vec<Option<usize>> = vec![None; self.parts.len()];
        let mut lines = Vec::new();
        for part in 0..whole {
            let is_step =
                matches!(self.parts[part], Part::Step(..) | Part::Until(..) | Part::Endless(_));
            if is_step && !small(part) {
                let text = self.text(part, false, &|p| named[p].filter(|_| p != part));
                lines.push(format!("F{} = {text}", lines.len() + 1));
                named[part] = Some(lines.len());
            }
        }
        lines.push(self.text(whole, false, &|p| named[p].filter(|_| p != whole)));
        lines
    }

    /// A part as text, or its negation. Nested as deep as the parts are that have no name.
    fn text(&self, part: usize, negated: bool, name: &dyn Fn(usize) -> Option<usize>) -> String {
        if let Some(number) = name(part) {
            return format!("{}F{number}", if negated { "not " } else { "" });
        }
        // Only the part itself may be asked for without its name.
        let inner = |part: usize, negated: bool| self.inner(part, negated, name);
        match &self.parts[part] {
            Part::All(list) if list.is_empty() => {
                (if negated { "false" } else { "true" }).to_owned()
            }
            Part::All(list) => {
                let texts: Vec<String> = list.iter().map(|part| inner(*part, negated)).collect();
                texts.join(if negated { " or " } else { " and " })
            }
            Part::Not(part) => self.text(*part, !negated, name),
            Part::Step(action, then) if negated => {
                format!("[{}] {}", show(action), inner(*then, true))
            }
            Part::Step(action, then) => format!("<{}> {}", show(action), inner(*then, false)),
            Part::Until(hold, action, then) => {
                let not = if negated { "not " } else { "" };
                let then = inner(*then, false);
                let goal = match action {
                    Action::Internal => then,
                    Action::Visible(_) => format!("<{}> {then}", show(action)),
                };
                match self.is_true(*hold) {
                    true => format!("{not}eventually ({goal})"),
                    false => format!("{not}({} until {goal})", inner(*hold, false)),
                }
            }
            Part::Endless(hold) => {
                let not = if negated { "not " } else { "" };
                match self.is_true(*hold) {
                    true => format!("{not}diverges"),
                    false => format!("{not}({} until diverges)", inner(*hold, false)),
                }
            }
        }
    }

    /// A part inside another one: with brackets where they are needed.
    fn inner(&self, part: usize, negated: bool, name: &dyn Fn(usize) -> Option<usize>) -> String {
        let text = self.text(part, negated, name);
        let mut at = part;
        while let Part::Not(below) = self.parts[at] {
            at = below;
        }
        let is_list = matches!(&self.parts[at], Part::All(list) if list.len() > 1);
        if is_list && name(part).is_none() { format!("({text})") } else { text }
    }

    fn is_true(&self, part: usize) -> bool {
        matches!(&self.parts[part], Part::All(list) if list.is_empty())
    }
}

/// The parts a part is made of.
pub(crate) fn below(part: &Part) -> Vec<usize> {
    match part {
        Part::All(list) => list.clone(),
        Part::Not(one) | Part::Step(_, one) | Part::Endless(one) => vec![*one],
        Part::Until(hold, _, then) => vec![*hold, *then],
    }
}

fn show(action: &Action) -> &str {
    match action {
        Action::Internal => "tau",
        Action::Visible(label) => label,
    }
}
