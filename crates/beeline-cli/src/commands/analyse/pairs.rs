//! What the analyses of pairs of operations have in common: limits, a line on the terminal, files with pictures.

use crate::commands::ScopeArguments;
use crate::context::Context;
use crate::exit::Exit;
use crate::limits::{WorkArguments, reached};
use crate::status::{Status, part};
use beeline::compile::{CutReason, resident_bytes};
use beeline::flow::{Effort, Enabling, Job, Progress, Ranges, enabling_with};
use beeline::model::Model;
use beeline::prove::Source;
use beeline::report::Picture;
use beeline::smt::{Smt, Solver};
use beeline::{InScope, WorkLimits};
use std::path::PathBuf;
use std::time::Instant;

#[derive(Debug, clap::Args)]
pub struct PairArguments {
    /// Steps of work for each pair of operations; results are the same each time
    #[arg(long, value_name = "N", default_value_t = Effort::default().steps)]
    pair_steps: u64,
    /// Also ask the solver, in the scope of a check: what it proves holds there, and is marked so
    #[arg(long)]
    in_scope: bool,
    /// Also ask an SMT solver, if it is installed
    #[arg(long, value_name = "SOLVER")]
    smt: Option<SmtSolver>,
    #[command(flatten)]
    scope: ScopeArguments,
    #[command(flatten)]
    work: WorkArguments,
}

/// SMT solvers that can be asked.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum SmtSolver {
    Z3,
    Cvc5,
}

/// Who is asked where the closure decides nothing.
struct Provers {
    ranges: Ranges,
    in_scope: Option<InScope>,
    smt: Option<Smt>,
}

impl Provers {
    fn new(arguments: &PairArguments, model: &Model) -> Result<Provers, String> {
        let in_scope = match arguments.in_scope {
            false => None,
            true => Some(InScope::new(model, &arguments.scope.scope()).ok_or(
                "the values of the constants were not all found: --in-scope proves nothing here",
            )?),
        };
        let smt = match arguments.smt {
            None => None,
            Some(SmtSolver::Z3) => Some(Smt::new(Solver::Z3)?),
            Some(SmtSolver::Cvc5) => Some(Smt::new(Solver::Cvc5)?),
        };
        Ok(Provers { ranges: Ranges::default(), in_scope, smt })
    }

    fn sources(&mut self) -> Vec<&mut dyn Source> {
        let mut all: Vec<&mut dyn Source> = vec![&mut self.ranges];
        all.extend(self.in_scope.as_mut().map(|s| s as &mut dyn Source));
        all.extend(self.smt.as_mut().map(|s| s as &mut dyn Source));
        all
    }
}

#[derive(Debug, clap::Args)]
pub struct PictureArguments {
    /// Write DOT to this file
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Write SVG to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// A tree for each node, with what its arrows lead to as leaves: as text, or in the pictures
    #[arg(long)]
    pub forest: bool,
}

impl PictureArguments {
    /// Writes the files that were asked for; were there any?
    pub fn write(&self, picture: &Picture, context: &mut Context) -> Result<bool, Exit> {
        let files = [
            (&self.dot, Picture::dot as fn(&Picture) -> String),
            (&self.svg, Picture::svg as fn(&Picture) -> String),
        ];
        let forest = self.forest.then(|| picture.forest());
        let picture = forest.as_ref().unwrap_or(picture);
        for (path, draw) in files {
            if let Some(path) = path
                && let Err(error) = std::fs::write(path, draw(picture))
            {
                return Err(context.complain(&format!("{}: {error}", path.display()), ""));
            }
        }
        Ok(self.dot.is_some() || self.svg.is_some())
    }
}

/// An analysis under way.
pub struct Work {
    limits: WorkLimits,
    begin: Instant,
    status: Status,
    pub effort: Effort,
    provers: Provers,
    /// Why it was broken off.
    ended: Option<CutReason>,
}

impl Work {
    pub fn begin(
        arguments: &PairArguments,
        model: &Model,
        context: &mut Context,
    ) -> Result<Work, Exit> {
        let provers = beeline::on_large_stack(|| Provers::new(arguments, model));
        let provers = provers.map_err(|why| context.complain(&why, ""))?;
        let limits = arguments.work.limits_and_keyboard();
        let status = Status::new(true, &limits.cancel);
        let effort = Effort { steps: arguments.pair_steps };
        Ok(Work { limits, begin: Instant::now(), status, effort, provers, ended: None })
    }

    /// Tells how far it has come; may it go on?
    pub fn go_on(&mut self, done: String) -> bool {
        self.status.tell(vec![part(0, done)]);
        let late = self.limits.time.is_some_and(|limit| self.begin.elapsed() >= limit);
        let held = || resident_bytes().unwrap_or(0);
        let full = self.limits.memory_bytes.is_some_and(|most| held() > most);
        if self.limits.cancel.is_cancelled() {
            self.ended = Some(CutReason::Interrupted);
        } else if late {
            self.ended = Some(CutReason::Time);
        } else if full {
            self.ended = Some(CutReason::Memory);
        }
        self.ended.is_none()
    }

    /// Looks at all pairs of operations.
    pub fn enabling(&mut self, model: &Model) -> Enabling {
        let effort = self.effort;
        let none = Provers { ranges: Ranges::default(), in_scope: None, smt: None };
        let mut provers = std::mem::replace(&mut self.provers, none);
        let mut go_on =
            |at: Progress| self.go_on(format!("{} of {} pairs of operations", at.pairs, at.of));
        enabling_with(model, &mut Job { effort, sources: provers.sources(), go_on: &mut go_on })
    }

    /// The end: tells why it came early.
    pub fn end(mut self, context: &mut Context) -> Exit {
        self.status.end();
        match self.ended {
            None => Exit::Ok,
            Some(reason) => {
                let help = "what is shown is right, and not all there is";
                let words = format!("the analysis was broken off: {}", reached(reason));
                context.complain(&words, help);
                Exit::Incomplete
            }
        }
    }
}
