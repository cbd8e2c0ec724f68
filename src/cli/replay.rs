//! `parlour replay`.

use std::path::PathBuf;

use clap::Args;

use super::records::{RecordHead, each_line, fault_at};
use super::{annotate, say};
use crate::chance::Seed;
use crate::error::{Error, Result};
use crate::files::Shelf;
use crate::games::with_game;
use crate::strategy::{Strategic, Strategy};

#[derive(Args, Debug)]
pub(super) struct Replay {
    /// A file of records, a line a hand
    records: PathBuf,
    /// Which hand of the file, from 1
    #[arg(long, default_value_t = 1)]
    hand: usize,
    /// A strategy that says what it would have done: a name or path
    #[arg(long)]
    advise: Option<String>,
    /// What its chance grows from
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Replay {
    pub fn run(self) -> Result<()> {
        let path = &self.records;
        let mut wanted = None;
        let mut number = 0;
        let hands = each_line(path, |line, text| {
            number += 1;
            if number == self.hand {
                wanted = Some((line, text.to_owned()));
            }
            Ok(())
        })?;
        let Some((line, text)) = wanted else {
            let place = path.display();
            return Err(Error::input(format!(
                "{place} has {hands} hands; `--hand` is {}",
                self.hand
            )));
        };
        let head: RecordHead = serde_json::from_str(&text).map_err(|e| fault_at(path, line, e))?;
        let shown = with_game!(head.game.as_str(), G => show::<G>(&text))
            .map_err(|e| fault_at(path, line, e))?;
        say(shown.map_err(|what| fault_at(path, line, what))?)?;
        let Some(wanted) = self.advise else { return Ok(()) };
        let seed = Seed::new(self.seed);
        let comment = with_game!(head.game.as_str(), G => comment::<G>(&text, &wanted, seed));
        let comment = comment.map_err(|e| fault_at(path, line, e))??;
        say(comment.map_err(|what| fault_at(path, line, what))?)
    }
}

fn show<G: Strategic>(text: &str) -> std::result::Result<String, String> {
    let record: G::Record = serde_json::from_str(text).map_err(|e| e.to_string())?;
    G::show(&record).map_err(|fault| fault.to_string())
}

fn comment<G: Strategic>(
    text: &str,
    wanted: &str,
    seed: Seed,
) -> Result<std::result::Result<String, String>> {
    let strategy = Strategy::<G>::load(&Shelf::strategies(G::NAME), wanted)?;
    let record = serde_json::from_str(text).map_err(|e| e.to_string());
    let choices = record.and_then(|record| G::choices(&record).map_err(|fault| fault.to_string()));
    Ok(choices.map(|(game, choices)| annotate::table(&game, &strategy, &choices, seed)))
}
