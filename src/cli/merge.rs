//! `parlour merge`.

use std::path::{Path, PathBuf};

use clap::Args;

use super::play_plan::name_folder;
use super::say;
use crate::error::{Error, Result};
use crate::games::with_game;
use crate::results::{merge, rating_table, read_header, variant_table};
use crate::strategy::Strategic;

#[derive(Args, Debug)]
pub(super) struct Merge {
    /// The folders of the shards
    #[arg(required = true)]
    shards: Vec<PathBuf>,
    /// Where the results go
    #[arg(long)]
    out: PathBuf,
}

impl Merge {
    pub fn run(self) -> Result<()> {
        let first =
            self.shards.first().ok_or_else(|| Error::input("name the folders of the shards"))?;
        let game = read_header(first)?.plan.game;
        with_game!(game.as_str(), G => join::<G>(&self.shards, &self.out))?
    }
}

fn join<G: Strategic>(shards: &[PathBuf], out: &Path) -> Result<()> {
    let (_plan, summary) = merge::<G>(shards, out)?;
    say(format!("Ratings\n{}\n", rating_table(&summary)))?;
    say(format!("Variants\n{}\n", variant_table(&summary)))?;
    name_folder(out)
}
