//! Optional extensions of the contract for what only some games need.

use serde::Serialize;

use crate::chance::Stream;
use crate::error::Result;
use crate::{Game, Seat};

/// The text that stands for a secret which a person keeps: the person announces its consequences.
pub const MANUAL: &str = "by hand";

/// A game whose dealer, at seat 0, chooses a secret before the deal, such as the rule in Eleusis.
pub trait SecretSetup<G: Game> {
    /// Deals with the setup that the dealer's bot [chose](crate::Bot::choose_setup). The cards must
    /// be those of [`deal`](Game::deal) from the same random stream.
    fn deal_with_setup(&self, setup: Option<u32>, rng: &mut Stream) -> G::State;

    /// The game as bots get it, without the secret that its rules name. `None` if they name none.
    fn redacted(&self) -> Option<G>;

    /// Returns `true` if a person at seat 0 has to choose a secret.
    fn asks_dealer(&self) -> bool;

    /// The game with the secret of that person.
    ///
    /// # Errors
    /// If the text is wrong; the message says what would be valid.
    fn with_secret(&self, text: &str) -> Result<G>;

    /// Returns `true` if that person keeps the secret to the end and announces its consequences for
    /// each move.
    fn is_manual(&self) -> bool;

    /// The game of such a hand after the secret is revealed, and the indices of the moves that are
    /// moves of this game too. `start` is the random stream before the deal.
    ///
    /// # Errors
    /// If the hand contradicts the secret.
    fn reveal(
        &self,
        text: &str,
        start: Stream,
        moves: &[(Seat, G::Move)],
    ) -> Result<(G, Vec<usize>)>;

    /// Explains a secret: at the start, or after the events of a view.
    ///
    /// # Errors
    /// If the text is wrong; the message says what would be valid.
    fn preview(&self, text: &str, view: Option<&G::View>) -> Result<SecretPreview>;
}

/// The explanation of a secret that a person may choose.
#[derive(Clone, Debug, Serialize)]
pub struct SecretPreview {
    /// The canonical text.
    pub text: String,
    /// A description in words, if there is one.
    pub words: Option<String>,
    /// The cards that are right at this point.
    pub right: Vec<String>,
}

/// Knowledge of a game that helps searches.
pub trait SearchAid<G: Game> {
    /// Removes each legal move that is equivalent to one that stays: both lead to the same results
    /// with the same probabilities, whatever follows. The decision must depend only on what the seat
    /// to move knows. The order stays, and at least one move does.
    fn dedup_moves(&self, _state: &G::State, _moves: &mut Vec<G::Move>) {}

    /// Returns `true` if a view has exactly one consistent state and every move leads to one state.
    fn is_deterministic(&self, _view: &G::View) -> bool {
        false
    }

    /// The view of the seat that made the move `past[at]`, at the time of its choice, if `world` is
    /// the true state after all of `past`. What is unknown even then (for example, which card was
    /// drawn in between) is sampled. Returns `None` if the game does not support it.
    fn view_at(
        &self,
        _world: &G::State,
        _past: &[(Seat, G::Move)],
        _at: usize,
        _rng: &mut Stream,
    ) -> Option<G::View> {
        None
    }
}
