//! Hands between bots, and the bots of a line-up.

use std::collections::BTreeMap;

use arrayvec::ArrayVec;

use parlour_base::chance::{Seed, Stream};
use parlour_base::error::Result;
use parlour_game::external::ExternalBot;
use parlour_game::strategy::{BotFactory, Spec, Strategic};
use parlour_game::{
    Bot, BotError, BotFailure, BotFault, MAX_SEATS, Measured, MoveHistory, Playthrough, PolicyBot,
    Scores, Seat, Turn, Uniform,
};

/// Returns the seat of a place in the line-up: it moves by one with each rotation and each hand of a
/// match.
#[inline]
pub fn seat_of(slot: usize, rotation: u32, hand: u32, seats: usize) -> usize {
    (slot + rotation as usize + hand as usize) % seats
}

/// Returns the place in the line-up of a seat: the inverse of [`seat_of`].
#[inline]
pub fn slot_of(seat: usize, rotation: u32, hand: u32, seats: usize) -> usize {
    (seat + seats - (rotation as usize + hand as usize) % seats) % seats
}

/// A bot with its random stream.
pub struct SeatedBot<G: Measured> {
    bot: Box<dyn Bot<G>>,
    /// The bot's random stream.
    pub choice: Stream,
    /// `true` if its moves are checked.
    is_checked: bool,
}

impl<G: Measured> SeatedBot<G> {
    /// Seats a bot with its random stream. Its moves are checked in debug builds only.
    pub fn new(bot: Box<dyn Bot<G>>, choice: Stream) -> SeatedBot<G> {
        SeatedBot { bot, choice, is_checked: cfg!(debug_assertions) }
    }
}

/// Plays a hand; `slot_at` maps each seat to the index of its bot. `history` is cleared first and then
/// holds the moves.
///
/// # Errors
/// The index of the first bot that failed, and its error.
pub fn play_hand<G: Measured>(
    game: &G,
    start: Stream,
    players: &mut [SeatedBot<G>],
    slot_at: impl Fn(usize) -> usize,
    history: &mut MoveHistory<G>,
) -> std::result::Result<(G::State, G::HandStats), (usize, BotError)> {
    let redacted = game.secret_setup().and_then(|secret| secret.redacted());
    let known = redacted.as_ref().unwrap_or(game);
    for seat in 0..players.len() {
        players[slot_at(seat)].bot.start(Seat(seat as u8));
    }
    let dealer = players.get_mut(slot_at(0));
    let setup = dealer.and_then(|dealer| dealer.bot.choose_setup(known, &mut dealer.choice));
    let mut hand = Playthrough::with_setup(game, start, setup, std::mem::take(history));
    let mut stats = G::HandStats::default();
    while let Turn::Seat(seat) = hand.turn(game) {
        let view = hand.view(game, seat);
        let slot = slot_at(seat.index());
        let SeatedBot { bot, choice, is_checked } = &mut players[slot];
        let chosen = bot.choose(known, hand.observation(seat, &view), choice);
        let mv = chosen.map_err(|error| (slot, error))?;
        if *is_checked && !game.is_legal(&hand.state, mv) {
            let message = format!("it chose the illegal move {mv:?}");
            return Err((slot, BotFailure { fault: BotFault::Illegal, message }.into()));
        }
        game.track_move(&mut stats, &hand.state, mv);
        hand.apply(game, seat, mv);
    }
    let end;
    (end, *history) = hand.into_parts();
    Ok((end, stats))
}

/// The bots of a table by place in the line-up, with buffers that are reused from hand to hand.
pub struct LineUp<'a, G: Strategic> {
    game: &'a G,
    bots: ArrayVec<&'a BotFactory<G>, MAX_SEATS>,
    /// Created when a hand first needs them.
    players: Vec<SeatedBot<G>>,
    scratch: G::Scratch,
    history: MoveHistory<G>,
    /// The statistics of the last hand.
    pub stats: G::HandStats,
}

/// A finished hand.
pub struct HandResult<G: Measured> {
    /// The final state.
    pub state: G::State,
    /// The points by seat: those of the game, unless a bot failed.
    pub scores: Scores,
    /// The failures by place in the line-up.
    pub faults: BTreeMap<usize, BotFailure>,
}

