//! Who chooses the moves.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::{Game, Scores, Seat};
use crate::chance::Stream;

/// All that a bot is shown when it must choose. There is no way from here to what is hidden.
pub struct Observation<'a, G: Game + ?Sized> {
    /// What the seat knows now; it is the seat to move.
    pub view: &'a G::View,
    /// The moves of this hand so far, each with its seat, as the seat to move was
    /// [told](Game::visible_move) of them: all of them where moves are open.
    pub past: &'a [(Seat, G::Move)],
}

impl<G: Game + ?Sized> Clone for Observation<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game + ?Sized> Copy for Observation<'_, G> {}

/// What each seat was told of the moves of a hand; empty where moves are open, and what was told
/// are the moves themselves.
#[derive(Debug)]
pub struct MoveHistory<G: Game + ?Sized>(Vec<Vec<(Seat, G::Move)>>);

impl<G: Game + ?Sized> Clone for MoveHistory<G> {
    fn clone(&self) -> Self {
        MoveHistory(self.0.clone())
    }
}

impl<G: Game + ?Sized> MoveHistory<G> {
    /// Before the first move of a hand.
    #[inline]
    pub fn new(game: &G) -> MoveHistory<G> {
        MoveHistory(if G::PUBLIC_MOVES { Vec::new() } else { vec![Vec::new(); game.seats()] })
    }

    /// Tells each seat of a move that is about to be made.
    #[inline]
    pub fn record(&mut self, game: &G, before: &G::State, by: Seat, mv: G::Move) {
        for (who, told) in (0u8..).zip(&mut self.0) {
            told.extend(game.visible_move(before, mv, by, Seat(who)).map(|mv| (by, mv)));
        }
    }

    /// What a seat was told, given all moves.
    #[inline]
    pub fn visible_to<'a>(
        &'a self,
        seat: Seat,
        moves: &'a [(Seat, G::Move)],
    ) -> &'a [(Seat, G::Move)] {
        self.0.get(seat.index()).map_or(moves, Vec::as_slice)
    }
}

/// A strategy sitting at a seat. It may keep memory during a hand, and buffers for good.
///
/// This one plays Leopard: it knocks as soon as that wins, otherwise it plays at random.
///
/// ```
/// use parlour_base::chance::{Seed, Stream};
/// use parlour_game::{Bot, Game, Ruled, Observation, Turn};
/// use parlour_leopard::{Leopard, Move};
///
/// struct Knocker;
///
/// impl Bot<Leopard> for Knocker {
///     fn choose(&mut self, game: &Leopard, observation: Observation<'_, Leopard>, chance: &mut Stream) -> Move {
///         if observation.view.knock_wins(game.rules()) {
///             return Move::KNOCK;
///         }
///         game.sample_view(observation.view, chance)
///     }
/// }
///
/// let game = Leopard::new(&Leopard::preset("revised").unwrap())?;
/// let (mut cards, mut thoughts) = (Seed::new(1).stream(), Seed::new(2).stream());
/// let (mut state, mut past) = (game.deal(&mut cards), Vec::new());
/// while let Turn::Seat(seat) = game.turn(&state) {
///     let view = game.view(&state, seat);
///     let mv = Knocker.choose(&game, Observation { view: &view, past: &past }, &mut thoughts);
///     game.apply(&mut state, mv, &mut cards);
///     past.push((seat, mv));
/// }
/// assert!(past.len() > 10 && past.iter().rev().skip(1).all(|(_, mv)| *mv != Move::KNOCK));
/// assert_eq!(game.scores(&state).0.len(), 2);
/// # Ok::<(), parlour_base::error::Error>(())
/// ```
pub trait Bot<G: Game + ?Sized>: Send {
    /// A new hand begins, at this seat: forget the last one.
    fn start(&mut self, _seat: Seat) {}

    /// What it wants of the deal when it sits at seat 0, where the game leaves a choice (in Eleusis
    /// the dealer's rule, by its place among the candidates).
    fn choose_setup(&mut self, _game: &G, _chance: &mut Stream) -> Option<u32> {
        None
    }

