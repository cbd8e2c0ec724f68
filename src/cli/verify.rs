//! `parlour verify`.

use super::records::each_line;
use super::{Args, Error, PathBuf, Recorded, Result, say, with_game};

#[derive(Args, Debug)]
pub(super) struct Verify {
    /// Files of records, a line a hand
    #[arg(required = true)]
    records: Vec<PathBuf>,
}

pub(super) fn run(given: &Verify) -> Result<()> {
    let mut hands = 0;
    for path in &given.records {
        let found = each_line(path, |line| {
            let game = line.game()?;
            with_game!(game.as_str(), G => line.record::<G, _>(<G as Recorded>::verify))
                .map_err(|error| line.failed(error))?
        })?;
        if found == 0 {
            return Err(Error::failed(format!("{}: there is no record in it", path.display())));
        }
        hands += found;
    }
    say(format!("{hands} hands follow the rules."))
}
