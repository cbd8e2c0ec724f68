//! What the threads of a search share: the table, which grows, and what was searched.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use super::grid::Grid;
use super::save::Save;
use super::table::{Bounds, Entry, Table};
use super::{Effort, MB};
use crate::error::{Error, Result};

/// What the threads share.
pub(super) struct Hub<E> {
    table: Mutex<Arc<Table<E>>>,
    /// How many entries the newest table has room for, and how many are filled, more or less.
    room: AtomicUsize,
    filled: AtomicU64,
    visited: AtomicU64,
    stop: AtomicBool,
    save: Option<Save>,
    /// How many bytes the tables may take, an old one and the new one together.
    limit: AtomicU64,
}

/// How many entries a table begins with, as a power of two.
const BEGIN: u32 = 14;

impl<E: Entry> Hub<E> {
    /// A small table, which grows as far as so many bytes allow, and what was saved before.
    ///
    /// # Errors
    /// When even that is more than allowed, or is not to be had.
    pub fn of(
        grid: &Grid,
        key_bits: u32,
        count: fn(u64) -> u32,
        effort: &Effort,
    ) -> Result<Hub<E>> {
        let limit = effort.memory_mb.saturating_mul(MB);
        let save = effort.save.map(|path| Save::open(path, grid.shape)).transpose()?;
        let least = Table::<E>::least(key_bits);
        let fits = |log: &u32| Table::<E>::bytes(*log) <= limit;
        let log = (least..=least.max(BEGIN)).rev().find(fits).ok_or_else(|| {
            let enough = Table::<E>::bytes(least).div_ceil(MB);
            Error::input(format!(
                "the least table of this board takes {enough} MB; {} MB are allowed: give \
                 `--memory` {enough} or more",
                limit / MB
            ))
        })?;
        let table = Table::new(log, key_bits, count).ok_or_else(|| {
            let size = Table::<E>::bytes(log).div_ceil(MB);
            Error::failed(format!("this machine does not give the table its {size} MB"))
        })?;
        let hub = Hub {
            room: AtomicUsize::new(table.room()),
            table: Mutex::new(Arc::new(table)),
            filled: AtomicU64::new(0),
            visited: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            save: None,
            limit: AtomicU64::new(limit),
        };
        if let Some(save) = &save {
            for &(key, bounds) in &save.before {
                hub.tell(0, hub.table().put(key, bounds).into());
            }
        }
        Ok(Hub { save, ..hub })
    }

    /// The newest table.
    pub fn table(&self) -> Arc<Table<E>> {
        Arc::clone(&self.table.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether there is a newer table than this.
    pub fn has_grown(&self, table: &Table<E>) -> bool {
        self.room.load(Relaxed) != table.room()
    }

    /// So many more positions were searched, and so many entries filled. A table that is filled to
    /// five eighths grows if it may; what other threads write into the old one meanwhile is lost,
    /// and searched again.
    pub fn tell(&self, visited: u64, filled: u64) {
        self.visited.fetch_add(visited, Relaxed);
        let all = self.filled.fetch_add(filled, Relaxed) + filled;
        if all / 5 < self.room.load(Relaxed) as u64 / 8 {
            return;
        }
        let Ok(mut table) = self.table.try_lock() else { return };
        let room = table.room() as u64;
        let bytes = Table::<E>::bytes(room.ilog2());
        if self.filled.load(Relaxed) / 5 < room / 8 || 3 * bytes > self.limit.load(Relaxed) {
            return;
        }
        match table.grown() {
            Some((grown, filled)) => {
                self.filled.store(filled, Relaxed);
                self.room.store(grown.room(), Relaxed);
                *table = Arc::new(grown);
            }
            // The machine has no more.
            None => self.limit.store(0, Relaxed),
        }
    }

    /// How many positions were searched.
    pub fn visited(&self) -> u64 {
        self.visited.load(Relaxed)
    }

    /// How many bytes the newest table takes.
    pub fn bytes(&self) -> u64 {
        Table::<E>::bytes(self.room.load(Relaxed).ilog2())
    }

    /// Saves what took long to prove.
    pub fn save(&self, key: u64, bounds: Bounds) {
        if let Some(save) = &self.save {
            save.add(key, bounds);
        }
    }

    /// The failure to save, if there was one.
    ///
    /// # Errors
    /// That failure.
    pub fn saved(&self) -> Result<()> {
        self.save.as_ref().map_or(Ok(()), Save::outcome)
    }

    /// Whether no more answers are wanted.
    pub fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// No more answers are wanted, or new ones are.
    pub fn stop(&self, stop: bool) {
        self.stop.store(stop, Relaxed);
    }
}
