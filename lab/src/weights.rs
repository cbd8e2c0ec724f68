//! The weights of `steady` and `brisk`: read, tried, written; and what they are worth.

use std::path::Path;
use std::sync::Arc;

use clap::Args;
use parlour::chance::Seed;
use parlour::files::Shelf;
use parlour::game::Ruled;
use parlour::games::leopard::Leopard;
use parlour::games::leopard::bots::{Brisk, BriskWeights, Steady, Weights};
use parlour::strategy::{Strategic, Strategy};

use crate::table::{Shared, score, variant};

/// A strategy file that may have weights.
#[derive(serde::Serialize, serde::Deserialize)]
struct File {
    about: String,
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    weights: Option<serde_json::Value>,
}

/// A kind of strategy that has weights.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Steady,
    Brisk,
}

impl Kind {
    /// The kind of a strategy file, or of a name in `strategies/leopard`, and its weights: plain
    /// ones where it has none.
    pub fn read(name: &str) -> anyhow::Result<(Kind, Vec<f64>)> {
        let named = format!("strategies/leopard/{name}.json");
        let path = if Path::new(&named).exists() { &named } else { name };
        let file: File = serde_json::from_str(&std::fs::read_to_string(path)?)?;
        let weights = file.weights;
        Ok(match file.kind.as_str() {
            "steady" => {
                let weights = weights.map_or(Ok(Weights::default()), serde_json::from_value)?;
                (Kind::Steady, weights.to_vec())
            }
            "brisk" => {
                let weights =
                    weights.map_or(Ok(BriskWeights::default()), serde_json::from_value)?;
                (Kind::Brisk, weights.to_vec())
            }
            other => anyhow::bail!("`{other}` has no weights"),
        })
    }

    /// Whether a weight is used, by whether a turn has one play.
    pub fn used(self, one: bool) -> impl Fn(usize) -> bool {
        move |index| match self {
            Kind::Steady => !one || !Weights::NAMES[index].starts_with("many_"),
            Kind::Brisk => true,
        }
    }

    /// The player with these weights.
    pub fn player(self, numbers: &[f64]) -> anyhow::Result<Shared> {
        let player: Result<Shared, _> = match self {
            Kind::Steady => Steady::new(Weights::from_slice(numbers)).map(|it| Arc::new(it) as _),
            Kind::Brisk => {
                Brisk::new(BriskWeights::from_slice(numbers)).map(|it| Arc::new(it) as _)
            }
        };
        player.map_err(|faults| anyhow::anyhow!("{faults:?}"))
    }

    /// Writes a strategy file, the weights to four places.
    pub fn write(self, path: &str, numbers: &[f64]) -> anyhow::Result<()> {
        let numbers: Vec<f64> = numbers.iter().map(|w| (w * 1e4).round() / 1e4).collect();
        let plain = self == Kind::Steady && numbers == Weights::default().to_vec();
        let (kind, weights, about) = match self {
            Kind::Steady => (
                "steady",
                serde_json::to_value(Weights::from_slice(&numbers))?,
                "A heuristic that weighs lines, harm, kept cards and the knock;",
            ),
            Kind::Brisk => (
                "brisk",
                serde_json::to_value(BriskWeights::from_slice(&numbers))?,
                "A heuristic for playouts: lines begun and blocked, kept cards, the race to a knock;",
            ),
        };
        let by = if plain { "weights set by hand." } else { "weights tuned by self-play." };
        let (about, kind) = (format!("{about} {by}"), kind.to_owned());
        let file = File { about, kind, weights: Some(weights) };
        Ok(std::fs::write(path, serde_json::to_string_pretty(&file)? + "\n")?)
    }
}

/// Writes the weights set by hand.
pub fn write_plain() -> anyhow::Result<()> {
    let plain = Weights::default().to_vec();
    Kind::Steady.write("strategies/leopard/steady-plain.json", &plain)
}

#[derive(Args)]
pub struct Score {
    strategy: String,
    against: String,
    #[arg(long, default_value_t = 2000)]
    deals: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only these variants, with commas between them
    #[arg(long, value_delimiter = ',')]
    variant: Vec<String>,
}

impl Score {
    pub fn run(&self) -> anyhow::Result<()> {
        let shelf = Shelf::strategies(Leopard::NAME);
        let load = |name: &str| Strategy::<Leopard>::load(&shelf, name);
        let (me, other) = (load(&self.strategy)?, load(&self.against)?);
        let seed = Seed::new(self.seed).named("match");
        let all = || Leopard::presets().iter().map(|preset| preset.name.to_owned()).collect();
        let names: Vec<String> = if self.variant.is_empty() { all() } else { self.variant.clone() };
        for name in names {
            let game = variant(&name)?;
            let bots: [crate::table::Maker<'_>; 2] =
                [&|game: &Leopard| game.bot(&me.spec), &|game: &Leopard| game.bot(&other.spec)];
            let found = score(&game, bots, seed, self.deals);
            println!("{name}: {} against {}: {found:.4}", me.name, other.name);
        }
        Ok(())
    }
}
