//! Progress files of format 3, which can still be reported on: its header spells the experiment
//! otherwise, and its sums have no names.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::tally::{COUNTS, DEALS, FAULTS, Sums};
use super::written::{Sparse, Written};
use super::{Resolved, Tally};
use crate::files::digest;

/// The version that is read here.
pub(super) const FORMAT: u64 = 3;

/// The header in the form of today, of the same version.
pub(super) fn header(old: &Value) -> Value {
    let plan = &old["plan"];
    let all = |list: &str| plan[list].as_array().into_iter().flatten();
    let (strategies, inputs): (Vec<Value>, Vec<Value>) = all("strategies").map(strategy).unzip();
    // Tables are by numbers.
    let name = |list: &str, at: &Value| plan[list][at.as_u64().unwrap_or(0) as usize][0].clone();
    let table = |table: &Value| {
        let line_up = table[1].as_array().into_iter().flatten();
        let line_up: Vec<Value> = line_up.map(|at| name("strategies", at)).collect();
        json!({ "variant": name("variants", &table[0]), "line_up": line_up })
    };
    let mut experiment = plan.clone();
    experiment["variants"] =
        all("variants").map(|v| json!({ "name": v[0], "rules": v[1] })).collect();
    experiment["strategies"] = strategies.into();
    experiment["tables"] = all("tables").map(table).collect();
    let from_file = plan["digest"].is_string() && !plan["origin"].is_null();
    let input = json!({ "name": plan["name"], "from": plan["origin"], "sha256": plan["digest"] });
    json!({
        "format": FORMAT,
        "experiment": experiment,
        "digest": old["digest"],
        "inputs": { "experiment": from_file.then_some(input), "strategies": inputs },
        "program": old["program"],
        "hands": old["hands"],
        "records": old["records"],
        "shard": old["shard"],
    })
}

/// A strategy (its name, where it was, its text) as its file says it: names of other strategies in
/// it are not spelled out.
fn strategy(old: &Value) -> (Value, Value) {
    let (name, from, text) = (&old[0], &old[1], old[2].as_str().unwrap_or_default());
    let mut said: Value = serde_json::from_str(text).unwrap_or_default();
    let about = said.as_object_mut().and_then(|fields| fields.remove("about"));
    let about = about.unwrap_or_else(|| "".into());
    let input = json!({
        "name": name, "about": about, "from": from, "sha256": digest(text), "text": text,
    });
    (json!({ "name": name, "strategy": said }), input)
}

/// What was counted of a game: the counters of every table, the control variate where it was
/// wanted, and the figures of every variant.
#[derive(Deserialize)]
struct Counted {
    counters: Vec<String>,
    control: Vec<String>,
    figures: Vec<String>,
}

/// The sums by name, given the plan's tally of no deals; none when the row does not fit the plan.
///
/// What stood where is a fact about files that were written. It does not change, whatever games
/// there are and whatever they count now.
pub(super) fn named(row: &Sparse, empty: &Tally, resolved: &Resolved) -> Option<Written> {
    let known: BTreeMap<String, Counted> =
        serde_json::from_str(include_str!("format3.json")).ok()?;
    let experiment = &resolved.experiment;
    let Counted { counters, control, figures } = known.get(&experiment.game)?;
    let mut row = row.iter();
    let mut whole = true;
    let mut next = || {
        let number = row.next();
        whole &= number.is_some();
        number.unwrap_or_default()
    };
    let mut empty = empty.clone();
    let mut rows: BTreeMap<(&str, &str), Vec<i64>> = BTreeMap::new();
    for (table, seating) in empty.tables.iter_mut().zip(&resolved.tables) {
        let two = table.slots.len() == 2;
        table.walk(DEALS, &mut |place, numbers| match place {
            // The turns stand among the counters.
            DEALS | (_, "turns") => {}
            (FAULTS, _) | (_, "faults") => {
                rows.entry(place).or_default().extend_from_slice(numbers)
            }
            (_, "deals") if !two => rows.entry(place).or_default().extend_from_slice(numbers),
            _ => rows.entry(place).or_default().extend(numbers.iter().map(|_| next())),
        });
        let mut variants = experiment.variants.iter().flatten();
        let variant = variants.position(|variant| variant.name == seating.variant)?;
        for name in counters {
            let number = next();
            if name == "turns" {
                rows.entry(("tables", "turns")).or_default().push(number);
            }
            let count = rows.entry((COUNTS, name)).or_insert_with(|| vec![0; empty.variants.len()]);
            count[variant] += number;
        }
    }
    let control: &[String] = if experiment.control { control } else { &[] };
    let last = ["scores", "margin", "turns"].into_iter().chain(figures.iter().map(String::as_str));
    let control = control.iter().map(String::as_str);
    let order = [vec!["first"], vec!["standings"], control.collect(), last.collect()];
    for names in order {
        for variant in &mut empty.variants {
            for name in &names {
                variant.walk(DEALS, &mut |place, numbers| {
                    if place.0 != COUNTS && place.1 == *name {
                        rows.entry(place).or_default().extend(numbers.iter().map(|_| next()));
                    }
                });
            }
        }
    }
    (whole && row.next().is_none()).then(|| Written::named(&rows))
}
