//! Views and moves as numbers for learning. A chain is played leap by leap.

use super::board::{Rows, WAYS, flip};
use super::{Leapfrog, Move, Phase, Rules, SIDE, View};
use parlour_game::encoded::{ActionGroup, Encoded, ObservationWriter, Plane, Symmetry};

impl Leapfrog {
    /// The highest worth of a piece.
    fn worths(&self) -> u8 {
        if self.rules.colors().is_some() { 4 } else { 1 }
    }

    /// Number of bytes whose sum can hold all points.
    fn point_bytes(&self) -> usize {
        self.rules.total_points().div_ceil(255) as usize
    }

    /// The symmetry that moves places of the board.
    fn symmetry(&self, moved: impl Fn([isize; 2]) -> [isize; 2]) -> Symmetry {
        let (cols, ways) = (usize::from(self.rules.cols), self.rules.ways());
        let cell = |cell: usize| {
            let [down, right] = moved([cell / cols, cell % cols].map(|it| it as isize));
            down as usize * cols + right as usize
        };
        let start = moved([0, 0]);
        let step = |(down, right): (isize, isize)| {
            let there = moved([down, right]);
            (there[0] - start[0], there[1] - start[1])
        };
        let way = |way: usize| WAYS.iter().position(|it| *it == step(WAYS[way])).unwrap_or(way);
        let cells = usize::from(self.rules.cells());
        let mut numbers = Vec::new();
        for plane in self.planes() {
            let start = numbers.len();
            let is_board = plane.shape.len() == 3;
            let place =
                |at: usize| if is_board { at / cells * cells + cell(at % cells) } else { at };
            numbers.extend((0..plane.count()).map(|at| (start + place(at)) as u16));
        }
        let mut actions = Vec::new();
        for group in self.actions() {
            let start = actions.len();
            let place = |at: usize| match group.name {
                "capture" => cell(at),
                "leap" => cell(at / ways) * ways + way(at % ways),
                _ => at,
            };
            actions.extend((0..group.count).map(|at| (start + place(at)) as u16));
        }
        Symmetry { numbers, actions }
    }

    /// Number of kinds of the next move.
    fn phases(&self) -> usize {
        if Move::firsts(&self.rules).len() > 0 { 5 } else { 4 }
    }
}

impl Encoded for Leapfrog {
    fn planes(&self) -> Vec<Plane> {
        let Rules { rows, cols, seats, .. } = self.rules;
        let [rows, cols, seats] = [rows, cols, seats].map(usize::from);
        let from_own = "the own seat first, then the next ones in turn";
        let pieces = "for each worth from 1: 1 on each cell with a piece of this worth";
        let chain = "the chain in progress: 1 on the start of its piece, on its current cell, and on \
                     each captured cell";
        let points = format!(
            "the points of each seat, {from_own}; the points are the sum of the numbers, each filled \
             to 255 before the next"
        );
        let phase = "1 for the kind of the next move: first capture, first leap, another leap or \
                     stop, none (the hand is over), with `last_chooses` the choice of the first to \
                     leap";
        vec![
            Plane::new("pieces", [self.worths().into(), rows, cols], 1, pieces),
            Plane::new("chain", [3, rows, cols], 1, chain),
            Plane::new("points", [seats, self.point_bytes()], 255, points),
            Plane::new("turn", [seats], 1, format!("1 for the seat to move; {from_own}")),
            Plane::new("seat", [seats], 1, "1 at the number of the own seat"),
            Plane::new("phase", [self.phases()], 1, phase),
            Plane::new("first captures", [1], 4, "number of first captures made"),
        ]
    }

    fn actions(&self) -> Vec<ActionGroup> {
        let (cells, ways) = (usize::from(self.rules.cells()), self.rules.ways());
        let capture = "a first capture of the piece on cell k, row by row";
        let diagonal =
            if self.rules.diagonal { ", up left, up right, down left, down right" } else { "" };
        let leap = format!(
            "the piece on cell k // {ways} leaps: up, left, right, down{diagonal} for k % {ways}; a \
             chain is one action for each leap"
        );
        let first = "seat k leaps first";
        let mut groups = vec![
            ActionGroup::new("capture", cells, capture),
            ActionGroup::new("leap", cells * ways, leap),
            ActionGroup::new("stop", 1, "ends a chain that could continue"),
            ActionGroup::new("first", Move::firsts(&self.rules).len(), first),
        ];
        groups.retain(|group| group.count > 0);
        groups
    }

    fn observe(&self, view: &View, out: &mut [u8]) {
        let Rules { rows, cols, seats, .. } = self.rules;
        let [rows, cols, seats] = [rows, cols, seats].map(usize::from);
        let state = &view.state;
        let mut pen = ObservationWriter::new(out);
        let mut plane = |cells: &Rows| {
            for &row in &cells[..rows] {
                pen.bits(row.into(), cols);
            }
        };
        (1..=self.worths()).for_each(|worth| plane(&state.board.of_worth(worth)));
        for cell in [state.chain.start, state.chain.at] {
            let mut one = [0; SIDE];
            if state.phase == Phase::Continue {
                flip(&mut one, cell);
            }
            plane(&one);
        }
        plane(&state.chain.captured);
        let own = view.seat.index() % seats;
        let point_bytes = self.point_bytes();
        for seat in 0..seats {
            let mut left = state.points[(own + seat) % seats];
            for _ in 0..point_bytes {
                pen.number(left.min(255) as u8);
                left = left.saturating_sub(255);
            }
        }
        let turn = (state.seat.index() + seats - own) % seats;
        pen.one_of(if state.phase == Phase::Over { seats } else { turn }, seats);
        pen.one_of(own, seats);
        pen.one_of(state.phase as usize, self.phases());
        pen.number(state.removed);
    }

