//! Bots: the players of a hand, and how they fail.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Game, Scores, Seat};
use parlour_base::chance::Stream;
use parlour_base::error::Error;

/// The information a bot chooses from. Nothing hidden can be reached through it.
#[derive(Clone)]
pub struct Observation<'a, G: Game> {
    /// The view of the seat to move.
    pub view: &'a G::View,
    /// The moves so far, each with its seat, as the seat to move [saw](Game::visible_move) them.
    pub past: &'a [(Seat, G::Move)],
}

impl<G: Game> Copy for Observation<'_, G> {}

/// A strategy at a seat. A bot may keep memory during a hand, and buffers for longer.
///
/// This one plays Leopard: it knocks as soon as that wins, otherwise it plays at random.
///
/// ```
/// use parlour_base::chance::{Seed, Stream};
/// use parlour_game::{Bot, BotError, Game, Observation, Playthrough, Ruled, Turn};
/// use parlour_leopard::{Leopard, Move};
///
/// struct Knocker;
///
/// impl Bot<Leopard> for Knocker {
///     fn choose(
///         &mut self,
///         game: &Leopard,
///         observation: Observation<'_, Leopard>,
///         rng: &mut Stream,
///     ) -> Result<Move, BotError> {
///         if observation.view.knock_wins(game.rules()) {
///             return Ok(Move::Knock);
///         }
///         Ok(game.sample_view(observation.view, rng))
///     }
/// }
///
/// let game = Leopard::new(&Leopard::preset("revised").unwrap())?;
/// let mut rng = Seed::new(2).stream();
/// let mut hand = Playthrough::new(&game, Seed::new(1).stream());
/// while let Turn::Seat(seat) = hand.turn(&game) {
///     let view = hand.view(&game, seat);
///     let mv = Knocker.choose(&game, hand.observation(seat, &view), &mut rng)?;
///     hand.apply(&game, seat, mv);
/// }
/// let moves = hand.moves();
/// assert!(moves.len() > 10 && moves.iter().rev().skip(1).all(|(_, mv)| *mv != Move::Knock));
/// assert_eq!(game.scores(&hand.state).0.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Bot<G: Game>: Send {
    /// Starts a new hand at this seat. The bot must forget the last hand.
    fn start(&mut self, _seat: Seat) {}

    /// Chooses the setup of the deal when the bot sits at seat 0, where the game leaves a choice. In
    /// Eleusis that is the number of the dealer's rule among the candidates.
    fn choose_setup(&mut self, _game: &G, _rng: &mut Stream) -> Option<u32> {
        None
    }

    /// Chooses one of the legal moves. The answer depends on the observation and the random stream
    /// alone.
    ///
    /// # Errors
    /// If the bot fails, which loses the hand, or if it was cancelled.
    fn choose(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        rng: &mut Stream,
    ) -> Result<G::Move, BotError>;

    /// Ends the hand with these points. Called only for hands that were played to their end.
    ///
    /// # Errors
    /// If the bot fails, which loses the hand.
    fn end(&mut self, _scores: &Scores) -> Result<(), BotError> {
        Ok(())
    }
}

/// The kind of a bot's failure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, strum::VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum BotFault {
    /// A panic or an exception.
    Panicked,
    /// An illegal move.
    Illegal,
    /// No answer within the time limit.
    Slow,
    /// The process ended or closed its pipes.
    Ended,
    /// Output that is too long, or that came before a question.
    Flooded,
    /// An answer that cannot be read.
    Garbled,
    /// A process that did not start or did not greet.
    NoStart,
    /// Too many failures before.
    GivenUp,
}

impl BotFault {
    /// The names in tables, in the order of the kinds.
    pub const NAMES: &'static [&'static str] = <BotFault as strum::VariantNames>::VARIANTS;

    /// The name in tables.
    pub fn name(self) -> &'static str {
        BotFault::NAMES[self as usize]
    }
}

/// A failure of a bot. It loses the hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BotFailure {
    /// The kind.
    pub fault: BotFault,
    /// The explanation, one sentence.
    pub message: String,
}

/// The reason why a bot gave no move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BotError {
    /// The bot failed and loses the hand.
    #[error("{}", .0.message)]
    Failed(Box<BotFailure>),
    /// The run is stopping. The hand counts for nobody and is played again after a resume.
    #[error("the hand was cancelled")]
    Cancelled,
    /// The machine failed, not the bot: it has no more files or processes, or the bot's program is gone.
    /// The run stops and the hand counts for nobody.
    #[error("{0}")]
    Machine(Error),
}

