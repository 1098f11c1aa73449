//! Several searches of one model at once, each in an order of its own: whoever is done first wins.

use super::{CheckOptions, Checked, single};
use crate::error::{CheckError, OptionError};
use beeline_explore::{Cancel, Order, Progress};
use beeline_model::Model;
use beeline_verdict::Verdict;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// The orders, most useful first: as many are run as there are threads, but at least two.
const ORDERS: [Order; 8] = [
    Order::Auto,
    Order::BreadthFirst,
    Order::DepthFirst,
    Order::OutDegreeHash,
    Order::Random,
    Order::Mixed(50),
    Order::Hash,
    Order::TermSize,
];
/// How often it is looked whether somebody wants an end.
const PAUSE: Duration = Duration::from_millis(20);
/// Evaluation may recurse.
const STACK: usize = 64 << 20;

/// Checks a model in several orders.
pub(crate) fn run(
    model: &Model,
    options: &CheckOptions,
    cancel: &Cancel,
    tell: &(dyn Fn(Progress) + Sync),
) -> Result<Checked, CheckError> {
    if options.explore.checkpoint.is_some() {
        return Err(OptionError::PortfolioCheckpoint.into());
    }
    let orders = &ORDERS[..options.explore.threads.clamp(2, ORDERS.len())];
    let cancels: Vec<Cancel> = orders.iter().map(|_| Cancel::new()).collect();
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for (number, order) in orders.iter().enumerate() {
            let mut own = options.clone();
            own.explore.order = *order;
            own.explore.threads = 1;
            let (sender, cancel) = (sender.clone(), &cancels[number]);
            let quiet = |_: Progress| {};
            let work = move || {
                let tell: &(dyn Fn(Progress) + Sync) = if number == 0 { tell } else { &quiet };
                // Nobody listens any more when another was faster.
                let _ = sender.send((number, single::run(model, &own, cancel, tell)));
            };
            let thread = std::thread::Builder::new().stack_size(STACK);
            if thread.spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        drop(sender);
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                if cancel.is_cancelled() {
                    cancels.iter().for_each(Cancel::cancel);
                }
                std::thread::sleep(PAUSE);
            }
        });
        let mut first: Option<(usize, Result<Checked, CheckError>)> = None;
        for (number, result) in receiver {
            let done = result.as_ref().map_or(true, |checked| is_answer(&checked.outcome.verdict));
            if first.as_ref().is_none_or(|(best, _)| done || number < *best) {
                first = Some((number, result));
            }
            if done {
                break;
            }
        }
        cancels.iter().for_each(Cancel::cancel);
        over.store(true, Ordering::Relaxed);
        let nobody = || CheckError::Option(OptionError::NoThread);
        first.map_or_else(|| Err(nobody()), |(_, result)| result)
    })
}

/// Would another order add anything?
fn is_answer(verdict: &Verdict) -> bool {
    !matches!(verdict, Verdict::NoErrorFound(_) | Verdict::Undetermined(_))
}
