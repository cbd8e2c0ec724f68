//! Locks of directories: one process writes to a directory at a time.

use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::write::{UNFINISHED, cannot_write, open_own};
use crate::error::{Error, Result};
use crate::time::SystemTime;

/// A lock of a directory, released on drop.
#[derive(Debug)]
pub struct DirLock {
    place: PathBuf,
    _file: File,
}

impl DirLock {
    /// The locked file in the directory. The system releases the lock when the process ends, however
    /// it ends.
    pub const FILE: &'static str = ".running";

    /// Locks an existing directory, and removes unfinished files of killed processes. On a file
    /// system without locks every process gets the lock.
    ///
    /// # Errors
    /// Bad input if another process has the lock: its number, and since when. A failure if the
    /// directory cannot be written to.
    pub fn acquire(folder: &Path) -> Result<DirLock> {
        let lock = DirLock::at(folder.join(DirLock::FILE), folder)?;
        remove_unfinished(folder, true);
        Ok(lock)
    }

    /// Locks a single file, which need not exist, by a hidden file next to it.
    ///
    /// # Errors
    /// As [`acquire`](DirLock::acquire).
    pub fn of_file(file: &Path) -> Result<DirLock> {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        DirLock::at(file.with_file_name(format!(".{name}{}", DirLock::FILE)), file)
    }

    /// Locks the file `place`; messages name `what` it is for.
    fn at(place: PathBuf, what: &Path) -> Result<DirLock> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let me = format!("process {}{}, number {}", std::process::id(), host(), now.as_nanos());
        loop {
            let file = open_own(&place, File::options().read(true).write(true).create(true));
            let mut file = file.map_err(|error| cannot_write(&place, &error))?;
            if let Err(TryLockError::WouldBlock) = file.try_lock() {
                return Err(in_use(what, &file, &fs::read_to_string(&place).unwrap_or_default()));
            }
            let written = file.set_len(0).and_then(|()| file.write_all(me.as_bytes()));
            written.map_err(|error| cannot_write(&place, &error))?;
            // The previous owner may have removed the file between our opening and our locking it.
            match fs::read_to_string(&place) {
                Ok(there) if there == me => return Ok(DirLock { place, _file: file }),
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(cannot_write(&place, &error));
                }
                _ => {}
            }
        }
    }
}

impl Drop for DirLock {
    fn drop(&mut self) {
        // A file that remains does no harm: nobody holds its lock.
        _ = fs::remove_file(&self.place);
    }
}

fn in_use(folder: &Path, file: &File, owner: &str) -> Error {
    let who = owner.split_once(", number").map_or("another process", |(who, _)| who);
    let since = file.metadata().and_then(|m| m.modified()).ok().and_then(|t| t.elapsed().ok());
    let since = since.map_or(String::new(), |t| format!(" for {} s", t.as_secs()));
    Error::input(format!(
        "{place} is in use: {who} has been writing to it{since}; wait for it to finish, or choose another folder or file",
        place = folder.display()
    ))
}

fn host() -> String {
    #[cfg(unix)]
    if let Some(name) = nix::unistd::gethostname().ok().and_then(|name| name.into_string().ok()) {
        return format!(" on {name}");
    }
    String::new()
}

/// Removes unfinished files and directories in a directory and its subdirectories.
fn remove_unfinished(folder: &Path, within: bool) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
            _ = fs::remove_file(entry.path()).or_else(|_| fs::remove_dir_all(entry.path()));
        } else if within && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_unfinished(&entry.path(), false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_process_locks_a_directory() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("confirm");
        fs::create_dir(&inner).unwrap();
        let unfinished = [folder.path(), &inner].map(|f| f.join(format!("{UNFINISHED}abc.tmp")));
        unfinished.iter().for_each(|place| fs::write(place, "half").unwrap());
        fs::create_dir(folder.path().join(format!("{UNFINISHED}removed"))).unwrap();
        fs::write(folder.path().join(format!("{UNFINISHED}removed/page")), "half").unwrap();
        let first = DirLock::acquire(folder.path()).unwrap();
        assert!(
            !unfinished.iter().any(|file| file.exists()),
            "unfinished files of a killed process are removed"
        );
        let error = DirLock::acquire(folder.path()).unwrap_err().to_string();
        let me = format!("is in use: process {}", std::process::id());
        assert!(error.contains(&me) && error.contains("for 0 s"), "{error}");
        drop(first);
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().flatten().collect();
        assert_eq!(left.len(), 1, "only the folder within: {left:?}");
        // A file left by a killed process blocks nobody.
        fs::write(folder.path().join(DirLock::FILE), "process 1, number 2").unwrap();
        assert!(DirLock::acquire(folder.path()).is_ok());
    }

    #[test]
    fn concurrent_locks_are_exclusive() {
        let folder = tempfile::tempdir().unwrap();
        let inside = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let Ok(_held) = DirLock::acquire(folder.path()) else { continue };
                        use std::sync::atomic::Ordering::SeqCst;
                        assert_eq!(inside.fetch_add(1, SeqCst), 0, "two at once");
                        inside.fetch_sub(1, SeqCst);
                    }
                });
            }
        });
    }
}
