//! Digests of bytes, and the checksums of lists.

use std::io::{self, Write};

use sha2::{Digest, Sha256};

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
pub(super) const SEAL_LEN: u64 = 23;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digest_of_abc_matches_the_standard() {
        assert_eq!(
            digest("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
