//! What chance was worth in a hand: a judge who sees the whole truth says it afterwards.

use super::{Game, Seat};
use crate::chance::Stream;

/// Luck is counted in whole numbers: so many make a win.
pub const LUCK_UNIT: i64 = 1 << 16;

/// Says what every card that chance gave in a hand was worth: the estimate of the result after it,
/// less the mean of that estimate over all cards that might have come. Whatever the estimate is, the
/// luck of a hand has mean 0, so it can be taken out of results without moving their means (White
/// and Bowling 2009; Burch et al. 2018); a bad estimate only takes out less.
///
/// It reads the chance of a hand and all its moves, which no bot is ever shown.
pub trait LuckEvaluator<G: Game>: Send + Sync {
    /// Whether it may judge hands under these rules.
    ///
    /// # Errors
    /// Why not, in a sentence that follows its file's name.
    fn check_game(&self, _game: &G) -> Result<(), String> {
        Ok(())
    }

    /// The luck of the first seat in a hand, in parts of [`LUCK_UNIT`]: `start` is the chance before its
    /// deal, `moves` are all its moves, `players` the names of those who made them, seat by seat. A
    /// judge may know how some of them play; of the others it thinks as of anybody.
    fn luck(&self, game: &G, start: &Stream, moves: &[(Seat, G::Move)], players: &[&str]) -> i64;

    /// The estimate of the result of a seat in a hand that goes on, in parts of [`LUCK_UNIT`].
    fn win_share(&self, game: &G, state: &G::State, seat: Seat) -> i64;
}
