//! `beeline graph --minimise`: the states of a model that behave alike as one.

use super::Arguments;
use crate::commands::behaviour::{
    is_aut, json_cuts, not_covered, read_aut, size, tell, words, write_aut,
};
use crate::context::Context;
use crate::exit::Exit;
use crate::limits;
use crate::status::Status;
use crate::watchdog::{self, Phase, Watchdog};
use beeline::bisimulation::{Graph, Relation};
use beeline::report::{DrawnNode, JsonCut, Picture, to_json};
use beeline::verdict::Bindings;
use beeline::{Error, Lts, LtsClass, MinimisedLts, WorkLimits};
use clap::ValueEnum;
use serde::Serialize;
use std::collections::VecDeque;
use std::time::Instant;

/// Which states are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Minimise {
    /// None: the whole graph, for --aut and --json
    None,
    /// Strong bisimulation
    Bisimulation,
    /// Branching bisimulation, which keeps divergence
    Branching,
    /// Branching bisimulation without regard to divergence
    BranchingWithoutDivergence,
}

impl Minimise {
    fn relation(self) -> Option<Relation> {
        match self {
            Minimise::None => None,
            Minimise::Bisimulation => Some(Relation::Strong),
            Minimise::Branching => Some(Relation::Branching),
            Minimise::BranchingWithoutDivergence => Some(Relation::BranchingWithoutDivergence),
        }
    }

    fn word(self) -> &'static str {
        match self {
            Minimise::None => "none",
            Minimise::Bisimulation => "bisimulation",
            Minimise::Branching => "branching",
            Minimise::BranchingWithoutDivergence => "branching-without-divergence",
        }
    }
}

/// The answer for programs. Field names are a contract.
#[derive(Serialize)]
struct JsonGraph<'a> {
    schema: u32,
    model: String,
    minimise: &'static str,
    complete: bool,
    cuts: Vec<JsonCut>,
    states: usize,
    transitions: usize,
    classes: Option<usize>,
    class_transitions: Option<usize>,
    initial: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<JsonClass>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    edges: Vec<(u32, &'a str, u32)>,
    seconds: f64,
}

#[derive(Serialize)]
struct JsonClass {
    states: u64,
    example: Bindings,
}

/// The same when nobody was left to give it.
#[derive(Serialize)]
struct BrokenOff {
    schema: u32,
    model: String,
    complete: bool,
    message: String,
}

pub fn run(arguments: &Arguments, context: &mut Context) -> Exit {
    let begin = Instant::now();
    let limits = arguments.behaviour.work.limits_and_keyboard();
    let mut status = Status::new(!arguments.json, &limits.cancel);
    let watchdog = watch(arguments, &limits, begin);
    let minimise = arguments.minimise.unwrap_or(Minimise::None);
    let examples = if arguments.json { usize::MAX } else { arguments.max_nodes };
    let (found, sources) = if is_aut(&arguments.file) {
        let graph = match read_aut(&arguments.file, &limits) {
            Ok(graph) => graph,
            Err(error) => return context.complain(&error, ""),
        };
        watchdog.enter(Phase::Checking);
        let lts = Lts::of_graph(graph, &arguments.behaviour.hide);
        let found = match minimise.relation() {
            Some(relation) => MinimisedLts::of_graph(&lts, relation, &limits),
            None => whole(lts),
        };
        (found, None)
    } else {
        let opened = arguments.behaviour.open(&arguments.file, &arguments.load, context);
        let specification = match opened {
            Ok(Ok(specification)) => specification,
            Ok(Err(error)) => return refuse(&error, context),
            Err(exit) => return exit,
        };
        watchdog.enter(Phase::Checking);
        let left = limits.time.map(|time| time.saturating_sub(begin.elapsed()));
        let limits = WorkLimits { time: left, ..limits.clone() };
        let options = arguments.behaviour.options(&arguments.scope, &specification);
        let listen = |p| tell(&status, p);
        let found = options.and_then(|options| match minimise.relation() {
            Some(relation) => {
                MinimisedLts::of(&specification, &options, relation, &limits, (examples, &listen))
            }
            None => Lts::of(&specification, &options, &limits, &listen).map(whole),
        });
        match found {
            Ok(found) => (found, Some(specification)),
            Err(error) => return refuse(&error, context),
        }
    };
    status.end();
    drop(watchdog);
    if let Some(name) = found.unknown.first() {
        return context.complain(&format!("the model has no operation {name}"), "");
    }
    let cuts = json_cuts(&found.cuts, sources.as_ref().map(|s| s.sources()));
    answer(arguments, &found, cuts, begin, context)
}

/// All states of a graph, each a class of its own.
fn whole(lts: Lts) -> MinimisedLts {
    MinimisedLts {
        classes: vec![LtsClass { states: 1, example: Vec::new() }; lts.graph.states()],
        states: lts.graph.states(),
        transitions: lts.graph.transitions(),
        graph: lts.cuts.is_empty().then_some(lts.graph),
        cuts: lts.cuts,
        unknown: lts.unknown,
    }
}

fn refuse(error: &Error, context: &mut Context) -> Exit {
    match error {
        Error::Load(failure) => {
            context.show_aside(&failure.report());
            Exit::Error
        }
        _ => context.complain(&words(error), ""),
    }
}

