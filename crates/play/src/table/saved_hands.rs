//! Files of a table's hands: the records of finished hands, and the unfinished hand.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::participant::Participant;
use super::table::{DealId, Table, is_manual};
use parlour_base::error::{Error, Result, collect_results, ensure};
use parlour_base::files::{cannot_write, compact, parse_json, write_atomic};
use parlour_game::strategy::Strategic;
use parlour_game::variant::{Head, Variant};

/// An unfinished hand; the same program can deal it again.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnfinishedHand<R> {
    /// The version of this file format: 1.
    pub unfinished: u32,
    /// The game's name.
    pub game: String,
    /// The variant's name.
    pub variant: String,
    /// Its rules in full.
    pub rules: R,
    /// The seed of the table.
    pub seed: u64,
    /// The number of the deal.
    pub deal: u64,
    /// The setup that the dealing bot chose.
    pub setup: Option<u32>,
    /// `true` if the person who dealt judges by hand.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_hand: bool,
    /// The participants: `person`, or a strategy's name or path.
    pub seats: Vec<String>,
    /// The moves, in order.
    pub moves: Vec<String>,
}

impl<G: Strategic> Table<G> {
    /// Returns the contents of the files of hands.
    pub(super) fn file_contents(&self) -> FileContents {
        let record = self.record().map(|line| (self.deal_id.deal, line));
        FileContents { unfinished: self.unfinished(), record }
    }

    /// Returns the content of the file of the unfinished hand; `None` once the hand is over.
    pub fn unfinished(&self) -> Option<String> {
        if self.is_finished() || self.notes.resigned || self.asks_dealer {
            return None;
        }
        let DealId { seed, deal, setup } = self.deal_id;
        let unfinished = UnfinishedHand {
            unfinished: 1,
            game: G::NAME.to_owned(),
            variant: self.label().variant,
            rules: self.game.rules(),
            seed,
            deal,
            setup,
            by_hand: is_manual(&*self.game),
            seats: self.participants.iter().map(|who| who.reference.clone()).collect(),
            moves: self.hand.moves().iter().map(|(_, mv)| self.game.notation(*mv)).collect(),
        };
        Some(compact(&unfinished))
    }

    /// Reads a table with an unfinished hand.
    ///
    /// # Errors
    /// The fault of the file, with its place.
    pub fn resume(file: &str, text: &str) -> Result<Table<G>> {
        let read = || {
            // The rules of another game cannot be read, so this error comes first.
            if let Ok(Head { game }) = parse_json::<Head>(file, text) {
                ensure(game == G::NAME, || {
                    let what = format!("this is a hand of `{game}`, not of `{}`", G::NAME);
                    Error::input(what).in_field("game")
                })?;
            }
            let saved: UnfinishedHand<G::Rules> = parse_json(file, text)?;
            ensure(saved.unfinished == 1, || {
                let format = saved.unfinished;
                Error::input(format!(
                    "format {format} is not supported; this program reads format 1"
                ))
                .in_field("unfinished")
            })?;
            let named = G::preset(&saved.variant);
            ensure(named.is_none_or(|rules| rules == saved.rules), || {
                let what = format!("these are not the rules of `{}`", saved.variant);
                Error::input(what).in_field("rules")
            })?;
            let game = G::new(&saved.rules).map_err(|error| error.in_field("rules"))?;
            let seats = saved.seats.iter().map(|name| Participant::load(name));
            let participants = collect_results(seats).map_err(|error| error.in_field("seats"))?;
            let UnfinishedHand { variant: name, seed, deal, setup, by_hand, moves, .. } = saved;
            let mut table = Table::new(Variant { name, game }, participants, seed)?;
            table.restore(DealId { seed, deal, setup }, by_hand, &moves)?;
            Ok(table)
        };
        read().map_err(|error: Error| match error.faults() {
            [fault] if fault.place.file.is_some() => error,
            _ => error.in_file(file),
        })
    }
}

/// The contents of the files of hands.
pub(super) struct FileContents {
    /// The unfinished hand.
    unfinished: Option<String>,
    /// The record of a finished hand, with the number of its deal.
    record: Option<(u64, String)>,
}

/// The files in which a table saves its hands.
pub struct HandFiles {
    /// The file of the records.
    pub records: PathBuf,
    /// The file of the unfinished hand.
    pub unfinished: PathBuf,
    /// The content of the file of the unfinished hand.
    written: Option<String>,
    /// The deals whose records were written.
    recorded: Vec<u64>,
}

impl HandFiles {
    /// Appends records to a file. The unfinished hand is saved in the file it was `resumed` from, or in
    /// a new file in the same folder.
    pub fn new(records: &Path, resumed: Option<&Path>) -> HandFiles {
        let unfinished = resumed.map_or_else(|| free(records), Path::to_path_buf);
        let records = records.to_path_buf();
        HandFiles { records, unfinished, written: None, recorded: Vec::new() }
    }

    /// Saves the unfinished hand, and appends the record of a finished one.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub(super) fn save(&mut self, contents: FileContents) -> Result<()> {
        let FileContents { unfinished, record } = contents;
        if let Some((deal, line)) = record
            && !self.recorded.contains(&deal)
        {
            let append = || -> std::io::Result<()> {
                let mut file = File::options().append(true).create(true).open(&self.records)?;
                file.write_all(format!("{line}\n").as_bytes())?;
                file.sync_data()
            };
            append().map_err(|error| cannot_write(&self.records, &error))?;
            self.recorded.push(deal);
        }
        if unfinished == self.written {
            return Ok(());
        }
        match &unfinished {
            Some(text) => write_atomic(&self.unfinished, format!("{text}\n"))?,
            // The hand is over. If the file is already gone, nothing is lost.
            None => _ = std::fs::remove_file(&self.unfinished),
        }
        self.written = unfinished;
        Ok(())
    }
}

/// Returns an unused file name for the unfinished hand, next to the records.
fn free(records: &Path) -> PathBuf {
    let stem = records.file_stem().unwrap_or_default().to_string_lossy();
    let named = |number: u32| {
        let number = if number > 1 { format!("-{number}") } else { String::new() };
        records.with_file_name(format!("{stem}.unfinished{number}.json"))
    };
    (1..10_000).map(named).find(|file| !file.exists()).unwrap_or_else(|| named(10_000))
}
