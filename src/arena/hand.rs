//! One hand between bots.

use std::any::Any;
use std::cell::Cell;
use std::fmt::{self, Debug, Formatter};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use arrayvec::ArrayVec;

use crate::chance::{Seed, Stream};
use crate::game::{Bot, MAX_SEATS, Measured, PolicyBot, Scores, Seat, Sight, Told, Turn, Uniform};
use crate::strategy::{Spec, Strategic};

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

/// A hand that was played.
pub struct PlayedHand<'a, G: Measured> {
    /// The number of the table in the plan.
    pub table: usize,
    /// The deal's number, from 0.
    pub deal: u64,
    /// The hand's number in its match, from 0.
    pub hand: u32,
    /// Which rotation, from 0.
    pub rotation: u32,
    /// The chance stream as it was before the deal.
    pub start: &'a Stream,
    /// All moves in order, with their seats; none if nobody asked for them.
    pub moves: &'a [(Seat, G::Move)],
    /// The state at the end.
    pub end: &'a G::State,
    /// What was watched.
    pub watch: &'a G::Watch,
    /// The points of each seat.
    pub scores: &'a Scores,
    /// Whether a bot failed, so that the points are not those of the game.
    pub failed: bool,
}

/// A bot at the table with its own chance.
pub struct Player<G: Measured> {
    /// Who chooses.
    pub bot: Box<dyn Bot<G>>,
    /// What its chance is drawn from.
    pub choice: Stream,
}

/// Plays a hand; `slot_at` gives for each seat which of the players sits there. `moves` is emptied
/// first and then holds the hand.
pub fn play_hand<G: Measured>(
    game: &G,
    chance: Stream,
    players: &mut [Player<G>],
    slot_at: impl Fn(usize) -> usize,
    moves: &mut Vec<(Seat, G::Move)>,
) -> (G::State, G::Watch) {
    play_watched(game, chance, players, slot_at, moves, &Asked::default())
}

/// Whose bot is at work, for the case that it does not come back.
#[derive(Default)]
struct Asked {
    /// Its place in the line-up.
    slot: Cell<Option<usize>>,
    /// Whether its moves are checked.
    strictly: bool,
}

/// [`play_hand`], which says whose bot is at work.
#[inline]
fn play_watched<G: Measured>(
    game: &G,
    mut chance: Stream,
    players: &mut [Player<G>],
    slot_at: impl Fn(usize) -> usize,
    moves: &mut Vec<(Seat, G::Move)>,
    asked: &Asked,
) -> (G::State, G::Watch) {
    moves.clear();
    for seat in 0..players.len() {
        asked.slot.set(Some(slot_at(seat)));
        players[slot_at(seat)].bot.start(Seat(seat as u8));
    }
    let mut watch = G::Watch::default();
    asked.slot.set(Some(slot_at(0)));
    let dealer = players.get_mut(slot_at(0));
    let wish = dealer.and_then(|dealer| dealer.bot.wishes(game, &mut dealer.choice));
    asked.slot.set(None);
    let mut state = game.deal_as_wished(wish, &mut chance);
    let mut told = Told::new(game);
    while let Turn::Of(seat) = game.turn(&state) {
        let view = game.view(&state, seat);
        let sight = Sight { view: &view, past: told.to(seat, moves) };
        let slot = slot_at(seat.index());
        let player = &mut players[slot];
        asked.slot.set(Some(slot));
        let mv = player.bot.choose(game, sight, &mut player.choice);
        if asked.strictly || cfg!(debug_assertions) {
            assert!(game.is_legal(&state, mv), "it chose the illegal move {mv:?}");
        }
        asked.slot.set(None);
        game.watch(&mut watch, &state, mv);
        told.tell(game, &state, seat, mv);
        game.play(&mut state, mv, &mut chance);
        moves.push((seat, mv));
    }
    (state, watch)
}

/// Who plays for a strategy.
pub enum Bots<G: Strategic> {
    /// Bots of the game, as a strategy file says.
    Read(Spec<G::Kind>),
    /// Bots that the calling program brings along.
    Own(Box<MakeBot<G>>),
}

/// Makes a bot for a game under its rules.
pub type MakeBot<G> = dyn Fn(&G) -> Box<dyn Bot<G>> + Send + Sync;

impl<G: Strategic> Bots<G> {
    /// Bots that are made by a function, afresh for every deal at a table.
    pub fn own(make: impl Fn(&G) -> Box<dyn Bot<G>> + Send + Sync + 'static) -> Bots<G> {
        Bots::Own(Box::new(make))
    }

    /// What their strategy says, where they have a file.
    pub fn spec(&self) -> Option<&Spec<G::Kind>> {
        match self {
            Bots::Read(spec) => Some(spec),
            Bots::Own(_) => None,
        }
    }

    fn make(&self, game: &G) -> Box<dyn Bot<G>> {
        match self {
            Bots::Read(spec) => game.bot(spec),
            Bots::Own(make) => make(game),
        }
    }
}

impl<G: Strategic> Debug for Bots<G> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Bots::Read(spec) => spec.fmt(f),
            Bots::Own(_) => f.write_str("bots of the calling program"),
        }
    }
}

