//! `parlour compare`.

use super::screen::wide;
use super::{Args, Experiment, Quick, Result, Strategic, say, say_tables, with_game};
use crate::results::{difference_table, wrapped};

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
    given.quick.play(&plan, None, |summary| {
        say_tables(summary)?;
        let first = &summary.variants[0].variant;
        let note = "higher or lower: significant at 5 % after Holm's correction, the question's changes and the others (exploratory) each for their own number";
        say(wrapped(&format!("Changes from {first}, on the same deals ({note})"), wide()))?;
        say(difference_table(summary, wide()))
    })
}
