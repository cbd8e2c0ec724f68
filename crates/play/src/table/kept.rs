//! Hands kept in files: the records of finished ones, and the one under way.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::hand::Dealt;
use super::play::{Setting, Table, is_manual};
use super::sitter::Sitter;
use crate::error::{Error, Result, collect_results, ensure};
use crate::files::{cannot_write, compact, parse_json, write_atomic};
use crate::strategy::Strategic;
use crate::variant::{Head, Variant};

/// A hand that was left before its end: with the same program it is dealt again.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unfinished<R> {
    /// The version of this form: 1.
    pub unfinished: u32,
    /// The game's name.
    pub game: String,
    /// The variant's name.
    pub variant: String,
    /// Its rules in full.
    pub rules: R,
    /// The seed of the table.
    pub seed: u64,
    /// Which deal.
    pub deal: u64,
    /// What the bot that dealt wished for.
    pub wish: Option<u32>,
    /// Whether the person who dealt judges by hand.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_hand: bool,
    /// Who sits where: `person`, or a strategy's name or path.
    pub seats: Vec<String>,
    /// The moves, in order.
    pub moves: Vec<String>,
}

impl<G: Strategic> Table<G> {
    /// The hand under way as it is kept; nothing once it is over.
    pub fn unfinished(&self) -> Option<String> {
        if self.is_finished() || self.resigned || self.asks_dealer {
            return None;
        }
        let (Dealt { seed, deal, wish }, moves) = self.course();
        let unfinished = Unfinished {
            unfinished: 1,
            game: G::NAME.to_owned(),
            variant: self.label().variant,
            rules: self.game.rules(),
            seed,
            deal,
            wish,
            by_hand: is_manual(&*self.game),
            seats: self.sitters.iter().map(|who| who.asked().to_owned()).collect(),
            moves: moves.iter().map(|(_, mv)| self.game.notation(*mv)).collect(),
        };
        Some(compact(&unfinished))
    }

    /// Takes up a hand that was left.
    ///
    /// # Errors
    /// What is wrong with the file, and where.
    pub fn resumed(file: &str, text: &str) -> Result<Table<G>> {
        let read = || {
            // Of another game, whose rules cannot be read: nothing else need be said.
            if let Ok(Head { game }) = parse_json::<Head>(file, text) {
                ensure(game == G::NAME, || {
                    let what = format!("it is a hand of `{game}`, not of {}", G::NAME);
                    Error::input(what).in_field("game")
                })?;
            }
            let left: Unfinished<G::Rules> = parse_json(file, text)?;
            ensure(left.unfinished == 1, || {
                let form = left.unfinished;
                Error::input(format!("it is of form {form}; this program reads form 1"))
                    .in_field("unfinished")
            })?;
            let named = G::preset(&left.variant);
            ensure(named.is_none_or(|rules| rules == left.rules), || {
                let what = format!("these are not the rules of `{}`", left.variant);
                Error::input(what).in_field("rules")
            })?;
            let game = G::new(&left.rules).map_err(|error| error.in_field("rules"))?;
            let seats = left.seats.iter().map(|name| Sitter::named(name));
            let sitters = collect_results(seats).map_err(|error| error.in_field("seats"))?;
            let variant = Variant { name: left.variant, game };
            let mut table = Table::new(Setting { variant, sitters, seed: left.seed })?;
            let moves = left.moves.iter().enumerate().map(|(index, text)| {
                let mv = table.game().parse_move(text);
                mv.map_err(|error| error.in_field(&format!("moves[{index}]")))
            });
            let moves = moves.collect::<Result<Vec<_>>>()?;
            let Unfinished { seed, deal, wish, by_hand, .. } = left;
            table.take_up(Dealt { seed, deal, wish }, by_hand, &moves)?;
            Ok(table)
        };
        read().map_err(|error: Error| match error.faults() {
            [fault] if fault.place.file.is_some() => error,
            _ => error.in_file(file),
        })
    }
}

/// Where the hands of a table are kept.
pub struct Kept {
    records: PathBuf,
    under_way: PathBuf,
    /// What the file of the hand under way holds.
    written: Option<String>,
    /// The deals whose records were written.
    recorded: Vec<u64>,
}

impl Kept {
    /// Records go to the end of this file. The hand under way goes into a file beside it, `resumed`
    /// where it was taken up from one.
    pub fn new(records: &Path, resumed: Option<&Path>) -> Kept {
        let under_way = resumed.map_or_else(|| free(records), Path::to_path_buf);
        Kept { records: records.to_path_buf(), under_way, written: None, recorded: Vec::new() }
    }

    /// The file of the records.
    pub fn records(&self) -> &Path {
        &self.records
    }

    /// The file of the hand under way.
    pub fn under_way(&self) -> &Path {
        &self.under_way
    }

    /// Keeps a table as it is now: `under_way` is its hand before the end, `record` that at the end
    /// with the number of its deal.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn keep(&mut self, under_way: Option<String>, record: Option<(u64, String)>) -> Result<()> {
        if let Some((deal, line)) = record
            && !self.recorded.contains(&deal)
        {
            let to_end = || -> std::io::Result<()> {
                let mut file = File::options().append(true).create(true).open(&self.records)?;
                file.write_all(format!("{line}\n").as_bytes())?;
                file.sync_data()
            };
            to_end().map_err(|error| cannot_write(&self.records, &error))?;
            self.recorded.push(deal);
        }
        if under_way == self.written {
            return Ok(());
        }
        match &under_way {
            Some(text) => write_atomic(&self.under_way, format!("{text}\n"))?,
            // It is over; where the file is gone already, nothing is lost.
            None => _ = std::fs::remove_file(&self.under_way),
        }
        self.written = under_way;
        Ok(())
    }
}

/// A file beside the records for the hand under way, whose name is not taken.
fn free(records: &Path) -> PathBuf {
    let stem = records.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let named = |number: u32| {
        let number = if number > 1 { format!("-{number}") } else { String::new() };
        records.with_file_name(format!("{stem}.unfinished{number}.json"))
    };
    let mut number = 1;
    while named(number).exists() && number < 10_000 {
        number += 1;
    }
    named(number)
}
