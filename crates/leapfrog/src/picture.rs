//! Text pictures of a board and of a whole hand.

use std::fmt::Write;

use super::record::Replayed;
use super::{Board, Cell, Phase, Record, Rules};
use parlour_base::error::Fault;
use parlour_game::Game;

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
pub(super) fn hand(record: &Record, played: &Replayed, wrong: Option<Fault>) -> String {
    let mut out = format!(
        "Leap Frog, {}, deal {}, rotation {}, seed {}\n",
        record.variant, record.deal, record.rotation, record.seed
    );
    for (seat, name) in record.seats.iter().enumerate() {
        _ = writeln!(out, "seat {seat}: {name}");
    }
    let (rules, end) = (&record.rules, &played.end);
    for ((number, step), turn) in (1..).zip(&played.steps).zip(&record.moves) {
        let seat = step.before.seat();
        let (points, name) = (step.after.points(seat), &record.seats[seat.index()]);
        let gain = points - step.before.points(seat);
        let board = text(rules, step.before.board(), &step.cells);
        let seat = seat.0;
        _ = write!(out, "\n{number}. seat {seat} ({name}) {turn}  +{gain}, now {points}\n{board}");
    }
    _ = write!(out, "\nfinal board\n{}", text(rules, end.board(), &[]));
    let scores = played.game.scores(end);
    let points = scores.0.iter().map(i32::to_string).collect::<Vec<_>>().join(" : ");
    let result = match scores.winner() {
        _ if end.phase() != Phase::Over => "so far".to_owned(),
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
