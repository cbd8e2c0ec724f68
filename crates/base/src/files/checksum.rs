//! Digests of bytes and files, and checksums of what the program reads again: lines of JSON with a
//! checksum each, and lists whose last line is their checksum.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use super::json::{compact, parse_json_line};
use super::text_file::cannot_read;
use crate::error::{Error, Result};

/// Returns the SHA-256 in lower-case hexadecimal.
pub fn digest(bytes: impl AsRef<[u8]>) -> String {
    hex(&Sha256::digest(bytes.as_ref()))
}

/// Returns bytes in lower-case hexadecimal.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The checksum of a list and the number of its lines, while it is written or copied to `to`.
pub(super) struct Seal<W> {
    pub to: W,
    hash: Sha256,
    pub lines: u64,
}

/// The length of the last line: `check`, a space, 16 hex digits and the line break.
const SEAL_LEN: u64 = 23;

impl<W> Seal<W> {
    pub fn new(identity: &str, to: W) -> Seal<W> {
        Seal { to, hash: Sha256::new_with_prefix(identity), lines: 0 }
    }

    /// Returns the SHA-256 of everything so far.
    pub fn digest(&self) -> String {
        hex(&self.hash.clone().finalize())
    }

    pub fn line(&self) -> String {
        format!("check {}\n", &self.digest()[..16])
    }
}

impl<W: Write> Write for Seal<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.lines += bytes[..written].iter().filter(|byte| **byte == b'\n').count() as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Formats `body` as a line: its JSON and the first 16 hex digits of the SHA-256 of that JSON.
pub fn checksummed_line<T: Serialize>(body: &T) -> String {
    let body = compact(body);
    format!("{{\"body\":{body},\"check\":\"{}\"}}\n", &digest(&body)[..16])
}

/// A complete line with a checksum.
pub struct ChecksummedLine<'a> {
    /// The file, as messages name it.
    pub file: &'a str,
    /// The line number, from 1.
    pub number: usize,
    /// The text without the line break.
    pub text: &'a str,
}

impl ChecksummedLine<'_> {
    /// Returns an error about this line, with its place.
    pub fn error(&self, message: impl Into<String>) -> Error {
        Error::input(message.into()).on_line(self.file, self.number)
    }

    /// Verifies the checksum and reads the body.
    ///
    /// # Errors
    /// Bad input if the line was cut or edited.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T> {
        let inner = self.text.strip_prefix("{\"body\":").and_then(|rest| rest.strip_suffix("\"}"));
        let parts = inner.and_then(|inner| inner.rsplit_once(",\"check\":\""));
        let (body, check) = parts
            .ok_or_else(|| self.error("not a line of a progress file: it was cut or edited"))?;
        if digest(body)[..16] != *check {
            return Err(self.error("the checksum does not match: the line was edited"));
        }
        parse_json_line(self.file, self.number, body)
    }
}

/// Copies a sealed list without its last line, and returns the number of lines. `identity` names the
/// list: another list, though whole, does not match.
///
/// # Errors
/// Bad input if the list is missing, was cut or edited, or is another one; a failure if it cannot be
/// copied.
pub fn copy_sealed(path: &Path, identity: &str, to: &mut (impl Write + ?Sized)) -> Result<u64> {
    let (mut seal, mut last) = (Seal::new(identity, to), Vec::new());
    let mut copy = || -> io::Result<()> {
        let file = File::open(path)?;
        let length = file.metadata()?.len().saturating_sub(SEAL_LEN);
        io::copy(&mut (&file).take(length), &mut seal)?;
        (&file).take(SEAL_LEN + 1).read_to_end(&mut last).map(drop)
    };
    copy().map_err(|error| match error.kind() {
        ErrorKind::NotFound => cannot_read(path, &error),
        _ => Error::failed(format!("cannot copy {}: {error}", path.display())),
    })?;
    match last == seal.line().as_bytes() {
        true => Ok(seal.lines),
        false => Err(cannot_read(path, &"the checksum does not match: it was cut or edited")),
    }
}

/// Returns the SHA-256 of a file of any size.
///
/// # Errors
/// Bad input if the file cannot be read.
pub fn digest_file(path: &Path) -> Result<String> {
    let mut seal = Seal::new("", io::sink());
    let read = File::open(path).and_then(|mut file| io::copy(&mut file, &mut seal));
    read.map_err(|error| cannot_read(path, &error))?;
    Ok(seal.digest())
}

#[cfg(test)]
mod tests {
    use super::super::AtomicFile;
    use super::*;

    #[test]
    fn digest_of_abc_matches_the_standard() {
        assert_eq!(
            digest("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn a_sealed_list_is_read_whole_or_refused() {
        let here = tempfile::tempdir().unwrap();
        let place = here.path().join("list");
        let mut file = AtomicFile::sealed(&place, "a 1").unwrap();
        file.write_all(b"one\ntwo\n").unwrap();
        file.finish().unwrap();
        let read = |identity| {
            let mut copy = Vec::new();
            copy_sealed(&place, identity, &mut copy).map(|lines| (lines, copy)).ok()
        };
        assert_eq!(read("a 1"), Some((2, b"one\ntwo\n".to_vec())));
        assert_eq!(read("a 2"), None, "another list");
        let whole = std::fs::read(&place).unwrap();
        assert_eq!(whole.len() as u64, 8 + SEAL_LEN);
        for end in 0..whole.len() {
            std::fs::write(&place, &whole[..end]).unwrap();
            assert_eq!(read("a 1"), None, "cut after {end} bytes");
        }
        for bit in 0..8 * whole.len() {
            let mut flipped = whole.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&place, flipped).unwrap();
            assert_eq!(read("a 1"), None, "bit {bit}");
        }
        std::fs::write(&place, [&whole[..], b"\n"].concat()).unwrap();
        assert_eq!(read("a 1"), None, "something after the end");
    }

    #[test]
    fn the_digest_of_a_file_is_that_of_its_bytes() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let bytes = vec![7; 100_000];
        std::fs::write(file.path(), &bytes).unwrap();
        assert_eq!(digest_file(file.path()).unwrap(), digest(bytes));
    }
}