impl<'a, G: Strategic> LineUp<'a, G> {
    /// Creates the line-up of a table.
    pub fn new(game: &'a G, bots: impl IntoIterator<Item = &'a BotFactory<G>>) -> LineUp<'a, G> {
        LineUp {
            game,
            bots: bots.into_iter().collect(),
            players: Vec::new(),
            scratch: G::Scratch::default(),
            history: MoveHistory::default(),
            stats: G::HandStats::default(),
        }
    }

    /// Returns the moves of the last hand, with their seats.
    pub fn moves(&self) -> &[(Seat, G::Move)] {
        self.history.moves()
    }

    /// Drops the bots: the next hand creates new ones.
    pub fn reset_bots(&mut self) {
        self.players.clear();
    }

    /// Plays a hand. `start` is the stream before the deal; the stream of each bot is the child of
    /// `choice` with the number of its place. Without `with_moves` the game's fast path is used if
    /// it has one for these strategies; it does not list the moves.
    ///
    /// A bot that fails loses the hand. The hand is replayed from its deal with random moves for this
    /// bot, so that it has an end and can be counted. Its seat then gets the lowest possible score,
    /// and every other seat at least one point more.
    ///
    /// Returns `None` if a bot was [cancelled](BotError::Cancelled).
    ///
    /// # Errors
    /// If the [machine](BotError::Machine) failed.
    pub fn play(
        &mut self,
        with_moves: bool,
        start: &Stream,
        choice: Seed,
        slot_at: impl Fn(usize) -> usize,
    ) -> Result<Option<HandResult<G>>> {
        let mut faults = BTreeMap::new();
        loop {
            match self.attempt(!with_moves, start, choice, &slot_at, &faults) {
                Ok(state) => {
                    let mut scores = self.game.scores(&state);
                    if !faults.is_empty() {
                        // These bots include random ones.
                        self.reset_bots();
                        let (low, _) = self.game.score_range();
                        for (seat, points) in scores.0.iter_mut().enumerate() {
                            let failed = faults.contains_key(&slot_at(seat));
                            *points = if failed { low } else { (*points).max(low + 1) };
                        }
                    }
                    return Ok(Some(HandResult { state, scores, faults }));
                }
                Err((slot, error)) => {
                    self.reset_bots();
                    match error {
                        BotError::Failed(failure) => faults.insert(slot, *failure),
                        BotError::Cancelled => return Ok(None),
                        BotError::Machine(error) => return Err(error.as_failed()),
                    };
                }
            }
        }
    }

    fn attempt(
        &mut self,
        use_fast_path: bool,
        start: &Stream,
        choice: Seed,
        slot_at: impl Fn(usize) -> usize,
        faults: &BTreeMap<usize, BotFailure>,
    ) -> std::result::Result<G::State, (usize, BotError)> {
        let (game, seats) = (self.game, self.bots.len());
        // By seat.
        let mut choices: ArrayVec<Stream, MAX_SEATS> = ArrayVec::new();
        let mut specs: ArrayVec<&Spec<G::Kind>, MAX_SEATS> = ArrayVec::new();
        for slot in (0..seats).map(&slot_at) {
            choices.push(choice.child(slot as u64).stream());
            specs.extend(self.bots[slot].spec());
        }
        self.history.clear();
        if use_fast_path
            && faults.is_empty()
            && specs.len() == seats
            && let Some(end) =
                game.duel(&specs, &mut self.scratch, start, &mut choices, &mut self.stats)
        {
            return Ok(end);
        }
        // Bots of other programs and of callers get no second hand.
        if !self.bots.iter().all(|bots| matches!(bots, BotFactory::Strategy(_))) {
            self.reset_bots();
        }
        if self.players.is_empty() {
            let redacted = game.secret_setup().and_then(|secret| secret.redacted());
            let game = redacted.as_ref().unwrap_or(game);
            for (slot, bots) in self.bots.iter().enumerate() {
                let (bot, is_checked) = match bots {
                    _ if faults.contains_key(&slot) => (Box::new(PolicyBot(Uniform)) as _, false),
                    BotFactory::Strategy(_) => (bots.bot(game), cfg!(debug_assertions)),
                    BotFactory::External(_, players) => {
                        // The same for all seats, variants and opponents.
                        let deal = start.clone().bits();
                        (Box::new(ExternalBot::new(players.clone(), Some(deal))) as _, false)
                    }
                    BotFactory::Custom(_) => (bots.bot(game), true),
                };
                self.players.push(SeatedBot { bot, choice: start.clone(), is_checked });
            }
        }
        for (seat, choice) in choices.into_iter().enumerate() {
            self.players[slot_at(seat)].choice = choice;
        }
        let end;
        (end, self.stats) =
            play_hand(game, start.clone(), &mut self.players, slot_at, &mut self.history)?;
        if faults.is_empty() {
            let scores = game.scores(&end);
            for (slot, player) in self.players.iter_mut().enumerate() {
                player.bot.end(&scores).map_err(|error| (slot, error))?;
            }
        }
        Ok(end)
    }
}
