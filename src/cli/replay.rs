//! `parlour replay`.

use super::records::{Line, each_line};
use super::screen::wide;
use super::{
    Args, Error, PathBuf, Result, Seed, Shelf, Strategic, Strategy, advise, say, say_json,
    with_game,
};

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

pub(super) fn run(given: &Replay) -> Result<()> {
    let mut number = 0;
    let hands = each_line(&given.records, |line| {
        number += 1;
        if number != given.hand {
            return Ok(());
        }
        let game = line.game()?;
        with_game!(game.as_str(), G => show::<G>(given, line)).map_err(|error| line.here(error))?
    })?;
    if (1..=hands).contains(&given.hand) {
        return Ok(());
    }
    let what = format!("it has {hands} hands; `--hand` is {}", given.hand);
    Err(Error::input(what).in_file(&given.records.display().to_string()))
}

fn show<G: Strategic>(given: &Replay, line: &Line<'_>) -> Result<()> {
    let choices = || line.record::<G, _>(G::choices);
    if let Some(number) = given.position {
        let (game, choices) = choices()?;
        return say_json(&advise::position(&game, &choices, number)?);
    }
    let mut shown = line.record::<G, _>(G::show)?;
    if let Some(wanted) = &given.advise {
        let strategy = Strategy::<G>::load(&Shelf::strategies(G::NAME), wanted)?;
        let (game, choices) = choices()?;
        let comment = advise::comments(&game, &strategy, &choices, Seed::new(given.seed));
        shown = format!("{}\n\n{}", shown.trim_end_matches('\n'), comment.on_screen(wide()));
    }
    say(shown)
}
