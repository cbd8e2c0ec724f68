//! Research programs beside `parlour`: they teach and judge its players, and write the tables
//! that the documentation cites. `cargo run --release -p parlour-lab -- help` lists them.

#![forbid(unsafe_code)]
#![expect(clippy::expect_used, clippy::panic, reason = "research that cannot go on stops")]

mod eleusis_by_heart;
mod eleusis_difficulty;
mod eleusis_folds;
mod eleusis_likeliest;
mod eleusis_prior;
mod eleusis_words;
mod headroom;
mod judge;
mod leapfrog_values;
mod lessons;
mod moves;
mod network;
mod playouts;
mod table;
mod teach;
mod weights;

use clap::Parser;

/// Teaches and judges the players of parlour.
#[derive(Parser)]
#[command(name = "lab")]
enum Lab {
    /// Write the weights of `steady` that were set by hand
    Plain,
    /// Measure one Leopard strategy against another
    Score(weights::Score),
    /// Teach the network of Leopard's `learnt` player
    Teach(teach::Teach),
    /// Teach the judge of Leopard's luck
    TeachJudge(judge::TeachJudge),
    /// Judge the candidates of positions by playouts of `steady`
    Judge(moves::Judge),
    /// Say what the moves of strategies gain in judged positions
    Rate(moves::Rate),
    /// Measure how much better playouts could make `steady`
    Headroom(headroom::Headroom),
    /// Play hands for counting instructions
    Playouts(playouts::Playouts),
    /// Write the table of exact values of small Leap Frog boards
    LeapfrogValues,
    /// Write how hard each Eleusis rule is and what it earns the dealer
    EleusisDifficulty,
    /// Learn the prior of Eleusis' rules and write it
    EleusisPrior(eleusis_prior::Learning),
    /// Print what the prior of Eleusis' rules says: kinds, groups, the likeliest rules
    EleusisLikeliest(eleusis_likeliest::Likeliest),
    /// Measure the learner of Eleusis on rules that its prior was not learnt from
    EleusisFolds(eleusis_folds::Folds),
    /// Measure a player that knows the bank of Eleusis' rules by heart
    EleusisByHeart(eleusis_by_heart::ByHeart),
    /// Write how far the two hundred rules in words, or a list of one's own, can be said, known and found
    EleusisWords(eleusis_words::Words),
}

fn main() -> anyhow::Result<()> {
    match run() {
        // Whoever reads the table has seen enough of it, as `head` has.
        Err(error) if is_cut(&error) => Ok(()),
        done => done,
    }
}

/// Whether nobody reads any more.
fn is_cut(error: &anyhow::Error) -> bool {
    let is_pipe = |error: &std::io::Error| error.kind() == std::io::ErrorKind::BrokenPipe;
    error.downcast_ref().is_some_and(is_pipe)
}

fn run() -> anyhow::Result<()> {
    match Lab::parse() {
        Lab::Plain => weights::write_plain(),
        Lab::Score(score) => score.run(),
        Lab::Teach(teach) => teach.run(),
        Lab::TeachJudge(teach) => teach.run(),
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
