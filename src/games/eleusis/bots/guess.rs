//! Whether to state the rule in Express, and which.

use crate::games::eleusis::infer::{Learner, Stated};
use crate::games::eleusis::{Eleusis, Move, Public};
use crate::game::Ruled;

/// States the rule believed most if that can be expected to pay: a right guess brings points, a
/// wrong one costs cards.
pub(super) fn guess(game: &Eleusis, public: &Public, learner: &Learner) -> Move {
    let rules = game.rules();
    let Some(stated) = learner.stated() else { return Move::Pass };
    let Stated { belief, .. } = stated;
    let (bonus, cost) = (f64::from(rules.guess_bonus), f64::from(rules.wrong_guess_penalty));
    if belief * bonus <= (1.0 - belief) * cost || game.was_stated(public, &stated.rule) {
        return Move::Pass;
    }
    stated.alike.first().and_then(|&combo| game.guess_of(combo)).unwrap_or(Move::Pass)
}
