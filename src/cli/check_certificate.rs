//! `parlour check-certificate`: a certificate that proves nothing, or something else, is bad input.

use std::time::Instant;

use schemars::JsonSchema;

use super::{Args, Error, Output, PathBuf, Result, Serialize};
use crate::error::ensure;
use crate::files::read_text;
use crate::games::leapfrog::certificate::{Certificate, Checked};
use crate::results::Sheet;

#[derive(Args, Debug)]
pub(super) struct CheckCertificate {
    /// Certificates that `parlour solve --certificate` wrote
    #[arg(required = true)]
    certificates: Vec<PathBuf>,
    /// The board that they should be of: its rows, as a certificate writes them
    #[arg(long, value_name = "ROWS")]
    board: Option<String>,
    #[command(flatten)]
    output: Output,
}

/// Certificates that all prove what they say.
#[derive(Serialize, JsonSchema)]
pub(super) struct Certified {
    /// What each proves, in their order.
    certificates: Vec<Proved>,
}

/// A certificate that proves what it says.
#[derive(Serialize, JsonSchema)]
struct Proved {
    /// The file.
    file: PathBuf,
    /// What it proves.
    #[serde(flatten)]
    checked: Checked,
}

pub(super) fn run(given: &CheckCertificate) -> Result<()> {
    given.output.check()?;
    let (mut certificates, mut lines) = (Vec::new(), Vec::new());
    for path in &given.certificates {
        let file = path.display().to_string();
        let certificate = Certificate::read(&file, &read_text(path)?)?;
        let other = given.board.as_ref().filter(|board| **board != certificate.board);
        ensure(other.is_none(), || {
            let board = &certificate.board;
            Error::input(format!("it is of another board, {board}")).in_file(&file)
        })?;
        let start = Instant::now();
        let checked = certificate.check().map_err(|error| error.in_file(&file))?;
        lines.push(format!(
            "{file}: {} is worth {:+}, proved by {} positions and {} endings in {:.1} s",
            certificate.title(),
            checked.value,
            checked.positions,
            checked.endings,
            start.elapsed().as_secs_f64()
        ));
        certificates.push(Proved { file: path.clone(), checked });
    }
    given.output.give(&Certified { certificates }, || Sheet::default().listing(lines))
}
