//! A table for tests of the rules.

use parlour::cards::{Card, Pile};
use parlour::chance::Seed;
use parlour::game::{Game, Ruled};
use parlour::games::leopard::{Leopard, Move, Rules, Setup, State};

pub fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

pub fn preset(name: &str) -> Rules {
    Leopard::preset(name).unwrap()
}

/// A position in play.
pub struct Table {
    pub game: Leopard,
    pub state: State,
}

/// Seat 0 to move with `hand`; the other seat holds `other`; squares as nine words (`--` is an open
/// cell).
pub fn table(rules: &Rules, hand: &str, own: &str, other: &str) -> Table {
    let setup = Setup {
        hands: [cards(hand), cards("3C 4C")],
        squares: [square(own), square(other)],
        ..Setup::default()
    };
    set(rules, setup)
}

/// The same with an empty stock; all cards that are not named are gone.
pub fn late(rules: &Rules, hands: [&str; 2], squares: [&str; 2], to_move: u8) -> Table {
    let mut setup = Setup {
        hands: hands.map(cards),
        squares: squares.map(square),
        to_move,
        ..Setup::default()
    };
    let named = setup.hands.iter().flatten().chain(setup.squares.iter().flatten().flatten());
    let named: Pile = named.copied().collect();
    setup.gone = Pile::TWO_DECKS.minus(named).cards().collect();
    set(rules, setup)
}

pub fn set(rules: &Rules, setup: Setup) -> Table {
    let game = Leopard::new(rules).unwrap();
    let state = setup.state(rules).unwrap_or_else(|faults| panic!("{faults:?}"));
    Table { game, state }
}

pub fn square(text: &str) -> [Option<Card>; 9] {
    let mut square = [None; 9];
    for (cell, word) in square.iter_mut().zip(text.split_whitespace()) {
        *cell = (word != "--").then(|| word.parse().unwrap());
    }
    square
}

impl Table {
    /// All legal moves as text.
    pub fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.game.legal_moves(&self.state, &mut moves);
        moves.iter().map(Move::to_string).collect()
    }

    /// The places where a card may be laid: `o7`, `x7`; without discards.
    pub fn places(&self, card: &str) -> Vec<String> {
        let legal = self.legal();
        let of_card = legal.iter().filter_map(|mv| mv.strip_prefix(card)?.strip_prefix(' '));
        of_card.filter(|place| *place != "-").map(str::to_owned).collect()
    }

    pub fn allows(&self, mv: &str) -> bool {
        self.legal().iter().any(|legal| legal == mv)
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: &str) -> &mut Table {
        let mut chance = Seed::new(5).stream();
        let legal = self.legal();
        let played = self.game.try_apply(&mut self.state, mv.parse().unwrap(), &mut chance);
        assert!(played.is_ok(), "{mv} is not among {legal:?}");
        self
    }

    /// The seat to move.
    pub fn seat(&self) -> Option<u8> {
        match self.game.turn(&self.state) {
            parlour::game::Turn::Seat(seat) => Some(seat.0),
            parlour::game::Turn::Over => None,
        }
    }

    pub fn scores(&self) -> [i32; 2] {
        let scores = self.game.scores(&self.state);
        [scores.0[0], scores.0[1]]
    }

    pub fn values(&self) -> [u8; 2] {
        [0, 1].map(|seat| self.state.value(parlour::game::Seat(seat)))
    }
}
