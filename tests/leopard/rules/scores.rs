//! Lines, values, bonus, penalty, winners.

use std::collections::BTreeSet;

use parlour::cards::Suit;
use parlour::game::{Game, Ruled, Scores};
use parlour::games::leopard::{BonusWhen, Cell, Leopard, Rules, Square};

use super::table::{late, preset, table};

const EMPTY: &str = "-- -- -- -- -- -- -- -- --";

fn value(rules: &Rules, own: &str) -> u8 {
    table(rules, "7H", own, EMPTY).values()[0]
}

/// The lines, cells from 1.
const LINES: [[usize; 3]; 8] =
    [[1, 2, 3], [4, 5, 6], [7, 8, 9], [1, 4, 7], [2, 5, 8], [3, 6, 9], [1, 5, 9], [3, 5, 7]];

fn with(cells: &[usize], card: impl Fn(usize) -> String) -> String {
    let word = |cell| if cells.contains(&cell) { card(cell) } else { "--".to_owned() };
    (1..=9).map(word).collect::<Vec<_>>().join(" ")
}

fn of_suits(cells: &[usize], suits: &str) -> String {
    with(cells, |cell| {
        let at = cells.iter().position(|c| *c == cell).unwrap();
        format!("{}{}", b"A23456789"[cell - 1] as char, suits.as_bytes()[at] as char)
    })
}

#[test]
fn lines_are_3_rows_3_columns_and_2_diagonals() {
    let mut scoring = 0;
    for a in 1..=9 {
        for b in a + 1..=9 {
            for c in b + 1..=9 {
                let is_line = LINES.contains(&[a, b, c]);
                let worth = value(&Rules::REVISED, &of_suits(&[a, b, c], "DDD"));
                assert_eq!(worth, if is_line { 3 } else { 0 }, "{a} {b} {c}");
                scoring += u32::from(is_line);
            }
        }
    }
    assert_eq!(scoring, 8);
}

#[test]
fn a_line_of_one_suit_is_worth_suit_line_and_of_one_colour_color_line() {
    for line in LINES {
        for suits in ["SSS", "HHH", "DDD", "CCC"] {
            assert_eq!(value(&Rules::ORIGINAL, &of_suits(&line, suits)), 2);
            assert_eq!(value(&Rules::REVISED, &of_suits(&line, suits)), 3);
        }
        for suits in ["SSC", "CSC", "SCC", "HHD", "DHH", "DHD"] {
            assert_eq!(value(&Rules::ORIGINAL, &of_suits(&line, suits)), 1);
            assert_eq!(value(&Rules::REVISED, &of_suits(&line, suits)), 1);
        }
        for suits in ["SSH", "SHS", "HSC", "DDC", "CHD"] {
            assert_eq!(value(&Rules::REVISED, &of_suits(&line, suits)), 0);
        }
    }
}

#[test]
fn a_line_with_an_open_cell_is_worth_nothing() {
    for line in LINES {
        assert_eq!(value(&Rules::REVISED, &of_suits(&line[..2], "DD")), 0);
        assert_eq!(value(&Rules::REVISED, &of_suits(&line[1..], "DD")), 0);
    }
}

#[test]
fn the_value_is_the_sum_over_the_lines() {
    // Row 1 and row 3; nothing else has three of a colour.
    let own = "AS 2S 3S 4C 5H -- 7H 8H 9H";
    assert_eq!(value(&Rules::REVISED, own), 6);
    // Row 2 is clubs now; columns and diagonals still end in hearts.
    assert_eq!(value(&Rules::REVISED, "AS 2S 3S 4C 5C 6C 7H 8H 9H"), 9);
    // 1-4-7 black, 1-5-9 spades, 7-8-9 black, 1-2-3 spades.
    assert_eq!(value(&Rules::REVISED, "AS 2S 3S 4C 5S 6H 7C 8C 9S"), 3 + 1 + 3 + 1 + 1 + 1);
}

#[test]
fn a_card_counts_by_its_suit_wherever_tens_and_kings_lie() {
    assert_eq!(value(&Rules::REVISED, "TS KS 3S -- -- -- -- -- --"), 3);
    assert_eq!(value(&Rules::REVISED, "TS KC 3S -- -- -- -- -- --"), 1);
}

/// The possible values of full squares, found by trying all 4^9.
fn full_values(rules: &Rules) -> BTreeSet<u32> {
    let mut values = BTreeSet::new();
    for number in 0..4u32.pow(9) {
        let mut square = Square::EMPTY;
        for cell in Cell::ALL {
            square.lay(cell, Suit::ALL[number as usize >> (2 * cell.index()) & 3]);
        }
        values.insert(square.value(rules));
    }
    values
}

fn missing(rules: &Rules) -> Vec<u32> {
    let values = full_values(rules);
    let largest = *values.last().unwrap();
    (0..=largest).filter(|value| !values.contains(value)).collect()
}

#[test]
fn values_15_cannot_occur_on_a_full_square_original() {
    assert_eq!(missing(&Rules::ORIGINAL), [15]);
}

#[test]
fn values_17_19_21_22_23_cannot_occur_on_a_full_square_revised() {
    assert_eq!(missing(&Rules::REVISED), [17, 19, 21, 22, 23]);
}

