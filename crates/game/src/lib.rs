//! The contract of a game: the [`Game`] trait with its seats and scores, the bots, and the [kit] of
//! conformance tests that every game passes.

#![forbid(unsafe_code)]

mod bot;
mod decisions;
pub mod encoded;
mod entry;
pub mod external;
mod figures;
mod history;
pub mod kit;
mod leads;
mod luck;
pub mod network;
mod playthrough;
mod position;
pub mod record;
mod replay_view;
mod reward;
mod rulebook;
pub mod rules;
pub mod search;
mod seat;
pub mod strategy;
pub mod sweep;
pub mod variant;

use std::fmt::{Debug, Display};
use std::str::FromStr;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use bot::{
    Bot, BotError, BotFailure, BotFault, GuardedBot, Observation, Policy, PolicyBot, Uniform,
};
pub use decisions::{Decision, Decisions, for_each_decision};
pub use encoded::{ActionGroup, Encoded, Plane};
pub use figures::{
    Counters, Figure, FigureInfo, FigureKind, FigurePart, FigureSpec, FinishedHand, ForcedByRules,
    Measured, Reading, StandardBins, add_counts,
};
pub use history::MoveHistory;
pub use leads::{LEAD_STEPS, LeadHistory, LeadSummary};
pub use luck::{LUCK_UNIT, luck};
pub use parlour_base::error::Fault;
pub use playthrough::Playthrough;
pub use position::{PastMove, Position, PositionFile, read_position};
pub use record::{Choice, Choices, Label, Recorded, Replay};
pub use replay_view::{ReplayFn, ReplayFrame, ReplayView};
pub use reward::Reward;
pub use rulebook::{RuleField, Rulebook};
pub use rules::{Preset, Ruled};
pub use seat::{MAX_SEATS, Scores, Seat, Turn};
pub use sweep::Sweep;

use parlour_base::chance::Stream;
use parlour_base::error::Error;

/// The rules of one variant of a game.
///
/// A state is the complete state of one hand (one round of play). A turn may have several moves,
/// each chosen by the seat to move. Everything the deck does before the next choice belongs to
/// [`apply`](Game::apply): a draw, or a seat that is skipped.
///
/// A complete game: the seats count to ten in turn, by one or two, and the seat that says ten wins.
///
/// ```
/// use parlour_base::chance::{Seed, Stream};
/// use parlour_game::{Game, Scores, Seat, Turn, kit};
///
/// #[derive(Clone)]
/// struct CountToTen;
///
/// impl Game for CountToTen {
///     type State = u8;
///     type View = u8; // Nothing is hidden.
///     type Move = u8;
///
///     fn seats(&self) -> usize { 2 }
///     fn deal(&self, _: &mut Stream) -> u8 { 0 }
///     fn turn(&self, said: &u8) -> Turn {
///         // The first seat moves after an even number of moves: here the parity is in the high bit.
///         if said & 127 == 10 { Turn::Over } else { Turn::Seat(Seat(said >> 7)) }
///     }
///     fn legal_moves(&self, said: &u8, out: &mut Vec<u8>) {
///         out.clear();
///         out.extend((1..=2).filter(|step| (said & 127) + step <= 10));
///     }
///     fn apply(&self, said: &mut u8, step: u8, _: &mut Stream) { *said = (*said + step) ^ 128; }
///     fn scores(&self, said: &u8) -> Scores {
///         let first = i32::from(said >> 7); // The seat that did not say the last number is next.
///         Scores::two(first, 1 - first)
///     }
///     fn view(&self, said: &u8, _: Seat) -> u8 { *said }
///     fn determinize(&self, said: &u8, _: &mut Stream) -> u8 { *said }
///     fn legal_moves_in_view(&self, said: &u8, out: &mut Vec<u8>) { self.legal_moves(said, out) }
///     fn max_moves(&self) -> usize { 10 }
///     fn score_range(&self) -> (i32, i32) { (0, 1) }
/// }
///
/// let game = CountToTen;
/// let (mut said, mut chance) = (0, Seed::new(1).stream());
/// assert!(game.playout(&mut said, &mut chance) >= 5);
/// assert!(game.scores(&said).winner().is_some());
/// ```
pub trait Game: Clone + Send + Sync {
    /// The complete state of a hand.
    type State: Clone + Send + PartialEq + Debug;
    /// The information of one seat: a separate type without anything hidden. Views are written as
    /// JSON and read back, for people and for bots in other languages.
    type View: Clone + Send + PartialEq + Debug + Serialize + DeserializeOwned;
    /// One choice of one seat, at most 8 bytes. Its `Display` form can be parsed back.
    type Move: Copy + Eq + Ord + Send + Sync + Debug + Display + FromStr<Err: Display>;

