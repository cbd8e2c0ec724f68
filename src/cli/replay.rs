//! `parlour replay`.

use std::path::PathBuf;

use clap::Args;

use super::records::{Line, each_line};
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
    /// Print the position of this choice, from 1, for `parlour advise`; nothing else
    #[arg(long, value_name = "N", conflicts_with = "advise")]
    position: Option<usize>,
    /// What its chance grows from
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Replay {
    pub fn run(self) -> Result<()> {
        let mut number = 0;
        let mut shown = None;
        let hands = each_line(&self.records, |line| {
            number += 1;
            if number == self.hand {
                let game = line.game()?;
                let text = with_game!(game.as_str(), G => self.show::<G>(line));
                shown = Some(text.map_err(|error| line.failed(error))??);
            }
            Ok(())
        })?;
        match shown {
            Some(text) => say(text),
            None => {
                let what = format!("it has {hands} hands; `--hand` is {}", self.hand);
                Err(Error::input(what).in_file(&self.records.display().to_string()))
            }
        }
    }

    fn show<G: Strategic>(&self, line: &Line<'_>) -> Result<String> {
        if let Some(number) = self.position {
            let (game, choices) = line.record::<G, _>(G::choices)?;
            let position = annotate::position(&game, &choices, number)?;
            return Ok(serde_json::to_string_pretty(&position).expect("plain data"));
        }
        let shown = line.record::<G, _>(G::show)?;
        let Some(wanted) = &self.advise else { return Ok(shown) };
        let strategy = Strategy::<G>::load(&Shelf::strategies(G::NAME), wanted)?;
        let (game, choices) = line.record::<G, _>(G::choices)?;
        let comment = annotate::table(&game, &strategy, &choices, Seed::new(self.seed));
        Ok(format!("{}\n{comment}", shown.trim_end_matches('\n')))
    }
}
