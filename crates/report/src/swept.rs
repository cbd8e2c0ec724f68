//! Swept fields: one column per field in the tables, and a warning about strategies that were tuned
//! under other rules.

use std::collections::BTreeMap;

use itertools::Itertools;
use serde_json::Value;

use crate::table::{Column, Table};
use crate::units::list;
use parlour_arena::{Input, PlanInfo};
use parlour_game::sweep::word;

/// The fields that a sweep changes, with their values.
#[derive(Clone, Debug, Default)]
pub struct SweptFields {
    rules: Vec<Field>,
    strategies: Vec<Field>,
    /// The names of variants by their names for people.
    names: BTreeMap<String, String>,
}

/// A field and its value by variant or strategy; `null` if a strategy lacks the field.
#[derive(Clone, Debug)]
struct Field {
    name: String,
    values: Vec<(String, Value)>,
}

impl SweptFields {
    /// Returns the swept fields of a plan.
    pub(super) fn of(plan: &PlanInfo) -> SweptFields {
        let (swept, experiment) = (&plan.resolved.swept, plan.experiment());
        let rule = |field: &String| {
            let variants = experiment.variants.iter().flatten().zip(&plan.variants);
            let values = variants.map(|(v, info)| (info.label.clone(), v.rules[field].clone()));
            Field { name: field.clone(), values: values.collect() }
        };
        let option = |field: &String| {
            let pointer = format!("/{}", field.replace('.', "/"));
            let value = |strategy: &Value| strategy.pointer(&pointer).cloned().unwrap_or_default();
            let strategies = experiment.strategies.iter();
            let values = strategies.map(|s| (s.name.clone(), value(&s.strategy)));
            Field { name: field.replace('.', "_"), values: values.collect() }
        };
        SweptFields {
            rules: swept.rules.iter().map(rule).collect(),
            strategies: swept.strategies.iter().map(option).collect(),
            names: plan.variants.iter().map(|v| (v.label.clone(), v.name.clone())).collect(),
        }
    }

    /// Replaces the names for people in a table by those of the experiment.
    pub(super) fn with_names(&self, mut table: Table) -> Table {
        let is_name =
            |head| ["variant", "variant_a", "variant_b", "reference", "subject"].contains(&head);
        let columns: Vec<bool> = table.heads().map(is_name).collect();
        for row in &mut table.rows {
            for (cell, _) in row.iter_mut().zip(&columns).filter(|(_, is_name)| **is_name) {
                if let Some(name) = cell.as_str().and_then(|label| self.names.get(label)) {
                    *cell = name.clone().into();
                }
            }
        }
        table
    }

    /// Adds a column for each swept rule after the variant.
    pub(super) fn to_variants(&self, table: Table) -> Table {
        add_columns(table, 0, "rule", &self.rules)
    }

    /// Adds a column for each swept rule after the variant, and for each swept field of strategies after
    /// the strategy.
    pub(super) fn to_strategies(&self, table: Table) -> Table {
        self.to_variants(add_columns(table, 1, "strategy", &self.strategies))
    }
}

/// Returns a warning if strategies play under other rules than those they were tuned for.
pub(super) fn tuning_warning(plan: &PlanInfo) -> Option<String> {
    let experiment = plan.experiment();
    let of_strategy = |input: &Input| {
        let rules = experiment.variants.iter().flatten().next().and_then(|v| v.rules.as_object());
        let fields = rules.into_iter().flat_map(|rules| rules.keys()).filter_map(|field| {
            let played = distinct(experiment.variants.iter().flatten().map(|v| &v.rules[field]));
            let tuned = distinct(input.tuned_under.iter().map(|rules| &rules[field]));
            let is_new = !tuned.is_empty() && played.iter().any(|value| !tuned.contains(value));
            is_new.then(|| format!("{field} {}", tuned.join(" or ")))
        });
        let fields = list(&fields.collect_vec());
        (!fields.is_empty()).then(|| format!("`{}` was tuned for {fields} only", input.name))
    };
    let tuned = plan.inputs.strategies.iter().filter_map(of_strategy).join(", ");
    (!tuned.is_empty()).then(|| {
        format!(
            "{tuned}; other values may change the quality of play as well as the rule's effect \
             (`parlour tune`, or `parlour learn --from` for a network, adapts it)."
        )
    })
}

/// Returns values as text, sorted, each once.
fn distinct<'a>(values: impl Iterator<Item = &'a Value>) -> Vec<String> {
    let number = |word: &String| word.parse::<f64>().unwrap_or(f64::INFINITY);
    let words = values.map(word).unique();
    words.sorted_by(|a, b| number(a).total_cmp(&number(b)).then(a.cmp(b))).collect()
}

/// Adds a column for each field after the column `owner`, which names the variant or strategy.
fn add_columns(table: Table, owner: usize, kind_of_owner: &str, fields: &[Field]) -> Table {
    fields.iter().rev().fold(table, |table, field| {
        let is_taken = table.heads().any(|head| head == field.name);
        let prefix = if is_taken { format!("{kind_of_owner}_") } else { String::new() };
        let head = prefix + &field.name;
        let values = || field.values.iter().map(|(_, value)| value).filter(|v| !v.is_null());
        let kind = match () {
            () if values().all(Value::is_boolean) => "boolean",
            () if values().all(|v| v.is_i64() || v.is_u64()) => "integer",
            () if values().all(Value::is_number) => "number",
            () => "text",
        };
        let is_rule = kind_of_owner == "rule";
        let unit = if is_rule { "value of the rule" } else { "value of the strategy's field" };
        let unit = unit.to_owned();
        let meaning = format!("The swept field `{}` of the {kind_of_owner}.", field.name);
        let column = Column { heads: vec![head], kind, unit, meaning };
        let value = |row: &Vec<Value>| {
            let found = field.values.iter().find(|(name, _)| row[owner] == *name);
            vec![found.map_or(Value::Null, |(_, value)| value.clone())]
        };
        let cells = table.rows.iter().map(value).collect();
        table.with_columns(owner + 1, vec![column], cells)
    })
}
