//! `parlour compare`.

use super::{Args, Experiment, Quick, Result, Strategic, with_game};
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
    with_game!(given.game.as_str(), G => compare::<G>(given))?
}

fn compare<G: Strategic>(given: &Compare) -> Result<()> {
    let experiment = Experiment::of_variants(G::NAME, &given.variants, &given.strategies);
    let plan = given.quick.plan::<G>("compare", experiment)?;
    given.quick.play(&plan, None, |summary| run_sheet(summary).then(difference_sheet(summary)))
}
