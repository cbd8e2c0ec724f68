//! The header of progress files of format 3, which can still be reported on.

use serde::Deserialize;
use serde_json::Value;

use super::{
    Experiment, Input, Inputs, ProgressHeader, Resolved, Schedule, Seating, Shard, SpelledStrategy,
    SpelledVariant, Until,
};
use crate::files::{Origin, digest};

/// The version that is read here.
pub(super) const FORMAT: u32 = 3;

/// The first line of a file.
#[derive(Deserialize)]
pub(super) struct Header {
    plan: Plan,
    digest: String,
    program: String,
    hands: bool,
    records: bool,
    shard: Option<Shard>,
}

#[derive(Deserialize)]
struct Plan {
    name: String,
    about: String,
    game: String,
    origin: Option<Origin>,
    digest: Option<String>,
    variants: Vec<(String, Value)>,
    strategies: Vec<(String, Origin, String)>,
    schedule: Schedule,
    /// By numbers.
    tables: Vec<(usize, Vec<usize>)>,
    deals: u64,
    seed: u64,
    until: Option<Until>,
    #[serde(default)]
    confirm: bool,
    #[serde(default)]
    control: bool,
}

impl From<Header> for ProgressHeader {
    fn from(old: Header) -> ProgressHeader {
        let plan = old.plan;
        let spelled: Vec<(SpelledStrategy, Input)> =
            plan.strategies.into_iter().map(strategy).collect();
        let (strategies, inputs): (Vec<_>, Vec<_>) = spelled.into_iter().unzip();
        let variants = plan.variants.into_iter();
        let variants: Vec<SpelledVariant> =
            variants.map(|(name, rules)| SpelledVariant { name, rules }).collect();
        // A number that names nothing becomes a name that nothing has.
        let name = |names: &mut dyn Iterator<Item = &String>, at: usize| {
            names.nth(at).cloned().unwrap_or_default()
        };
        let seating = |(variant, line_up): (usize, Vec<usize>)| Seating {
            variant: name(&mut variants.iter().map(|v| &v.name), variant),
            line_up: line_up
                .into_iter()
                .map(|s| name(&mut strategies.iter().map(|s| &s.name), s))
                .collect(),
        };
        let tables = plan.tables.into_iter().map(seating).collect();
        let experiment = plan.origin.zip(plan.digest).map(|(from, sha256)| Input {
            name: plan.name.clone(),
            about: String::new(),
            from: Some(from),
            sha256,
            text: String::new(),
        });
        ProgressHeader {
            format: FORMAT,
            experiment: Resolved {
                name: plan.name,
                experiment: Experiment {
                    about: plan.about,
                    variants: Some(variants),
                    strategies,
                    schedule: plan.schedule,
                    deals: plan.deals,
                    seed: plan.seed,
                    until: plan.until,
                    confirm: plan.confirm,
                    control: plan.control,
                    ..Experiment::new(&plan.game)
                },
                tables,
            },
            digest: old.digest,
            inputs: Inputs { experiment, strategies: inputs },
            program: old.program,
            vouched: Vec::new(),
            hands: old.hands,
            records: old.records,
            shard: old.shard,
        }
    }
}

/// A strategy as its file says it: names of other strategies in it are not spelled out.
fn strategy((name, from, text): (String, Origin, String)) -> (SpelledStrategy, Input) {
    let mut strategy: Value = serde_json::from_str(&text).unwrap_or_default();
    let about = strategy.as_object_mut().and_then(|fields| fields.remove("about"));
    let about = about.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
    let input = Input { name: name.clone(), about, from: Some(from), sha256: digest(&text), text };
    (SpelledStrategy { name, strategy }, input)
}
