//! The bar that shows how a run goes on, on a terminal only.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::arena::Observer;

/// A bar over hands.
pub(super) struct Bar(ProgressBar);

impl Bar {
    /// A bar of so many hands; hidden when it is not wanted or standard error is no terminal.
    pub fn new(hands: u64, quiet: bool) -> Bar {
        if quiet || !std::io::stderr().is_terminal() {
            return Bar(ProgressBar::hidden());
        }
        let bar = ProgressBar::with_draw_target(Some(hands), ProgressDrawTarget::stderr_with_hz(5));
        let shape = "{bar:30} {percent:>3}% {human_pos}/{human_len} hands, {per_sec}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(shape) {
            bar.set_style(style);
        }
        Bar(bar)
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}

impl Observer for Bar {
    fn played(&self, hands: u64) {
        self.0.inc(hands);
    }
}
