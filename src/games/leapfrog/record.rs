//! One hand of Leap Frog written down.

use super::{Leapfrog, Move, Phase};
use crate::chance::Stream;
use crate::game::{Game, Label, Ruled};

crate::game::record::record!(Leapfrog, "LeapfrogRecord", #[serde(default)] hand, {
    /// The full board: rows from the top joined by `/`, `o` a plain piece, `w y r g` coloured ones.
    board: String,
    /// First captures `xe5`, then chains `e5-g5-g7`.
    moves: Vec<String>,
});

impl Record {
    /// The moves must be legal ones in order, each chain in one piece when written; what follows
    /// the end of the hand is left out.
    pub(super) fn of(game: &Leapfrog, label: &Label, mut chance: Stream, moves: &[Move]) -> Record {
        let mut state = game.deal(&mut chance);
        let board = state.board.text(game.rules());
        let mut texts: Vec<String> = Vec::new();
        for &mv in moves {
            let phase = state.phase;
            if phase == Phase::Over {
                break;
            }
            state.play(game.rules(), mv);
            match texts.last_mut() {
                Some(chain) if phase == Phase::Continue => {
                    if mv.is_leap() {
                        *chain += &format!("-{}", mv.landing());
                    }
                }
                _ => texts.push(mv.to_string()),
            }
        }
        Record::new(game, label, &game.scores(&state), board, texts)
    }
}
