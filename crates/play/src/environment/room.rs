//! Whether there is memory for many tables, asked before any of it is taken.

use std::fs;

use super::Facts;
use crate::error::{Error, Result};

/// Which rows a caller of [`open_many`](super::open_many) takes memory for.
#[derive(Clone, Copy, Debug)]
pub struct Rows {
    /// What the seat to choose knows.
    pub observations: bool,
    /// What it may do.
    pub masks: bool,
}

impl Rows {
    /// The bytes that a caller takes for each table: reward, end, seat and action are always there.
    pub(super) fn bytes(self, facts: &Facts) -> usize {
        let wanted = |row: bool, bytes: usize| if row { bytes } else { 0 };
        let rows = wanted(self.observations, facts.numbers) + wanted(self.masks, facts.count);
        rows + facts.seats * size_of::<f32>() + 2 + size_of::<i64>()
    }
}

/// Refuses so many tables of so many bytes where the system does not have them: an allocation that
/// fails later would end the program.
pub(super) fn ask(tables: usize, each: usize) -> Result<()> {
    // A little more, for what holds them.
    let bytes = tables.saturating_mul(each + each / 16);
    let had = Vec::<u8>::new().try_reserve_exact(bytes).is_ok();
    let free = free();
    if had && free.is_none_or(|free| bytes as u64 <= free) {
        return Ok(());
    }
    let gb = |bytes: f64| format!("{:.1} GB", bytes / 1e9);
    let free = match free {
        Some(free) if had => format!("{} are free", gb(free as f64)),
        _ => "the system does not give them".to_owned(),
    };
    let need = gb(bytes as f64);
    Err(Error::input(format!("`n` is {tables}: so many tables take {need} of memory, and {free}")))
}

/// The bytes of memory that are free, swap included, where the system tells.
fn free() -> Option<u64> {
    let told = fs::read_to_string("/proc/meminfo").ok()?;
    let of = |name: &str| {
        let line = told.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim_end_matches("kB").trim().parse::<u64>().ok()
    };
    Some((of("MemAvailable:")? + of("SwapFree:").unwrap_or(0)) * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_had_is_refused_in_gigabytes() {
        assert!(ask(1 << 10, 1000).is_ok());
        let error = ask(1 << 24, 1 << 40).unwrap_err().to_string();
        assert!(error.starts_with("`n` is 16777216: so many tables take 1"), "{error}");
        assert!(error.contains(" GB of memory"), "{error}");
    }
}
