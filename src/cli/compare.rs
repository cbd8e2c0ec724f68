//! `parlour compare`.

use clap::Args;

use super::play_plan::{Quick, Watch, name_folder, say_json, say_tables};
use super::say;
use crate::arena::{Experiment, Plan};
use crate::error::Result;
use crate::games::with_game;
use crate::results::difference_table;
use crate::strategy::Strategic;

#[derive(Args, Debug)]
pub(super) struct Compare {
    /// leopard, …
    game: String,
    /// The variants: names, or rules files ending in .json
    #[arg(required = true, num_args = 2..)]
    variants: Vec<String>,
    /// The strategies, all pairings of which are played
    #[arg(long, required = true, value_delimiter = ',')]
    strategies: Vec<String>,
    #[command(flatten)]
    quick: Quick,
}

impl Compare {
    pub fn run(self) -> Result<()> {
        let game = self.game.clone();
        with_game!(game.as_str(), G => compare::<G>(self))?
    }
}

fn compare<G: Strategic>(this: Compare) -> Result<()> {
    let quick = this.quick;
    let experiment = Experiment {
        deals: quick.deals,
        seed: quick.seed,
        ..Experiment::of_variants(G::NAME, &this.variants, &this.strategies)
    };
    let plan = Plan::<G>::resolve("compare", &experiment)?;
    let watch = Watch::new(&plan, None, quick.quiet)?;
    let summary = watch.over(&plan, quick.threads).folder(quick.out.as_deref()).go()?;
    drop(watch);
    if quick.json {
        return say_json(&summary);
    }
    say_tables(&summary)?;
    let first = &plan.variants[0].name;
    say(format!(
        "Changes from {first}, on the same deals (* the interval excludes 0, ** significant after Holm's correction)"
    ))?;
    say(difference_table(&summary))?;
    quick.out.as_deref().map_or(Ok(()), name_folder)
}