    /// Reflections of the board, and the transposition of a square one.
    fn symmetries(&self) -> Vec<Symmetry> {
        let (rows, cols) = (isize::from(self.rules.rows), isize::from(self.rules.cols));
        let upside_down = self.symmetry(|[down, right]| [rows - 1 - down, right]);
        let mirrored = self.symmetry(|[down, right]| [down, cols - 1 - right]);
        let transposed = || self.symmetry(|[down, right]| [right, down]);
        [upside_down, mirrored].into_iter().chain((rows == cols).then(transposed)).collect()
    }

    fn action_of(&self, mv: Move) -> Option<usize> {
        let rules = &self.rules;
        let (cells, ways) = (usize::from(rules.cells()), rules.ways());
        match mv {
            Move::Remove(cell) => rules.holds(cell).then(|| rules.index(cell)),
            Move::Leap(from, to) => {
                let way = from.way_to(to).ok().filter(|way| *way < ways)?;
                let is_on = rules.holds(from) && rules.holds(to);
                is_on.then(|| cells + rules.index(from) * ways + way)
            }
            Move::Stop => Some(cells + cells * ways),
            Move::First(seat) => {
                let is_on = seat.index() < Move::firsts(&self.rules).len();
                is_on.then(|| cells + cells * ways + 1 + seat.index())
            }
        }
    }

    fn move_of(&self, action: usize) -> Option<Move> {
        let (cells, ways) = (usize::from(self.rules.cells()), self.rules.ways());
        match action.checked_sub(cells) {
            None => Some(Move::Remove(self.rules.cell_at(action))),
            Some(leap) if leap < cells * ways => {
                let from = self.rules.cell_at(leap / ways);
                self.rules.leap(from, leap % ways).map(|(_, to)| Move::Leap(from, to))
            }
            Some(last) => {
                [Move::Stop].into_iter().chain(Move::firsts(&self.rules)).nth(last - cells * ways)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FirstToLeap;
    use parlour_game::{Ruled, kit};

    #[test]
    fn every_variant_passes_the_encoding_check() {
        let mut nodes = 0;
        for preset in Leapfrog::presets() {
            nodes += kit::check_encoded(&Leapfrog::new(&preset.rules).unwrap(), 6);
        }
        assert!(nodes > 4000, "{nodes}");
    }

    #[test]
    fn diagonals_and_more_seats_pass_the_encoding_check() {
        for seats in 2..=4 {
            let rules = Rules { seats, diagonal: seats != 3, ..Rules::murray(7, 5) };
            for first_to_leap in [FirstToLeap::Lot, FirstToLeap::LastChooses] {
                let rules = Rules { first_to_leap, ..rules.clone() };
                assert!(kit::check_encoded(&Leapfrog::new(&rules).unwrap(), 10) > 100);
            }
            assert!(kit::check_encoded(&Leapfrog::new(&rules).unwrap(), 10) > 100);
        }
    }

    /// A hand that is moved by a symmetry is a hand with moved observations and actions.
    #[test]
    fn symmetric_positions_have_symmetric_encodings() {
        use parlour_base::chance::Seed;
        use parlour_game::Game;
        use parlour_game::encoded::actions_in;

        let mut positions = 0;
        for rules in [Rules::plain(5, 5), Rules { diagonal: true, ..Rules::plain(4, 6) }] {
            let game = Leapfrog::new(&rules).unwrap();
            let symmetries = game.symmetries();
            assert_eq!(symmetries.len(), if rules.rows == rules.cols { 3 } else { 2 });
            for Symmetry { numbers, actions } in symmetries {
                let encoded = |state: &crate::State| {
                    let view = game.view(state, state.seat);
                    let (mut seen, mut mask) = (vec![0; numbers.len()], vec![0; 8]);
                    game.observe(&view, &mut seen);
                    game.legal(&view, &mut mask);
                    (seen, actions_in(&mask).collect::<Vec<u16>>())
                };
                let mut chance = Seed::new(5).stream();
                let mut state = game.deal(&mut chance);
                let mut moved = state;
                loop {
                    let ((seen, legal), (seen_after, legal_after)) =
                        (encoded(&state), encoded(&moved));
                    let mut places = numbers.iter().zip(&seen);
                    assert!(places.all(|(place, it)| seen_after[usize::from(*place)] == *it));
                    let there = |action: &u16| actions[usize::from(*action)];
                    let mut expected: Vec<u16> = legal.iter().map(there).collect();
                    expected.sort_unstable();
                    assert_eq!(expected, legal_after);
                    positions += 1;
                    let Some(at) = (!legal.is_empty()).then(|| chance.below(legal.len() as u32))
                    else {
                        break;
                    };
                    let action = legal[at as usize];
                    let step = |state: &mut crate::State, action: u16, chance: &mut _| {
                        let mv = game.move_of(usize::from(action)).unwrap();
                        game.apply(state, mv, chance);
                    };
                    step(&mut moved, there(&action), &mut chance);
                    step(&mut state, action, &mut chance);
                }
            }
        }
        assert!(positions > 60, "{positions}");
    }

    #[test]
    fn actions_are_cells_and_ways() {
        let game = Leapfrog::new(&Rules::plain(4, 5)).unwrap();
        let texts = [(0, "xa1"), (7, "xc2"), (20 + 4 * 7 + 2, "c2-e2"), (100, "stop")];
        for (action, text) in texts {
            assert_eq!(game.move_of(action).unwrap().to_string(), text);
        }
        assert_eq!(game.move_of(20), None, "a1 has no cell above it");
    }
}
