//! Statistics: pure functions of integer tallies. This floor knows no game and no arena.
//!
//! * The unit of every error bar is the **deal**. What is observed once is not a hand but the
//!   sum over all seatings of one deal; a group of the jackknife is a chunk of deals.
//! * Every estimate carries its 95 % interval, or says by `None` that there is none (one deal,
//!   one group). Nothing returns NaN: degenerate tallies have a defined answer, stated where the
//!   function is documented.
//! * Tallies are integers and merge in any order; floats are made once, at the end, in a fixed
//!   order, so that the same tallies give the same bits.

#![forbid(unsafe_code)]

mod alpharank;
mod bins;
mod bootstrap;
mod control;
mod estimate;
mod jackknife;
mod luck;
pub mod maths;
mod matrix;
mod moments;
mod multiple;
mod nash;
mod plan;
mod proportion;
mod quantile;
mod rating;
mod sprt;
mod stopped;
#[cfg(test)]
mod tests;

pub use alpharank::{Duel, POPULATION, alpha_rank, rings};
pub use bins::Bins;
pub use bootstrap::{Bootstrap, bootstrap_all};
pub use control::{Controlled, Controls};
pub use estimate::Estimate;
pub use estimate::number;
pub use jackknife::{jackknife_all, jackknife_p, jackknife_variance, told_by};
pub use luck::{Seatings, Shares, Spread, luck_at_gap, shares, skill_spread};
pub use moments::Moments;
pub use multiple::{holm, survives};
pub use nash::{NashAverage, nash_average};
use parlour_base::chance;
pub use plan::{deals_for_difference, spread_of};
pub use proportion::{proportion, proportion_change};
pub use rating::{ELO, Meeting, PRIOR, Ratings, rate, rate_with_prior};
pub use sprt::{EloScale, Sprt, Verdict};
pub use stopped::score_after;
