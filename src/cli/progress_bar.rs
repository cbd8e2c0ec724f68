//! Who watches a run: the bar that shows how it goes on, on a terminal only, and the list of the
//! strategies that failed in it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::tell;
use crate::arena::Observer;

/// A bar over hands, or none: a hidden one would go on asking for the time.
pub(super) struct Bar {
    bar: Option<ProgressBar>,
    /// By strategy the hands that it lost by failing, and what it said first.
    failed: Mutex<BTreeMap<String, (u64, String)>>,
}

impl Bar {
    /// A bar of so many hands; none when it is not wanted or standard error is no terminal.
    pub fn new(hands: u64, quiet: bool) -> Bar {
        say_each_panic_once();
        let wanted = !quiet && std::io::stderr().is_terminal();
        let bar = wanted.then(|| {
            let target = ProgressDrawTarget::stderr_with_hz(5);
            let bar = ProgressBar::with_draw_target(Some(hands), target);
            let shape =
                "{bar:30} {percent:>3}% {human_pos}/{human_len} hands, {per_sec}, {eta} left";
            if let Ok(style) = ProgressStyle::with_template(shape) {
                bar.set_style(style);
            }
            bar
        });
        Bar { bar, failed: Mutex::default() }
    }
}

/// The panic of a bot loses a hand, perhaps many thousand times over.
fn say_each_panic_once() {
    let (usual, said) = (std::panic::take_hook(), Mutex::new(BTreeSet::new()));
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic.location().map(ToString::to_string);
        let is_new = said.lock().unwrap_or_else(PoisonError::into_inner).insert(place);
        if is_new {
            usual(panic);
        }
    }));
}

/// The bar goes before anything else is shown.
impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        for (strategy, (hands, said)) in failed.iter() {
            let hands = if *hands == 1 { "1 hand".to_owned() } else { format!("{hands} hands") };
            tell(format_args!("parlour: `{strategy}` failed, and so lost {hands}: {said}"));
        }
    }
}

impl Observer for Bar {
    fn played(&self, hands: u64) {
        if let Some(bar) = &self.bar {
            bar.inc(hands);
        }
    }

    fn failed(&self, strategy: &str, said: &str) {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.entry(strategy.to_owned()).or_insert_with(|| (0, said.to_owned())).0 += 1;
    }
}
