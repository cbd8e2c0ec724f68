//! Leap Frog as a [`Game`], and its whole turns.

use std::fmt;

use super::board::{cells, count};
use super::{Board, Cell, FirstToLeap, Leapfrog, Move, Phase, State, View, leaps};
use parlour_base::chance::{Seed, Stream};
use parlour_base::error;
use parlour_game::{Game, Scores, Seat, Turn};

impl Game for Leapfrog {
    type State = State;
    type View = View;
    type Move = Move;

    fn seats(&self) -> usize {
        usize::from(self.rules.seats)
    }

    /// Lays a full board, with colours at random.
    fn deal(&self, chance: &mut Stream) -> State {
        let rules = &self.rules;
        let mut board = Board::default();
        match rules.colors() {
            None => board.pieces[..usize::from(rules.rows)].fill(rules.full()),
            Some(colors) => {
                let mut cells: arrayvec::ArrayVec<Cell, 324> = rules.each_cell().collect();
                chance.shuffle(&mut cells);
                let pieces = colors.each().into_iter();
                let worths = pieces.flat_map(|(_, worth, n)| std::iter::repeat_n(worth, n.into()));
                cells.into_iter().zip(worths).for_each(|(cell, worth)| board.lay(cell, worth));
            }
        }
        State::new(rules, board)
    }
    fn turn(&self, state: &State) -> Turn {
        if state.phase == Phase::Over { Turn::Over } else { Turn::Seat(state.seat) }
    }

    fn legal_moves(&self, state: &State, out: &mut Vec<Move>) {
        let rules = &self.rules;
        out.clear();
        match state.phase {
            Phase::Remove => out.extend(cells(&state.board.removable(rules)).map(Move::Remove)),
            Phase::Leap => leaps::list(&state.board.pieces, rules, out),
            Phase::Continue => {
                let chain = &state.chain;
                out.extend(chain.landings().map(|to| Move::Leap(chain.at, to)));
                out.push(Move::Stop);
            }
            Phase::Choose => out.extend(Move::firsts(rules)),
            Phase::Over => {}
        }
        // Orthogonal ways are already in the order of their landing cells.
        if rules.diagonal {
            out.sort_unstable();
        }
    }
    fn apply(&self, state: &mut State, mv: Move, chance: &mut Stream) {
        let rules = &self.rules;
        state.play(rules, mv);
        if state.phase == Phase::Choose && rules.first_to_leap == FirstToLeap::Lot {
            state.play(rules, self.sample(state, chance));
        }
    }

    fn scores(&self, state: &State) -> Scores {
        let points = state.points.iter().take(self.seats());
        Scores(points.map(|&points| i32::from(points)).collect())
    }
    fn view(&self, state: &State, seat: Seat) -> View {
        View { seat, state: *state }
    }
    fn check_view(&self, view: &View) -> error::Result<()> {
        view.faults(&self.rules).into_result()
    }

    /// Every seat that a lot may name. Layouts of several colors are too many to be of use.
    fn chance_outcomes(&self, before: Option<(&State, Move)>) -> Option<Vec<(State, u64)>> {
        let rules = &self.rules;
        let Some((state, mv)) = before else {
            let dealt = || (self.deal(&mut Seed::new(0).stream()), 1);
            return rules.colors().is_none().then(|| vec![dealt()]);
        };
        let mut after = *state;
        after.play(rules, mv);
        if after.phase != Phase::Choose || rules.first_to_leap != FirstToLeap::Lot {
            return Some(vec![(after, 1)]);
        }
        let first = |seat| {
            let mut state = after;
            state.play(rules, Move::First(Seat(seat)));
            (state, 1)
        };
        Some((0..rules.seats).map(first).collect())
    }

    /// Returns the state itself: nothing is hidden.
    fn determinize(&self, view: &View, _: &mut Stream) -> State {
        view.state
    }

    fn legal_moves_in_view(&self, view: &View, out: &mut Vec<Move>) {
        out.clear();
        if self.turn(&view.state) == Turn::Seat(view.seat) {
            self.legal_moves(&view.state, out);
        }
    }

    /// Draws uniformly from the moves, not from whole chains. See [`Leapfrog`].
    fn sample(&self, state: &State, chance: &mut Stream) -> Move {
        let rules = &self.rules;
        match state.phase {
            Phase::Leap => leaps::sample(&state.board.pieces, rules, chance).unwrap_or(Move::Stop),
            Phase::Continue => {
                let chain = &state.chain;
                let k = chance.below(chain.next.count_ones() + 1) as usize;
                chain.landings().nth(k).map_or(Move::Stop, |to| Move::Leap(chain.at, to))
            }
            Phase::Remove => {
                let rows = state.board.removable(rules);
                let k = chance.below(count(&rows).max(1)) as usize;
                cells(&rows).nth(k).map_or(Move::Stop, Move::Remove)
            }
            Phase::Choose => Move::First(Seat(chance.below(rules.seats.into()) as u8)),
            Phase::Over => Move::Stop,
        }
    }
    fn sample_view(&self, view: &View, chance: &mut Stream) -> Move {
        self.sample(&view.state, chance)
    }

    /// Every move except a stop captures a piece, and a stop follows a leap.
    fn max_moves(&self) -> usize {
        2 * usize::from(self.rules.cells())
    }

    fn score_range(&self) -> (i32, i32) {
        (0, self.rules.total_points() as i32)
    }
}