#[test]
fn a_square_with_open_cells_is_never_worth_more_than_a_full_one() {
    // Five states a cell, all 5^9 squares.
    let mut best = 0;
    for number in 0..5u32.pow(9) {
        let (mut square, mut rest) = (Square::EMPTY, number);
        for cell in Cell::ALL {
            if let Some(&suit) = Suit::ALL.get(rest as usize % 5) {
                square.lay(cell, suit);
            }
            rest /= 5;
        }
        if !square.open().is_empty() {
            best = best.max(square.value(&Rules::REVISED));
        }
    }
    // One side's middle cell is open: 2 lines fewer of 8.
    assert_eq!(best, 18);
}

/// All nine cells of spades, nobody knocks.
fn largest(rules: &Rules) -> (u8, i32) {
    let own = of_suits(&[1, 2, 3, 4, 5, 6, 7, 8, 9], "SSSSSSSSS");
    let mut game = late(rules, ["7H", "AD"], [&own, EMPTY], 0);
    game.play("7H -").play("AD -");
    assert_eq!(game.seat(), None);
    (game.values()[0], game.scores()[0])
}

#[test]
fn original_largest_value_is_16_and_27_with_bonus() {
    assert_eq!(full_values(&Rules::ORIGINAL).last(), Some(&16));
    assert_eq!(largest(&Rules::ORIGINAL), (16, 27));
}

#[test]
fn revised_largest_value_is_24_and_41_with_bonus() {
    assert_eq!(full_values(&Rules::REVISED).last(), Some(&24));
    assert_eq!(largest(&Rules::REVISED), (24, 41));
}

/// Worth 9 (original 7): row 3 and a diagonal of spades, three black lines.
const NINE: &str = "AS 2S 3S 4H 5C 6H 7S 8S 9S";
/// Worth 6 (original 4): two rows of one suit.
const SIX: &str = "AH 2H 3H -- -- -- 7D 8D 9D";

/// The scores after a knock of seat 0 or after the cards ran out.
fn scores(rules: &Rules, knock: bool) -> ([u8; 2], [i32; 2]) {
    let mut game = late(rules, ["7H", "AD"], [NINE, SIX], 0);
    if knock {
        game.play("knock");
    } else {
        game.play("7H -").play("AD -");
    }
    assert_eq!(game.seat(), None);
    (game.values(), game.scores())
}

#[test]
fn no_knock_bonus_counts_each_point_above_twice_if_nobody_knocked() {
    let ([v0, v1], ends) = scores(&Rules::REVISED, false);
    assert_eq!([v0, v1], [9, 6]);
    assert_eq!(ends, [9 + 2, 6]);
    assert_eq!(scores(&Rules::ORIGINAL, false), ([7, 4], [7 + 2, 4]));
}

#[test]
fn no_knock_bonus_is_not_paid_after_a_knock_and_the_knocker_pays_1() {
    assert_eq!(scores(&Rules::REVISED, true), ([9, 6], [9 - 1, 6]));
    assert_eq!(scores(&Rules::ORIGINAL, true), ([7, 4], [7 - 1, 4]));
}

#[test]
fn denexa_pays_the_bonus_always_and_the_penalty_comes_after_it() {
    assert_eq!(scores(&preset("denexa"), false), ([9, 6], [9 + 2, 6]));
    assert_eq!(scores(&preset("denexa"), true), ([9, 6], [9 + 2 - 1, 6]));
}

#[test]
fn the_bonus_goes_to_both_seats() {
    let rules = Rules { bonus_over: 5, ..preset("denexa") };
    assert_eq!(scores(&rules, true), ([9, 6], [9 + 4 - 1, 6 + 1]));
}

#[test]
fn each_point_above_the_bar_counts_once_more() {
    // Denexa's example (7 scores 7, 8 scores 9, 9 scores 11), with another threshold.
    for (bonus_over, score) in [(9, 9), (8, 10), (7, 11), (0, 18), (255, 9)] {
        let rules = Rules { bonus_over, bonus_when: BonusWhen::Always, ..Rules::REVISED };
        assert_eq!(scores(&rules, false).1[0], score);
    }
}

#[test]
fn the_penalty_may_make_a_score_negative() {
    let rules = Rules { knock_penalty: 100, ..Rules::REVISED };
    assert_eq!(scores(&rules, true).1, [-91, 6]);
}

#[test]
fn the_higher_score_wins_and_fixed_equal_scores_are_a_draw() {
    assert_eq!(Scores::two(3, 2).winner().map(|seat| seat.0), Some(0));
    assert_eq!(Scores::two(2, 3).winner().map(|seat| seat.0), Some(1));
    // 9 less 3 for the knock against 6.
    let rules = Rules { knock_penalty: 3, ..Rules::REVISED };
    let mut game = late(&rules, ["7H", "AD"], [NINE, SIX], 0);
    game.play("knock");
    assert_eq!(game.game.scores(&game.state).winner(), None);
}

#[test]
fn jacks_and_kings_change_the_value_at_once() {
    let mut game = table(&Rules::REVISED, "JH KH", NINE, SIX);
    game.play("JH x1");
    assert_eq!(game.values(), [9, 3]);
    let mut game = table(&Rules::REVISED, "JH KC", NINE, SIX);
    game.play("KC o1");
    assert_eq!(game.values()[0], 9 - 2, "1-2-3 is black now");
}

#[test]
fn every_suit_is_a_lane_of_the_square() {
    for suit in Suit::ALL {
        let mut square = Square::EMPTY;
        square.lay(Cell::ALL[4], suit);
        assert_eq!(square.at(Cell::ALL[4]), Some(suit));
    }
    assert!(Leopard::preset("revised").is_some());
}
