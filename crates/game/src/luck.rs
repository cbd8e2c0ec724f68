//! Luck of a hand: the value of what chance gave, as estimated afterwards from the complete state.

use super::{Game, Seat};
use parlour_base::chance::Stream;

/// The fixed-point unit of luck and win shares: this number is one win.
pub const LUCK_UNIT: i64 = 1 << 16;

/// Estimates the value of every card that chance gave in a hand. That is the estimate of the result
/// after the card, minus the mean of this estimate over all cards that were possible.
///
/// Whatever the estimate, the luck of a hand has mean 0. So it can be subtracted from results
/// without moving their means (AIVAT: White and Bowling 2009; Burch et al. 2018); a bad estimate
/// only removes less variance. The evaluator sees the random stream and all moves of a hand, which
/// no bot ever does.
pub trait LuckEvaluator<G: Game>: Send + Sync {
    /// Checks that hands under these rules can be evaluated.
    ///
    /// # Errors
    /// The reason, as a sentence that follows the file's name.
    fn check_game(&self, _game: &G) -> Result<(), String> {
        Ok(())
    }

    /// The luck of the first seat in a hand, in units of [`LUCK_UNIT`]. `start` is the random
    /// stream before the deal, `moves` are all moves, and `players` the names of the players by
    /// seat. The evaluator may model some players by name; the others are treated alike.
    fn luck(&self, game: &G, start: &Stream, moves: &[(Seat, G::Move)], players: &[&str]) -> i64;

    /// The estimated share of the win of a seat in an unfinished hand, in units of [`LUCK_UNIT`].
    fn win_share(&self, game: &G, state: &G::State, seat: Seat) -> i64;
}
