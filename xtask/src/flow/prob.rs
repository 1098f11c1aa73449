//! Pairs of operations as ProB sees them, beside ours.
//!
//! ProB draws its enabling analysis as a graph whose arrows have words; no arrow means that the one operation
//! never enables the other, or has nothing to do with it.

use crate::check::sheet;
use crate::corpus::corpus_folder;
use beeline::flow::{Effect, Effort, Job, Ranges, enabling_with};
use beeline::prove::Source;
use beeline::report::{EnablingReport, EnablingRow};
use beeline::{InScope, Scope, Specification};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Arguments {
    /// Models to compare
    models: Vec<PathBuf>,
    /// So many models of the corpus with 3 to 15 operations, evenly spread
    #[arg(long)]
    sample: Option<usize>,
    /// The program
    #[arg(long, default_value = "probcli")]
    probcli: PathBuf,
    /// The folder that holds corpus/oracle.csv
    #[arg(long)]
    shared: Option<PathBuf>,
    /// Seconds for ProB, each model
    #[arg(long, default_value_t = 60)]
    limit_seconds: u64,
    /// Also ask the solver, in the scope of a check, as ProB does
    #[arg(long)]
    in_scope: bool,
    /// Print every pair of which ProB says more
    #[arg(long)]
    verbose: bool,
}

/// Who says more of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Who {
    Same,
    Ours,
    ProB,
}

#[derive(Default)]
struct Table {
    models: usize,
    /// ProB's word, ours, and who says more.
    pairs: BTreeMap<(String, &'static str, Who), usize>,
}

pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let mut models = arguments.models.clone();
    if let Some(sample) = arguments.sample {
        let Some(corpus) = corpus_folder(arguments.shared.as_deref()) else {
            println!("skipped: there is no corpus beside the repository (see --shared)");
            return Ok(true);
        };
        models.extend(chosen(&corpus, sample)?);
    }
    let (mut table, mut ended) = (Table::default(), 0);
    for model in &models {
        let words = match words_of_prob(arguments, model) {
            Ok(words) => words,
            Err(why) => {
                println!("{}: {why}", model.display());
                ended += 1;
                continue;
            }
        };
        match beeline::on_large_stack(|| compare(arguments, model, &words, &mut table)) {
            Ok(()) => table.models += 1,
            Err(why) => {
                println!("{}: {why}", model.display());
                ended += 1;
            }
        }
    }
    let count = |who: Who| -> usize {
        table.pairs.iter().filter(|((.., w), _)| *w == who).map(|(_, n)| n).sum()
    };
    println!("{:<22}{:<12}{:>8}  says more", "ProB", "ours", "pairs");
    for ((word, ours, who), n) in &table.pairs {
        println!("{word:<22}{ours:<12}{n:>8}  {who:?}");
    }
    let all: usize = table.pairs.values().sum();
    let at_least = 100.0 * (all - count(Who::ProB)) as f64 / all.max(1) as f64;
    println!(
        "{} models ({ended} not compared), {all} pairs: same {}, ours says more {}, ProB says more {}; ours at \
         least as precise on {at_least:.1} %",
        table.models,
        count(Who::Same),
        count(Who::Ours),
        count(Who::ProB),
    );
    Ok(all == 0 || at_least >= 95.0)
}

fn chosen(corpus: &Path, sample: usize) -> Result<Vec<PathBuf>, String> {
    let path = corpus.join("oracle.csv");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut rows = sheet::rows(&text);
    rows.retain(|r| r.complete == "yes" && r.operations.is_some_and(|n| (3..=15).contains(&n)));
    let every = rows.len().div_ceil(sample.max(1)).max(1);
    let models = corpus.join("models");
    Ok(rows.iter().step_by(every).map(|r| models.join(&r.path)).collect())
}

/// From, to, word.
type Words = HashMap<(String, String), String>;

