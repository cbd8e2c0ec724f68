//! The weights of `steady` that were set by hand, and the score of a strategy against another.

use clap::Args;
use parlour::chance::Seed;
use parlour::files::Library;
use parlour::game::Ruled;
use parlour::games::leopard::Leopard;
use parlour::games::leopard::bots::Weights;
use parlour::strategy::{Strategic, Strategy};
use serde_json::json;

use crate::table::{score, variant};

/// Writes the weights set by hand.
pub fn write_plain() -> anyhow::Result<()> {
    let about = "The heuristic of steady, with weights set by hand.";
    let file = json!({ "about": about, "kind": "steady", "weights": Weights::default() });
    let text = serde_json::to_string_pretty(&file)? + "\n";
    Ok(std::fs::write("strategies/leopard/steady-plain.json", text)?)
}

#[derive(Args)]
pub struct Score {
    strategy: String,
    against: String,
    #[arg(long, default_value_t = 2000)]
    deals: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only these variants, separated by commas
    #[arg(long, value_delimiter = ',')]
    variant: Vec<String>,
}

impl Score {
    pub fn run(&self) -> anyhow::Result<()> {
        let shelf = Library::strategies(Leopard::NAME);
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
