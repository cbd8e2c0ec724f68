//! Files that are whole or absent; fingerprints of bytes.

use std::fmt::Display;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use crate::error::{Error, Result};

/// How the name of a file begins that is being written.
pub(super) const UNFINISHED: &str = ".writing-";

/// A file that is written beside its place and takes it only when it is whole.
pub struct AtomicFile {
    place: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl AtomicFile {
    /// Begins to write a file.
    ///
    /// # Errors
    /// When its folder cannot be written to.
    pub fn create(place: &Path) -> Result<AtomicFile> {
        let folder = place.parent().unwrap_or(Path::new("."));
        // Opened here, since a failure of its own would name the temporary file that nobody asked for.
        let file = tempfile::Builder::new()
            .prefix(UNFINISHED)
            .suffix(".tmp")
            .make_in(folder, |path| std::fs::File::create_new(path))
            .map_err(|error| cannot_write(place, &error))?;
        Ok(AtomicFile { place: place.to_owned(), file: BufWriter::new(file) })
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// When the rest cannot be written; the old file, if any, stays.
    pub fn finish(self) -> Result<()> {
        let AtomicFile { place, file } = self;
        let file = file.into_inner().map_err(|error| cannot_write(&place, error.error()))?;
        // A temporary file is for its owner only; a result is for everyone.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let everyone = std::fs::Permissions::from_mode(0o644);
            file.as_file()
                .set_permissions(everyone)
                .map_err(|error| cannot_write(&place, &error))?;
        }
        file.persist(&place).map_err(|error| cannot_write(&place, &error.error))?;
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The failure to write a file.
pub fn cannot_write(place: &Path, error: &impl Display) -> Error {
    Error::failed(format!("cannot write {}: {error}", place.display()))
}

/// Writes a file whole.
///
/// # Errors
/// When it cannot be written; the old file, if any, stays.
pub fn write_atomic(place: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    let mut file = AtomicFile::create(place)?;
    file.write_all(bytes.as_ref()).map_err(|error| cannot_write(place, &error))?;
    file.finish()
}

/// The failure to read a file that was named.
pub fn cannot_read(place: &Path, error: &impl Display) -> Error {
    Error::input(format!("cannot read {}: {error}", place.display()))
}

/// Removes a folder with all that is in it, as far as that can be done. Whoever is killed meanwhile
/// leaves nothing of it under its name.
pub fn remove_dir(place: &Path) {
    let gone = place.with_file_name(format!("{UNFINISHED}removed"));
    if std::fs::rename(place, &gone).is_ok() {
        _ = std::fs::remove_dir_all(gone);
    }
}

/// Makes a folder, and those it lies in, where they are not there.
///
/// # Errors
/// When it cannot be made.
pub fn create_dir(place: &Path) -> Result<()> {
    let made = std::fs::create_dir_all(place);
    made.map_err(|e| {
        let why = if place.is_file() { "it is a file".to_owned() } else { e.to_string() };
        Error::failed(format!("cannot make the folder {}: {why}", place.display()))
    })
}

/// SHA-256 in lower-case hexadecimal.
pub fn digest(bytes: impl AsRef<[u8]>) -> String {
    let hash = Sha256::digest(bytes.as_ref());
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_file_that_cannot_be_written_is_called_by_its_own_name() {
        let here = tempfile::tempdir().unwrap();
        let place = here.path().join("gone/table.csv");
        let said = super::write_atomic(&place, "").unwrap_err().to_string();
        assert_eq!(
            said,
            format!("cannot write {}: No such file or directory (os error 2)", place.display())
        );
    }

    #[test]
    fn the_published_digest_of_abc() {
        assert_eq!(
            super::digest("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
