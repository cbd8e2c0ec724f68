//! One hand between bots.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use arrayvec::ArrayVec;

use crate::chance::{Seed, Stream};

use crate::external::ExternalBot;
use crate::game::{
    Bot, BotCancelled, BotFailure, BotFault, MAX_SEATS, Measured, MoveHistory, Observation,
    PolicyBot, Scores, Seat, Turn, Uniform,
};
use crate::strategy::{Bots, Spec, Strategic};

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

/// A bot at the table with its own chance.
pub struct Player<G: Measured> {
    bot: Box<dyn Bot<G>>,
    /// What its chance is drawn from.
    pub choice: Stream,
    /// Whether its moves are checked.
    strictly: bool,
    /// Whether it is at work: after a panic, whose fault that was.
    busy: bool,
}

impl<G: Measured> Player<G> {
    /// A bot whose moves are trusted, and what its chance is drawn from.
    pub fn new(bot: Box<dyn Bot<G>>, choice: Stream) -> Player<G> {
        Player { bot, choice, strictly: cfg!(debug_assertions), busy: false }
    }

    #[inline]
    fn ask<T>(&mut self, what: impl FnOnce(&mut dyn Bot<G>, &mut Stream) -> T) -> T {
        self.busy = true;
        let answer = what(&mut *self.bot, &mut self.choice);
        self.busy = false;
        answer
    }
}

/// Plays a hand; `slot_at` gives for each seat which of the players sits there. `moves` is emptied
/// first and then holds the hand.
pub fn play_hand<G: Measured>(
    game: &G,
    mut chance: Stream,
    players: &mut [Player<G>],
    slot_at: impl Fn(usize) -> usize,
    moves: &mut Vec<(Seat, G::Move)>,
) -> (G::State, G::HandStats) {
    moves.clear();
    let blind = game.redacted();
    let known = blind.as_ref().unwrap_or(game);
    for seat in 0..players.len() {
        players[slot_at(seat)].ask(|bot, _| bot.start(Seat(seat as u8)));
    }
    let mut stats = G::HandStats::default();
    let dealer = players.get_mut(slot_at(0));
    let wish = dealer.and_then(|dealer| dealer.ask(|bot, choice| bot.choose_setup(known, choice)));
    let mut state = game.deal_with_setup(wish, &mut chance);
    let mut told = MoveHistory::new(game);
    while let Turn::Seat(seat) = game.turn(&state) {
        let view = game.view(&state, seat);
        let observation = Observation { view: &view, past: told.visible_to(seat, moves) };
        let player = &mut players[slot_at(seat.index())];
        let strictly = player.strictly;
        let mv = player.ask(|bot, choice| {
            let mv = bot.choose(known, observation, choice);
            if strictly && !game.is_legal(&state, mv) {
                let said = format!("it chose the illegal move {mv:?}");
                BotFailure { fault: BotFault::Illegal, said }.now();
            }
            mv
        });
        game.track_move(&mut stats, &state, mv);
        told.record(game, &state, seat, mv);
        game.apply(&mut state, mv, &mut chance);
        moves.push((seat, mv));
    }
    (state, stats)
}