    /// `true` if every seat sees every move as it is made. A game with secret moves (passed cards, a
    /// hidden setup) sets `false` and implements [`visible_move`](Game::visible_move).
    const PUBLIC_MOVES: bool = true;

    /// `true` if a deal from an [exchanged](Stream::exchanged) stream gives each of two seats the
    /// cards that the other gets from the plain stream.
    const EXCHANGES_CARDS: bool = false;

    /// The number of seats.
    fn seats(&self) -> usize;

    /// Shuffles, deals, and does everything before the first choice.
    fn deal(&self, chance: &mut Stream) -> Self::State;

    /// The seat to move, or the end of the hand.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Replaces `out` by the legal moves: ascending, unique, and non-empty unless the hand is over.
    fn legal_moves(&self, state: &Self::State, out: &mut Vec<Self::Move>);

    /// Makes a legal move. An illegal move has an unspecified effect but must not panic in a
    /// release build; [`try_apply`](Game::try_apply) refuses it.
    fn apply(&self, state: &mut Self::State, mv: Self::Move, chance: &mut Stream);

    /// The points of each seat if the hand ended here; the result when it is over.
    fn scores(&self, state: &Self::State) -> Scores;

    /// The view of a seat.
    fn view(&self, state: &Self::State, seat: Seat) -> Self::View;

    /// Samples a state that is consistent with a view: `view(determinize(v)) == v` for its seat.
    fn determinize(&self, view: &Self::View, chance: &mut Stream) -> Self::State;

    /// The states that the deal, or a legal move in a state, may lead to, each once, with integer
    /// weights. `None` if they are unknown or take more than [`MAX_OUTCOMES`] steps to list.
    fn chance_outcomes(
        &self,
        _before: Option<(&Self::State, Self::Move)>,
    ) -> Option<Vec<(Self::State, u64)>> {
        None
    }

    /// The move of the seat `by` as the seat `who` sees it: the move itself, one that stands for
    /// all that it might be, or none. The [past](Observation::past) of a bot consists of these.
    ///
    /// It must not reveal more than the views of `who` do: two moves after which `who` has the same
    /// view must look the same (the [kit] checks it). It is not called if moves are
    /// [public](Game::PUBLIC_MOVES).
    fn visible_move(
        &self,
        _before: &Self::State,
        mv: Self::Move,
        _by: Seat,
        _who: Seat,
    ) -> Option<Self::Move> {
        Some(mv)
    }

    /// The extension for games whose dealer chooses a secret.
    fn secret_setup(&self) -> Option<&dyn SecretSetup<Self>> {
        None
    }

    /// The extension for searches.
    fn search_aid(&self) -> Option<&dyn SearchAid<Self>> {
        None
    }

    /// The notation of a move for people and records; [`parse_move`](Game::parse_move) reads it.
    /// Only games whose moves are table indices need their own.
    fn notation(&self, mv: Self::Move) -> String {
        mv.to_string()
    }

    /// Parses a move in [notation](Game::notation). It need not be legal anywhere.
    ///
    /// # Errors
    /// If the text is not a move; the message shows valid ones.
    fn parse_move(&self, text: &str) -> parlour_base::error::Result<Self::Move> {
        text.parse().map_err(|error: <Self::Move as FromStr>::Err| Error::input(error.to_string()))
    }

    /// Checks that a view from outside has valid ranges and sums, so that it can be
    /// [determinized](Game::determinize). The reader of the view checks the rest.
    ///
    /// # Errors
    /// All faults of the view.
    fn check_view(&self, _view: &Self::View) -> parlour_base::error::Result<()> {
        Ok(())
    }

    /// Replaces `out` by the legal moves of the seat to move, from its own view; same list as
    /// [`legal_moves`](Game::legal_moves). Empty if the view is of another seat.
    fn legal_moves_in_view(&self, view: &Self::View, out: &mut Vec<Self::Move>);

