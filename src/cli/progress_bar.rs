//! The bar that shows how a run goes on, on a terminal only.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::arena::Observer;

/// A bar over hands, or none: a hidden one would go on asking for the time.
pub(super) struct Bar(Option<ProgressBar>);

impl Bar {
    /// A bar of so many hands; none when it is not wanted or standard error is no terminal.
    pub fn new(hands: u64, quiet: bool) -> Bar {
        if quiet || !std::io::stderr().is_terminal() {
            return Bar(None);
        }
        let bar = ProgressBar::with_draw_target(Some(hands), ProgressDrawTarget::stderr_with_hz(5));
        let shape = "{bar:30} {percent:>3}% {human_pos}/{human_len} hands, {per_sec}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(shape) {
            bar.set_style(style);
        }
        Bar(Some(bar))
    }
}

/// The bar goes before anything else is shown.
impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

impl Observer for Bar {
    fn played(&self, hands: u64) {
        if let Some(bar) = &self.0 {
            bar.inc(hands);
        }
    }
}
