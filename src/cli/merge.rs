//! `parlour merge`.

use std::path::PathBuf;

use clap::Args;

use super::play_plan::{name_folder, say_json, say_tables};
use crate::error::{Error, Result};
use crate::games::with_game;
use crate::results::{Folder, merge};
use crate::strategy::Strategic;

#[derive(Args, Debug)]
pub(super) struct Merge {
    /// The folders of the shards
    #[arg(required = true)]
    shards: Vec<PathBuf>,
    /// Where the results go
    #[arg(long)]
    out: PathBuf,
    /// Join them though other programs wrote them: you are sure that all play and count the same
    #[arg(long)]
    same_program: bool,
    /// Print the numbers as JSON, by the names of the CSV columns
    #[arg(long)]
    json: bool,
}

impl Merge {
    pub fn run(self) -> Result<()> {
        let first =
            self.shards.first().ok_or_else(|| Error::input("name the folders of the shards"))?;
        let game = Folder::new(first).header()?.experiment.experiment.game;
        with_game!(game.as_str(), G => join::<G>(&self))?
    }
}

fn join<G: Strategic>(this: &Merge) -> Result<()> {
    let (_plan, summary) = merge::<G>(&this.shards, &this.out, this.same_program)?;
    if this.json {
        return say_json(&summary);
    }
    say_tables(&summary)?;
    name_folder(&this.out)
}
