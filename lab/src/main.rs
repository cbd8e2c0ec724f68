//! Research programs for `parlour`: they train and measure its players, and write the tables of the
//! documentation. `cargo run --release -p parlour-lab -- help` lists them.

#![forbid(unsafe_code)]
#![expect(clippy::expect_used, clippy::panic, reason = "research that cannot go on stops")]

mod eleusis_by_heart;
mod eleusis_difficulty;
mod eleusis_folds;
mod eleusis_likeliest;
mod eleusis_prior;
mod eleusis_words;
mod headroom;
mod leapfrog_values;
mod moves;
mod playouts;
mod table;
mod weights;

use clap::Parser;

/// Trains and measures the players of parlour.
#[derive(Parser)]
#[command(name = "lab")]
enum Lab {
    /// Write the hand-set weights of `steady`
    Plain,
    /// Measure one Leopard strategy against another
    Score(weights::Score),
    /// Value the candidates of positions by playouts of `steady`
    Judge(moves::Judge),
    /// Measure the gain of strategies' moves in valued positions
    Rate(moves::Rate),
    /// Measure how much playouts could improve `steady`
    Headroom(headroom::Headroom),
    /// Play hands for counting instructions
    Playouts(playouts::Playouts),
    /// Write the exact values of small Leap Frog boards
    LeapfrogValues,
    /// Write the difficulty and the earnings of each Eleusis rule
    EleusisDifficulty,
    /// Train the prior over Eleusis rules and write it
    EleusisPrior(eleusis_prior::Learning),
    /// Print the prior over Eleusis rules: kinds, groups, likeliest rules
    EleusisLikeliest(eleusis_likeliest::Likeliest),
    /// Measure `bayes` on rules that its prior was not trained on
    EleusisFolds(eleusis_folds::Folds),
    /// Measure a player that knows the rule corpus by heart
    EleusisByHeart(eleusis_by_heart::ByHeart),
    /// Write which of the 200 rules in words, or of another list, can be expressed, known and found
    EleusisWords(eleusis_words::Words),
}

fn main() -> anyhow::Result<()> {
    match run() {
        // The reader of the table closed its end, like `head`.
        Err(error) if is_cut(&error) => Ok(()),
        done => done,
    }
}

/// Returns `true` if the reader of standard output is gone.
fn is_cut(error: &anyhow::Error) -> bool {
    let is_pipe = |error: &std::io::Error| error.kind() == std::io::ErrorKind::BrokenPipe;
    error.downcast_ref().is_some_and(is_pipe)
}

fn run() -> anyhow::Result<()> {
    match Lab::parse() {
        Lab::Plain => weights::write_plain(),
        Lab::Score(score) => score.run(),
        Lab::Judge(judge) => judge.run(),
        Lab::Rate(rate) => rate.run(),
        Lab::Headroom(headroom) => headroom.run(),
        Lab::Playouts(playouts) => playouts.run(),
        Lab::LeapfrogValues => leapfrog_values::run(),
        Lab::EleusisDifficulty => eleusis_difficulty::run(),
        Lab::EleusisPrior(learning) => learning.run(),
        Lab::EleusisLikeliest(likeliest) => likeliest.run(),
        Lab::EleusisFolds(folds) => folds.run(),
        Lab::EleusisByHeart(by_heart) => by_heart.run(),
        Lab::EleusisWords(words) => words.run(),
    }
}
