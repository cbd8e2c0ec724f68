//! One hand of Leap Frog written down.

use super::{Leapfrog, Move, Phase, State};
use crate::chance::Stream;
use crate::game::{Game, Label, Ruled};

crate::game::record::record!(Leapfrog, "LeapfrogRecord", #[serde(default)] hand, {
    /// The full board: rows from the top joined by `/`, `o` a plain piece, `w y r g` coloured ones.
    board: String,
    /// First captures `xe5`, then chains `e5-g5-g7`.
    moves: Vec<String>,
});

impl Record {
    /// The moves must be legal ones in order; what follows the end of the hand is left out.
    pub(super) fn of(game: &Leapfrog, label: &Label, mut chance: Stream, moves: &[Move]) -> Record {
        let start = game.deal(&mut chance);
        let (end, moves) = written(game, start, moves);
        Record::new(game, label, &game.scores(&end), start.board.text(game.rules()), moves)
    }
}

/// The moves with each chain in one piece: `e5-g5-g7`.
fn written(game: &Leapfrog, mut state: State, moves: &[Move]) -> (State, Vec<String>) {
    let mut texts: Vec<String> = Vec::new();
    for &mv in moves {
        if state.phase == Phase::Over {
            break;
        }
        let goes_on = state.phase == Phase::Continue;
        state.play(game.rules(), mv);
        match texts.last_mut() {
            Some(chain) if goes_on && mv.is_leap() => *chain += &format!("-{}", mv.landing()),
            _ if mv == Move::STOP => {}
            _ => texts.push(mv.to_string()),
        }
    }
    (state, texts)
}
