//! Whole hands at a terminal with random listed moves.

use std::cell::RefCell;
use std::io::{BufRead, Read, Result};
use std::path::Path;
use std::rc::Rc;

use parlour::Strategic;
use parlour::arena::Variant;
use parlour::cards::CardStyle;
use parlour::chance::{Seed, Stream};
use parlour::table::terminal::Terminal;
use parlour::table::{HandFiles, Participant, Table};

/// A person at a terminal: reads the output and enters lines.
struct Writer {
    said: Rc<RefCell<String>>,
    chance: Stream,
    /// The lines entered before the first move, and the line being read.
    first: Vec<&'static str>,
    line: Vec<u8>,
    /// The number of hands to play after this one.
    more: u32,
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
        if last.starts_with("`next`") {
            let next = self.more.checked_sub(1);
            self.more = next.unwrap_or_default();
            return if next.is_some() { "next" } else { "quit" }.to_owned();
        }
        if let Some(line) = self.first.pop() {
            return line.to_owned();
        }
        let Some(moves) =
            said.lines().rev().nth(1).and_then(|line| line.strip_prefix("Legal moves: "))
        else {
            return "moves".to_owned();
        };
        // Rules can contain commas.
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

/// Plays a hand to its end; returns the whole output.
fn play<G: Strategic>(
    folder: &Path,
    variant: &str,
    participants: &[&str],
    first: &[&'static str],
) -> String {
    play_hands::<G>(folder, variant, participants, first, 1)
}

/// Plays hands to their end; returns the whole output.
fn play_hands<G: Strategic>(
    folder: &Path,
    variant: &str,
    participants: &[&str],
    first: &[&'static str],
    count: u32,
) -> String {
    let variant: Variant<G> = Variant::named(variant).unwrap();
    let participants = participants.iter().map(|name| Participant::load(name).unwrap()).collect();
    let hands = variant.game.hands_per_match();
    let table = Table::new(variant, participants, 4).unwrap();
    let records = folder.join(format!("{}.jsonl", G::NAME));
    let files = HandFiles::open(&records, None).unwrap();
    let saved = files.saved.clone();
    let said = Rc::new(RefCell::new(String::new()));
    let first = first.iter().rev().copied().collect();
    let chance = Seed::new(9).stream();
    let mut writer =
        Writer { said: said.clone(), chance, first, line: Vec::new(), more: count - 1 };
    let mut print = |text: &str| {
        *said.borrow_mut() += &format!("{text}\n");
        Ok(())
    };
    Terminal::new(table, files, CardStyle::Ascii, &mut writer, &mut print).run().unwrap();
    // In a match, the next hand is left.
    assert_eq!(saved.lock().unwrap().is_some(), hands > count);
    let lines = std::fs::read_to_string(&records).unwrap();
    std::fs::remove_file(&records).unwrap();
    assert_eq!(lines.lines().count() as u32, count);
    for line in lines.lines() {
        let record: G::Record = serde_json::from_str(line).unwrap();
        G::verify(&record).unwrap();
    }
    drop(writer);
    said.take()
}

#[test]
fn hands_of_all_games_are_played_to_the_end() {
    use parlour::{Eleusis, Leapfrog, Leopard};
    let here = tempfile::tempdir().unwrap();
    let first = ["?", "nonsense", "rules", "look", "back", "knock", "KC x5"];
    let said = play::<Leopard>(here.path(), "revised", &["person", "ismcts-250"], &first);
    for words in [
        "resign  end the hand early",
        "`nonsense` is not a move",
        "Knock: you may knock when your square is worth 7 or more",
        "you have no move to take back",
        "`knock` is not legal here. Play a card or discard one; to knock you need 7, you have 0.",
        "Legal moves: ",
        "`?` lists the legal moves.",
        "- seat 1 ismcts-250: ",
        "your hand: ",
        "Evaluations of the bots",
        "The record is in ",
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
    assert!(said.contains("Seat 2 is to move. Press Enter when nobody else is looking."), "{said}");
}

#[test]
fn the_secret_rule_is_hidden_until_the_end() {
    let here = tempfile::tempdir().unwrap();
    let seats = ["random", "person", "random", "random", "random"];
    let said = play::<parlour::Eleusis>(here.path(), "eleusis", &seats, &[]);
    let (before, after) = said.split_once("Points:").unwrap();
    let rule =
        after.lines().find_map(|line| line.trim().strip_prefix("your secret rule: ")).unwrap();
    assert!(!before.contains(rule) && !before.contains("secret"), "{before}");
    assert!(before.matches("your hand").count() > 5, "{before}");
}

#[test]
fn a_dealer_chooses_a_rule() {
    let here = tempfile::tempdir().unwrap();
    let seats = ["person", "cautious", "random", "random"];
    let first = ["nonsense", "other-color", ""];
    let said = play::<parlour::Eleusis>(here.path(), "express", &seats, &first);
    for words in [
        "unknown corpus rule `nonsense`",
        "color != last.color\nA main line could begin: ",
        "your secret rule: color != last.color",
    ] {
        assert!(said.contains(words), "`{words}` is not in: {said}");
    }
}

#[test]
fn a_match_is_played_with_totals() {
    let here = tempfile::tempdir().unwrap();
    let seats = ["person", "greedy"];
    let said = play_hands::<parlour::Leopard>(here.path(), "denexa", &seats, &[], 4);
    for words in [
        "leopard; seat 0 (person), seat 1 (greedy).",
        "Hand 2 of 4 of the match. Totals: seat 0 (greedy) ",
        "leopard; seat 0 (greedy), seat 1 (person).",
        "Totals of the match: ",
    ] {
        assert!(said.contains(words), "`{words}` is not in: {said}");
    }
    let end = said.split("Hand 4 of 4").nth(1).unwrap();
    assert!(end.contains(" wins the match.") || end.contains("no single winner"), "{end}");
}
