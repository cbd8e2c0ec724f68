//! Exact play where nothing is hidden any more and no chance is left: alpha-beta to the end
//! (Knuth and Moore 1975, *An analysis of alpha-beta pruning*).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::findings::{Finding, Findings};
use super::{Reward, Thinker};
use crate::chance::{Seed, Stream};
use crate::game::{Game, Seat, Sight, Turn};

/// How endings are played in which [all is known](Game::all_is_known).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EndingOptions {
    /// How many positions an ending may take to be searched to its end; one that takes more is
    /// searched by playouts, as all else is.
    #[schemars(range(min = 1, max = 100_000_000))]
    pub positions: u64,
}

/// A search that plays endings exactly.
pub(super) struct Ending<T> {
    pub search: T,
    pub options: EndingOptions,
    pub reward: Reward,
}

impl<G: Game, T: Thinker<G>> Thinker<G> for Ending<T> {
    fn start(&mut self) {
        self.search.start();
    }

    fn think(&mut self, game: &G, sight: Sight<'_, G>, chance: &mut Stream) -> Findings<G::Move> {
        let solved = solve(game, sight.view, (self.options, self.reward));
        solved.unwrap_or_else(|| self.search.think(game, sight, chance))
    }

    fn decide(&mut self, game: &G, sight: Sight<'_, G>, chance: &mut Stream) -> Findings<G::Move> {
        let solved = solve(game, sight.view, (self.options, self.reward));
        solved.unwrap_or_else(|| self.search.decide(game, sight, chance))
    }
}

/// The best move and what it is worth, if all is known and the ending is not too long. Of equal
/// moves the one after which the seat stands better at once, then the lower one.
fn solve<G: Game>(
    game: &G,
    view: &G::View,
    (options, reward): (EndingOptions, Reward),
) -> Option<Findings<G::Move>> {
    if game.seats() != 2 || !game.all_is_known(view) {
        return None;
    }
    // There is one such world, whatever chance says.
    let world = game.imagine(view, &mut Seed::new(0).stream());
    let Turn::Of(seat) = game.turn(&world) else { return None };
    let mut solver = Solver { game, reward, seat, left: options.positions, spare: Vec::new() };
    let (value, best) = solver.best(&world, -1.0, 2.0)?;
    let spent = options.positions - solver.left;
    let (visits, worth) = (spent.max(2), f64::from(value));
    let total = visits as f64 * worth;
    let found = Finding { visits, total, squares: total * worth, ..Finding::fresh(best?) };
    Some(Findings { moves: vec![found], iterations: spent, ..Findings::default() })
}

/// A position after a move.
struct After<G: Game> {
    /// How the seat that made the move stands there.
    standing: f32,
    mv: G::Move,
    state: G::State,
}

/// The moves of a position, and what they lead to.
struct Lists<G: Game> {
    moves: Vec<G::Move>,
    after: Vec<After<G>>,
}

struct Solver<'a, G: Game> {
    game: &'a G,
    reward: Reward,
    /// Whose rewards are counted; those of both seats add up to 1.
    seat: Seat,
    /// How many more positions may be looked at.
    left: u64,
    /// Lists to be used again.
    spare: Vec<Lists<G>>,
}

