//! A folder that one process writes to at a time.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::write::{UNFINISHED, cannot_write};
use crate::error::{Error, Result};

/// The file in the folder that is locked. The system lets go of the lock when its process ends,
/// however it ends.
const NAME: &str = ".running";

/// A folder that belongs to this process until this is dropped.
#[derive(Debug)]
pub struct DirLock {
    place: PathBuf,
    _file: File,
}

impl DirLock {
    /// Takes a folder, which is there, and removes what a process that was killed had begun to
    /// write. On a file system without locks every process is let in.
    ///
    /// # Errors
    /// Bad input when another process has it: who, and since when. A failure when the folder cannot
    /// be written to.
    pub fn acquire(folder: &Path) -> Result<DirLock> {
        let place = folder.join(NAME);
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let me = format!("process {}{}, number {}", std::process::id(), host(), now.as_nanos());
        loop {
            let mut options = OpenOptions::new();
            let file = options.read(true).write(true).create(true).truncate(false).open(&place);
            let mut file = file.map_err(|error| cannot_write(&place, &error))?;
            if let Err(TryLockError::WouldBlock) = file.try_lock() {
                return Err(held(folder, &file, &fs::read_to_string(&place).unwrap_or_default()));
            }
            let written = file.set_len(0).and_then(|()| file.write_all(me.as_bytes()));
            written.map_err(|error| cannot_write(&place, &error))?;
            // The one before may have removed the file between our opening and our locking it.
            if fs::read_to_string(&place).is_ok_and(|there| there == me) {
                sweep(folder, true);
                return Ok(DirLock { place, _file: file });
            }
        }
    }
}

impl Drop for DirLock {
    fn drop(&mut self) {
        // One that stays does no harm: nobody holds its lock.
        _ = fs::remove_file(&self.place);
    }
}

fn held(folder: &Path, file: &File, said: &str) -> Error {
    let who = said.split_once(", number").map_or("another process", |(who, _)| who);
    let since = file.metadata().and_then(|m| m.modified()).ok().and_then(|t| t.elapsed().ok());
    let since = since.map_or(String::new(), |t| format!(" for {} s", t.as_secs()));
    Error::input(format!(
        "{place} is in use: {who} has been writing to it{since}; wait for its end, or choose another folder with `--out`",
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

/// Removes the beginnings of files, and what is left of folders, in a folder, and in those within it.
fn sweep(folder: &Path, within: bool) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
            _ = fs::remove_file(entry.path()).or_else(|_| fs::remove_dir_all(entry.path()));
        } else if within && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            sweep(&entry.path(), false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_held_by_one_until_it_lets_go() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("confirm");
        fs::create_dir(&inner).unwrap();
        let begun = [folder.path(), &inner].map(|f| f.join(format!("{UNFINISHED}abc.tmp")));
        begun.iter().for_each(|place| fs::write(place, "half").unwrap());
        fs::create_dir(folder.path().join(format!("{UNFINISHED}removed"))).unwrap();
        fs::write(folder.path().join(format!("{UNFINISHED}removed/page")), "half").unwrap();
        let first = DirLock::acquire(folder.path()).unwrap();
        assert!(!begun.iter().any(|b| b.exists()), "what a killed process had begun is gone");
        let said = DirLock::acquire(folder.path()).unwrap_err().to_string();
        let me = format!("is in use: process {}", std::process::id());
        assert!(said.contains(&me) && said.contains("for 0 s"), "{said}");
        drop(first);
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().flatten().collect();
        assert_eq!(left.len(), 1, "only the folder within: {left:?}");
        // A file that a killed process left behind keeps nobody out.
        fs::write(folder.path().join(NAME), "process 1, number 2").unwrap();
        assert!(DirLock::acquire(folder.path()).is_ok());
    }

    #[test]
    fn many_at_once_are_let_in_one_by_one() {
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
