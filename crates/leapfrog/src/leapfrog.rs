//! Leap Frog as a [`Game`] whose hands are [`Recorded`].

use super::board::{cells, count};
use super::{Board, Cell, Leapfrog, Move, Phase, Record, State, View, leaps, picture};
use parlour_base::chance::Stream;
use parlour_base::error::{self, Fault};
use parlour_game::{Game, Label, Recorded, Replay, Scores, Seat, Turn};

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
            Phase::Over => {}
        }
        // Orthogonal ways are already in the order of their landing cells.
        if rules.diagonal {
            out.sort_unstable();
        }
    }
    fn apply(&self, state: &mut State, mv: Move, _: &mut Stream) {
        state.play(&self.rules, mv);
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

impl Recorded for Leapfrog {
    type Record = Record;

    fn record(&self, label: &Label, chance: Stream, moves: &[Move], _: &State) -> Record {
        Record::of(self, label, chance, moves)
    }

    fn verify(record: &Record) -> Result<(), Fault> {
        record.check(&record.replay()?)
    }

    /// Shows unfinished hands and hands with a wrong result too, with a remark.
    fn show(record: &Record) -> Result<String, Fault> {
        let replay = record.replay()?;
        Ok(picture::hand(record, &replay, record.check(&replay).err()))
    }

    /// Replays the first capture or the first leap of each turn.
    fn replay(record: &Record) -> Result<Replay<Leapfrog>, Fault> {
        record.replay()
    }

    fn place(record: &Record) -> (u64, u32) {
        (record.deal, record.hand)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Chains, FirstCaptures, FirstToLeap, Pieces, Rules};
    use parlour_game::{Ruled, kit};

    fn small() -> Vec<Leapfrog> {
        let mut all = Vec::new();
        for base in ["mini-1x1", "mini-1x7", "mini-5x5", "murray-mini-6x4", "murray-mini-8x8"] {
            let base = Leapfrog::preset(base).unwrap();
            for seats in 2..=4 {
                for chains in [Chains::Optional, Chains::Single] {
                    for diagonal in [false, true] {
                        let first_to_leap = FirstToLeap(seats - 2);
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