impl<G: Game> Solver<'_, G> {
    /// What a state is worth to the seat, exactly if it lies between these, and the move that
    /// makes it so; `None` if that takes too many positions.
    fn best(
        &mut self,
        state: &G::State,
        mut low: f32,
        mut high: f32,
    ) -> Option<(f32, Option<G::Move>)> {
        self.left = self.left.checked_sub(1)?;
        let Turn::Of(mover) = self.game.turn(state) else {
            return Some((self.reward.at(self.game, state)[self.seat.index()], None));
        };
        let new = || Lists { moves: Vec::new(), after: Vec::new() };
        let mut lists = self.spare.pop().unwrap_or_else(new);
        let Lists { moves, after } = &mut lists;
        self.game.moves(state, moves);
        self.game.join_equal(state, moves);
        after.clear();
        for &mv in &*moves {
            let mut next = state.clone();
            self.game.play(&mut next, mv, &mut Seed::new(0).stream());
            // A result first, then by how the seat would stand.
            let standing = match self.game.turn(&next) {
                Turn::Over => 1e6 * (self.reward.at(self.game, &next)[mover.index()] - 0.5),
                Turn::Of(_) => self.game.evaluate(&next, mover),
            };
            after.push(After { standing, mv, state: next });
        }
        after.sort_by(|a, b| b.standing.total_cmp(&a.standing).then(a.mv.cmp(&b.mv)));
        let is_ours = mover == self.seat;
        let mut best: Option<(f32, Option<G::Move>)> = None;
        for After { mv, state, .. } in &*after {
            let (value, _) = self.best(state, low, high)?;
            if best.is_none_or(|(best, _)| if is_ours { value > best } else { value < best }) {
                best = Some((value, Some(*mv)));
            }
            match is_ours {
                true => low = low.max(value),
                false => high = high.min(value),
            }
            // No reward is above 1 or below 0.
            if low >= high || low >= 1.0 || high <= 0.0 {
                break;
            }
        }
        self.spare.push(lists);
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Ruled;
    use crate::games::leopard::Leopard;

    /// The same without cuts, in the order of moves.
    fn plainly<G: Game>(game: &G, reward: Reward, state: &G::State, seat: Seat) -> f32 {
        let Turn::Of(mover) = game.turn(state) else {
            return reward.at(game, state)[seat.index()];
        };
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let values = moves.iter().map(|&mv| {
            let mut next = state.clone();
            game.play(&mut next, mv, &mut Seed::new(0).stream());
            plainly(game, reward, &next, seat)
        });
        match mover == seat {
            true => values.fold(f32::NEG_INFINITY, f32::max),
            false => values.fold(f32::INFINITY, f32::min),
        }
    }

    #[test]
    fn an_ending_is_worth_what_a_search_without_cuts_says() {
        let (mut solved, mut values) = (0, Vec::new());
        for preset in Leopard::presets() {
            let game = Leopard::new(&preset.rules).unwrap();
            for seed in 0..40 {
                let mut chance = Seed::new(seed).stream();
                let mut state = game.deal(&mut chance);
                while let Turn::Of(seat) = game.turn(&state) {
                    let view = game.view(&state, seat);
                    if game.all_is_known(&view) && view.held.iter().sum::<u8>() <= 4 {
                        let reward = Reward { win: [1.0, 0.5][seed as usize % 2], scale: 5.0 };
                        let options = EndingOptions { positions: 1_000_000 };
                        let found = solve(&game, &view, (options, reward)).unwrap();
                        let value = found.moves[0].value() as f32;
                        let plain = plainly(&game, reward, &state, seat);
                        assert!((value - plain).abs() < 1e-6, "{value} {plain} {view:?}");
                        let mut next = state;
                        game.play(&mut next, found.moves[0].mv, &mut chance);
                        assert!((plainly(&game, reward, &next, seat) - plain).abs() < 1e-6);
                        values.push(value);
                        solved += 1;
                    }
                    // Knocks end a hand too early for the stock to run out.
                    let mut moves = Vec::new();
                    game.moves(&state, &mut moves);
                    let at = chance.below(moves.len() as u32) as usize;
                    let mv = if game.notation(moves[at]) == "knock" { moves[0] } else { moves[at] };
                    game.play(&mut state, mv, &mut chance);
                }
            }
        }
        assert!(solved > 300, "{solved}");
        assert!(values.contains(&1.0) && values.contains(&0.0));
    }

    #[test]
    fn what_is_too_long_or_not_known_is_left_to_playouts() {
        let game = Leopard::new(&Leopard::preset("revised").unwrap()).unwrap();
        let mut chance = Seed::new(1).stream();
        let mut state = game.deal(&mut chance);
        let view = game.view(&state, Seat(0));
        let options = EndingOptions { positions: 1_000_000 };
        assert_eq!(solve(&game, &view, (options, Reward::default())), None);
        while let Turn::Of(seat) = game.turn(&state) {
            let view = game.view(&state, seat);
            if game.all_is_known(&view) && view.hand.len() > 2 {
                let options = EndingOptions { positions: 5 };
                assert_eq!(solve(&game, &view, (options, Reward::default())), None);
                return;
            }
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            game.play(&mut state, moves[0], &mut chance);
        }
        panic!("the stock never ran out");
    }
}
