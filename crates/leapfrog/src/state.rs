//! The state of a hand, which every seat sees.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::board::{Board, Cell, flip};
use super::leaps::{self, ChainInProgress};
use super::moves::Move;
use super::rules::{Chains, FirstToLeap, Rules, SEATS};
use parlour_game::Seat;

/// The kind of the next move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "LeapfrogPhase")]
pub enum Phase {
    /// A first capture.
    #[default]
    Remove,
    /// The first leap of a turn.
    Leap,
    /// Another leap of the same piece, or a stop.
    Continue,
    /// No capture is left; the hand is over.
    Over,
    /// The choice of the seat that leaps first.
    Choose,
}

/// The complete state of a hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct State {
    /// The board.
    pub board: Board,
    /// Points of each seat.
    pub points: [u16; SEATS],
    /// Number of pieces captured by each seat.
    pub taken: [u16; SEATS],
    /// The seat to move; after the hand, the seat that would be next.
    pub seat: Seat,
    /// Number of first captures made.
    pub removed: u8,
    /// The kind of the next move.
    pub phase: Phase,
    pub(super) chain: ChainInProgress,
}

impl State {
    /// The start of a hand with this board.
    pub fn new(rules: &Rules, board: Board) -> State {
        let mut state = State { board, ..State::default() };
        state.settle(rules);
        state
    }

    /// A position after the first captures, with this seat to leap.
    pub fn midway(rules: &Rules, board: Board, seat: Seat) -> State {
        let (removed, seat) = (rules.removers(), Seat(seat.0 % rules.seats));
        let mut state = State { board, removed, seat, phase: Phase::Leap, ..State::default() };
        state.settle(rules);
        state
    }

    /// Ends the hand if the phase allows no capture.
    fn settle(&mut self, rules: &Rules) {
        let goes_on = match self.phase {
            Phase::Remove => self.board.removable(rules).iter().any(|&row| row != 0),
            Phase::Leap | Phase::Choose => leaps::any(&self.board.pieces, rules),
            Phase::Continue | Phase::Over => true,
        };
        if !goes_on {
            self.phase = Phase::Over;
        }
    }

    pub(super) fn capture(&mut self, cell: Cell) {
        let seat = self.seat.index() % SEATS;
        self.points[seat] += u16::from(self.board.take(cell));
        self.taken[seat] += 1;
    }

    pub(super) fn play(&mut self, rules: &Rules, mv: Move) {
        match mv {
            Move::Leap(from, to) => self.leap(rules, from, to),
            Move::Remove(cell) => self.remove(rules, cell),
            Move::Stop => self.end_turn(rules),
            Move::First(seat) => (self.seat, self.phase) = (seat, Phase::Leap),
        }
    }

    pub(super) fn remove(&mut self, rules: &Rules, cell: Cell) {
        self.capture(cell);
        self.removed += 1;
        match rules.first_to_leap {
            _ if self.removed < rules.removers() => self.seat.0 += 1,
            FirstToLeap::Seat(seat) => (self.seat, self.phase) = (Seat(seat), Phase::Leap),
            // Until the first to leap is known, it is the turn of the seat that removed last.
            FirstToLeap::Lot | FirstToLeap::LastChooses => self.phase = Phase::Choose,
        }
        self.settle(rules);
    }

    fn leap(&mut self, rules: &Rules, from: Cell, to: Cell) {
        let over = from.midway(to);
        self.capture(over);
        self.board.carry(from, to);
        if rules.chains == Chains::Optional {
            if self.phase != Phase::Continue {
                self.chain.start = from;
            }
            self.chain.at = to;
            flip(&mut self.chain.captured, over);
            self.phase = Phase::Continue;
            self.chain.next = self.chain.children(&self.board.pieces, rules);
        }
        if self.chain.next == 0 {
            self.end_turn(rules);
        }
    }

    /// Starts the next seat's turn.
    pub(super) fn end_turn(&mut self, rules: &Rules) {
        self.chain = ChainInProgress::default();
        self.phase = Phase::Leap;
        self.seat.0 = (self.seat.0 + 1) % rules.seats;
        self.settle(rules);
    }
}
