//! Text files: read whole, or line by line with one line in memory.

use std::fmt::Display;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use crate::error::{Error, Result, ensure};

/// The largest size, in megabytes, of a file that is read whole.
const MAX_MEGABYTES: u64 = 64;

/// Reads a text file of at most 64 MB.
///
/// # Errors
/// Bad input if the file cannot be read, is longer or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String> {
    String::from_utf8(read_bytes(path)?).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        cannot_read(path, &format!("line {line} is not UTF-8; save the file as UTF-8"))
    })
}

/// Reads a file of at most 64 MB.
///
/// # Errors
/// Bad input if the file cannot be read or is longer.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    let limit = MAX_MEGABYTES << 20;
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes));
    read.map_err(|error| cannot_read(path, &error))?;
    ensure(bytes.len() as u64 <= limit, || {
        cannot_read(path, &format!("it is longer than {MAX_MEGABYTES} MB"))
    })?;
    Ok(bytes)
}

/// Creates the error for a file that cannot be read.
pub fn cannot_read(place: &Path, error: &impl Display) -> Error {
    Error::input(format!("cannot read {}: {error}", place.display()))
}

/// An iterator over the lines of a file. Callers stop at the first error.
pub struct Lines {
    place: String,
    reader: BufReader<File>,
    number: usize,
    max_megabytes: u64,
    content: &'static str,
}

/// A line of a text file.
#[derive(Debug)]
pub struct TextLine {
    /// The number of the line, from 1.
    pub number: usize,
    /// The text without the line break.
    pub text: String,
    /// `true` if the line ends with a line break; only the last line may have none.
    pub ended: bool,
}

impl Lines {
    /// Opens a file whose lines have at most this many megabytes. `content` names, in an error
    /// message, what never has longer lines.
    ///
    /// # Errors
    /// Bad input if the file cannot be opened.
    pub fn open(path: &Path, max_megabytes: u64, content: &'static str) -> Result<Lines> {
        let file = File::open(path).map_err(|error| cannot_read(path, &error))?;
        let (place, reader) = (path.display().to_string(), BufReader::new(file));
        Ok(Lines { place, reader, number: 0, max_megabytes, content })
    }

    fn read(&mut self) -> Result<Option<TextLine>> {
        self.number += 1;
        let (number, limit) = (self.number, self.max_megabytes << 20);
        let fault = |problem: String| {
            Error::input(format!("cannot read {}: line {number}{problem}", self.place))
        };
        let mut bytes = Vec::new();
        let read = self.reader.by_ref().take(limit + 1).read_until(b'\n', &mut bytes);
        if read.map_err(|error| fault(format!(": {error}")))? == 0 {
            return Ok(None);
        }
        let ended = bytes.pop_if(|last| *last == b'\n').is_some();
        if bytes.len() as u64 > limit {
            let (most, content) = (self.max_megabytes, self.content);
            return Err(fault(format!(" is longer than {most} MB; no {content} is")));
        }
        bytes.pop_if(|last| *last == b'\r');
        let utf8 = |_| fault(" is not UTF-8; save the file as UTF-8".to_owned());
        Ok(Some(TextLine { number, text: String::from_utf8(bytes).map_err(utf8)?, ended }))
    }
}

impl Iterator for Lines {
    type Item = Result<TextLine>;

    fn next(&mut self) -> Option<Result<TextLine>> {
        self.read().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Vec<String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        let place = file.path().display().to_string();
        let shown = |line: Result<TextLine>| match line {
            Ok(line) => format!("{} {} {}", line.number, line.text, line.ended),
            Err(error) => error.to_string().replace(&place, "F"),
        };
        // The iterator itself does not stop after an error.
        Lines::open(file.path(), 1, "sonnet").unwrap().take(3).map(shown).collect()
    }

    #[test]
    fn lines_are_numbered_and_the_last_may_lack_a_line_break() {
        assert_eq!(read(b"a\r\n\nb"), ["1 a true", "2  true", "3 b false"]);
        assert_eq!(read(b""), [""; 0]);
        assert_eq!(read(b"a\n"), ["1 a true"]);
    }

    #[test]
    fn long_lines_and_other_encodings_are_refused() {
        let mut long = vec![b'x'; 1 << 20];
        assert_eq!(read(&long)[0].len(), "1  false".len() + long.len());
        long.push(b'x');
        assert_eq!(read(&long)[0], "cannot read F: line 1 is longer than 1 MB; no sonnet is");
        assert_eq!(
            read(b"a\n\xff\n")[1],
            "cannot read F: line 2 is not UTF-8; save the file as UTF-8"
        );
    }
}
