//! The game as a player believes it to be: imagined worlds have rules drawn from its belief.

use crate::chance::Stream;
use crate::games::eleusis::rule::Rule;
use crate::games::eleusis::{Eleusis, Move, Stage, State, View};
use crate::game::{Game, Scores, Seat, Turn};

/// Eleusis with other worlds to imagine. Guesses are left out: what they are worth is weighed
/// without a search.
#[derive(Clone)]
pub(super) struct Believed {
    game: Eleusis,
    /// Drawn from the belief, each as often as it was drawn; none to leave it to the game.
    rules: Vec<Rule>,
}

impl Believed {
    pub fn new(game: Eleusis, rules: Vec<Rule>) -> Believed {
        Believed { game, rules }
    }
}

fn without_guesses(stage: Stage, moves: &mut Vec<Move>) {
    if stage == Stage::After {
        moves.retain(|mv| !matches!(mv, Move::Guess(_)));
    }
}

impl Game for Believed {
    type State = State;
    type View = View;
    type Move = Move;

    fn seats(&self) -> usize {
        self.game.seats()
    }

    fn deal(&self, chance: &mut Stream) -> State {
        self.game.deal(chance)
    }

    fn turn(&self, state: &State) -> Turn {
        self.game.turn(state)
    }

    fn moves(&self, state: &State, out: &mut Vec<Move>) {
        self.game.moves(state, out);
        without_guesses(state.public().stage, out);
    }

    fn play(&self, state: &mut State, mv: Move, chance: &mut Stream) {
        self.game.play(state, mv, chance);
    }

    fn scores(&self, state: &State) -> Scores {
        self.game.scores(state)
    }

    fn view(&self, state: &State, seat: Seat) -> View {
        self.game.view(state, seat)
    }

    fn imagine(&self, view: &View, chance: &mut Stream) -> State {
        if view.rule.is_some() || self.rules.is_empty() {
            return self.game.imagine(view, chance);
        }
        let rule = &self.rules[chance.below(self.rules.len() as u32) as usize];
        view.imagine_under(rule.clone(), chance)
    }

    fn options(&self, view: &View, out: &mut Vec<Move>) {
        self.game.options(view, out);
        without_guesses(view.public.stage, out);
    }

    fn max_moves(&self) -> usize {
        self.game.max_moves()
    }

    fn score_range(&self) -> (i32, i32) {
        self.game.score_range()
    }

    /// Cards count, not points: the points of a hand that goes on are those of who holds most.
    fn evaluate(&self, state: &State, seat: Seat) -> f32 {
        let scores = self.scores(state).0;
        let own = scores.get(seat.index()).copied().unwrap_or(0);
        let others = scores.iter().enumerate().skip(1).filter(|(other, _)| *other != seat.index());
        let (sum, count) =
            others.fold((0, 0), |(sum, count), (_, points)| (sum + points, count + 1));
        own as f32 - sum as f32 / count.max(1) as f32
    }
}
