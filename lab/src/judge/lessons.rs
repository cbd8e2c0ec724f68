//! Hands to learn from.

use std::sync::Arc;

use parlour::chance::{Seed, Stream};
use parlour::files::Shelf;
use parlour::game::{Game, Ruled, Seat, Turn};
use parlour::games::leopard::bots::{Brisk, Kind};
use parlour::games::leopard::judge::{draws, rows, stage};
use parlour::games::leopard::{Leopard, Move};
use parlour::strategy::Strategy;

use crate::table::{Shared, different, result, steady};

/// The random move of a hand is one of the first so many.
const STRAY_BEFORE: u32 = 48;

/// A position by its rows and its stage, and what it came to for the seat whose turn it was.
pub struct Lesson {
    pub rows: Vec<u16>,
    pub stage: usize,
    pub target: f32,
}

/// The games that are played, and the players.
pub struct School {
    pub games: Vec<Leopard>,
    steady: Shared,
    brisk: Shared,
}

impl School {
    pub fn new(games: Vec<Leopard>) -> anyhow::Result<School> {
        let shelf = Shelf::strategies(Leopard::NAME);
        let Kind::Brisk { weights } = Strategy::<Leopard>::load(&shelf, "brisk")?.spec.kind else {
            anyhow::bail!("`brisk` is of another kind");
        };
        let brisk = Brisk::new(weights).map_err(|faults| anyhow::anyhow!("{faults:?}"))?;
        Ok(School { games, steady: Arc::new(steady()?), brisk: Arc::new(brisk) })
    }

    /// The lessons of a hand.
    pub fn hand(&self, seed: Seed) -> Vec<Lesson> {
        let mut choice = seed.child(1).stream();
        let game = &self.games[choice.below(self.games.len() as u32) as usize];
        let (steady, brisk) = (&self.steady, &self.brisk);
        let players = match choice.below(6) {
            0 => [steady, brisk],
            1 => [brisk, steady],
            _ => [steady, steady],
        };
        let stray = (choice.below(4) == 0).then(|| choice.below(STRAY_BEFORE) as usize);
        let start = seed.child(0).stream();
        let (moves, won) = play(game, &start, players, &mut choice, stray);
        let stray = stray.filter(|stray| *stray < moves.len());
        let (mut lessons, mut drawn) = (Vec::new(), 0usize);
        let dealt = 2 * usize::from(game.rules().hand_size);
        draws(game, &start, &moves, &mut |draw| {
            let (every, turn) = match drawn.checked_sub(dealt) {
                None => (6, 0),
                Some(drawn) => (2, drawn / usize::from(game.rules().draw)),
            };
            drawn += 1;
            // A turn has one move at least, so those beyond are after the random move.
            if choice.below(every) > 0 || stray.is_some_and(|stray| turn <= stray) {
                return;
            }
            let state = draw.with(draw.card);
            let mut told = Vec::with_capacity(160);
            rows(game.rules(), &state, &mut |row| told.push(row as u16));
            let Turn::Of(seat) = game.turn(&draw.before) else { return };
            let target = if seat == Seat(0) { won } else { 1.0 - won };
            lessons.push(Lesson { rows: told, stage: stage(&state), target: target as f32 });
        });
        lessons
    }
}

/// Plays a hand, with a random move where it says so: its moves, and what the first seat won.
fn play(
    game: &Leopard,
    start: &Stream,
    players: [&Shared; 2],
    choice: &mut Stream,
    stray: Option<usize>,
) -> (Vec<(Seat, Move)>, f64) {
    let mut chance = start.clone();
    let (mut state, mut moves) = (game.deal(&mut chance), Vec::new());
    while let Turn::Of(seat) = game.turn(&state) {
        let mv = if stray == Some(moves.len()) {
            let all = different(game, &state);
            all[choice.below(all.len() as u32) as usize]
        } else {
            players[seat.index()].pick(game, &game.view(&state, seat), choice)
        };
        game.play(&mut state, mv, &mut chance);
        moves.push((seat, mv));
    }
    (moves, result(game, &state, 0))
}
