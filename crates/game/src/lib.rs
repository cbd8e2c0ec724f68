//! What a game is: the [`Game`] trait, the seats and scores it speaks of, the bots that play it,
//! and the [kit] of tests that every game passes.

#![forbid(unsafe_code)]

mod bot;
mod decisions;
pub mod encoded;
pub mod external;
mod figures;
mod judge;
pub mod kit;
mod leads;
mod playthrough;
mod position;
pub mod record;
mod retold;
pub mod rules;
pub mod search;
mod seat;
pub mod strategy;
pub mod sweep;
pub mod variant;

use parlour_base::{cards, chance, error, files, maths};
use parlour_stats as stats;
use std::fmt::{Debug, Display};
use std::str::FromStr;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use crate::error::Fault;
pub use bot::{
    Bot, BotError, BotFailure, BotFault, GuardedBot, Observation, Policy, PolicyBot, Uniform,
};
pub use decisions::{Decision, Decisions, for_each_decision};
pub use encoded::{ActionGroup, Encoded, Plane};
pub use figures::{
    Counters, Figure, FigureInfo, FigureKind, FigurePart, FigureSpec, FinishedHand, ForcedByRules,
    Measured, Reading, StandardBins, add_counts,
};
pub use judge::{LUCK_UNIT, LuckEvaluator};
pub use leads::{LEAD_STEPS, LeadHistory, LeadSummary};
pub use playthrough::{MoveHistory, Playthrough};
pub use position::{PastMove, Position, PositionFile, read_position};
pub use record::{Choice, Choices, Label, Recorded, Replay};
pub use retold::{ReplayFn, ReplayFrame, ReplayView};
pub use rules::{Preset, Ruled};
pub use seat::{MAX_SEATS, Scores, Seat, Turn};
pub use sweep::Sweep;

use crate::chance::Stream;
use crate::error::Error;

/// The rules of one variant of a game, and everything that can be done under them.
///
/// One state is the whole truth of one hand (one round of play). A turn may be several moves; the
/// seat to move chooses each of them. Whatever the deck must do before the next choice (a draw, a
/// seat that is passed over) is part of [`apply`](Game::apply).
///
/// A whole game: the seats count up to ten in turn, by one or two; who says ten wins.
///
/// ```
/// use parlour_base::chance::{Seed, Stream};
/// use parlour_game::{Game, Scores, Seat, Turn, kit};
///
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
pub trait Game: Send + Sync {
    /// The whole truth of one hand.
    type State: Clone + Send + PartialEq + Debug;
    /// What one seat may know: another type, with nothing hidden in it. It is written as JSON and
    /// read back, for people and for bots of other languages.
    type View: Clone + Send + PartialEq + Debug + Serialize + DeserializeOwned;
    /// One choice of one seat, at most eight bytes. What it displays as reads back.
    type Move: Copy + Eq + Ord + Send + Sync + Debug + Display + FromStr<Err: Display>;

    /// Whether every seat is told of every move as it is made. A game with secret moves (cards
    /// passed on, a hidden set-up) says `false` and what each seat is told with
    /// [`seen`](Game::visible_move).
    const PUBLIC_MOVES: bool = true;

    /// How many seats the table has.
    fn seats(&self) -> usize;

    /// Shuffles, deals, and does all that comes before the first choice.
    fn deal(&self, chance: &mut Stream) -> Self::State;

    /// The same where the seat that deals had a say: `wish` is what its bot answered to
    /// [`Bot::choose_setup`]. The cards must be those of [`deal`](Game::deal) from the same stream.
    fn deal_with_setup(&self, _wish: Option<u32>, chance: &mut Stream) -> Self::State {
        self.deal(chance)
    }

    /// Whose choice it is, or that the hand is over.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Replaces `out` with the legal moves: ascending, each once, at least one unless the hand is
    /// over, none then.
    fn legal_moves(&self, state: &Self::State, out: &mut Vec<Self::Move>);

    /// Makes a legal move. What an illegal one does is not said, but it does not panic in a
    /// release build; [`try_apply`](Game::try_apply) refuses it.
    fn apply(&self, state: &mut Self::State, mv: Self::Move, chance: &mut Stream);

    /// The points of each seat, were the hand to end here; the result when it is over.
    fn scores(&self, state: &Self::State) -> Scores;

    /// What a seat knows.
    fn view(&self, state: &Self::State, seat: Seat) -> Self::View;

    /// A world drawn from those that the view allows: `view(determinize(v)) == v` for that seat.
    fn determinize(&self, view: &Self::View, chance: &mut Stream) -> Self::State;

    /// What the seat `who` is told of the move that the seat `by` is about to make: the move, one
    /// that stands for all that it might be, or nothing. A bot's [past](Observation::past) is made of it.
    /// It must say no more than the views of `who` do: two moves after which `who` has the same
    /// view are told alike (the [kit] looks). Nobody asks a game whose moves are
    /// [open](Game::PUBLIC_MOVES).
    fn visible_move(
        &self,
        _before: &Self::State,
        mv: Self::Move,
        _by: Seat,
        _who: Seat,
    ) -> Option<Self::Move> {
        Some(mv)
    }

