//! `parlour merge`.

use std::path::PathBuf;

use clap::Args;

use super::play_plan::name_folder;
use super::say;
use crate::error::{Error, Result};
use crate::results::{merge, rating_table, read_header, variant_table};
use crate::strategy::{GameVisitor, Strategic, with_game};

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
        with_game(&game, Visit(self))?
    }
}

struct Visit(Merge);

impl GameVisitor for Visit {
    type Output = Result<()>;

    fn visit<G: Strategic>(self) -> Result<()> {
        let Merge { shards, out } = self.0;
        let (_plan, summary) = merge::<G>(&shards, &out)?;
        say(format!("Ratings\n{}\n", rating_table(&summary)))?;
        say(format!("Variants\n{}\n", variant_table::<G>(&summary)))?;
        name_folder(&out)
    }
}
