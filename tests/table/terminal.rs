//! Whole hands at a terminal, by somebody who writes any of the moves that are listed.

use std::cell::RefCell;
use std::io::{BufRead, Read, Result};
use std::path::Path;
use std::rc::Rc;

use parlour::Strategic;
use parlour::arena::Variant;
use parlour::cards::CardStyle;
use parlour::chance::{Seed, Stream};
use parlour::table::terminal::Terminal;
use parlour::table::{Kept, Setting, Sitter, Table};

/// Somebody at a terminal: reads what is said, writes lines.
struct Writer {
    said: Rc<RefCell<String>>,
    chance: Stream,
    /// What is written before the first move, and the line being read.
    first: Vec<&'static str>,
    line: Vec<u8>,
}

impl Writer {
    fn next(&mut self) -> String {
        let said = self.said.borrow();
        let last = said.trim_end().lines().last().unwrap_or_default();
        if last.contains("press Enter") || last.contains("Press Enter") {
            return String::new();
        }
        if last == "rule>" && self.first.is_empty() {
            return "any".to_owned();
        }
        if last.starts_with("`again`") {
            return "quit".to_owned();
        }
        if let Some(line) = self.first.pop() {
            return line.to_owned();
        }
        let moves = said.lines().rev().find_map(|line| line.strip_prefix("moves: ")).unwrap();
        // Rules have commas in them, too.
        let moves: Vec<&str> = moves.split(", ").filter(|mv| !mv.contains("more;")).collect();
        let moves: Vec<&str> = moves.into_iter().filter(|mv| !mv.starts_with("guess")).collect();
        moves[self.chance.below(moves.len() as u32) as usize].to_owned()
    }
}

impl Read for Writer {
    fn read(&mut self, _: &mut [u8]) -> Result<usize> {
        unreachable!("lines are read")
    }
}

impl BufRead for Writer {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        if self.line.is_empty() {
            self.line = (self.next() + "\n").into_bytes();
        }
        Ok(&self.line)
    }

    fn consume(&mut self, count: usize) {
        self.line.drain(..count);
    }
}

/// Plays a hand to its end; returns all that was said.
fn play<G: Strategic>(
    folder: &Path,
    variant: &str,
    sitters: &[&str],
    first: &[&'static str],
) -> String {
    let variant: Variant<G> = Variant::named(variant).unwrap();
    let sitters = sitters.iter().map(|name| Sitter::named(name).unwrap()).collect();
    let table = Table::new(Setting { variant, sitters, seed: 4 }).unwrap();
    let records = folder.join(format!("{}.jsonl", G::NAME));
    let kept = Kept::new(&records, None);
    let said = Rc::new(RefCell::new(String::new()));
    let first = first.iter().rev().copied().collect();
    let chance = Seed::new(9).stream();
    let mut writer = Writer { said: said.clone(), chance, first, line: Vec::new() };
    let mut say = |text: &str| {
        *said.borrow_mut() += &format!("{text}\n");
        Ok(())
    };
    let kept = Terminal::new(table, kept, CardStyle::Ascii, &mut writer, &mut say).run().unwrap();
    assert!(!kept.under_way().exists(), "nothing is left of a hand that is over");
    let line = std::fs::read_to_string(&records).unwrap();
    std::fs::remove_file(&records).unwrap();
    let record: G::Record = serde_json::from_str(line.trim_end()).unwrap();
    G::verify(&record).unwrap();
    drop(writer);
    said.take()
}

#[test]
fn whole_hands_of_all_games_are_played_line_by_line() {
    use parlour::{Eleusis, Leapfrog, Leopard};
    let here = tempfile::tempdir().unwrap();
    let first = ["?", "nonsense", "moves", "look", "back", "3H o5, 3H o5"];
    let said = play::<Leopard>(here.path(), "revised", &["person", "ismcts-250"], &first);
    for words in [
        "resign   break the hand off",
        "`nonsense` is not an act",
        "there is no move of yours to take back",
        "; `moves` lists what is legal",
        "- seat 1 ismcts-250: ",
        "your hand: ",
        "What bots thought of their moves",
        "Its record is in ",
    ] {
        assert!(said.contains(words), "`{words}` is not in: {said}");
    }
    assert!(said.is_ascii(), "{said}");
    let said = play::<Leapfrog>(here.path(), "murray-mini-5x5", &["person", "greedy"], &["hint"]);
    assert!(said.contains(" plays x"), "{said}");
    assert!(said.contains("points: seat 0 "), "{said}");
    let seats = ["random", "person", "cautious", "random", "random"];
    let said = play::<Eleusis>(here.path(), "eleusis", &seats, &[]);
    for words in
        ["main line, ", "wrong, seat 1: ", "your secret rule: ", "seat 2 (cautious) believes"]
    {
        assert!(said.contains(words), "`{words}` is not in: {said}");
    }
    let seats = ["random", "person", "person", "random"];
    let said = play::<Eleusis>(here.path(), "express", &seats, &["back", "no play", "back"]);
    assert!(said.contains("Seat 2 is to move. Press Enter when nobody else looks."), "{said}");
}

#[test]
fn before_the_end_nobody_is_told_what_is_hidden() {
    let here = tempfile::tempdir().unwrap();
    let seats = ["random", "person", "random", "random", "random"];
    let said = play::<parlour::Eleusis>(here.path(), "eleusis", &seats, &[]);
    let (before, after) = said.split_once("Points:").unwrap();
    let rule =
        after.lines().find_map(|line| line.trim().strip_prefix("your secret rule: ")).unwrap();
    assert!(!before.contains(rule) && !before.contains("secret"), "{before}");
    assert_eq!(before.matches("your hand").count(), before.matches("moves: ").count());
}

#[test]
fn a_dealer_lays_down_a_rule() {
    let here = tempfile::tempdir().unwrap();
    let seats = ["person", "cautious", "random", "random"];
    let first = ["nonsense", "other-color", ""];
    let said = play::<parlour::Eleusis>(here.path(), "express", &seats, &first);
    for words in [
        "unknown corpus rule `nonsense`",
        "color != last.color\nright as the starter: AS",
        "your secret rule: color != last.color",
    ] {
        assert!(said.contains(words), "`{words}` is not in: {said}");
    }
}
