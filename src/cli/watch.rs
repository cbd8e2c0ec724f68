//! Long commands: Ctrl-C, the progress bar, and the list of the strategies that failed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::output::{on_interrupt, warn};
use crate::arena::{DynPlan, Observer, PlanInfo, Shard, UNIT};
use crate::error::Result;
use crate::results::Run;

/// The time that a stopped command has to end, if its work is saved.
const PATIENCE: Duration = Duration::from_secs(3);

/// The time that a stopped command has to end, if it prints its work so far. The hand in progress may
/// be one of a slow search.
const MORE_PATIENCE: Duration = Duration::from_secs(60);

/// The interval between two drawings of the bar.
const EVERY: Duration = Duration::from_millis(200);

/// The progress bar and the Ctrl-C handler of a command.
pub(super) struct Watch {
    counter: Arc<Counter>,
    /// The bar, unless the command is quiet or standard error is no terminal.
    bar: Option<ProgressBar>,
    stop: Arc<AtomicBool>,
    /// For each strategy, the hands that it lost by failing and its first error.
    failed: Mutex<BTreeMap<String, (u64, String)>>,
}

impl Watch {
    /// Watches the run of a plan or of one shard.
    pub fn run(plan: &PlanInfo, shard: Option<Shard>, quiet: bool, saved: bool) -> Result<Watch> {
        let mut strategies: Vec<_> = plan.names().map(|name| (name.to_owned(), 0)).collect();
        for table in plan.tables.iter().filter(|table| !table.is_mirror()) {
            let seats = table.line_up.len() as i64;
            table.line_up.iter().for_each(|&strategy| strategies[strategy].1 += seats * UNIT);
        }
        let won = Mutex::new((0, vec![0; strategies.len()]));
        let counter = Counter { strategies, won, ..Counter::new(plan.hands(shard), "hands") };
        Watch::new(counter, quiet, if saved { PATIENCE } else { MORE_PATIENCE })
    }

    /// Watches `all` steps; `unit` is their name in the plural.
    pub fn of(all: u64, unit: &'static str, quiet: bool) -> Result<Watch> {
        Watch::new(Counter::new(all, unit), quiet, MORE_PATIENCE)
    }

    /// Stops the command at the first Ctrl-C or SIGTERM, and ends the program at the second.
    fn new(counter: Counter, quiet: bool, patience: Duration) -> Result<Watch> {
        let stop = Arc::new(AtomicBool::new(false));
        let raised = Arc::clone(&stop);
        on_interrupt(move || {
            if raised.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
            warn("stopping after the current deals… (Ctrl-C again to quit now)");
            // The statistics ignore the flag. Files are complete or absent at any moment.
            let quit = std::thread::Builder::new().spawn(move || {
                std::thread::sleep(patience);
                warn("parlour: stopped; the folder keeps the finished deals, and `--resume` continues");
                std::process::exit(130)
            });
            drop(quit);
        })?;
        report_each_panic_once();
        let counter = Arc::new(counter);
        let is_shown = !quiet && std::io::stderr().is_terminal();
        let bar = is_shown.then(|| draw(Arc::clone(&counter)));
        Ok(Watch { counter, bar, stop, failed: Mutex::default() })
    }

    /// A watched run of the plan.
    pub fn over<'a>(&'a self, plan: &'a dyn DynPlan, threads: usize) -> Run<'a> {
        let stop = Some(&*self.stop);
        Run { threads, observer: self, stop, ..Run::of(plan, crate::PROGRAM) }
    }

    /// Returns `true` after Ctrl-C.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The flag that Ctrl-C sets.
    pub fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    /// Sets the number of steps.
    pub fn expect(&self, all: u64) {
        self.counter.all.store(all, Ordering::Relaxed);
    }
}

/// The numbers behind a bar.
#[derive(Debug)]
struct Counter {
    began: Instant,
    unit: &'static str,
    all: AtomicU64,
    done: AtomicU64,
    /// Units finished by earlier commands.
    before: AtomicU64,
    /// The strategies, each with the most units that it can win in a deal against others.
    strategies: Vec<(String, i64)>,
    /// The number of counted deals, and the units that each strategy won in them.
    won: Mutex<(u64, Vec<i64>)>,
}

impl Counter {
    fn new(all: u64, unit: &'static str) -> Counter {
        let (done, before, strategies, won) = Default::default();
        Counter { began: Instant::now(), unit, all: all.into(), done, before, strategies, won }
    }

    /// The text of the bar, most important first because the end may be cut off.
    fn line(&self) -> String {
        let [done, before, all] =
            [&self.done, &self.before, &self.all].map(|number| number.load(Ordering::Relaxed));
        let (here, elapsed) = (done - before.min(done), self.began.elapsed().as_secs_f64());
        let all = all.max(done);
        let share = done as f64 / all.max(1) as f64;
        const WIDE: usize = 10;
        let full = (share * WIDE as f64) as usize;
        let mut line = format!("[{}{}]", "=".repeat(full), " ".repeat(WIDE - full));
        line += &format!(" {:.0} %  {}", (100.0 * share).floor(), clock(elapsed));
        if here > 0 && all > done {
            line += &format!(", {} left", clock(elapsed / here as f64 * (all - done) as f64));
        }
        if let Some(leader) = self.leader() {
            line += &format!("  {leader}");
        }
        line += &format!("  {}/{} {}", short(done), short(all), self.unit);
        if here > 0 {
            line += &format!(", {}", rate(here as f64 / elapsed));
        }
        line
    }

