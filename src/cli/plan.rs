//! `parlour plan`.

use super::{
    Args, Error, Head, Overrides, Path, Result, Shelf, Summary, Threads, Watch, parse_json,
    planned, reread, say, with_game,
};
use crate::arena::Playable;
use crate::results::{Need, needs, pilot};

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

pub(super) fn run(given: &Plan) -> Result<()> {
    let &Plan { difference, power, pilot, .. } = given;
    check("difference", difference, 0.01)?;
    check("power", power, 0.8)?;
    if pilot < 2 {
        return Err(Error::input("--pilot: a pilot needs at least 2 deals"));
    }
    let summary = if Path::new(&given.of).is_dir() {
        reread(given.of.as_ref())?.2
    } else {
        let found = Shelf::experiments().find(&given.of)?;
        let place = found.place();
        let head: Head = parse_json(&place, &found.text)?;
        let plan = with_game!(head.game.as_str(), G => planned::<G>(&found, Overrides::default()))
            .map_err(|error| error.in_field("game").in_file(&place))?;
        play(&*plan?, given)?
    };
    let rows = needs(&summary, difference, power).ok_or_else(|| {
        Error::input("one deal has no variance to plan from; at least 2 are needed")
    })?;
    say(format!(
        "To find a difference of {difference} in {:.0} of 100 cases (two-sided, 5 %), judged by {} deals:\n",
        100.0 * power,
        summary.deals
    ))?;
    for Need { what, deviation, deals } in &rows {
        let deals = deals.map_or("more than can be played".to_owned(), |n| format!("{n} deals"));
        say(format!("{deals:>16}  {what} (deviation {deviation:.3} a deal)"))?;
    }
    let most = rows.iter().filter_map(|row| row.deals).max();
    most.map_or(Ok(()), |most| say(format!("\n`\"deals\": {most}` is enough for all of these.")))
}

fn check(flag: &str, share: f64, like: f64) -> Result<()> {
    if share > 0.0 && share < 1.0 {
        return Ok(());
    }
    let right = format!("it must lie between 0 and 1, as {like} does");
    Err(Error::input(format!("--{flag} is {share}; {right}")))
}

/// Plays the pilot.
fn play(plan: &dyn Playable, given: &Plan) -> Result<Summary> {
    let pilot = pilot(plan, given.pilot)?;
    Watch::of_run(pilot.outline(), None, false, true)?.over(&*pilot, given.threads).go()
}
