//! Writing files: whole or absent, on the disk before they take their names, and as private as the
//! umask asks.
//!
//! A regular file, or a link to one, is replaced by a rename; a link is never followed into another
//! file. Devices, pipes and FIFOs are written directly; a FIFO without a reader, a folder and a
//! redirected `/dev/stdout` are refused.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use super::checksum::Seal;
use super::text_file::cannot_read;
use crate::error::{Error, Result};

/// The prefix of unfinished files.
pub(super) const UNFINISHED: &str = ".writing-";

/// A file that is written under a temporary name and renamed when it is complete.
pub struct AtomicFile {
    /// The final name.
    pub place: PathBuf,
    file: Seal<BufWriter<File>>,
    /// The temporary name; `None` for a device, a pipe or a FIFO.
    temporary: Option<TempPath>,
    is_sealed: bool,
}

impl AtomicFile {
    /// Creates the temporary file.
    ///
    /// # Errors
    /// If its folder cannot be written to, or nothing can be written under the name.
    pub fn create(place: &Path) -> Result<AtomicFile> {
        AtomicFile::sealed(place, "")
    }

    /// Creates the temporary file of a list, whose last line will be its checksum. The checksum
    /// covers `identity` too. [`copy_sealed`](super::copy_sealed) reads the list.
    ///
    /// # Errors
    /// As [`create`](AtomicFile::create).
    pub fn sealed(place: &Path, identity: &str) -> Result<AtomicFile> {
        let create = || -> io::Result<(File, Option<TempPath>)> {
            if let Some(stream) = open_stream(place)? {
                return Ok((stream, None));
            }
            // Opened here: the error of `tempfile` would name the temporary file. The umask
            // decides who may read the file.
            let temporary = tempfile::Builder::new()
                .prefix(UNFINISHED)
                .suffix(".tmp")
                .make_in(folder_of(place), |path| File::create_new(path))?;
            let (file, path) = temporary.into_parts();
            Ok((file, Some(path)))
        };
        let (file, temporary) = create().map_err(|error| cannot_write(place, &error))?;
        let (file, place) = (Seal::new(identity, BufWriter::new(file)), place.to_owned());
        Ok(AtomicFile { place, file, temporary, is_sealed: !identity.is_empty() })
    }

