//! `parlour verify`.

use std::path::PathBuf;

use clap::Args;

use super::records::each_line;
use super::say;
use crate::error::{Error, Result};
use crate::game::Recorded;
use crate::games::with_game;

#[derive(Args, Debug)]
pub(super) struct Verify {
    /// Files of records, a line a hand
    #[arg(required = true)]
    records: Vec<PathBuf>,
}

impl Verify {
    pub fn run(self) -> Result<()> {
        let mut hands = 0;
        for path in &self.records {
            hands += each_line(path, |line| {
                let game = line.game()?;
                with_game!(game.as_str(), G => line.record::<G, _>(<G as Recorded>::verify))
                    .map_err(|error| line.failed(error))?
            })?;
        }
        if hands == 0 {
            return Err(Error::failed("there is no record in these files"));
        }
        say(format!("{hands} hands follow the rules."))
    }
}
