//! Atomic writes: files are complete or absent. Also digests of bytes.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use crate::error::{Error, Result};

/// The prefix of unfinished files.
pub(super) const UNFINISHED: &str = ".writing-";

/// A file that is written under a temporary name and renamed when it is complete.
pub struct AtomicFile {
    place: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl AtomicFile {
    /// Creates the temporary file.
    ///
    /// # Errors
    /// If its folder cannot be written to.
    pub fn create(place: &Path) -> Result<AtomicFile> {
        let folder = place.parent().unwrap_or(Path::new("."));
        // Opened here: the error of `tempfile` would name the temporary file.
        let file = tempfile::Builder::new()
            .prefix(UNFINISHED)
            .suffix(".tmp")
            .make_in(folder, |path| std::fs::File::create_new(path))
            .map_err(|error| cannot_write(place, &error))?;
        Ok(AtomicFile { place: place.to_owned(), file: BufWriter::new(file) })
    }

    /// Moves the file to its place.
    ///
    /// # Errors
    /// If the rest cannot be written; an old file stays.
    pub fn finish(self) -> Result<()> {
        let AtomicFile { place, file } = self;
        let file = file.into_inner().map_err(|error| cannot_write(&place, error.error()))?;
        // A temporary file is private; a result is readable by everyone.
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

/// Creates the error for a file that cannot be written.
pub fn cannot_write(place: &Path, error: &impl Display) -> Error {
    Error::failed(format!("cannot write {}: {error}", place.display()))
}

/// Writes a file atomically.
///
/// # Errors
/// If the file cannot be written; an old file stays.
pub fn write_atomic(place: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    let mut file = AtomicFile::create(place)?;
    file.write_all(bytes.as_ref()).map_err(|error| cannot_write(place, &error))?;
    file.finish()
}

/// Writes a file atomically and durably. The returned handle holds its lock, which the file has before it
/// gets its name. Only the holder of the lock of an older file may replace that file.
///
/// # Errors
/// If the file cannot be written; an old file stays.
pub fn write_locked(place: &Path, bytes: impl AsRef<[u8]>) -> Result<File> {
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    let new = place.with_file_name(format!("{UNFINISHED}{name}.tmp"));
    // A killed holder of the lock may have left this file.
    _ = fs::remove_file(&new);
    let write = || -> io::Result<File> {
        let mut file = File::create_new(&new)?;
        // On a file system without locks every process gets the lock.
        _ = file.try_lock();
        file.write_all(bytes.as_ref())?;
        file.sync_all()?;
        fs::rename(&new, place)?;
        sync_folder(place);
        Ok(file)
    };
    write().map_err(|error| {
        _ = fs::remove_file(&new);
        cannot_write(place, &error)
    })
}

/// Makes the name of a new file durable, on file systems that can.
pub fn sync_folder(place: &Path) {
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
    _ = File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all());
}

/// Creates the error for a file that cannot be read.
pub fn cannot_read(place: &Path, error: &impl Display) -> Error {
    Error::input(format!("cannot read {}: {error}", place.display()))
}

/// Removes a folder with its contents, as far as possible. It is renamed first, so a killed process
/// leaves nothing under its name.
pub fn remove_dir(place: &Path) {
    let gone = place.with_file_name(format!("{UNFINISHED}removed"));
    if std::fs::rename(place, &gone).is_ok() {
        _ = std::fs::remove_dir_all(gone);
    }
}

/// Creates a folder and its parents if they are missing.
///
/// # Errors
/// If the folder cannot be created.
pub fn create_dir(place: &Path) -> Result<()> {
    let made = std::fs::create_dir_all(place);
    made.map_err(|e| {
        let why = if place.is_file() { "it is a file".to_owned() } else { e.to_string() };
        Error::failed(format!("cannot create the folder {}: {why}", place.display()))
    })
}

/// Returns the SHA-256 in lower-case hexadecimal.
pub fn digest(bytes: impl AsRef<[u8]>) -> String {
    let hash = Sha256::digest(bytes.as_ref());
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn errors_name_the_file_and_not_its_temporary_name() {
        let here = tempfile::tempdir().unwrap();
        let place = here.path().join("gone/table.csv");
        let error = super::write_atomic(&place, "").unwrap_err().to_string();
        assert_eq!(
            error,
            format!("cannot write {}: No such file or directory (os error 2)", place.display())
        );
    }

    #[test]
    fn digest_of_abc_matches_the_standard() {
        assert_eq!(
            super::digest("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
