//! The bins over which hands of Eleusis spread.
//!
//! What a hand can come to is far more than what hands do come to; the ends here were read off
//! hands of `bayes`, `cautious` and `random`. What lies beyond counts in the bins at the ends.

use super::Eleusis;
use crate::game::{Bins, Game, Ruled, Spread};

/// The most bins of one histogram.
const MOST: i32 = 60;

/// Bins within which nearly all hands lie: least and most points, most turns, most cards until the
/// rule is known.
///
/// Where a string may be of any length, a prophet and a table that knows the rule play whole hands
/// at once, each card of which pays. In Express no card pays, wrong ones cost points, and a table
/// that does not find the rule plays on to the end of the stock.
pub(super) fn spread(game: &Eleusis) -> Spread {
    let rules = game.rules();
    let (points, turns, known) = match rules {
        _ if rules.express => (-36..=21, 219, 219),
        _ if rules.longest_string() > 4 => (0..=259, 119, 179),
        _ => (0..=129, 119, 119),
    };
    let (least, most) = game.score_range();
    let (low, high) = (least.max(*points.start()), most.min(*points.end()));
    let score = Bins::over(low, high, MOST);
    Spread {
        score,
        margin: margin(high - low, score.width),
        turns: Bins::over(0, turns.min(game.max_moves() as i32), MOST),
        lead: None,
        known: Some(Bins::over(0, known, MOST)),
        board: None,
    }
}

/// The dealer has never more points than the best player: below the bin with 0 in its middle lie
/// all the others but one, which stays empty and shows that nothing lies beyond.
fn margin(reach: i32, width: i32) -> Bins {
    let width = width | 1;
    let below = (reach - width / 2 + width - 1) / width;
    Bins { low: -below * width - width / 2, width, count: below as usize + 2 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_margin_is_the_middle_of_the_last_bin_but_one() {
        for (reach, width) in [(259, 5), (129, 3), (57, 1), (30, 2), (0, 1)] {
            let bins = margin(reach, width);
            assert_eq!(bins.of(0), bins.count - 2, "{bins:?}");
            assert_eq!(bins.middle(bins.of(0)), 0.0, "{bins:?}");
            assert!(bins.low <= -reach, "{bins:?}");
        }
    }
}