fn words_of_prob(arguments: &Arguments, model: &Path) -> Result<Words, String> {
    let file = std::env::temp_dir().join(format!("beeline-enable-{}.dot", std::process::id()));
    let _ = std::fs::remove_file(&file);
    let mut command = Command::new(&arguments.probcli);
    command.arg(model).args(["-dot", "enable_graph"]).arg(&file);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|e| format!("{}: {e}", arguments.probcli.display()))?;
    let until = Instant::now() + Duration::from_secs(arguments.limit_seconds);
    while child.try_wait().map_err(|e| e.to_string())?.is_none() {
        if Instant::now() > until {
            let _ = child.kill();
            let _ = child.wait();
            return Err("ProB took too long".to_owned());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let text = std::fs::read_to_string(&file).map_err(|_| "ProB drew no graph".to_owned())?;
    let _ = std::fs::remove_file(&file);
    Ok(parse(&text))
}

/// Reads the arrows of a graph.
fn parse(text: &str) -> Words {
    let mut names: HashMap<&str, String> = HashMap::new();
    let mut words = Words::new();
    let label = |line: &str| {
        let rest = line.split_once("label=\"")?.1;
        Some(rest.split_once('"')?.0.to_owned())
    };
    let mut arrows = Vec::new();
    for line in text.lines().map(str::trim) {
        let Some((head, _)) = line.split_once(" [") else { continue };
        let Some(label) = label(line) else { continue };
        match head.split_once("->") {
            Some((from, to)) => arrows.push((from.trim(), to.trim(), label)),
            None => {
                // A record holds the name before what is read and written.
                let inner = label.trim_start_matches("|{");
                let name = inner.split("\\n").next().unwrap_or(inner);
                names.insert(head.trim(), name.to_owned());
            }
        }
    }
    for (from, to, word) in arrows {
        if let (Some(from), Some(to)) = (names.get(from), names.get(to)) {
            words.insert((from.clone(), to.clone()), word.replace(['(', ')'], ""));
        }
    }
    for name in names.values() {
        words.entry((name.clone(), String::new())).or_default();
    }
    words
}

fn compare(
    arguments: &Arguments,
    model: &Path,
    words: &Words,
    table: &mut Table,
) -> Result<(), String> {
    let specification = Specification::open(model).map_err(|e| e.to_string())?;
    let mut ranges = Ranges::default();
    let scope = Scope::default();
    let mut in_scope = match arguments.in_scope {
        true => InScope::new(specification.model(), &scope),
        false => None,
    };
    let mut sources: Vec<&mut dyn Source> = vec![&mut ranges];
    sources.extend(in_scope.as_mut().map(|s| s as &mut dyn Source));
    let mut job = Job { effort: Effort::default(), sources, go_on: &mut |_| true };
    let facts = enabling_with(specification.model(), &mut job);
    let report = EnablingReport::new(&facts);
    let known = |name: &str| words.contains_key(&(name.to_owned(), String::new()));
    for (row, relation) in report.pairs.iter().zip(&facts.relations) {
        if !known(&row.first) || !known(&row.second) {
            continue;
        }
        let none = "none".to_owned();
        let word = words.get(&(row.first.clone(), row.second.clone())).unwrap_or(&none);
        let who = judge(word, row);
        let ours = match (&relation.effect, row.keeps) {
            (Effect::Always, _) => "always",
            (Effect::Never, _) => "never",
            (_, Some(_)) => "keeps",
            (Effect::If(_), None) => "if",
            (Effect::Unknown, None) => "unknown",
        };
        *table.pairs.entry((word.clone(), ours, who)).or_default() += 1;
        if who == Who::ProB && arguments.verbose {
            let said = row.predicate.as_deref().unwrap_or(row.enabled);
            let said: String = said.chars().take(120).collect();
            println!("{}: {}, {}: {word}, ours {said}", model.display(), row.first, row.second);
        }
    }
    Ok(())
}

/// Who says more of a pair. What `if` gives is a predicate that decides, where ProB has a word only.
///
/// ProB's words are about whether the operation is enabled for some parameters.
fn judge(word: &str, row: &EnablingRow) -> Who {
    let some = &row.for_some;
    let sure = matches!(row.enabled, "always" | "never") || some.always;
    let keeps = row.keeps.is_some() || !some.may_enable && !some.may_disable;
    match word {
        "guaranteed" if row.enabled == "always" || some.always => Who::Same,
        "guaranteed" => Who::ProB,
        "none" if row.enabled == "never" || keeps => Who::Same,
        "none" => Who::ProB,
        w if w.contains("keep") || w.contains("unchanged") => match (keeps, sure) {
            (_, true) => Who::Ours,
            (true, _) => Who::Same,
            _ => Who::ProB,
        },
        "enable" if sure || keeps => Who::Ours,
        "enable" if some.may_disable => Who::ProB,
        "disable" if sure || keeps => Who::Ours,
        "disable" if some.may_enable => Who::ProB,
        "enable" | "disable" => Who::Same,
        _ if row.enabled == "unknown" && !keeps => Who::Same,
        _ => Who::Ours,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_are_read_with_the_names_of_their_ends() {
        let words = parse(
            "digraph g {\n 0 [shape=record, label=\"|{up\\n|reads: x\\n}|\"];\n \
             5 [shape=hexagon, label=\"INITIALISATION\", fontsize=12];\n \
             5 -> 0 [color=\"red\", label=\"(enable)\", fontsize=12];\n}\n",
        );
        let word = |a: &str, b: &str| words.get(&(a.to_owned(), b.to_owned())).cloned();
        assert_eq!(word("INITIALISATION", "up").as_deref(), Some("enable"));
        assert_eq!(word("up", "up"), None);
        assert_eq!(word("up", "").as_deref(), Some(""), "a name without arrows is known");
    }
}
