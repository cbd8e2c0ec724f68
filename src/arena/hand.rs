//! One hand between bots.

use crate::chance::Stream;
use crate::game::{Bot, Measured, Seat, Sight, Turn};

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
    /// All moves in order, with their seats.
    pub moves: &'a [(Seat, G::Move)],
    /// The state at the end.
    pub end: &'a G::State,
    /// What was watched.
    pub watch: &'a G::Watch,
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
    mut chance: Stream,
    players: &mut [Player<G>],
    slot_at: impl Fn(usize) -> usize,
    moves: &mut Vec<(Seat, G::Move)>,
) -> (G::State, G::Watch) {
    moves.clear();
    for seat in 0..players.len() {
        players[slot_at(seat)].bot.start(Seat(seat as u8));
    }
    let mut watch = G::Watch::default();
    let mut state = game.deal(&mut chance);
    while let Turn::Of(seat) = game.turn(&state) {
        let view = game.view(&state, seat);
        let sight = Sight { view: &view, past: moves };
        let player = &mut players[slot_at(seat.index())];
        let mv = player.bot.choose(game, sight, &mut player.choice);
        debug_assert!(
            {
                let mut legal = Vec::new();
                game.moves(&state, &mut legal);
                legal.binary_search(&mv).is_ok()
            },
            "a bot chose the illegal move {mv:?}"
        );
        game.watch(&mut watch, &state, mv);
        game.play(&mut state, mv, &mut chance);
        moves.push((seat, mv));
    }
    (state, watch)
}
