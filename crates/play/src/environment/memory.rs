//! A check for free memory before many tables are allocated.

use std::fs;

use parlour_base::error::{Error, Result};

/// Refuses tables that do not fit into free memory: a failed allocation later would abort the
/// program.
pub(super) fn check(tables: usize, each: usize) -> Result<()> {
    // A margin for the containers.
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
    Err(Error::input(format!("`n` is {tables}: these tables need {need} of memory, and {free}")))
}

/// The free memory in bytes, including swap, if the system tells it.
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
        assert!(check(1 << 10, 1000).is_ok());
        let error = check(1 << 24, 1 << 40).unwrap_err().to_string();
        assert!(error.starts_with("`n` is 16777216: these tables need 1"), "{error}");
        assert!(error.contains(" GB of memory"), "{error}");
    }
}
