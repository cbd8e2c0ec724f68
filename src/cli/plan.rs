//! `parlour plan`.

use schemars::JsonSchema;

use super::{
    Args, Error, Head, Output, Overrides, Path, Result, Serialize, Shelf, Summary, Threads, Watch,
    parse_json, planned, reread, with_game,
};
use crate::arena::Playable;
use crate::results::{Grid, Need, Sheet, needs, pilot};

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
    #[command(flatten)]
    output: Output,
}

/// How many deals a difference needs.
#[derive(Serialize, JsonSchema)]
pub(super) struct Planned {
    /// The difference to find. Unit: share of the win.
    difference: f64,
    /// How likely it is to be found, if it is there.
    power: f64,
    /// The deals that the deviations were measured on. Unit: deals.
    judged_by: u64,
    /// The most that any comparison needs; none where nothing can be found. Unit: deals.
    deals: Option<u64>,
    /// What each comparison needs.
    needs: Vec<Need>,
}

pub(super) fn run(given: &Plan) -> Result<()> {
    let &Plan { difference, power, pilot, .. } = given;
    given.output.check()?;
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
    let needs = needs(&summary, difference, power).ok_or_else(|| {
        Error::input("one deal has no variance to plan from; at least 2 are needed")
    })?;
    let deals = needs.iter().filter_map(|need| need.deals).max();
    let planned = Planned { difference, power, judged_by: summary.deals, deals, needs };
    given.output.give(&planned, || told(&planned))
}

/// The answer, then what each comparison needs.
fn told(planned: &Planned) -> Sheet {
    let Planned { difference, power, judged_by, deals, needs } = planned;
    let enough = match deals {
        Some(deals) => format!("`\"deals\": {deals}` is enough to"),
        None => "No number of deals that can be played is enough to".to_owned(),
    };
    let row = |Need { comparison, deviation, deals }: &Need| {
        let deals = deals.map_or("too many".to_owned(), |deals| deals.to_string());
        [comparison.clone(), deals, format!("{deviation:.3}")]
    };
    let every = if needs.len() == 1 { "" } else { " in each of these comparisons" };
    Sheet::default()
        .saying(format!(
            "{enough} find a difference of {difference}{every} in {:.0} of 100 cases (two-sided, \
             5 %), judged by {judged_by} deals.",
            100.0 * power,
        ))
        .showing(Grid::of(1, ["comparison", "deals", "deviation"], needs.iter().map(row)))
        .saying(
            "The deviation is that of a deal. Variants are compared on the same deals, and every \
             strategy sits in every seat.",
        )
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