/// The strategies at a table, by their place in the line-up, and what outlives their hands so that
/// the next hand need not make it again; none of it changes a hand.
pub struct LineUp<'a, G: Strategic> {
    game: &'a G,
    bots: ArrayVec<&'a Bots<G>, MAX_SEATS>,
    /// Built when a hand first needs them.
    players: Vec<Player<G>>,
    scratch: G::Scratch,
    /// The moves of the hand played last, with their seats.
    pub moves: Vec<(Seat, G::Move)>,
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
    pub fn new(game: &'a G, bots: impl IntoIterator<Item = &'a Bots<G>>) -> LineUp<'a, G> {
        LineUp {
            game,
            bots: bots.into_iter().collect(),
            players: Vec::new(),
            scratch: G::Scratch::default(),
            moves: Vec::new(),
            stats: G::HandStats::default(),
        }
    }

    /// The game that they play.
    pub(super) fn game(&self) -> &'a G {
        self.game
    }

    /// Lets the bots go: the next hand that needs bots has new ones.
    pub fn dismiss(&mut self) {
        self.players.clear();
    }

    /// Plays a hand as [`play`](LineUp::play) does; none where a bot [broke it off](BotCancelled).
    pub(super) fn play_or_break_off(
        &mut self,
        with_moves: bool,
        start: &Stream,
        choice: Seed,
        slot_at: impl Fn(usize) -> usize,
    ) -> Option<Ended<G>> {
        let hand = || self.play(with_moves, start, choice, slot_at);
        match catch_unwind(AssertUnwindSafe(hand)) {
            Err(panic) if panic.is::<BotCancelled>() => None,
            ended => Some(ended.unwrap_or_else(|panic| resume_unwind(panic))),
        }
    }

    /// Plays a hand, the quick way if the game has one for these strategies and nobody asks for
    /// the moves, which that way leaves out. `start` is the chance before the deal; each
    /// strategy's own is the child of `choice` with its place's number.
    ///
    /// A bot that panics, or one of the calling program that makes an illegal move, loses the hand.
    /// The hand is played again from its deal with random moves in place of that bot's, so that it
    /// has an end of which everything can be counted. Then the bot's seat has the fewest points
    /// that the game can give, and every other seat at least one more.
    pub fn play(
        &mut self,
        with_moves: bool,
        start: &Stream,
        choice: Seed,
        slot_at: impl Fn(usize) -> usize,
    ) -> Ended<G> {
        let mut quick = !with_moves;
        let mut faults = BTreeMap::new();
        loop {
            let hand = || self.attempt(quick, start, choice, &slot_at, &faults);
            // What a panic leaves half done is thrown away: bots, scratch and moves.
            match catch_unwind(AssertUnwindSafe(hand)) {
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
                    return Ended { state, scores, faults };
                }
                Err(panic) if panic.is::<BotCancelled>() => {
                    self.dismiss();
                    self.scratch = G::Scratch::default();
                    resume_unwind(panic)
                }
                Err(panic) => {
                    // One at work, or one that was not made. The quick way does not say.
                    let unmade = (!quick).then_some(self.players.len());
                    let slot = self.players.iter().position(|player| player.busy).or(unmade);
                    self.dismiss();
                    self.scratch = G::Scratch::default();
                    let most = self.bots.len();
                    match slot {
                        Some(slot) if slot < most && !faults.contains_key(&slot) => {
                            faults.insert(slot, BotFailure::of(panic));
                        }
                        None => quick = false,
                        _ => resume_unwind(panic),
                    }
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
    ) -> G::State {
        let (game, seats) = (self.game, self.bots.len());
        // By seat.
        let mut choices: ArrayVec<Stream, MAX_SEATS> = ArrayVec::new();
        let mut specs: ArrayVec<&Spec<G::Kind>, MAX_SEATS> = ArrayVec::new();
        for slot in (0..seats).map(&slot_at) {
            choices.push(choice.child(slot as u64).stream());
            specs.extend(self.bots[slot].spec());
        }
        self.moves.clear();
        if quick
            && faults.is_empty()
            && specs.len() == seats
            && let Some(end) =
                game.duel(&specs, &mut self.scratch, start, &mut choices, &mut self.stats)
        {
            return end;
        }
        if specs.len() < seats {
            self.dismiss();
        }
        if self.players.is_empty() {
            let blind = game.redacted();
            let game = blind.as_ref().unwrap_or(game);
            for (slot, bots) in self.bots.iter().enumerate() {
                let (bot, strictly): (Box<dyn Bot<G>>, bool) = match bots {
                    _ if faults.contains_key(&slot) => (Box::new(PolicyBot(Uniform)), false),
                    Bots::Read(spec) => (game.bot(spec), cfg!(debug_assertions)),
                    Bots::External(_, players) => {
                        (Box::new(ExternalBot::new(players.clone())), false)
                    }
                    Bots::Own(make) => (make(game), true),
                };
                self.players.push(Player { bot, choice: start.clone(), strictly, busy: false });
            }
        }
        for (seat, choice) in choices.into_iter().enumerate() {
            self.players[slot_at(seat)].choice = choice;
        }
        let end;
        (end, self.stats) =
            play_hand(game, start.clone(), &mut self.players, slot_at, &mut self.moves);
        if faults.is_empty() {
            let scores = game.scores(&end);
            self.players.iter_mut().for_each(|player| player.ask(|bot, _| bot.end(&scores)));
        }
        end
    }
}