    /// One of the legal moves. The answer depends on the observation, the stream and nothing else.
    fn choose(&mut self, game: &G, observation: Observation<'_, G>, chance: &mut Stream)
    -> G::Move;

    /// The hand is over, with these points.
    fn end(&mut self, _scores: &Scores) {}
}

/// How a bot failed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum BotFault {
    /// It panicked.
    Panicked,
    /// It chose a move that is not legal.
    Illegal,
    /// It did not answer in time.
    Slow,
    /// It ended, or closed its pipes.
    Ended,
    /// It said too much, or before it was asked.
    Flooded,
    /// It said what is no answer.
    Garbled,
    /// It did not start, or did not greet.
    NoStart,
    /// It failed too often before.
    GivenUp,
}

impl BotFault {
    /// All of them, in their order.
    pub const ALL: [BotFault; 8] = {
        use BotFault::*;
        [Panicked, Illegal, Slow, Ended, Flooded, Garbled, NoStart, GivenUp]
    };

    /// One word.
    pub fn name(self) -> &'static str {
        match self {
            BotFault::Panicked => "panicked",
            BotFault::Illegal => "illegal",
            BotFault::Slow => "slow",
            BotFault::Ended => "ended",
            BotFault::Flooded => "flooded",
            BotFault::Garbled => "garbled",
            BotFault::NoStart => "no_start",
            BotFault::GivenUp => "given_up",
        }
    }
}

/// A bot that failed, and so loses its hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BotFailure {
    /// How.
    pub fault: BotFault,
    /// What there is to say of it, a sentence.
    pub said: String,
}

impl BotFailure {
    /// Ends the bot's hand from within it. Whoever plays the hand catches it as it catches a panic,
    /// but nothing is printed.
    pub fn now(self) -> ! {
        resume_unwind(Box::new(self))
    }

    /// What some work of a bot comes to.
    ///
    /// # Errors
    /// How the bot failed.
    pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, BotFailure> {
        catch_unwind(AssertUnwindSafe(work)).map_err(BotFailure::of)
    }

    /// What a caught panic was.
    pub fn of(panic: Box<dyn Any + Send>) -> BotFailure {
        panic.downcast().map_or_else(
            |panic| {
                let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
                let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
                let said = text.unwrap_or_else(|| "it said nothing".to_owned());
                BotFailure { fault: BotFault::Panicked, said }
            },
            |forfeit| *forfeit,
        )
    }
}

/// A hand that its bot breaks off, because the run is being stopped: nobody loses it, it counts for
/// nothing, and is played again when the run goes on.
#[derive(Clone, Copy, Debug)]
pub struct BotCancelled;

impl BotCancelled {
    /// Ends the hand from within a bot, as [`BotFailure::now`] does; nothing is printed.
    pub fn now(self) -> ! {
        resume_unwind(Box::new(self))
    }
}

/// A way to choose that is cheap enough for playouts: a function of the view (and chance), with no
/// memory.
pub trait Policy<G: Game + ?Sized>: Send + Sync {
    /// One of the legal moves of the seat to move, whose view this is.
    fn pick(&self, game: &G, view: &G::View, chance: &mut Stream) -> G::Move;

    /// Replaces `out` by what it thinks each of these legal moves is worth, in the order given;
    /// only differences mean anything. False, and nothing, when it has no such opinion.
    fn score_moves(&self, _: &G, _: &G::View, _moves: &[G::Move], _out: &mut Vec<f32>) -> bool {
        false
    }

    /// Whether it plays uniformly random moves, for which a playout need not look at views.
    fn is_uniform(&self) -> bool {
        false
    }

    /// Whether it [estimates](Policy::win_probability) chances to win.
    fn estimates_wins(&self) -> bool {
        false
    }

    /// The chance, 0 to 1, that the seat whose view this is wins, where another seat is to move;
    /// `None` when it has no such opinion.
    fn win_probability(&self, _: &G, _: &G::View) -> Option<f32> {
        None
    }
}

/// A policy sitting at a seat.
pub struct PolicyBot<P>(pub P);

impl<G: Game + ?Sized, P: Policy<G>> Bot<G> for PolicyBot<P> {
    fn choose(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        chance: &mut Stream,
    ) -> G::Move {
        self.0.pick(game, observation.view, chance)
    }
}

/// Uniform over the legal moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl<G: Game + ?Sized> Policy<G> for Uniform {
    #[inline]
    fn pick(&self, game: &G, view: &G::View, chance: &mut Stream) -> G::Move {
        game.sample_view(view, chance)
    }

    #[inline]
    fn is_uniform(&self) -> bool {
        true
    }
}
