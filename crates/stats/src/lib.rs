//! Statistics: pure functions of integer tallies, without knowledge of games or runs. Two searches
//! choose what a tuning plays next: [`Halving`] among candidates, [`Spsa`] among real numbers.
//!
//! * The unit of every interval is the **deal**. One observation is the sum over all seatings of
//!   one deal, not one hand. A group of the jackknife is a chunk of deals.
//! * Every estimate has a 95 % interval, or `None` if there is none (one deal, one group). Nothing
//!   returns NaN: each function documents its answer to degenerate tallies.
//! * Tallies are integers and merge in any order. Floats are computed once, at the end, in a fixed
//!   order: equal tallies give equal bits.

#![forbid(unsafe_code)]

mod after_stopping;
mod alpharank;
mod bins;
mod bootstrap;
mod control_variate;
mod estimate;
mod halving;
mod holm;
mod jackknife;
mod matrix;
mod moments;
mod nash;
mod proportion;
mod quantile;
mod rating;
mod sample_size;
mod sprt;
mod spsa;
mod surface;
#[cfg(test)]
mod tests;
mod variance_components;

pub use after_stopping::score_after;
pub use alpharank::{Comparison, POPULATION, alpha_rank, non_transitive_cycles};
pub use bins::Bins;
pub use bootstrap::bootstrap_all;
pub use control_variate::ControlSums;
pub use estimate::{Estimate, number};
pub use halving::Halving;
pub use holm::{holm, is_significant};
pub use jackknife::{jackknife_all, jackknife_p, jackknife_variance, with_fewer_deals};
pub use moments::Moments;
pub use nash::nash_average;
pub use proportion::{proportion, proportion_change};
pub use rating::{ELO, PRIOR, PairResults, Ratings, rate, rate_with_prior};
pub use sample_size::{deals_for_difference, deviation_of};
pub use sprt::{EloScale, Sprt, Verdict};
pub use spsa::{Gains, Spsa};
pub use surface::{Reading, Surface, normal};
pub use variance_components::{RotationSums, luck_at_gap, rating_spread, shares};