/// The strategies at a table, by their place in the line-up.
pub struct LineUp<'a, G: Strategic> {
    game: &'a G,
    bots: ArrayVec<&'a Bots<G>, MAX_SEATS>,
    /// Built when a hand first needs them.
    players: Vec<Player<G>>,
}

impl<'a, G: Strategic> LineUp<'a, G> {
    /// Who plays at each seat of the game.
    pub fn new(game: &'a G, bots: impl IntoIterator<Item = &'a Bots<G>>) -> LineUp<'a, G> {
        LineUp { game, bots: bots.into_iter().collect(), players: Vec::new() }
    }

    /// Lets the bots go: the next hand that needs bots has new ones.
    pub fn dismiss(&mut self) {
        self.players.clear();
    }
}

/// What outlives a hand, so that the next need not make it again; none of it changes a hand.
pub struct Buffers<G: Strategic> {
    /// The moves of the hand played last, with their seats.
    pub moves: Vec<(Seat, G::Move)>,
    /// What was watched of it.
    pub watch: G::Watch,
    scratch: G::Scratch,
}

impl<G: Strategic> Default for Buffers<G> {
    fn default() -> Self {
        Buffers { moves: Vec::new(), watch: G::Watch::default(), scratch: G::Scratch::default() }
    }
}

/// A hand at its end.
pub struct Ended<G: Measured> {
    /// How it ended.
    pub state: G::State,
    /// The points of each seat: those of the game, unless a bot failed.
    pub scores: Scores,
    /// The places in the line-up whose bots failed, each with what it said.
    pub faults: Vec<(usize, String)>,
}

impl<G: Strategic> Buffers<G> {
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
        line_up: &mut LineUp<'_, G>,
        start: &Stream,
        choice: Seed,
        slot_at: impl Fn(usize) -> usize,
    ) -> Ended<G> {
        let game = line_up.game;
        let mut quick = !with_moves;
        let mut faults: Vec<(usize, String)> = Vec::new();
        loop {
            let strictly = line_up.bots.iter().any(|bots| bots.spec().is_none());
            let asked = Asked { strictly, ..Asked::default() };
            let hand = || self.attempt(quick, line_up, start, choice, &slot_at, &faults, &asked);
            // What a panic leaves half done is thrown away: bots, scratch and moves.
            match catch_unwind(AssertUnwindSafe(hand)) {
                Ok(state) => {
                    let mut scores = game.scores(&state);
                    if !faults.is_empty() {
                        // Its bots know nothing of the places that random moves were made for.
                        line_up.dismiss();
                        let (low, _) = game.score_range();
                        for (seat, points) in scores.0.iter_mut().enumerate() {
                            let failed = faults.iter().any(|(slot, _)| *slot == slot_at(seat));
                            *points = if failed { low } else { (*points).max(low + 1) };
                        }
                    }
                    return Ended { state, scores, faults };
                }
                Err(panic) => {
                    line_up.dismiss();
                    self.scratch = G::Scratch::default();
                    match asked.slot.get() {
                        Some(slot) if faults.iter().all(|(failed, _)| *failed != slot) => {
                            faults.push((slot, said(&*panic)));
                        }
                        // The quick way does not say whose bot it was.
                        None if quick => quick = false,
                        _ => resume_unwind(panic),
                    }
                }
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one hand, for one caller")]
    fn attempt(
        &mut self,
        quick: bool,
        line_up: &mut LineUp<'_, G>,
        start: &Stream,
        choice: Seed,
        slot_at: impl Fn(usize) -> usize,
        faults: &[(usize, String)],
        asked: &Asked,
    ) -> G::State {
        let LineUp { game, bots, players } = line_up;
        // By seat.
        let mut choices: ArrayVec<Stream, MAX_SEATS> = ArrayVec::new();
        for slot in (0..bots.len()).map(&slot_at) {
            choices.push(choice.child(slot as u64).stream());
        }
        let (scratch, moves) = (&mut self.scratch, &mut self.moves);
        moves.clear();
        if quick
            && faults.is_empty()
            && let Some(specs) = (0..bots.len())
                .map(|seat| bots[slot_at(seat)].spec())
                .collect::<Option<ArrayVec<&Spec<G::Kind>, MAX_SEATS>>>()
            && let Some(end) = game.duel(&specs, scratch, start, &mut choices, &mut self.watch)
        {
            return end;
        }
        if players.is_empty() {
            for (slot, bots) in bots.iter().enumerate() {
                asked.slot.set(Some(slot));
                let bot: Box<dyn Bot<G>> = match faults.iter().any(|(failed, _)| *failed == slot) {
                    true => Box::new(PolicyBot(Uniform)),
                    false => bots.make(game),
                };
                players.push(Player { bot, choice: start.clone() });
            }
            asked.slot.set(None);
        }
        for (seat, choice) in choices.into_iter().enumerate() {
            players[slot_at(seat)].choice = choice;
        }
        let end;
        (end, self.watch) = play_watched(*game, start.clone(), players, slot_at, moves, asked);
        end
    }
}

/// What a panic said.
fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "it said nothing".to_owned())
}
