//! A player without some of its skills, to measure how much a skill matters.
//!
//! This is restricted play: Jaffe, Miller, Andersen, Liu, Karlin and Popović, *Evaluating
//! Competitive Game Balance with Restricted Play*, AIIDE 2012.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Steady;
use crate::cells::CardKind;
use crate::{Leopard, Move, Side, View};
use parlour_base::chance::Stream;
use parlour_game::{Game, Policy, Ruled};

/// A skill that can be disabled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Skill {
    /// Laying cards on the other square.
    Harm,
    /// Laying kings on face-up cards.
    KingsOverCards,
    /// Going on although a knock would win. Without it, the player knocks as soon as a knock wins.
    Waiting,
    /// Remembering which cards were laid or discarded. Without it, every card that is not in hand
    /// may come.
    Memory,
}

/// Chooses the best of the remaining moves by the values of the whole player.
#[derive(Clone, Debug)]
pub(super) struct Restricted {
    pub steady: Steady,
    pub disabled: Vec<Skill>,
}

impl Restricted {
    fn lacks(&self, skill: Skill) -> bool {
        self.disabled.contains(&skill)
    }

    fn may(&self, view: &View, mv: Move) -> bool {
        let Some((side, card, cell)) = mv.laid() else { return true };
        let over = CardKind::of(card) == CardKind::King && view.square(side).at(cell).is_some();
        !(side == Side::Other && self.lacks(Skill::Harm)
            || over && self.lacks(Skill::KingsOverCards))
    }
}

impl Policy<Leopard> for Restricted {
    fn pick(&self, game: &Leopard, view: &View, _: &mut Stream) -> Move {
        let mut view = *view;
        if self.lacks(Skill::Memory) {
            view.unseen = game.rules().deck.pile().minus(view.hand);
        }
        if self.lacks(Skill::Waiting) && view.knock_wins(game.rules()) {
            return Move::Knock;
        }
        let mut all = Vec::new();
        game.legal_moves_in_view(&view, &mut all);
        let left: Vec<Move> = all.iter().copied().filter(|mv| self.may(&view, *mv)).collect();
        let moves = if left.is_empty() { all } else { left };
        let mut values = Vec::new();
        self.steady.score_moves(game, &view, &moves, &mut values);
        // The first of the best, in the order of the list.
        let better = |best: usize, at: usize| if values[at] > values[best] { at } else { best };
        moves[(1..moves.len()).fold(0, better)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bots::Kind;
    use parlour_base::chance::Seed;
    use parlour_base::files::Library;
    use parlour_game::Turn;
    use parlour_game::strategy::Strategy;

    fn steady() -> Steady {
        let found = Library::strategies(Leopard::NAME).find("steady").unwrap();
        match Strategy::<Leopard>::read(&found).unwrap().spec.kind {
            Kind::Steady { weights, .. } => Steady::new(weights).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    /// Calls `visit` with every move that a player without these skills makes against the whole
    /// one.
    fn watch(disabled: &[Skill], mut visit: impl FnMut(&Leopard, &View, Move)) {
        let game = Leopard::new(&Leopard::preset("revised").unwrap()).unwrap();
        let player = Restricted { steady: steady(), disabled: disabled.to_vec() };
        for seed in 0..12 {
            let mut chance = Seed::new(seed).stream();
            let mut state = game.deal(&mut chance);
            while let Turn::Seat(seat) = game.turn(&state) {
                let view = game.view(&state, seat);
                let mv = if seat.0 == 0 {
                    let mv = player.pick(&game, &view, &mut chance);
                    visit(&game, &view, mv);
                    mv
                } else {
                    player.steady.pick(&game, &view, &mut chance)
                };
                game.apply(&mut state, mv, &mut chance);
            }
        }
    }

    #[test]
    fn a_disabled_skill_is_never_used() {
        watch(&[Skill::Harm], |_, _, mv| {
            assert!(!matches!(mv.laid(), Some((Side::Other, ..))), "{mv:?}");
        });
        watch(&[Skill::KingsOverCards], |_, view, mv| {
            if let Some((side, card, cell)) = mv.laid() {
                assert!(card.rank() != 13 || view.square(side).at(cell).is_none(), "{mv:?}");
            }
        });
        watch(&[Skill::Waiting], |game, view, mv| {
            assert!(mv == Move::Knock || !view.knock_wins(game.rules()), "{mv:?}");
        });
    }

    #[test]
    fn only_a_disabled_skill_changes_moves() {
        let differ = |disabled: &[Skill]| {
            let (whole, mut differ, mut moves) = (steady(), 0, 0);
            watch(disabled, |game, view, mv| {
                differ += u32::from(whole.pick(game, view, &mut Seed::new(1).stream()) != mv);
                moves += 1;
            });
            f64::from(differ) / f64::from(moves)
        };
        // Moves are valued in single precision here, so some have equal values.
        assert!(differ(&[]) < 0.03, "{}", differ(&[]));
        assert!(differ(&[Skill::Memory]) > 0.1, "{}", differ(&[Skill::Memory]));
    }
}
