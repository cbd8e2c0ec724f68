//! The lines of a file of finished chunks, read one after another.

use std::collections::BTreeSet;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::header::FORMAT;
use super::sealed::{Line, seal};
use super::written::{Sparse, Written};
use super::{ProgressHeader, Shard, Tally, format3};
use crate::error::{Error, Result};
use crate::files::{Lines, TextLine, read_value};

/// The most megabytes of a line. A chunk takes some 1,500 bytes a table where much is measured, and
/// an experiment has at most 20,000 tables.
const LONGEST: u64 = 256;

impl ProgressHeader {
    /// Reads the header of a file, of any format that can still be read.
    ///
    /// # Errors
    /// Bad input when the file cannot be read, or its first line is not what was written.
    pub fn read(path: &Path) -> Result<ProgressHeader> {
        ChunkLines::open(path).map(|lines| lines.header)
    }
}

/// The finished chunks of a file, of which one is in memory at a time.
pub struct ChunkLines {
    /// What they belong to.
    pub header: ProgressHeader,
    place: String,
    lines: Lines,
    met: BTreeSet<u64>,
    cut: Option<usize>,
}

impl ChunkLines {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// Bad input when the file cannot be read, or its first line is not what was written.
    pub fn open(path: &Path) -> Result<ChunkLines> {
        let place = path.display().to_string();
        let mut lines = Lines::open(path, LONGEST, "line of a progress file")?;
        let header = header_of(&place, lines.next())?;
        Ok(ChunkLines { header, place, lines, met: BTreeSet::new(), cut: None })
    }

    /// The next chunk with its tally, given the plan's tally of no deals; none at the end.
    ///
    /// # Errors
    /// Bad input when the file cannot be read, or the line is not what was written: it is named.
    pub fn next(&mut self, empty: &Tally) -> Result<Option<(u64, Tally)>> {
        let Some(TextLine { number, text, ended }) = self.lines.next().transpose()? else {
            return Ok(None);
        };
        if !ended {
            self.cut = Some(number);
            return Ok(None);
        }
        let line = Line { place: &self.place, number, text: &text };
        let (chunk, tally) = line.chunk(&self.header, empty)?;
        match self.met.insert(chunk) {
            true => Ok(Some((chunk, tally))),
            false => Err(line.fault(format!("chunk {chunk} is there twice"))),
        }
    }

    /// The number of the line, met at the end, that was cut off while it was written; its chunk was
    /// not given.
    pub fn cut(&self) -> Option<usize> {
        self.cut
    }
}

fn header_of(place: &str, first: Option<Result<TextLine>>) -> Result<ProgressHeader> {
    let fault = |what: String| Error::input(what).on_line(place, 1);
    let Some(line) = first.transpose()?.filter(|line| line.ended) else {
        return Err(fault("there is no whole header; the run must begin again".to_owned()));
    };
    let line = Line { place, number: 1, text: &line.text };
    let peek: Value = serde_json::from_str(line.text).unwrap_or_default();
    let (format, program) = (&peek["body"]["format"], &peek["body"]["program"]);
    let header: ProgressHeader = match format.as_u64() {
        Some(format3::FORMAT) => {
            let header = format3::header(&line.unseal()?);
            read_value(&header).map_err(|(_, what)| Error::input(what).on_line(place, 1))?
        }
        Some(other) if other != FORMAT => {
            return Err(fault(format!(
                "its format is {other}, written by {}; this program reads {} and {FORMAT}: {}",
                program.as_str().unwrap_or_default(),
                format3::FORMAT,
                match other > FORMAT {
                    true => "use a later program",
                    false => "run the experiment again",
                }
            )));
        }
        _ => line.unseal()?,
    };
    if let Some(Shard { part, of }) = header.shard {
        Shard::new(part, of).map_err(fault)?;
    }
    Ok(header)
}

impl Line<'_> {
    /// The chunk on it, given the plan's tally of no deals.
    fn chunk(&self, header: &ProgressHeader, empty: &Tally) -> Result<(u64, Tally)> {
        let foreign = || self.fault("the chunk does not belong to this experiment");
        let line = if header.format == FORMAT {
            self.unseal::<ChunkLine<Written>>()?
        } else {
            let ChunkLine { chunk, deals, sums } = self.unseal::<ChunkLine<Sparse>>()?;
            let sums = format3::named(&sums, empty, &header.experiment).ok_or_else(foreign)?;
            ChunkLine { chunk, deals, sums }
        };
        if line.chunk >= header.experiment.chunks() {
            return Err(foreign());
        }
        let deals = header.experiment.deals_in(line.chunk, header.shard);
        if line.deals != deals.end - deals.start {
            return Err(foreign());
        }
        let tally = line.sums.tally(line.deals, empty).map_err(|what| self.fault(what))?;
        Ok((line.chunk, tally))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChunkLine<S> {
    chunk: u64,
    deals: u64,
    sums: S,
}

pub(super) fn sealed_chunk(chunk: u64, tally: &Tally) -> String {
    seal(&ChunkLine { chunk, deals: tally.deals, sums: Written::of(tally) })
}
