//! `parlour verify`: a hand that breaks the rules is its failure (status 1), a line that is no record bad
//! input (2).

use super::records::each_line;
use schemars::JsonSchema;

use super::{Args, Error, Output, PathBuf, Recorded, Result, Serialize, with_game};
use crate::results::Sheet;

#[derive(Args, Debug)]
pub(super) struct Verify {
    /// Files of records, a line a hand
    #[arg(required = true)]
    records: Vec<PathBuf>,
    #[command(flatten)]
    output: Output,
}

/// Files whose records all follow the rules.
#[derive(Serialize, JsonSchema)]
pub(super) struct Verified {
    /// All their hands. Unit: hands.
    hands: usize,
    /// The files, in their order.
    files: Vec<VerifiedFile>,
}

/// A file whose records all follow the rules.
#[derive(Serialize, JsonSchema)]
struct VerifiedFile {
    /// The file.
    file: PathBuf,
    /// Its hands. Unit: hands.
    hands: usize,
}

pub(super) fn run(given: &Verify) -> Result<()> {
    given.output.check()?;
    let mut files = Vec::new();
    for path in &given.records {
        let hands = each_line(path, |line| {
            let game = line.game()?;
            with_game!(game.as_str(), G => line.record::<G, _>(<G as Recorded>::verify))
                .map_err(|error| line.here(error))?
        })?;
        if hands == 0 {
            return Err(
                Error::input("there is no record in it").in_file(&path.display().to_string())
            );
        }
        files.push(VerifiedFile { file: path.clone(), hands });
    }
    let verified = Verified { hands: files.iter().map(|file| file.hands).sum(), files };
    let hands = match verified.hands {
        1 => "1 hand follows".to_owned(),
        hands => format!("{hands} hands follow"),
    };
    given.output.give(&verified, || Sheet::default().saying(format!("{hands} the rules.")))
}
