//! The value of cards for the lines of a square, in whole numbers and for nine cells at a time.

use crate::cells::{CELLS, Cells, by_cells, lines_through};
use crate::{Rules, Square};

/// A number for each cell; the last seven lanes only fill two registers.
pub(super) type Lanes = [i16; 16];

/// For each set of cells and each cell: the number of lines whose other two cells are in the set.
static THROUGH: [[u8; 16]; 512] =
    by_cells!([0; 16], CELLS, |lanes, cells, cell| lanes[cell] = lines_through(cell, cells));

/// For each cell: the number of lines whose other two cells are in the set.
#[inline(always)]
fn through(cells: Cells) -> Lanes {
    let counts = &THROUGH[cells.index()];
    let mut lanes = [0; 16];
    // Plain loops, here and below: iterators over arrays are not inlined.
    for lane in 0..16 {
        lanes[lane] = i16::from(counts[lane]);
    }
    lanes
}

/// Values of lines of one kind (a suit, a colour), in parts of their points.
///
/// They are for a complete line, for two fitting cards, for one, and the extra of the last two if
/// the missing cards are held.
pub(super) type Grades = [i16; 5];

/// Sums over the goals of a line: a colour or a suit.
struct GoalSums {
    open: Cells,
    /// For each cell: the number of lines whose other two cells are open.
    free: Lanes,
    /// Value that a card blocks if it fits no goal.
    blocked: Lanes,
}

impl GoalSums {
    /// Returns the value of the lines of one goal when a fitting card is laid on each cell. `cells`
    /// show a fitting card; `held` could be filled from the hand.
    #[inline(always)]
    fn goal(&mut self, cells: Cells, held: Cells, grades: &Grades, points: i16) -> Lanes {
        let both = through(cells);
        let near = through(cells | self.open);
        let mut fits = [0; 16];
        let [done, two, one, ready, plan] = *grades;
        let (done, two, one) = (done * points, two * points, one * points);
        for lane in 0..16 {
            let half = near[lane] - both[lane] - self.free[lane];
            self.blocked[lane] += two * both[lane] + one * half;
            fits[lane] = done * both[lane] + two * half + one * self.free[lane];
        }
        let held = held & self.open;
        if !held.is_empty() {
            let (ready, plan) = (ready * points, plan * points);
            let (with, alone) = (through(cells | held), through(held));
            for lane in 0..16 {
                fits[lane] += ready * (with[lane] - both[lane] - alone[lane]) + plan * alone[lane];
            }
        }
        fits
    }

    #[inline(always)]
    fn suit(&self, color: &Lanes, suit: &Lanes) -> Lanes {
        let mut lanes = [0; 16];
        for lane in 0..16 {
            lanes[lane] = color[lane] + suit[lane] - self.blocked[lane];
        }
        lanes
    }
}

/// Returns, for each suit, the value of its card on each cell, if the cell were open. `held` are
/// the cells that each suit's number cards in hand could fill.
#[inline(always)]
pub(super) fn line_values(
    square: Square,
    held: [Cells; 4],
    grades: &[Grades; 2],
    rules: &Rules,
) -> [Lanes; 4] {
    let open = square.open();
    let color_line = i16::from(rules.color_line);
    let step = i16::from(rules.suit_line) - color_line;
    let mut sum = GoalSums { open, free: through(open), blocked: [0; 16] };
    let [s, h, d, c] = square.suits();
    let [color, suit] = grades;
    let black = sum.goal(s | c, held[0] | held[3], color, color_line);
    let red = sum.goal(h | d, held[1] | held[2], color, color_line);
    let spades = sum.goal(s, held[0], suit, step);
    let hearts = sum.goal(h, held[1], suit, step);
    let diamonds = sum.goal(d, held[2], suit, step);
    let clubs = sum.goal(c, held[3], suit, step);
    [
        sum.suit(&black, &spades),
        sum.suit(&red, &hearts),
        sum.suit(&red, &diamonds),
        sum.suit(&black, &clubs),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, LINES, Leopard, Side};
    use parlour_base::cards::Suit;
    use parlour_base::chance::Seed;
    use parlour_game::{Game, Ruled};

    /// The value of a line for a goal: by the number of fitting cells, if the others are open.
    fn line_value(
        line: u16,
        fits: usize,
        open: usize,
        held: usize,
        grades: &Grades,
        points: i16,
    ) -> i16 {
        let line = usize::from(line);
        if line & !(fits | open) != 0 {
            return 0;
        }
        let left = line & !fits;
        let ready = left != 0 && left & !held == 0;
        let [done, two, one, held_one, held_two] = *grades;
        points
            * match (line & fits).count_ones() {
                3 => done,
                2 => two + if ready { held_one } else { 0 },
                1 => one + if ready { held_two } else { 0 },
                _ => 0,
            }
    }

    /// The value of laying a card of a suit on an open cell, line by line.
    fn slowly(
        square: Square,
        held: [usize; 4],
        grades: &[Grades; 2],
        suit: usize,
        cell: Cell,
    ) -> i16 {
        let mut after = square;
        after.lay(cell, Suit::ALL[suit]);
        let all = |square: Square, ready: [usize; 4]| -> i16 {
            let mut sum = 0;
            let cells = Suit::ALL.map(|suit| square.suit(suit).index());
            let open = square.open().index();
            for line in LINES.into_iter().filter(|line| line >> cell.index() & 1 == 1) {
                for (a, b) in [(0, 3), (1, 2)] {
                    let (fits, held) = (cells[a] | cells[b], ready[a] | ready[b]);
                    sum += line_value(line, fits, open, held & open, &grades[0], 1);
                }
                for suit in 0..4 {
                    sum += line_value(line, cells[suit], open, ready[suit] & open, &grades[1], 2);
                }
            }
            sum
        };
        // The hand's earlier possibilities count nothing, so that a card has the value that it
        // adds.
        all(after, held) - all(square, [0; 4])
    }

    #[test]
    fn fast_values_match_a_sum_over_lines() {
        let rules = Rules::REVISED;
        let game = Leopard::new(&rules).unwrap();
        let grades = |done| [done, 11, 4, 9, 3];
        let grades = [grades(31), grades(37)];
        let mut checked = 0;
        for hand in 0..40 {
            let mut chance = Seed::new(hand).stream();
            let mut state = game.deal(&mut chance);
            while let parlour_game::Turn::Seat(seat) = game.turn(&state) {
                let view = game.view(&state, seat);
                let held = Cells::by_suit(view.hand.distinct());
                let own = view.square(Side::Own);
                let fast = line_values(own, held, &grades, &rules);
                for cell in own.open() {
                    for suit in 0..4 {
                        let slow = slowly(own, held.map(Cells::index), &grades, suit, cell);
                        let fast = fast[suit][cell.index()];
                        assert_eq!(fast, slow, "{:?} {suit} on {cell:?}", own);
                        checked += 1;
                    }
                }
                let mv = game.sample(&state, &mut chance);
                game.apply(&mut state, mv, &mut chance);
            }
        }
        assert!(checked > 10_000, "{checked}");
    }
}
