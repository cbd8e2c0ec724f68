//! What the page tells of a run beside its numbers.

use serde_json::Value;

use crate::arena::{Plan, Until};
use crate::files::Origin;
use crate::strategy::Strategic;

/// A variant of the run.
#[derive(Clone, Debug)]
pub struct Ruled {
    /// Its name.
    pub name: String,
    /// Its rules in full.
    pub rules: Value,
    /// How many seats it has.
    pub seats: usize,
}

/// What was played, without its numbers: the plan, for people.
#[derive(Clone, Debug)]
pub struct Story {
    /// The experiment's name.
    pub name: String,
    /// The question.
    pub about: String,
    /// The game's name.
    pub game: &'static str,
    /// The variants.
    pub variants: Vec<Ruled>,
    /// The strategies: name, what it is, everything its file says.
    pub strategies: Vec<(String, String, Value)>,
    /// How many deals were planned.
    pub deals: u64,
    /// What all chance grew from.
    pub seed: u64,
    /// When the run might end early.
    pub until: Option<Until>,
    /// The program that played, its version and sources.
    pub program: String,
    /// The digest of the experiment in full.
    pub digest: String,
    /// The command that does it again.
    pub command: String,
}

impl Story {
    /// The story of a plan that a program (its version and sources) has played.
    pub fn of<G: Strategic>(plan: &Plan<G>, program: &str) -> Story {
        let experiment = plan.experiment();
        let ruled = |v: &crate::arena::Variant<G>| Ruled {
            name: v.name.clone(),
            rules: serde_json::to_value(v.game.rules()).expect("plain data"),
            seats: v.game.seats(),
        };
        let strategies = experiment.strategies.iter().zip(&plan.inputs.strategies);
        let strategies =
            strategies.map(|(s, input)| (s.name.clone(), input.about.clone(), s.strategy.clone()));
        Story {
            name: plan.resolved.name.clone(),
            about: experiment.about.clone(),
            game: G::NAME,
            variants: plan.variants.iter().map(ruled).collect(),
            strategies: strategies.collect(),
            deals: experiment.deals,
            seed: experiment.seed,
            until: experiment.until,
            program: program.to_owned(),
            digest: plan.digest.clone(),
            command: command(plan),
        }
    }
}

fn command<G: Strategic>(plan: &Plan<G>) -> String {
    let end = format!("--deals {} --seed {}", plan.experiment().deals, plan.experiment().seed);
    let names = |separator: &str| plan.names().collect::<Vec<_>>().join(separator);
    let source = plan.inputs.experiment.as_ref().and_then(|input| input.from.as_ref());
    match source {
        Some(Origin::File(path)) => format!("parlour run {} {end}", path.display()),
        Some(_) => format!("parlour run {} {end}", plan.resolved.name),
        None if plan.resolved.name == "match" => {
            let seats = plan.tables.iter().flat_map(|t| &t.line_up);
            let seats: Vec<&str> = seats.map(|&s| plan.name_of(s)).collect();
            let variant = &plan.variants[0].name;
            format!("parlour match {} {} --variant {variant} {end}", G::NAME, seats.join(" "))
        }
        None => {
            let variants: Vec<&str> = plan.variants.iter().map(|v| v.name.as_str()).collect();
            let variants = variants.join(" ");
            format!("parlour compare {} {variants} --strategies {} {end}", G::NAME, names(","))
        }
    }
}
