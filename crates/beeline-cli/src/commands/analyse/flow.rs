//! `beeline analyse flow`: how sets of enabled operations follow each other.

use super::ModelArguments;
use super::pairs::{PairArguments, PictureArguments, Work};
use crate::context::Context;
use crate::exit::Exit;
use beeline::flow::flow_graph_with;
use beeline::report::FlowReport;

pub const EXAMPLES: &str =
    "Each node stands for all states in which exactly these operations are enabled; each \
step tells what\nmust hold before it, as far as that is not certain.

Examples:
  beeline analyse flow Lift.mch                  nodes and steps
  beeline analyse flow --svg lift.svg Lift.mch   a picture; what cannot be left has a double frame
  beeline analyse flow --forest Lift.mch         for each set, which sets can follow
  beeline analyse flow --code b Sort.mch         WHILE and IF in place of guards, in B
  beeline analyse flow --json Lift.mch           for programs";

/// How structured code is written
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum CodeForm {
    /// Names of operations stand for what they do
    Pseudo,
    /// A machine in B
    B,
}

/// Show how sets of enabled operations follow each other, without exploring states
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    pairs: PairArguments,
    /// Stop after so many nodes
    #[arg(long, value_name = "N", default_value_t = 200)]
    max_nodes: usize,
    #[command(flatten)]
    pictures: PictureArguments,
    /// Print the structured code alone: `b` is a machine that includes the model, and runs it
    #[arg(long, value_name = "FORM", conflicts_with = "json")]
    code: Option<CodeForm>,
    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments, context: &mut Context) -> Exit {
    let specification = match arguments.model.open(context) {
        Ok(specification) => specification,
        Err(exit) => return exit,
    };
    let mut work = match Work::begin(&arguments.pairs, specification.model(), context) {
        Ok(work) => work,
        Err(exit) => return exit,
    };
    let (most, effort) = (arguments.max_nodes, work.effort);
    let report = beeline::on_large_stack(|| {
        let facts = work.enabling(specification.model());
        let mut go_on = |nodes: usize| work.go_on(format!("{nodes} sets of enabled operations"));
        FlowReport::new(&facts, &flow_graph_with(&facts, most, effort, &mut go_on), effort)
    });
    let exit = work.end(context);
    let picture = report.picture();
    let drawn = match arguments.pictures.write(&picture, context) {
        Ok(drawn) => drawn,
        Err(exit) => return exit,
    };
    if arguments.json {
        context.json(&report);
    } else if let Some(form) = arguments.code {
        let code = match form {
            CodeForm::Pseudo => report.code.as_ref().ok_or(&report.no_code),
            CodeForm::B => report.b_code.as_ref().ok_or(&report.no_b_code),
        };
        match code {
            Ok(code) => context.answer(code),
            Err(why) => {
                let why = why.as_deref().unwrap_or("it was not asked for");
                context.complain(&format!("there is no structured code: {why}"), "");
                return Exit::No;
            }
        }
    } else if arguments.pictures.forest && !drawn {
        context.answer(&picture.forest_text());
    } else if !drawn {
        context.answer(&report.text());
    }
    exit
}
