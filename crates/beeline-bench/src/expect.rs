//! Is a run what the suite expects?

use crate::results::Outcome;
use crate::suite::Model;
use serde_json::Value;

/// Compares the report of a run with what is known about the model.
pub fn judge(model: &Model, report: &Value) -> (Outcome, String) {
    let verdict = report["verdict"].as_str().unwrap_or("");
    let wrong = |words: String| (Outcome::Wrong, words);
    let right = match &model.verdict {
        Some(expected) => verdict == expected,
        None => is_explored(report),
    };
    if !right {
        if verdict == "no_error_found" && limited(report) {
            return (Outcome::Limit, String::new());
        }
        let told = report["message"].as_str().unwrap_or("");
        return wrong(match &model.verdict {
            Some(expected) => format!("the verdict is {verdict}, not {expected} {told}"),
            None => format!("not all states were visited: {verdict} {told}"),
        });
    }
    let kind = report["finding"]["kind"].as_str();
    if let Some(expected) = model.finding.as_deref().filter(|e| kind != Some(e)) {
        return wrong(format!("found {}, not {expected}", kind.unwrap_or("nothing")));
    }
    if is_explored(report) {
        let counts = [("states", model.states), ("transitions", model.transitions)];
        for (name, expected) in counts {
            let found = report["counts"][name].as_u64();
            if expected.is_some() && found != expected {
                let found = found.unwrap_or(0);
                return wrong(format!("{found} {name}, not {}", expected.unwrap_or(0)));
            }
        }
    }
    if let (Some(shortest), Some(steps)) = (model.shortest, steps(report)) {
        let proved = report["finding"]["shortest"].as_bool() == Some(true);
        if steps < shortest || (proved && steps != shortest) {
            return wrong(format!("a trace of {steps} steps, not {shortest}"));
        }
    }
    (Outcome::Right, String::new())
}

/// Steps of the trace that is shown.
pub(crate) fn steps(report: &Value) -> Option<u64> {
    report["finding"]["trace"].as_array().map(|steps| steps.len() as u64)
}

/// Were all states visited? What a model claims beside, such as temporal formulas, is of no matter.
fn is_explored(report: &Value) -> bool {
    let cuts = report["cuts"].as_array();
    report["complete"] == true
        || cuts.is_some_and(|cuts| {
            !cuts.is_empty() && cuts.iter().all(|cut| cut["reason"] == "not_checked")
        })
}

/// Was the run cut by its limits, and by nothing else?
fn limited(report: &Value) -> bool {
    let reason = |cut: &Value| cut["reason"].as_str().unwrap_or("").to_owned();
    report["cuts"].as_array().is_some_and(|cuts| {
        cuts.iter().any(|c| matches!(reason(c).as_str(), "time" | "memory" | "states" | "depth"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn model(verdict: &str) -> Model {
        let text =
            format!("name = 'M'\nfile = 'M.mch'\nverdict = '{verdict}'\nshortest = 3\nstates = 7");
        toml::from_str(&text).unwrap()
    }

    #[test]
    fn right_wrong_and_cut_runs_are_told_apart() {
        let found = |steps: usize, shortest: bool| {
            json!({"verdict": "goal_found", "complete": false,
                "finding": {"kind": "goal", "shortest": shortest, "trace": vec![0; steps]}})
        };
        let outcome = |verdict, report: Value| judge(&model(verdict), &report).0;
        assert_eq!(outcome("goal_found", found(3, true)), Outcome::Right);
        assert_eq!(outcome("goal_found", found(9, false)), Outcome::Right);
        // Longer than the shortest but proved to be the shortest, or shorter than that.
        assert_eq!(outcome("goal_found", found(4, true)), Outcome::Wrong);
        assert_eq!(outcome("goal_found", found(2, false)), Outcome::Wrong);
        assert_eq!(outcome("holds", found(3, true)), Outcome::Wrong);
        let cut = json!({"verdict": "no_error_found", "cuts": [{"reason": "time"}]});
        assert_eq!(outcome("goal_found", cut.clone()), Outcome::Limit);
        let strange = json!({"verdict": "no_error_found", "cuts": [{"reason": "unsupported"}]});
        assert_eq!(outcome("goal_found", strange), Outcome::Wrong);
        let count = |n: u64| json!({"verdict": "holds", "complete": true, "counts": {"states": n}});
        assert_eq!(outcome("holds", count(7)), Outcome::Right);
        assert_eq!(outcome("holds", count(8)), Outcome::Wrong);
    }

    #[test]
    fn without_a_verdict_all_states_count() {
        let any = Model { verdict: None, shortest: None, ..model("") };
        let outcome = |report: Value| judge(&any, &report).0;
        let seven = json!({"states": 7});
        let violated = json!({"verdict": "violated", "complete": true, "counts": seven});
        assert_eq!(outcome(violated), Outcome::Right);
        let cut = |reason: &str, states: u64| {
            json!({"verdict": "no_error_found", "complete": false,
                "cuts": [{"reason": reason}], "counts": {"states": states}})
        };
        assert_eq!(outcome(cut("not_checked", 7)), Outcome::Right);
        assert_eq!(outcome(cut("not_checked", 6)), Outcome::Wrong);
        assert_eq!(outcome(cut("time", 6)), Outcome::Limit);
        assert_eq!(outcome(cut("unsupported", 7)), Outcome::Wrong);
        let ended = json!({"verdict": "violated", "complete": false, "cuts": [], "counts": seven});
        assert_eq!(outcome(ended), Outcome::Wrong);
    }
}
