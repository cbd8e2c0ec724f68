//! `parlour check-certificate`: a certificate that does not prove its claim is bad input.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::output::Output;
use crate::error::{Error, Result, ensure};
use crate::files::read_text;
use crate::games::leapfrog::certificate::{Certificate, CheckedCertificate};
use crate::results::TextReport;

#[derive(Args, Debug)]
pub(super) struct CheckCertificate {
    /// Certificates written by `parlour solve --certificate`
    #[arg(required = true)]
    certificates: Vec<PathBuf>,
    /// The expected board: its rows, as in a certificate
    #[arg(long, value_name = "ROWS")]
    board: Option<String>,
    #[command(flatten)]
    output: Output,
}

/// Certificates that prove their claims.
#[derive(Serialize, JsonSchema)]
pub(super) struct Certified {
    /// The claims, in the order of the arguments.
    certificates: Vec<Proved>,
}

/// A certificate that proves its claim.
#[derive(Serialize, JsonSchema)]
struct Proved {
    /// The file.
    file: PathBuf,
    /// The claim.
    #[serde(flatten)]
    checked: CheckedCertificate,
}

pub(super) fn run(args: &CheckCertificate) -> Result<()> {
    args.output.check()?;
    let (mut certificates, mut lines) = (Vec::new(), Vec::new());
    for path in &args.certificates {
        let file = path.display().to_string();
        let certificate = Certificate::read(&file, &read_text(path)?)?;
        let other = args.board.as_ref().filter(|board| **board != certificate.board);
        ensure(other.is_none(), || {
            let board = &certificate.board;
            Error::input(format!("the certificate is for another board, {board}")).in_file(&file)
        })?;
        let start = Instant::now();
        let checked = certificate.check().map_err(|error| error.in_file(&file))?;
        lines.push(format!(
            "{file}: {} has the value {:+}, proved by {} positions and {} endings in {:.1} s",
            certificate.title(),
            checked.value,
            checked.positions,
            checked.endings,
            start.elapsed().as_secs_f64()
        ));
        certificates.push(Proved { file: path.clone(), checked });
    }
    args.output.give(&Certified { certificates }, || TextReport::default().sentences(lines))
}