impl From<BotFailure> for BotError {
    fn from(failure: BotFailure) -> BotError {
        BotError::Failed(Box::new(failure))
    }
}

impl From<BotError> for BotFailure {
    /// The failure; any other error counts as a bot that ended.
    fn from(error: BotError) -> BotFailure {
        match error {
            BotError::Failed(failure) => *failure,
            error => BotFailure { fault: BotFault::Ended, message: error.to_string() },
        }
    }
}

/// A bot of a library user. A panic in any of its methods is a failure of this bot alone.
pub struct GuardedBot<G: Game>(Result<Box<dyn Bot<G>>, BotFailure>);

impl<G: Game> GuardedBot<G> {
    /// Makes the bot.
    pub fn new(make: impl FnOnce() -> Box<dyn Bot<G>>) -> GuardedBot<G> {
        GuardedBot(catch_unwind(AssertUnwindSafe(make)).map_err(panic_failure))
    }

    fn call<T>(&mut self, work: impl FnOnce(&mut dyn Bot<G>) -> T) -> Result<T, BotError> {
        let bot = self.0.as_mut().map_err(|failure| failure.clone())?;
        catch_unwind(AssertUnwindSafe(|| work(&mut **bot))).map_err(|panic| {
            let failure = panic_failure(panic);
            self.0 = Err(failure.clone());
            failure.into()
        })
    }
}

fn panic_failure(panic: Box<dyn Any + Send>) -> BotFailure {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    let message = text.unwrap_or_else(|| "it gave no message".to_owned());
    BotFailure { fault: BotFault::Panicked, message }
}

/// A failure where no error can be returned is reported by the next method that returns one.
impl<G: Game> Bot<G> for GuardedBot<G> {
    fn start(&mut self, seat: Seat) {
        _ = self.call(|bot| bot.start(seat));
    }

    fn choose_setup(&mut self, game: &G, rng: &mut Stream) -> Option<u32> {
        self.call(|bot| bot.choose_setup(game, rng)).ok().flatten()
    }

    fn choose(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        rng: &mut Stream,
    ) -> Result<G::Move, BotError> {
        self.call(|bot| bot.choose(game, observation, rng))?
    }

    fn end(&mut self, scores: &Scores) -> Result<(), BotError> {
        self.call(|bot| bot.end(scores))?
    }
}

/// A memoryless way to choose that is cheap enough for playouts: a function of the view and the
/// random stream.
pub trait Policy<G: Game>: Send + Sync {
    /// Chooses one of the legal moves of the seat to move. The view is that of this seat.
    fn pick(&self, game: &G, view: &G::View, rng: &mut Stream) -> G::Move;

    /// Replaces `out` by a score for each of these legal moves, in their order. Only differences of
    /// scores have a meaning. Returns `false`, and no scores, if the policy has none.
    fn score_moves(&self, _: &G, _: &G::View, _moves: &[G::Move], _out: &mut Vec<f32>) -> bool {
        false
    }

    /// Returns `true` if all legal moves are equally likely. Playouts then skip the view.
    fn is_uniform(&self) -> bool {
        false
    }

    /// Checks that the policy can play under the rules of this game.
    ///
    /// # Errors
    /// A sentence that says what does not fit.
    fn check(&self, _game: &G) -> Result<(), String> {
        Ok(())
    }

    /// Returns `true` if the policy estimates [shares of the win](Policy::win_share).
    fn estimates_wins(&self) -> bool {
        false
    }

    /// The expected share of the win of a seat in an unfinished hand. Searches ask for the states that
    /// they sample, the arena for those of finished hands; no bot gets the state of its own hand.
    fn win_share(&self, _: &G, _: &G::State, _: Seat) -> Option<f32> {
        None
    }
}

/// A policy at a seat.
pub struct PolicyBot<P>(pub P);

impl<G: Game, P: Policy<G>> Bot<G> for PolicyBot<P> {
    fn choose(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        rng: &mut Stream,
    ) -> Result<G::Move, BotError> {
        Ok(self.0.pick(game, observation.view, rng))
    }
}

/// The uniform policy over the legal moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl<G: Game> Policy<G> for Uniform {
    #[inline]
    fn pick(&self, game: &G, view: &G::View, rng: &mut Stream) -> G::Move {
        game.sample_view(view, rng)
    }

    #[inline]
    fn is_uniform(&self) -> bool {
        true
    }
}
