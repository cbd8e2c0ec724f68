//! `parlour compare`.

use clap::Args;

use super::play_plan::{Quick, name_folder, play};
use super::say;
use crate::arena::{Experiment, Plan, Schedule, VariantSpec};
use crate::error::Result;
use crate::games::with_game;
use crate::results::{Conduct, difference_table, rating_table, variant_table};
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
    let experiment = Experiment::<G::Patch> {
        about: String::new(),
        game: G::NAME.to_owned(),
        variants: Some(this.variants.into_iter().map(VariantSpec::Named).collect()),
        mirror: this.strategies.len() == 1,
        strategies: this.strategies.into_iter().map(Into::into).collect(),
        schedule: Schedule::RoundRobin,
        champion: None,
        line_ups: None,
        deals: this.quick.deals,
        seed: this.quick.seed,
        allow_clock: true,
        until: None,
        confirm: false,
        control: false,
    };
    let plan = Plan::<G>::resolve("compare", &experiment)?;
    let options = this.quick.options();
    let conduct = Conduct { options, ..Conduct::default() };
    if let Some(summary) = play(&plan, conduct, this.quick.out.as_deref(), this.quick.quiet)? {
        say(format!("Ratings\n{}\n", rating_table(&summary)))?;
        say(format!("Variants\n{}\n", variant_table(&summary)))?;
        let first = &plan.variants[0].name;
        say(format!(
            "Changes from {first}, on the same deals (* where the interval leaves out 0)"
        ))?;
        say(difference_table(&summary))?;
    }
    this.quick.out.as_deref().map_or(Ok(()), name_folder)
}
