//! `parlour verify`: a hand that breaks the rules is its failure (status 1), a line that is no record bad
//! input (2).

use super::records::each_line;
use schemars::JsonSchema;

use super::{Args, Error, Output, PathBuf, Recorded, Result, Serialize, with_game};
use crate::Kind;
use crate::error::ensure;
use crate::results::Sheet;

#[derive(Args, Debug)]
pub(super) struct Verify {
    /// Files of records, a line a hand
    #[arg(required = true)]
    records: Vec<PathBuf>,
    #[command(flatten)]
    output: Output,
}

/// Which records follow the rules: all of them, or those before the first that does not.
#[derive(Serialize, JsonSchema)]
pub(super) struct Verified {
    /// All their hands. Unit: hands.
    hands: usize,
    /// The files, in their order.
    files: Vec<VerifiedFile>,
    /// The first record that breaks the rules, with its place.
    broken: Option<String>,
}

/// A file, and how many of its records follow the rules.
#[derive(Serialize, JsonSchema)]
struct VerifiedFile {
    /// The file.
    file: PathBuf,
    /// Its hands. Unit: hands.
    hands: usize,
}

pub(super) fn run(given: &Verify) -> Result<()> {
    given.output.check()?;
    let mut verified = Verified { hands: 0, files: Vec::new(), broken: None };
    for path in &given.records {
        let mut hands = 0;
        let found = each_line(path, |line| {
            let game = line.game()?;
            with_game!(game.as_str(), G => line.record::<G, _>(<G as Recorded>::verify))
                .map_err(|error| line.here(error))??;
            hands += 1;
            Ok(())
        });
        verified.hands += hands;
        verified.files.push(VerifiedFile { file: path.clone(), hands });
        match found {
            Err(error) if error.kind() == Kind::Failed && given.output.json => {
                verified.broken = Some(error.to_string());
                given.output.give(&verified, Sheet::default)?;
                return Err(error);
            }
            found => found?,
        };
        ensure(hands > 0, || {
            Error::input("there is no record in it").in_file(&path.display().to_string())
        })?;
    }
    let hands = match verified.hands {
        1 => "1 hand follows".to_owned(),
        hands => format!("{hands} hands follow"),
    };
    given.output.give(&verified, || Sheet::default().saying(format!("{hands} the rules.")))
}