/// A whole turn or the rest of one: a first capture or leaps. The last first capture and the choice
/// of the first to leap are one turn.
#[derive(Clone, Debug)]
pub struct Chain<'a> {
    /// The first capture and possibly a choice, or the leaps and possibly a stop. Never empty.
    pub moves: Vec<Move>,
    /// The hand before the turn.
    pub before: &'a State,
    /// The hand after the turn.
    pub after: State,
}

impl Chain<'_> {
    /// The cell where the chain starts.
    pub fn start(&self) -> Cell {
        match self.moves[0] {
            Move::Remove(cell) | Move::Leap(cell, _) => cell,
            Move::Stop | Move::First(_) => self.before.chain.at,
        }
    }

    /// The points of the chain.
    pub fn points(&self) -> i32 {
        let points = |state: &State| i32::from(state.points[self.before.seat.index()]);
        points(&self.after) - points(self.before)
    }
}

/// Writes the turn as in a record: `xe5`, `xe5 first 1` or `e5-g5-g7`.
impl fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.moves[0] {
            Move::Stop => write!(f, "{}", self.start())?,
            first => write!(f, "{first}")?,
        }
        self.moves[1..].iter().try_for_each(|mv| match mv {
            Move::Leap(_, to) => write!(f, "-{to}"),
            Move::First(_) => write!(f, " {mv}"),
            _ => Ok(()),
        })
    }
}

impl Leapfrog {
    /// Every first capture or chain with which the seat to move can end its turn.
    ///
    /// Each comes once, a chain before its extensions. In the middle of a turn these are the
    /// continuations; after the hand there are none. The number of chains may grow exponentially with
    /// the board, so take a limited number.
    pub fn chains<'a>(&'a self, before: &'a State) -> impl Iterator<Item = Chain<'a>> {
        // Beginnings of chains, the next one last.
        let mut open = vec![(Vec::new(), *before)];
        std::iter::from_fn(move || {
            loop {
                let (moves, state) = open.pop()?;
                let mut legal = Vec::new();
                if moves.is_empty() || matches!(state.phase, Phase::Continue | Phase::Choose) {
                    self.legal_moves(&state, &mut legal);
                }
                if legal.is_empty() && !moves.is_empty() {
                    return Some(Chain { moves, before, after: state });
                }
                // The stop comes first: a chain before its extensions.
                let stop = legal.pop_if(|mv| *mv == Move::Stop);
                for mv in legal.into_iter().rev().chain(stop) {
                    let mut after = state;
                    after.play(&self.rules, mv);
                    open.push(([&moves[..], &[mv]].concat(), after));
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Chains, FirstCaptures, Pieces, Rules};
    use parlour_game::{Ruled, kit};

    fn small() -> Vec<Leapfrog> {
        let mut all = Vec::new();
        for base in ["mini-1x1", "mini-1x7", "mini-5x5", "murray-mini-6x4", "murray-mini-8x8"] {
            let base = Leapfrog::preset(base).unwrap();
            for seats in 2..=4 {
                for chains in [Chains::Optional, Chains::Single] {
                    for diagonal in [false, true] {
                        let first_to_leap = FirstToLeap::Seat(seats - 2);
                        let first_captures = match seats {
                            4 if base.pieces == Pieces::Murray => FirstCaptures::FirstSeatGreen,
                            3 => FirstCaptures::FirstSeatLowest,
                            _ => FirstCaptures::Each,
                        };
                        let rules = Rules {
                            seats,
                            chains,
                            diagonal,
                            first_to_leap,
                            first_captures,
                            ..base
                        };
                        all.push(Leapfrog::new(&rules).unwrap());
                        let after = [FirstToLeap::Lot, FirstToLeap::LastChooses];
                        let first_to_leap = after[usize::from(diagonal)];
                        all.push(Leapfrog::new(&Rules { first_to_leap, ..rules }).unwrap());
                    }
                }
            }
        }
        all
    }

    #[test]
    fn every_variant_passes_the_kit() {
        for preset in Leapfrog::presets() {
            kit::check(&Leapfrog::new(&preset.rules).unwrap(), 20);
            kit::check_figures(&Leapfrog::new(&preset.rules).unwrap(), 20);
        }
    }

    #[test]
    fn every_switch_passes_the_kit_on_small_boards() {
        for game in small() {
            kit::check(&game, 20);
        }
    }

    #[test]
    fn illegal_moves_are_refused() {
        for game in small() {
            kit::check_refusals(&game, 1, &crate::moves::tests::all());
        }
    }
}

#[cfg(test)]
mod chance_tests {
    use super::*;
    use crate::Rules;
    use parlour_game::Ruled;

    #[test]
    fn lots_are_listed() {
        let outcomes = |rules: &Rules| Leapfrog::new(rules).unwrap().chance_outcomes(None);
        let mut chance = Seed::new(3).stream();
        let game = Leapfrog::new(&Rules::plain(3, 3)).unwrap();
        assert_eq!(outcomes(&Rules::plain(3, 3)).unwrap(), [(game.deal(&mut chance), 1)]);
        assert!(outcomes(&Rules::murray(3, 3)).is_none());
        let rules = Rules { first_to_leap: FirstToLeap::Lot, seats: 3, ..Rules::plain(3, 3) };
        let game = Leapfrog::new(&rules).unwrap();
        let (mut state, mut legal, mut widths) = (game.deal(&mut chance), Vec::new(), Vec::new());
        for _ in 0..3 {
            game.legal_moves(&state, &mut legal);
            let outcomes = game.chance_outcomes(Some((&state, legal[0]))).unwrap();
            game.apply(&mut state, legal[0], &mut chance);
            assert!(outcomes.contains(&(state, 1)));
            widths.push(outcomes.len());
        }
        assert_eq!(widths, [1, 1, 3]);
    }
}