fn answer(
    arguments: &Arguments,
    found: &MinimisedLts,
    cuts: Vec<JsonCut>,
    begin: Instant,
    context: &mut Context,
) -> Exit {
    let Some(graph) = &found.graph else {
        match arguments.json {
            true => context.json(&json(arguments, found, cuts, begin)),
            false => {
                let text = "incomplete: a part of a graph is neither drawn nor minimised\n";
                context.answer(&format!("{text}{}", not_covered(&cuts)));
            }
        }
        return Exit::Incomplete;
    };
    if let Some(path) = &arguments.aut
        && let Err(error) = write_aut(graph, path)
    {
        return context.complain(&format!("{}: {error}", path.display()), "");
    }
    let silent = arguments.aut.is_some() || arguments.json;
    let drawn = arguments.dot.is_some() || arguments.svg.is_some() || !silent;
    if drawn && graph.states() > arguments.max_nodes {
        let message = format!(
            "the graph has {} states after minimising; only {} are drawn",
            graph.states(),
            arguments.max_nodes
        );
        let help = "write it with --aut FILE or --json, hide operations, or raise --max-nodes";
        return context.complain(&message, help);
    }
    if drawn {
        let picture = picture(&arguments.file.to_string_lossy(), found, graph);
        let files = [
            (&arguments.dot, Picture::dot as fn(&Picture) -> String),
            (&arguments.svg, Picture::svg),
        ];
        for (path, draw) in files {
            if let Some(path) = path
                && let Err(error) = std::fs::write(path, draw(&picture))
            {
                return context.complain(&format!("{}: {error}", path.display()), "");
            }
        }
        if arguments.dot.is_none() && arguments.svg.is_none() && !silent {
            context.answer(&picture.dot());
            return Exit::Ok;
        }
    }
    match arguments.json {
        true => context.json(&json(arguments, found, cuts, begin)),
        false => {
            let mut text = size(found.states, found.transitions) + "\n";
            if arguments.minimise.is_some_and(|m| m != Minimise::None) {
                let small = size(graph.states(), graph.transitions());
                text += &format!("{small} after minimising\n");
            }
            context.answer(&text);
        }
    }
    Exit::Ok
}

fn json<'a>(
    arguments: &Arguments,
    found: &'a MinimisedLts,
    cuts: Vec<JsonCut>,
    begin: Instant,
) -> JsonGraph<'a> {
    let graph = found.graph.as_ref();
    let edges = graph.map_or_else(Vec::new, |graph| {
        let row = |from: u32| {
            graph.edges(from).iter().map(move |e| (from, graph.label(e.label), e.target))
        };
        graph.all().flat_map(row).collect()
    });
    let class = |class: &'a LtsClass| JsonClass {
        states: class.states,
        example: Bindings(class.example.clone()),
    };
    JsonGraph {
        schema: 1,
        model: arguments.file.to_string_lossy().into_owned(),
        minimise: arguments.minimise.unwrap_or(Minimise::None).word(),
        complete: graph.is_some(),
        cuts,
        states: found.states,
        transitions: found.transitions,
        classes: graph.map(Graph::states),
        class_transitions: graph.map(Graph::transitions),
        initial: graph.map(Graph::initial),
        nodes: if graph.is_some() { found.classes.iter().map(class).collect() } else { Vec::new() },
        edges,
        seconds: begin.elapsed().as_secs_f64(),
    }
}

fn picture(title: &str, found: &MinimisedLts, graph: &Graph) -> Picture {
    let rows = rows(graph);
    let node = |(class, row): (&LtsClass, usize)| {
        let values = class.example.iter().map(|(name, value)| format!("{name} = {value}"));
        let count = match (class.states, class.example.is_empty()) {
            (1, false) => None,
            (1, true) => Some("1 state".to_owned()),
            (n, true) => Some(format!("{n} states")),
            (n, false) => Some(format!("{n} states, such as")),
        };
        DrawnNode { lines: count.into_iter().chain(values).collect(), row, ..DrawnNode::default() }
    };
    let mut nodes: Vec<DrawnNode> = found.classes.iter().zip(rows).map(node).collect();
    if let Some(first) = nodes.get_mut(graph.initial() as usize) {
        first.initial = true;
    }
    let row = |from: u32| {
        let edges = graph.edges(from).iter();
        edges.map(move |e| (from as usize, e.target as usize, graph.label(e.label).to_owned()))
    };
    Picture { title: title.to_owned(), nodes, edges: graph.all().flat_map(row).collect() }
}

/// How many steps each state is away from the initial one.
fn rows(graph: &Graph) -> Vec<usize> {
    let mut rows = vec![0; graph.states()];
    let mut seen = vec![false; graph.states()];
    seen[graph.initial() as usize] = true;
    let mut open = VecDeque::from([graph.initial()]);
    while let Some(state) = open.pop_front() {
        for edge in graph.edges(state) {
            let target = edge.target as usize;
            if !std::mem::replace(&mut seen[target], true) {
                rows[target] = rows[state as usize] + 1;
                open.push_back(edge.target);
            }
        }
    }
    rows
}

/// Ends the program should it not heed its limits.
fn watch(arguments: &Arguments, limits: &WorkLimits, begin: Instant) -> Watchdog {
    let (json, model) = (arguments.json, arguments.file.to_string_lossy().into_owned());
    Watchdog::watch(limits.clone(), begin, move |reason, phase| {
        let words = format!("{} while {}", limits::reached(reason), phase.words());
        let line = match json {
            true => to_json(&BrokenOff { schema: 1, model, complete: false, message: words }),
            false => format!("incomplete: {words}"),
        };
        watchdog::say(&(line + "\n"));
        Exit::Incomplete as u8
    })
}
