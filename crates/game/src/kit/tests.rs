//! Tests of the kit with a game that has secret moves, and with one that leaks them.

use serde::{Deserialize, Serialize};

use super::*;
use crate::{BotError, Observation, Scores};

/// The first seat hides a number from 0 to 2; the second seat guesses it. With `LEAK` the game
/// shows the secret move to the second seat.
#[derive(Clone)]
struct Hide<const LEAK: bool>;

#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
struct Table {
    hidden: Option<u8>,
    guess: Option<u8>,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Known {
    seat: Seat,
    is_hidden: bool,
    /// Only for the seat that hid it.
    hidden: Option<u8>,
    guess: Option<u8>,
}

impl<const LEAK: bool> Game for Hide<LEAK> {
    type State = Table;
    type View = Known;
    type Move = u8;
    const PUBLIC_MOVES: bool = false;

    fn seats(&self) -> usize {
        2
    }
    fn deal(&self, _: &mut Stream) -> Table {
        Table::default()
    }
    fn turn(&self, table: &Table) -> Turn {
        match (table.hidden, table.guess) {
            (None, _) => Turn::Seat(Seat(0)),
            (_, None) => Turn::Seat(Seat(1)),
            _ => Turn::Over,
        }
    }
    fn legal_moves(&self, table: &Table, out: &mut Vec<u8>) {
        out.clear();
        out.extend((0..3).filter(|_| self.turn(table) != Turn::Over));
    }
    fn apply(&self, table: &mut Table, mv: u8, _: &mut Stream) {
        let Table { hidden, guess } = table;
        *(if hidden.is_none() { hidden } else { guess }) = Some(mv);
    }
    fn scores(&self, table: &Table) -> Scores {
        let found = i32::from(table.guess.is_some() && table.hidden == table.guess);
        Scores::two(1 - found, found)
    }
    fn view(&self, table: &Table, seat: Seat) -> Known {
        let hidden = table.hidden.filter(|_| seat == Seat(0) || table.guess.is_some());
        Known { seat, is_hidden: table.hidden.is_some(), hidden, guess: table.guess }
    }
    fn determinize(&self, view: &Known, chance: &mut Stream) -> Table {
        let any = view.is_hidden.then(|| chance.below(3) as u8);
        Table { hidden: view.hidden.or(any), guess: view.guess }
    }
    fn legal_moves_in_view(&self, view: &Known, out: &mut Vec<u8>) {
        let turn = u8::from(view.is_hidden);
        out.clear();
        out.extend((0..3).filter(|_| view.seat.0 == turn && view.guess.is_none()));
    }
    fn visible_move(&self, before: &Table, mv: u8, by: Seat, who: Seat) -> Option<u8> {
        (LEAK || by == who || before.hidden.is_some()).then_some(mv)
    }
    fn max_moves(&self) -> usize {
        2
    }
    fn score_range(&self) -> (i32, i32) {
        (0, 1)
    }
}

/// A bot that guesses what it saw of the secret move.
struct Peeker;

impl<const LEAK: bool> Bot<Hide<LEAK>> for Peeker {
    fn choose(
        &mut self,
        _: &Hide<LEAK>,
        observation: Observation<'_, Hide<LEAK>>,
        _: &mut Stream,
    ) -> Result<u8, BotError> {
        Ok(observation.past.first().map_or(0, |(_, hidden)| *hidden))
    }
}

/// The number of the 3 hands that a peeking second seat wins.
fn peeked<const LEAK: bool>() -> i32 {
    let game = Hide::<LEAK>;
    let hand = |hidden| {
        let mut rng = Seed::new(0).stream();
        let mut hand = Playthrough::new(&game, rng.clone());
        hand.apply(&game, Seat(0), hidden);
        let view = hand.view(&game, Seat(1));
        let guess = Peeker.choose(&game, hand.observation(Seat(1), &view), &mut rng).unwrap();
        hand.apply(&game, Seat(1), guess);
        game.scores(&hand.state).0[1]
    };
    (0..3).map(hand).sum()
}

#[test]
fn a_secret_move_is_told_to_nobody() {
    check(&Hide::<false>, 20);
    check_invariance(&Hide::<false>, 20, || Box::new(Peeker));
    assert_eq!((peeked::<false>(), peeked::<true>()), (1, 3));
}

#[test]
#[should_panic(expected = "seat 1 sees what its view hides")]
fn a_game_that_tells_a_secret_move_is_caught() {
    check(&Hide::<true>, 20);
}