    /// Syncs the file, moves it to its place and returns it. The new name is synced with the next file
    /// that [`write_atomic`] writes into the folder, such as the manifest of a run.
    ///
    /// # Errors
    /// If the rest cannot be written; an old file stays.
    pub fn finish(self) -> Result<File> {
        let AtomicFile { place, mut file, temporary, is_sealed } = self;
        let finish = || -> io::Result<File> {
            if is_sealed {
                let line = file.line();
                file.write_all(line.as_bytes())?;
            }
            let file = file.to.into_inner().map_err(io::IntoInnerError::into_error)?;
            let Some(temporary) = temporary else { return Ok(file) };
            keep_private(&file, &place);
            sync(&file)?;
            let Err(error) = temporary.persist(&place) else { return Ok(file) };
            match error.error.kind() {
                // The file is a mount point, or the file system replaces no files.
                ErrorKind::ResourceBusy | ErrorKind::AlreadyExists => {
                    let mut old = File::options().write(true).truncate(true).open(&place)?;
                    io::copy(&mut File::open(&error.path)?, &mut old)?;
                    sync(&old).map(|()| old)
                }
                _ => Err(error.error),
            }
        };
        finish().map_err(|error| cannot_write(&place, &error))
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

/// Opens a device, a pipe or a FIFO for writing. Returns `None` for a name that a rename may take.
fn open_stream(place: &Path) -> io::Result<Option<File>> {
    let Ok(found) = fs::metadata(place) else { return Ok(None) };
    if found.is_dir() {
        return Err(io::Error::other("it is a folder"));
    }
    // `/dev/stdout` may lead to a file; a rename would replace the device for everyone.
    if found.is_file() && place.starts_with("/dev") && place.is_symlink() {
        return Err(io::Error::other("it leads to a file; name that file"));
    }
    if found.is_file() {
        return Ok(None);
    }
    #[cfg(unix)]
    {
        use nix::errno::Errno;
        use nix::fcntl::{FcntlArg, OFlag, fcntl};
        use std::os::unix::fs::OpenOptionsExt;
        // Without this flag, a FIFO would wait for a reader.
        let flag = OFlag::O_NONBLOCK.bits();
        let file = File::options().write(true).custom_flags(flag).open(place);
        let file = file.map_err(|error| match error.raw_os_error().map(Errno::from_raw) {
            Some(Errno::ENXIO) => io::Error::other("no program reads from it"),
            _ => error,
        })?;
        fcntl(&file, FcntlArg::F_SETFL(OFlag::empty()))?;
        Ok(Some(file))
    }
    #[cfg(not(unix))]
    File::options().write(true).open(place).map(Some)
}

/// Opens a file that only this program writes. A link, a FIFO or a device of this name came from
/// elsewhere and is refused.
///
/// # Errors
/// If the file cannot be opened, or is no regular file.
pub fn open_own(path: &Path, options: &OpenOptions) -> io::Result<File> {
    match path.is_symlink() || is_special(path) {
        true => Err(io::Error::other("it is not a regular file; remove it")),
        false => options.open(path),
    }
}

/// Returns `true` for a device, a pipe, a FIFO or a socket, which may be endless or never answer.
pub fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Returns `true` if both describe the same file, even if it was renamed.
pub fn is_same_file(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        (one.dev(), one.ino()) == (other.dev(), other.ino())
    }
    #[cfg(not(unix))]
    {
        _ = (one, other);
        true
    }
}

/// Returns the folder of a file.
fn folder_of(place: &Path) -> &Path {
    place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Keeps a new file as private as the file that it replaces. A file system may have no modes.
pub fn keep_private(new: &File, place: &Path) {
    #[cfg(unix)]
    if let (Ok(old), Ok(found)) = (fs::symlink_metadata(place), new.metadata())
        && old.is_file()
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let mode = (found.mode() & old.mode() & 0o777) | 0o600;
        _ = new.set_permissions(fs::Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    {
        _ = (new, place);
    }
}

/// Waits until a file, or the names in a folder, are on the disk. Some file systems cannot sync.
///
/// # Errors
/// If the disk fails or is full.
pub fn sync(file: &File) -> io::Result<()> {
    match file.sync_data() {
        Err(error) if [ErrorKind::Unsupported, ErrorKind::InvalidInput].contains(&error.kind()) => {
            Ok(())
        }
        synced => synced,
    }
}

/// Syncs the names in a folder. A folder that cannot be opened, as on Windows, cannot be synced.
fn sync_dir(folder: &Path) -> io::Result<()> {
    File::open(folder).map_or(Ok(()), |folder| sync(&folder))
}

/// Renames a file or a folder, and syncs its new name.
///
/// # Errors
/// If it cannot be renamed.
pub fn rename(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).and_then(|()| sync_dir(folder_of(to))).map_err(|error| {
        let (from, to) = (from.display(), to.display());
        Error::failed(format!("cannot rename {from} to {to}: {error}"))
    })
}

/// Creates the error for a file that cannot be written.
pub fn cannot_write(place: &Path, error: &io::Error) -> Error {
    Error::failed(format!("cannot write {}: {error}{}", place.display(), remedy(error)))
}

/// Returns what to do if the machine lacks files, processes or memory, for the end of a message;
/// otherwise an empty text.
pub fn remedy(error: &io::Error) -> &'static str {
    // The standard library has no kind for ENFILE (23) and EMFILE (24).
    let lacks_files = cfg!(unix) && matches!(error.raw_os_error(), Some(23 | 24));
    match lacks_files || matches!(error.kind(), ErrorKind::OutOfMemory | ErrorKind::WouldBlock) {
        true => "; raise the limits (`ulimit`), or use fewer players or `--threads 1`",
        false => "",
    }
}

/// Writes a file atomically, and syncs the names in its folder.
///
/// # Errors
/// If the file cannot be written; an old file stays.
pub fn write_atomic(place: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    write_by(place, |file| file.write_all(bytes.as_ref())).map(drop)
}

fn write_by(place: &Path, fill: impl FnOnce(&mut AtomicFile) -> io::Result<()>) -> Result<File> {
    let mut file = AtomicFile::create(place)?;
    fill(&mut file).map_err(|error| cannot_write(place, &error))?;
    let file = file.finish()?;
    sync_dir(folder_of(place)).map_err(|error| cannot_write(place, &error))?;
    Ok(file)
}

/// Writes a file atomically, as [`write_atomic`] does. The returned handle holds its lock, which the file
/// has before it gets its name. Only the holder of the lock of an older file may replace that file.
///
/// # Errors
/// If the file cannot be written; an old file stays.
pub fn write_locked(place: &Path, bytes: impl AsRef<[u8]>) -> Result<File> {
    write_by(place, |file| {
        // On a file system without locks every process gets the lock.
        _ = file.file.to.get_ref().try_lock();
        file.write_all(bytes.as_ref())
    })
}

/// Makes the name of a new file durable, on file systems that can.
pub fn sync_folder(place: &Path) {
    _ = sync_dir(folder_of(place));
}

/// Copies a file atomically.
///
/// # Errors
/// If a file cannot be read or written; an old file stays.
pub fn copy_atomic(from: &Path, place: &Path) -> Result<()> {
    let mut source = File::open(from).map_err(|error| cannot_read(from, &error))?;
    write_by(place, |file| io::copy(&mut source, file).map(drop)).map(drop)
}

/// Removes a folder with its contents, as far as possible. It is renamed first, so a killed process
/// leaves nothing under its name.
pub fn remove_dir(place: &Path) {
    let gone = place.with_file_name(format!("{UNFINISHED}removed"));
    if fs::rename(place, &gone).is_ok() {
        _ = fs::remove_dir_all(gone);
    }
}

/// Creates a folder and its parents if they are missing.
///
/// # Errors
/// If the folder cannot be created.
pub fn create_dir(place: &Path) -> Result<()> {
    let made = fs::create_dir_all(place).and_then(|()| sync_dir(folder_of(place)));
    made.map_err(|e| {
        let why = if place.is_file() { "it is a file".to_owned() } else { e.to_string() };
        Error::failed(format!("cannot create the folder {}: {why}", place.display()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_file_and_not_its_temporary_name() {
        let here = tempfile::tempdir().unwrap();
        let place = here.path().join("gone/table.csv");
        let error = write_atomic(&place, "").unwrap_err().to_string();
        assert_eq!(
            error,
            format!("cannot write {}: No such file or directory (os error 2)", place.display())
        );
        let error = write_atomic(here.path(), "").unwrap_err().to_string();
        assert!(error.ends_with("it is a folder"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn errors_of_exceeded_limits_name_ulimit() {
        let message = |number| {
            let error = io::Error::from_raw_os_error(number);
            cannot_write(Path::new("table.csv"), &error).to_string()
        };
        let numbers = [nix::errno::Errno::ENFILE, nix::errno::Errno::EMFILE];
        assert!(numbers.iter().all(|number| message(*number as i32).contains("(`ulimit`)")));
        assert!(!message(nix::errno::Errno::ENOSPC as i32).contains("ulimit"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_replaced_and_not_followed() {
        let here = tempfile::tempdir().unwrap();
        let [mine, link, lock] = ["mine", "link", "lock"].map(|name| here.path().join(name));
        fs::write(&mine, "mine").unwrap();
        std::os::unix::fs::symlink(&mine, &link).unwrap();
        std::os::unix::fs::symlink(&mine, &lock).unwrap();
        write_atomic(&link, "new").unwrap();
        let error = open_own(&lock, File::options().write(true).create(true)).unwrap_err();
        assert_eq!(error.to_string(), "it is not a regular file; remove it");
        assert_eq!(fs::read_to_string(&mine).unwrap(), "mine");
        assert_eq!(fs::read_to_string(&link).unwrap(), "new");
    }

    #[cfg(unix)]
    #[test]
    fn a_fifo_is_written_or_refused_at_once() {
        let here = tempfile::tempdir().unwrap();
        let fifo = here.path().join("fifo");
        nix::unistd::mkfifo(&fifo, nix::sys::stat::Mode::S_IRWXU).unwrap();
        let error = write_atomic(&fifo, "unread").unwrap_err().to_string();
        assert!(error.ends_with("no program reads from it"), "{error}");
        assert!(open_own(&fifo, File::options().read(true)).is_err() && is_special(&fifo));
        let text = std::thread::scope(|scope| {
            let reader = scope.spawn(|| fs::read_to_string(&fifo).unwrap());
            while write_atomic(&fifo, "read").is_err() {}
            reader.join().unwrap()
        });
        assert_eq!(text, "read");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_is_never_more_open_than_the_file_that_it_replaces() {
        use std::os::unix::fs::PermissionsExt;
        let here = tempfile::tempdir().unwrap();
        let place = here.path().join("private");
        fs::write(&place, "old").unwrap();
        fs::set_permissions(&place, fs::Permissions::from_mode(0o400)).unwrap();
        write_atomic(&place, "new").unwrap();
        assert_eq!(fs::metadata(&place).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
