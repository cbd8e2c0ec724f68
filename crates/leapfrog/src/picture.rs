//! Text pictures of a board and of a whole hand.

use std::fmt::Write;

use itertools::Itertools;

use super::{Board, Cell, Leapfrog, Phase, Record, Rules};
use parlour_base::error::Fault;
use parlour_game::{Game, Replay};

/// Draws the board before a turn, and the turn on it.
///
/// The leaping piece is in round brackets, captured ones are in square brackets, and each landing
/// cell has the number of its leap. A path of one cell is a first capture; an empty path draws the
/// board alone.
pub fn text(rules: &Rules, board: &Board, path: &[Cell]) -> String {
    let leapt: Vec<Cell> = path.windows(2).map(|leap| leap[0].midway(leap[1])).collect();
    let mut text = String::from("   ");
    for col in 0..usize::from(rules.cols) {
        _ = write!(text, " {} ", Cell::new(0, col).to_string().trim_end_matches('1'));
    }
    text.truncate(text.trim_end().len());
    for (r, row) in board.text(rules).split('/').enumerate() {
        let mut line = format!("\n{:>2} ", r + 1);
        for (c, letter) in row.chars().enumerate() {
            let cell = Cell::new(r, c);
            let landing = path.iter().rposition(|&on| on == cell);
            line += &match landing {
                Some(0) if path.len() == 1 => format!("[{letter}]"),
                Some(0) => format!("({letter})"),
                Some(leap) if board.has(cell) => format!("({leap})"),
                Some(leap) => format!("{leap:>2} "),
                None if leapt.contains(&cell) => format!("[{letter}]"),
                None => format!(" {letter} "),
            };
        }
        text += line.trim_end();
    }
    text.push('\n');
    text
}

/// Draws a whole hand, with the first fault of its record.
pub(super) fn hand(record: &Record, replay: &Replay<Leapfrog>, wrong: Option<Fault>) -> String {
    let mut out = format!(
        "Leap Frog, {}, deal {}, rotation {}, seed {}\n",
        record.variant, record.deal, record.rotation, record.seed
    );
    for (seat, name) in record.seats.iter().enumerate() {
        _ = writeln!(out, "seat {seat}: {name}");
    }
    if let Some(seat) = record.lot {
        _ = writeln!(out, "seat {seat} leaps first by lot");
    }
    let (rules, end) = (&record.rules, &replay.end);
    let befores = replay.choices.iter().map(|(before, _)| before);
    let afters = befores.clone().skip(1).chain([end]);
    for (number, ((before, after), turn)) in (1..).zip(befores.zip(afters).zip(&replay.written)) {
        let seat = before.seat.index();
        let (points, name) = (after.points[seat], &record.seats[seat]);
        let gain = points - before.points[seat];
        let cells = turn.trim_start_matches('x').split('-');
        let path: Vec<Cell> = cells.filter_map(|cell| cell.parse().ok()).collect();
        let board = text(rules, &before.board, &path);
        _ = write!(out, "\n{number}. seat {seat} ({name}) {turn}  +{gain}, now {points}\n{board}");
    }
    _ = write!(out, "\nfinal board\n{}", text(rules, &end.board, &[]));
    let scores = replay.game.scores(end);
    let points = scores.0.iter().join(" : ");
    let result = match scores.winner() {
        _ if end.phase != Phase::Over => "so far".to_owned(),
        Some(seat) => format!("seat {} ({}) wins", seat.0, record.seats[seat.index()]),
        None => "drawn".to_owned(),
    };
    _ = writeln!(out, "points {points}, {result}");
    if let Some(fault) = wrong {
        _ = writeln!(out, "fault in this record: {fault}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_drawn_on_the_board() {
        let rules = Rules::murray(3, 3);
        let board = Board::read("wy./rgy/w..", &rules).unwrap();
        let path = ["a1", "c1", "c3"].map(|cell| cell.parse().unwrap());
        assert_eq!(
            text(&rules, &board, &path),
            "    a  b  c\n 1 (w)[y] 1\n 2  r  g [y]\n 3  w  .  2\n"
        );
        assert_eq!(
            text(&rules, &board, &path[..1]),
            "    a  b  c\n 1 [w] y  .\n 2  r  g  y\n 3  w  .  .\n"
        );
    }
}
