//! `parlour compare`.

use super::{Args, Experiment, Quick, Result};
use crate::games::game;
use crate::results::{difference_sheet, run_sheet};

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

pub(super) fn run(given: &Compare) -> Result<()> {
    let game = game(&given.game)?;
    let experiment = Experiment::of_variants(game.name(), &given.variants, &given.strategies);
    let plan = given.quick.plan(game, "compare", experiment, None)?;
    given.quick.play(&*plan, None, |summary| run_sheet(summary).then(difference_sheet(summary)))
}
