//! What a sweep changes, as columns of the tables: one for each field, called as it is.

use serde_json::Value;

use super::table::{Column, Table};
use crate::arena::PlanInfo;
use crate::game::sweep::word;

/// The swept fields, each with its values.
#[derive(Clone, Debug, Default)]
pub struct SweptFields {
    rules: Vec<Field>,
    strategies: Vec<Field>,
}

/// A field and its value by variant, or by strategy; `null` where there is no such field.
#[derive(Clone, Debug)]
struct Field {
    name: String,
    values: Vec<(String, Value)>,
}

impl SweptFields {
    /// Those of a plan.
    pub(super) fn of(plan: &PlanInfo) -> SweptFields {
        let (swept, experiment) = (&plan.resolved.swept, plan.experiment());
        let rule = |field: &String| {
            let variants = experiment.variants.iter().flatten();
            let values = variants.map(|v| (v.name.clone(), v.rules[field].clone()));
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
        }
    }

    /// Where two rules are swept: the name of each, and its value in words by variant.
    pub(super) fn two_rules(&self) -> Option<[(&str, Vec<String>); 2]> {
        let [one, other] = self.rules.as_slice() else { return None };
        let words = |field: &Field| field.values.iter().map(|(_, value)| word(value)).collect();
        Some([one, other].map(|field| (field.name.as_str(), words(field))))
    }

    /// The table of variants or pairings with a column for each swept rule after the variant.
    pub(super) fn to_variants(&self, table: Table) -> Table {
        added(table, 0, "rule", &self.rules)
    }

    /// The table of strategies with the columns of [`to_variants`](Self::to_variants), and one
    /// for each swept field of strategies after the strategy.
    pub(super) fn to_strategies(&self, table: Table) -> Table {
        self.to_variants(added(table, 1, "strategy", &self.strategies))
    }
}

/// That strategies play other rules than those that their numbers were tuned under, in a sentence.
pub fn untuned(plan: &PlanInfo) -> Option<String> {
    let experiment = plan.experiment();
    let said = plan.resolved.swept.rules.iter().filter_map(|field| {
        let played = distinct(experiment.variants.iter().flatten().map(|v| &v.rules[field]));
        let tuned = plan.inputs.strategies.iter().filter(|input| !input.tuned_under.is_empty());
        let tuned =
            tuned.map(|input| (input, distinct(input.tuned_under.iter().map(|r| &r[field]))));
        let mut others =
            tuned.filter(|(_, known)| played.iter().any(|value| !known.contains(value)));
        let (first, known) = others.next()?;
        let more = others.filter(|(_, same)| *same == known).map(|(input, _)| input.name.as_str());
        let names: Vec<String> =
            std::iter::once(first.name.as_str()).chain(more).map(|n| format!("`{n}`")).collect();
        Some(format!(
            "{} {} tuned where {field} is {}, and {} elsewhere as there: part of a change may be \
             the play and not the rule (`parlour tune` tunes anew).",
            names.join(" and "),
            if names.len() == 1 { "was" } else { "were" },
            known.join(" or "),
            if names.len() == 1 { "plays" } else { "play" },
        ))
    });
    Some(said.collect::<Vec<_>>().join(" ")).filter(|said| !said.is_empty())
}

/// Values as words, each once.
fn distinct<'a>(values: impl Iterator<Item = &'a Value>) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in values.map(word) {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words.sort_by(|a, b| {
        let number = |word: &String| word.parse::<f64>().unwrap_or(f64::INFINITY);
        number(a).total_cmp(&number(b)).then(a.cmp(b))
    });
    words
}

/// The table with a column for each field after that of whom the values belong to.
fn added(table: Table, owner: usize, whose: &str, fields: &[Field]) -> Table {
    fields.iter().rev().fold(table, |table, field| {
        let taken = table.heads().any(|head| head == field.name);
        let head = if taken { format!("{whose}_{}", field.name) } else { field.name.clone() };
        let values = || field.values.iter().map(|(_, value)| value).filter(|v| !v.is_null());
        let kind = match () {
            () if values().all(Value::is_boolean) => "boolean",
            () if values().all(|v| v.is_i64() || v.is_u64()) => "integer",
            () if values().all(Value::is_number) => "number",
            () => "text",
        };
        let unit = format!("value of a {whose}'s field").replace("a rule's field", "the rule");
        let meaning = format!("The swept field `{}` of the {whose}.", field.name);
        let column = Column { heads: vec![head], kind, unit, meaning };
        let value = |row: &Vec<Value>| {
            let found = field.values.iter().find(|(name, _)| row[owner] == *name);
            vec![found.map_or(Value::Null, |(_, value)| value.clone())]
        };
        let cells = table.rows.iter().map(value).collect();
        table.with(owner + 1, vec![column], cells)
    })
}
