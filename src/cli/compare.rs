//! `parlour compare`.

use clap::Args;

use super::run_args::QuickRun;
use crate::Experiment;
use crate::error::Result;
use crate::results::{difference_report, run_report};

#[derive(Args, Debug)]
pub(super) struct Compare {
    /// The game: leopard, …
    game: String,
    /// The variants: names, or rules files ending in .json
    #[arg(required = true, num_args = 2..)]
    variants: Vec<String>,
    /// The strategies; all pairs play, and a single strategy plays itself
    #[arg(long, required = true, value_delimiter = ',')]
    strategies: Vec<String>,
    #[command(flatten)]
    quick: QuickRun,
}

pub(super) fn run(args: &Compare) -> Result<()> {
    let experiment = Experiment::of_variants(&args.game, &args.variants, &args.strategies);
    args.quick.run("compare", experiment, None, None, |summary| {
        run_report(summary).then(difference_report(summary))
    })
}