    /// The strategy with the highest score, with the widest possible interval: that of wins and losses
    /// only (Agresti and Coull 1998).
    fn leader(&self) -> Option<String> {
        let won = self.won.lock().unwrap_or_else(PoisonError::into_inner);
        let deals = won.0 as f64;
        let scores = self.strategies.iter().zip(&won.1).filter(|((_, most), _)| *most > 0);
        let scores = scores.map(|((name, most), units)| (*units as f64 / *most as f64, name));
        let (sum, name) = scores.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|_| deals > 0.0)?;
        let (share, middle) = (sum / deals, (sum + 2.0) / (deals + 4.0));
        let half = 1.96 * (middle * (1.0 - middle) / (deals + 4.0)).sqrt();
        let digits = if half < 0.01 { 3 } else { 2 };
        Some(format!("{name} {share:.digits$} ± {half:.digits$}"))
    }
}

/// A duration as minutes and seconds, with hours if needed.
fn clock(seconds: f64) -> String {
    let seconds = seconds as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// A short number: whole below 10,000, then in thousands and millions.
fn short(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..1_000_000 => format!("{} k", number / 1000),
        _ => format!("{:.1} M", (number / 100_000) as f64 / 10.0),
    }
}

/// A rate with its significant digits.
fn rate(a_second: f64) -> String {
    match a_second {
        fast if fast >= 100.0 => format!("{}/s", short(fast as u64)),
        some if some >= 10.0 => format!("{some:.0}/s"),
        few if few >= 1.0 => format!("{few:.1}/s"),
        slow => format!("{:.1}/min", 60.0 * slow),
    }
}

/// Draws a bar in one line of the terminal, again and again.
fn draw(counter: Arc<Counter>) -> ProgressBar {
    let line = move |_: &ProgressState, out: &mut dyn Write| {
        let (_, columns) = console::Term::stderr().size();
        _ = out.write_str(&console::truncate_str(&counter.line(), columns.into(), ""));
    };
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
    if let Ok(style) = ProgressStyle::with_template("{line}") {
        bar.set_style(style.with_key("line", line));
    }
    bar.enable_steady_tick(EVERY);
    bar
}

/// Prints each panic once: a bot may panic in thousands of hands.
fn report_each_panic_once() {
    let (hook, places) = (std::panic::take_hook(), Mutex::new(BTreeSet::new()));
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic.location().map(ToString::to_string);
        let is_new = places.lock().unwrap_or_else(PoisonError::into_inner).insert(place);
        if is_new {
            hook(panic);
        }
    }));
}

/// Removes the bar before anything else is printed.
impl Drop for Watch {
    fn drop(&mut self) {
        self.bar.iter().for_each(ProgressBar::finish_and_clear);
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        for (strategy, (hands, said)) in failed.iter() {
            let hands = if *hands == 1 { "1 hand".to_owned() } else { format!("{hands} hands") };
            warn(format_args!("parlour: `{strategy}` failed and lost {hands}: {said}"));
        }
    }
}

impl Observer for Watch {
    fn resumed(&self, hands: u64) {
        self.counter.before.fetch_add(hands, Ordering::Relaxed);
        self.played(hands);
    }

    fn played(&self, hands: u64) {
        self.counter.done.fetch_add(hands, Ordering::Relaxed);
    }

    fn dealt(&self, deals: u64, won: &[Vec<i64>]) {
        // Later deals confirm a result, at some of the tables only.
        let Counter { done, all, .. } = &*self.counter;
        if self.bar.is_none() || done.load(Ordering::Relaxed) > all.load(Ordering::Relaxed) {
            return;
        }
        let mut counted = self.counter.won.lock().unwrap_or_else(PoisonError::into_inner);
        counted.0 += deals;
        for standings in won {
            counted.1.iter_mut().zip(standings).for_each(|(sum, units)| *sum += units);
        }
    }

    fn failed(&self, strategy: &str, said: &str) {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.entry(strategy.to_owned()).or_insert_with(|| (0, said.to_owned())).0 += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_rates_have_their_significant_digits() {
        assert_eq!([7.9, 754.0, 3723.0].map(clock), ["0:07", "12:34", "1:02:03"]);
        assert_eq!([9999, 56_700, 2_000_000].map(short), ["9999", "56 k", "2.0 M"]);
        let rates = [2550.0187, 42.4, 3.21, 0.05].map(rate);
        assert_eq!(rates, ["2550/s", "42/s", "3.2/s", "3.0/min"]);
    }
}
