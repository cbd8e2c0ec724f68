//! What the page tells of a run beside its numbers.

use serde_json::Value;

use crate::arena::{Plan, Until};
use crate::files::Origin;
use crate::game::Shares;
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
    /// What the game shows by its parts.
    pub shares: &'static [Shares],
    /// The game's counters.
    pub counters: &'static [&'static str],
    /// What the course of a hand is measured in.
    pub clock: &'static str,
    /// What a lead is.
    pub lead: &'static str,
    /// When the run might end early.
    pub until: Option<Until>,
    /// When the secret rule is known.
    pub known: &'static str,
    /// What is counted on the board.
    pub mark: &'static str,
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
        let ruled = |v: &crate::arena::Variant<G>| Ruled {
            name: v.name.clone(),
            rules: serde_json::to_value(v.game.rules()).expect("plain data"),
            seats: v.game.seats(),
        };
        let spelled = |s: &crate::strategy::Strategy<G>| {
            let spec = serde_json::to_value(&s.spec).expect("plain data");
            (s.name.clone(), s.about.clone(), spec)
        };
        Story {
            name: plan.name.clone(),
            about: plan.about.clone(),
            game: G::NAME,
            variants: plan.variants.iter().map(ruled).collect(),
            strategies: plan.strategies.iter().map(spelled).collect(),
            deals: plan.deals,
            seed: plan.seed,
            shares: G::SHARES,
            counters: G::COUNTERS,
            clock: G::CLOCK,
            lead: G::LEAD,
            until: plan.until,
            known: G::KNOWN,
            mark: G::MARK,
            program: program.to_owned(),
            digest: plan.digest(),
            command: command(plan),
        }
    }
}

fn command<G: Strategic>(plan: &Plan<G>) -> String {
    let end = format!("--deals {} --seed {}", plan.deals, plan.seed);
    let names = |separator: &str| {
        let names: Vec<&str> = plan.strategies.iter().map(|s| s.name.as_str()).collect();
        names.join(separator)
    };
    match &plan.source {
        Some((Origin::File(path), _)) => format!("parlour run {} {end}", path.display()),
        Some(_) => format!("parlour run {} {end}", plan.name),
        None if plan.name == "match" => {
            let seats = plan.tables.iter().flat_map(|t| &t.line_up);
            let seats: Vec<&str> = seats.map(|&s| plan.strategies[s].name.as_str()).collect();
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