    /// Samples a legal move uniformly. The hand must not be over. A game that can sample without a
    /// list overrides this.
    fn sample(&self, state: &Self::State, chance: &mut Stream) -> Self::Move {
        by_lot(|moves| self.legal_moves(state, moves), chance)
    }

    /// Samples a legal move uniformly from the view of the seat to move. It uses the random stream
    /// exactly as [`sample`](Game::sample) does.
    fn sample_view(&self, view: &Self::View, chance: &mut Stream) -> Self::Move {
        by_lot(|moves| self.legal_moves_in_view(view, moves), chance)
    }

    /// Upper bound of the number of moves in a hand.
    fn max_moves(&self) -> usize;

    /// The lowest and the highest possible score at the end of a hand.
    fn score_range(&self) -> (i32, i32);

    /// Number of hands in a match; the seats rotate by one after each hand.
    fn hands_per_match(&self) -> u32 {
        1
    }

    /// Makes a move if it is legal; otherwise changes nothing.
    ///
    /// # Errors
    /// [`Illegal`] if the move is not legal.
    fn try_apply(
        &self,
        state: &mut Self::State,
        mv: Self::Move,
        chance: &mut Stream,
    ) -> Result<(), Illegal> {
        if !self.is_legal(state, mv) {
            return Err(Illegal);
        }
        self.apply(state, mv, chance);
        Ok(())
    }

    /// Returns `true` if the move is legal: one of the [`legal_moves`](Game::legal_moves), or one
    /// of those that the game accepts but does not list because they are too many.
    fn is_legal(&self, state: &Self::State, mv: Self::Move) -> bool {
        let mut legal = Vec::new();
        self.legal_moves(state, &mut legal);
        self.is_legal_among(&legal, mv)
    }

    /// Returns `true` if a move is legal where these moves are listed.
    fn is_legal_among(&self, listed: &[Self::Move], mv: Self::Move) -> bool {
        listed.binary_search(&mv).is_ok()
    }

    /// The lead of a seat over the best other seat in points, as the hand stands. Searches use it
    /// to evaluate positions at their depth limit.
    fn evaluate(&self, state: &Self::State, seat: Seat) -> f32 {
        self.scores(state).margin(seat) as f32
    }

    /// Plays uniformly random moves to the end and returns their number.
    #[inline]
    fn playout(&self, state: &mut Self::State, chance: &mut Stream) -> u32 {
        let mut moves = 0;
        while self.turn(state) != Turn::Over {
            let mv = self.sample(state, chance);
            self.apply(state, mv, chance);
            moves += 1;
        }
        moves
    }
}

/// Upper bound of the listed [outcomes](Game::chance_outcomes) of chance.
pub const MAX_OUTCOMES: usize = 10_000;

/// Samples one of the listed moves.
fn by_lot<M: Copy>(list: impl FnOnce(&mut Vec<M>), chance: &mut Stream) -> M {
    let mut moves = Vec::new();
    list(&mut moves);
    moves[chance.below(moves.len() as u32) as usize]
}

/// The move is not legal in this state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the move is not legal here")]
pub struct Illegal;

/// The text that stands for a secret which a person keeps: the person announces its consequences.
pub const MANUAL: &str = "by hand";

/// A game whose dealer, at seat 0, chooses a secret before the deal, such as the rule in Eleusis.
pub trait SecretSetup<G: Game> {
    /// Deals with the setup that the dealer's bot [chose](Bot::choose_setup). The cards must
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
    fn with_secret(&self, text: &str) -> parlour_base::error::Result<G>;

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
    ) -> parlour_base::error::Result<(G, Vec<usize>)>;

    /// Explains a secret: at the start, or after the events of a view.
    ///
    /// # Errors
    /// If the text is wrong; the message says what would be valid.
    fn preview(
        &self,
        text: &str,
        view: Option<&G::View>,
    ) -> parlour_base::error::Result<SecretPreview>;
}

/// The explanation of a secret that a person may choose.
#[derive(Clone, Default, Debug, Serialize)]
pub struct SecretPreview {
    /// The canonical text.
    pub text: String,
    /// A description in words, if there is one.
    pub words: Option<String>,
    /// The cards that are right at this point.
    pub right: Vec<String>,
    /// Cards that could follow in this order.
    pub sample: Vec<String>,
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