    /// The game as bots are handed it: without what its rules keep secret from the seats. Nothing
    /// where there is no such thing.
    fn redacted(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// A move as people write it and records hold it; [`parse_move`](Game::parse_move) reads it.
    /// Only a game whose moves are numbers in a table need say more than the move itself does.
    fn notation(&self, mv: Self::Move) -> String {
        mv.to_string()
    }

    /// Reads a move in [notation](Game::notation). It need not be legal anywhere.
    ///
    /// # Errors
    /// What would be right.
    fn parse_move(&self, text: &str) -> crate::error::Result<Self::Move> {
        text.parse().map_err(|error: <Self::Move as FromStr>::Err| Error::input(error.to_string()))
    }

    /// Whether a view that comes from outside keeps within the game's ranges and sums, so that it
    /// can be [imagined](Game::determinize) from. What follows of it is checked by whoever reads it.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    fn check_view(&self, _view: &Self::View) -> crate::error::Result<()> {
        Ok(())
    }

    /// The legal moves of the seat to move, from its own view, as [`legal_moves`](Game::legal_moves) lists
    /// them; none when the view is not of the seat to move.
    fn legal_moves_in_view(&self, view: &Self::View, out: &mut Vec<Self::Move>);

    /// A move drawn uniformly from the legal ones; the hand must not be over. A game that can draw
    /// without listing them says how.
    fn sample(&self, state: &Self::State, chance: &mut Stream) -> Self::Move {
        by_lot(|moves| self.legal_moves(state, moves), chance)
    }

    /// A move drawn uniformly from [`options`](Game::legal_moves_in_view), from the stream in the same way as
    /// [`sample`](Game::sample); the view must be of the seat to move.
    fn sample_view(&self, view: &Self::View, chance: &mut Stream) -> Self::Move {
        by_lot(|moves| self.legal_moves_in_view(view, moves), chance)
    }

    /// No hand has more moves than this.
    fn max_moves(&self) -> usize;

    /// Every score at the end of a hand lies between these, both included.
    fn score_range(&self) -> (i32, i32);

    /// How many hands make a match, the seats moving on by one after each.
    fn hands_per_match(&self) -> u32 {
        1
    }

    /// Makes a move if it is legal; otherwise changes nothing.
    ///
    /// # Errors
    /// [`Illegal`] when the move is not among the legal ones.
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

    /// Whether the move may be made: it is among [`legal_moves`](Game::legal_moves), or one of those that a
    /// game takes though they are too many to list.
    fn is_legal(&self, state: &Self::State, mv: Self::Move) -> bool {
        let mut legal = Vec::new();
        self.legal_moves(state, &mut legal);
        legal.binary_search(&mv).is_ok()
    }

    /// How far a seat is ahead of the best other, in points, were the hand to be judged as it
    /// stands: what a search that looks no further goes by.
    fn evaluate(&self, state: &Self::State, seat: Seat) -> f32 {
        let scores = self.scores(state).0;
        let others = scores.iter().enumerate().filter(|(other, _)| *other != seat.index());
        let best = others.map(|(_, points)| *points).max().unwrap_or(0);
        (scores.get(seat.index()).copied().unwrap_or(0) - best) as f32
    }

    /// Takes out of the legal `moves` each that cannot differ from one that stays: whatever is
    /// done afterwards, both lead to the same results with the same chances. Nothing but what the
    /// seat to move knows may decide it. The order stays, and at least one move does.
    fn dedup_moves(&self, _state: &Self::State, _moves: &mut Vec<Self::Move>) {}

    /// Whether a view tells the whole truth and no chance is left: one world alone is imagined from
    /// it, and every move from there on leads to one state.
    fn is_deterministic(&self, _view: &Self::View) -> bool {
        false
    }

    /// What the seat that made the move `past[at]` saw when it chose, were `world` the truth now,
    /// after all of `past`. Where that is not certain even then (which card was drawn in between)
    /// it is drawn by chance. `None` when the game does not say.
    fn view_at(
        &self,
        _world: &Self::State,
        _past: &[(Seat, Self::Move)],
        _at: usize,
        _chance: &mut Stream,
    ) -> Option<Self::View> {
        None
    }

    /// Plays uniformly random moves to the end; returns how many.
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

/// One of the listed moves.
fn by_lot<M: Copy>(list: impl FnOnce(&mut Vec<M>), chance: &mut Stream) -> M {
    let mut moves = Vec::new();
    list(&mut moves);
    moves[chance.below(moves.len() as u32) as usize]
}

/// The move is not legal here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the move is not legal here")]
pub struct Illegal;
