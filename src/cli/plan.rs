//! `parlour plan`.

use std::path::Path;

use clap::Args;

use super::play_plan::Watch;
use super::say;
use super::threads::Threads;
use crate::arena::{Head, Overrides};
use crate::error::{Error, Result};
use crate::files::{Found, Shelf, parse_json};
use crate::games::with_game;
use crate::results::{Folder, Need, needs, pilot};
use crate::strategy::Strategic;

#[derive(Args, Debug)]
pub(super) struct Plan {
    /// The folder of a finished run, or an experiment of which a pilot is played
    of: String,
    /// The difference to find, as a share of the win
    #[arg(long)]
    difference: f64,
    /// How likely it is to be found, if it is there
    #[arg(long, default_value_t = 0.8)]
    power: f64,
    /// Deals of the pilot
    #[arg(long, default_value_t = 400)]
    pilot: u64,
    #[command(flatten)]
    threads: Threads,
}

impl Plan {
    pub fn run(self) -> Result<()> {
        if !(self.difference.is_finite() && self.difference > 0.0 && self.difference < 1.0) {
            return Err(Error::input(format!(
                "--difference is {}; it must lie between 0 and 1, as 0.01 does",
                self.difference
            )));
        }
        if !(self.power > 0.0 && self.power < 1.0) {
            return Err(Error::input(format!(
                "--power is {}; it must lie between 0 and 1, as 0.8 does",
                self.power
            )));
        }
        if self.pilot < 2 {
            return Err(Error::input("--pilot: a pilot needs at least 2 deals"));
        }
        if Path::new(&self.of).is_dir() {
            let folder = Folder::new(self.of.as_ref());
            let game = folder.header()?.experiment.experiment.game;
            return with_game!(game.as_str(), G => plan::<G>(&self, Of::Folder(folder)))?;
        }
        let found = Shelf::experiments().find(&self.of)?;
        let head: Head = parse_json(&found.place(), &found.text)?;
        with_game!(head.game.as_str(), G => plan::<G>(&self, Of::File(found)))?
    }
}

enum Of {
    Folder(Folder),
    File(Found),
}

fn plan<G: Strategic>(given: &Plan, of: Of) -> Result<()> {
    let summary = match of {
        Of::Folder(folder) => folder.reread::<G>()?.1,
        Of::File(found) => {
            let plan = crate::arena::Plan::<G>::from_file(&found, Overrides::default())?;
            let pilot = pilot(&plan, given.pilot)?;
            let watch = Watch::new(&pilot, None, false)?;
            watch.over(&pilot, given.threads).go()?
        }
    };
    let deals = summary.deals;
    let rows = needs(&summary, given.difference, given.power).ok_or_else(|| {
        Error::input("one deal has no variance to plan from; at least 2 are needed")
    })?;
    say(format!(
        "To find a difference of {} in {:.0} of 100 cases (two-sided, 5 %), judged by {deals} deals:\n",
        given.difference,
        100.0 * given.power
    ))?;
    let most = rows.iter().filter_map(|row| row.deals).max();
    for Need { what, deviation, deals } in &rows {
        let deals = deals.map_or("more than can be played".to_owned(), |n| format!("{n} deals"));
        say(format!("{deals:>16}  {what} (deviation {deviation:.3} a deal)"))?;
    }
    most.map_or(Ok(()), |most| say(format!("\n`\"deals\": {most}` is enough for all of these.")))
}
