//! A text file read line by line, in memory for one line.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use super::cannot_read;
use crate::error::{Error, Result};

/// The lines of a file. After a fault there are no more.
pub struct Lines {
    place: String,
    reader: BufReader<File>,
    number: usize,
    longest: u64,
    whose: &'static str,
}

/// One line.
#[derive(Debug)]
pub struct TextLine {
    /// Its number, from 1.
    pub number: usize,
    /// What it says, without its end.
    pub text: String,
    /// Whether it has an end; only the last one may have none.
    pub ended: bool,
}

impl Lines {
    /// Opens a file whose lines have at most so many megabytes; `whose` names, in a message, what
    /// is never longer.
    ///
    /// # Errors
    /// Bad input when it cannot be opened.
    pub fn open(path: &Path, longest: u64, whose: &'static str) -> Result<Lines> {
        let file = File::open(path).map_err(|error| cannot_read(path, &error))?;
        let (place, reader) = (path.display().to_string(), BufReader::new(file));
        Ok(Lines { place, reader, number: 0, longest, whose })
    }

    fn read(&mut self) -> Result<Option<TextLine>> {
        self.number += 1;
        let (number, limit) = (self.number, self.longest << 20);
        let fault =
            |what: String| Error::input(format!("cannot read {}: line {number}{what}", self.place));
        let mut bytes = Vec::new();
        let read = self.reader.by_ref().take(limit + 1).read_until(b'\n', &mut bytes);
        if read.map_err(|error| fault(format!(": {error}")))? == 0 {
            return Ok(None);
        }
        let ended = bytes.pop_if(|last| *last == b'\n').is_some();
        if bytes.len() as u64 > limit {
            let (longest, whose) = (self.longest, self.whose);
            return Err(fault(format!(" is longer than {longest} MB; no {whose} is")));
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
        let said = |line: Result<TextLine>| match line {
            Ok(line) => format!("{} {} {}", line.number, line.text, line.ended),
            Err(error) => error.to_string().replace(&place, "F"),
        };
        // After a fault a file would go on and on.
        Lines::open(file.path(), 1, "sonnet").unwrap().take(3).map(said).collect()
    }

    #[test]
    fn lines_are_numbered_and_the_last_may_have_no_end() {
        assert_eq!(read(b"a\r\n\nb"), ["1 a true", "2  true", "3 b false"]);
        assert_eq!(read(b""), [""; 0]);
        assert_eq!(read(b"a\n"), ["1 a true"]);
    }

    #[test]
    fn a_line_that_is_too_long_or_no_text_is_named() {
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
