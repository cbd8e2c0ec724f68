//! One hand between bots.

use std::collections::BTreeMap;

use arrayvec::ArrayVec;

use crate::chance::{Seed, Stream};

use crate::game::{
    Bot, BotError, BotFailure, BotFault, MAX_SEATS, Measured, MoveHistory, Playthrough, PolicyBot,
    Scores, Seat, Turn, Uniform,
};
use crate::strategy::{BotFactory, Spec, Strategic};

/// Where a strategy sits: its place in the line-up, moved on by one with each rotation and each
/// hand of a match.
#[inline]
pub fn seat_of(slot: usize, rotation: u32, hand: u32, seats: usize) -> usize {
    (slot + rotation as usize + hand as usize) % seats
}

/// Who sits at a seat: the place in the line-up that [`seat_of`] puts there.
#[inline]
pub fn slot_of(seat: usize, rotation: u32, hand: u32, seats: usize) -> usize {
    (seat + seats - (rotation as usize + hand as usize) % seats) % seats
}

/// A bot at the table with its own random stream.
pub struct Player<G: Measured> {
    bot: Box<dyn Bot<G>>,
    /// The bot's random stream.
    pub choice: Stream,
    /// Whether the bot's moves are checked.
    strictly: bool,
}

impl<G: Measured> Player<G> {
    /// A bot whose moves are trusted, and its random stream.
    pub fn new(bot: Box<dyn Bot<G>>, choice: Stream) -> Player<G> {
        Player { bot, choice, strictly: cfg!(debug_assertions) }
    }
}

/// Plays a hand; `slot_at` gives for each seat which of the players sits there. `history` is cleared
/// first and then holds the moves.
///
/// # Errors
/// The slot of the first bot that gave no move, and why.
pub fn play_hand<G: Measured>(
    game: &G,
    start: Stream,
    players: &mut [Player<G>],
    slot_at: impl Fn(usize) -> usize,
    history: &mut MoveHistory<G>,
) -> Result<(G::State, G::HandStats), (usize, BotError)> {
    let redacted = game.redacted();
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
        let Player { bot, choice, strictly } = &mut players[slot];
        let chosen = bot.choose(known, hand.observation(seat, &view), choice);
        let mv = chosen.map_err(|error| (slot, error))?;
        if *strictly && !game.is_legal(&hand.state, mv) {
            let said = format!("it chose the illegal move {mv:?}");
            return Err((slot, BotFailure { fault: BotFault::Illegal, said }.into()));
        }
        game.track_move(&mut stats, &hand.state, mv);
        hand.apply(game, seat, mv);
    }
    let end;
    (end, *history) = hand.into_parts();
    Ok((end, stats))
}

/// The strategies at a table, by their place in the line-up, and what outlives their hands so that
/// the next hand need not make it again; none of it changes a hand.
pub struct LineUp<'a, G: Strategic> {
    game: &'a G,
    bots: ArrayVec<&'a BotFactory<G>, MAX_SEATS>,
    /// Built when a hand first needs them.
    players: Vec<Player<G>>,
    scratch: G::Scratch,
    history: MoveHistory<G>,
    /// What was watched of it.
    pub stats: G::HandStats,
}

/// A hand at its end.
pub struct Ended<G: Measured> {
    /// How it ended.
    pub state: G::State,
    /// The points of each seat: those of the game, unless a bot failed.
    pub scores: Scores,
    /// The places in the line-up whose bots failed, and how.
    pub faults: BTreeMap<usize, BotFailure>,
}

impl<'a, G: Strategic> LineUp<'a, G> {
    /// Who plays at each seat of the game.
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

    /// The game that they play.
    pub(super) fn game(&self) -> &'a G {
        self.game
    }

    /// The moves of the hand played last, with their seats.
    pub fn moves(&self) -> &[(Seat, G::Move)] {
        self.history.moves()
    }

    /// Lets the bots go: the next hand that needs bots has new ones.
    pub fn dismiss(&mut self) {
        self.players.clear();
    }

    /// Plays a hand, the quick way if the game has one for these strategies and nobody asks for
    /// the moves, which that way leaves out. `start` is the chance before the deal; each
    /// strategy's own is the child of `choice` with its place's number.
    ///
    /// A bot that fails loses the hand. The hand is played again from its deal with random moves in
    /// place of that bot's, so that it has an end of which everything can be counted. Then the bot's
    /// seat has the fewest points that the game can give, and every other seat at least one more.
    ///
    /// Returns `None` if a bot was [cancelled](BotError::Cancelled).
    pub fn play(
        &mut self,
        with_moves: bool,
        start: &Stream,
        choice: Seed,
        slot_at: impl Fn(usize) -> usize,
    ) -> Option<Ended<G>> {
        let mut faults = BTreeMap::new();
        loop {
            match self.attempt(!with_moves, start, choice, &slot_at, &faults) {
                Ok(state) => {
                    let mut scores = self.game.scores(&state);
                    if !faults.is_empty() {
                        // Its bots know nothing of the places that random moves were made for.
                        self.dismiss();
                        let (low, _) = self.game.score_range();
                        for (seat, points) in scores.0.iter_mut().enumerate() {
                            let failed = faults.contains_key(&slot_at(seat));
                            *points = if failed { low } else { (*points).max(low + 1) };
                        }
                    }
                    return Some(Ended { state, scores, faults });
                }
                Err((slot, error)) => {
                    self.dismiss();
                    match error {
                        BotError::Failed(failure) => faults.insert(slot, *failure),
                        BotError::Cancelled => return None,
                    };
                }
            }
        }
    }

    fn attempt(
        &mut self,
        quick: bool,
        start: &Stream,
        choice: Seed,
        slot_at: impl Fn(usize) -> usize,
        faults: &BTreeMap<usize, BotFailure>,
    ) -> Result<G::State, (usize, BotError)> {
        let (game, seats) = (self.game, self.bots.len());
        // By seat.
        let mut choices: ArrayVec<Stream, MAX_SEATS> = ArrayVec::new();
        let mut specs: ArrayVec<&Spec<G::Kind>, MAX_SEATS> = ArrayVec::new();
        for slot in (0..seats).map(&slot_at) {
            choices.push(choice.child(slot as u64).stream());
            specs.extend(self.bots[slot].spec());
        }
        self.history.clear();
        if quick
            && faults.is_empty()
            && specs.len() == seats
            && let Some(end) =
                game.duel(&specs, &mut self.scratch, start, &mut choices, &mut self.stats)
        {
            return Ok(end);
        }
        if specs.len() < seats {
            self.dismiss();
        }
        if self.players.is_empty() {
            let redacted = game.redacted();
            let game = redacted.as_ref().unwrap_or(game);
            for (slot, bots) in self.bots.iter().enumerate() {
                let (bot, strictly) = match bots {
                    _ if faults.contains_key(&slot) => (Box::new(PolicyBot(Uniform)) as _, false),
                    BotFactory::Strategy(_) => (bots.bot(game), cfg!(debug_assertions)),
                    BotFactory::External(..) => (bots.bot(game), false),
                    BotFactory::Custom(_) => (bots.bot(game), true),
                };
                self.players.push(Player { bot, choice: start.clone(), strictly });
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
