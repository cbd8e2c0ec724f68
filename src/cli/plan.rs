//! `parlour plan`.

use super::{
    Args, Error, Games, Kind, Library, Output, Overrides, Path, Result, Summary, Threads, Watch,
    reread,
};
use crate::arena::Playable;
use crate::error::ensure;
use crate::results::{Grid, Need, Planned, Sheet, pilot, plan_from_source};

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
    /// Deals of the pilot of an experiment [default: 400]
    #[arg(long)]
    pilot: Option<u64>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    output: Output,
}

impl Plan {
    /// Of the pilot.
    fn deals(&self) -> u64 {
        self.pilot.unwrap_or(400)
    }
}

pub(super) fn run(given: &Plan) -> Result<()> {
    let &Plan { difference, power, .. } = given;
    given.output.check()?;
    Planned::check(difference, power, given.deals())?;
    let summary = if Path::new(&given.of).is_dir() {
        ensure(given.pilot.is_none(), || {
            Error::input(format!(
                "`--pilot` is for an experiment; {} has deals of its own, and goes by them",
                given.of
            ))
        })?;
        reread(given.of.as_ref())?.2
    } else {
        let found = Library::experiments().find(&given.of)?;
        let (_, plan) = plan_from_source(&found, Overrides::default(), &(), &Games)?;
        play(&*plan, given)?
    };
    let planned = Planned::of(&summary, difference, power)?;
    given.output.give(&planned, || told(&planned))
}

/// The answer, then what each comparison needs.
fn told(planned: &Planned) -> Sheet {
    let row = |Need { comparison, deviation, deals }: &Need| {
        let deals = deals.map_or("too many".to_owned(), |deals| deals.to_string());
        [comparison.clone(), deals, format!("{deviation:.3}")]
    };
    Sheet::default()
        .saying(planned.in_words())
        .showing(Grid::of(1, ["comparison", "deals", "deviation"], planned.needs.iter().map(row)))
        .saying(
            "The deviation is that of a deal. Variants are compared on the same deals, and every \
             strategy sits in every seat.",
        )
}

/// Plays the pilot.
fn play(plan: &dyn Playable, given: &Plan) -> Result<Summary> {
    let pilot = pilot(plan, given.deals())?;
    let watch = Watch::of_run(pilot.outline(), None, false, true)?;
    watch.over(&*pilot, given.threads).go().map_err(|error| match error.kind() {
        Kind::Stopped => Error::stopped("stopped; a pilot is not saved"),
        _ => error,
    })
}
