//! Long commands: Ctrl-C, the progress bar, and the list of the strategies that failed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::output::{exit_stopped, on_interrupt, warn};
use crate::arena::{DynPlan, Observer, PlanInfo, Shard, UNIT};
use crate::error::{Error, Result};
use crate::results::Run;

/// The time that a stopped command has to end, if its work is saved.
const PATIENCE: Duration = Duration::from_secs(3);

/// The time that a stopped command has to end, if it prints its work so far. The hand in progress may
/// be one of a slow search.
const MORE_PATIENCE: Duration = Duration::from_secs(60);

/// The number of deals from which the leader is shown.
const MIN_DEALS: u64 = 20;

/// The progress bar and the Ctrl-C handler of a command.
pub(super) struct Watch {
    /// The bar, unless the command is quiet or standard error is no terminal. A hidden bar would still read
    /// the clock.
    bar: Option<ProgressBar>,
    standings: Arc<Mutex<Standings>>,
    stop: Arc<AtomicBool>,
    /// For each strategy, the hands that it lost by failing, and its first and last errors.
    failed: Mutex<BTreeMap<String, (u64, [String; 2])>>,
}

/// The results of the strategies so far.
#[derive(Default)]
struct Standings {
    deals: u64,
    /// The name of each strategy, the most units that it can win in a deal against others, and the units
    /// that it won.
    strategies: Vec<(String, i64, i64)>,
}

impl Standings {
    /// The strategy with the highest score, with the widest possible interval: that of wins and losses
    /// only (Agresti and Coull 1998).
    fn leader(&self) -> Option<String> {
        let is_enough = self.deals >= MIN_DEALS;
        let scores = self.strategies.iter().filter(|(_, most, _)| *most > 0 && is_enough);
        let scores = scores.map(|(name, most, units)| (*units as f64 / *most as f64, name));
        let (sum, name) = scores.max_by(|a, b| a.0.total_cmp(&b.0))?;
        let deals = self.deals as f64;
        let (share, middle) = (sum / deals, (sum + 2.0) / (deals + 4.0));
        let half = 1.96 * (middle * (1.0 - middle) / (deals + 4.0)).sqrt();
        let (digits, share, half) = (usize::from(half < 0.01), 100.0 * share, 100.0 * half);
        Some(format!("{name} leads with {share:.digits$} ± {half:.digits$} %"))
    }
}

impl Watch {
    /// Watches the run of a plan or of one shard.
    pub fn run(plan: &PlanInfo, shard: Option<Shard>, quiet: bool, saved: bool) -> Result<Watch> {
        let mut strategies: Vec<_> = plan.names().map(|name| (name.to_owned(), 0, 0)).collect();
        for table in plan.tables.iter().filter(|table| !table.is_mirror()) {
            let seats = table.line_up.len() as i64;
            table.line_up.iter().for_each(|&strategy| strategies[strategy].1 += seats * UNIT);
        }
        let standings = Standings { deals: 0, strategies };
        Watch::new(plan.hands(shard), "hands", standings, quiet, saved)
    }

    /// Watches `all` steps; `unit` is their name in the plural.
    pub fn of(all: u64, unit: &str, quiet: bool) -> Result<Watch> {
        Watch::new(all, unit, Standings::default(), quiet, false)
    }

    /// Stops the command at the first Ctrl-C or SIGTERM, and ends the program at the second.
    fn new(all: u64, unit: &str, scores: Standings, quiet: bool, saved: bool) -> Result<Watch> {
        let (grace, text) = match saved {
            true => (PATIENCE, "; the folder keeps the finished deals, and `--resume` continues"),
            false => (MORE_PATIENCE, ""),
        };
        let stop = Arc::new(AtomicBool::new(false));
        let raised = Arc::clone(&stop);
        on_interrupt(move || {
            if raised.swap(true, Ordering::Relaxed) {
                exit_stopped();
            }
            warn("stopping after the current deals… (Ctrl-C again to quit now)");
            // The statistics ignore the flag. Files are complete or absent at any moment.
            let quit = std::thread::Builder::new().spawn(move || {
                std::thread::sleep(grace);
                warn(format_args!("parlour: stopped{text}"));
                exit_stopped()
            });
            drop(quit);
        })?;
        report_each_panic_once();
        let is_shown = !quiet && std::io::stderr().is_terminal();
        let scores = Arc::new(Mutex::new(scores));
        let bar = is_shown.then(|| draw(all, unit, scores.clone()));
        Ok(Watch { bar, standings: scores, stop, failed: Mutex::default() })
    }

    /// A watched run of the plan.
    pub fn over<'a>(&'a self, plan: &'a dyn DynPlan, threads: usize) -> Run<'a> {
        let stop = Arc::clone(&self.stop);
        Run { threads, observer: self, stop, ..Run::of(plan, crate::PROGRAM) }
    }

    /// Returns `true` after Ctrl-C.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The flag that Ctrl-C sets.
    pub fn stop(&self) -> &Arc<AtomicBool> {
        &self.stop
    }

    /// Returns an error if a strategy failed in a hand.
    pub fn refuse_failures(&self) -> Result<()> {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.keys().next().map_or(Ok(()), |name| {
            Err(Error::failed(format!("nothing is tuned with `{name}`, a player that fails")))
        })
    }
}

/// Draws a bar in one line of the terminal, again and again.
fn draw(all: u64, unit: &str, standings: Arc<Mutex<Standings>>) -> ProgressBar {
    let rate = |state: &ProgressState, out: &mut dyn Write| {
        _ = write!(out, "{:.1}/s", state.per_sec());
    };
    let leader = move |_: &ProgressState, out: &mut dyn Write| {
        let standings = standings.lock().unwrap_or_else(PoisonError::into_inner);
        _ = out.write_str(&standings.leader().unwrap_or_default());
    };
    let template = format!(
        "[{{bar:10}}] {{percent}} %  {{elapsed}}, {{eta}} left  {{human_pos}}/{{human_len}} {unit}, \
         {{rate}}  {{leader}}"
    );
    let bar = ProgressBar::new(all);
    if let Ok(style) = ProgressStyle::with_template(&template) {
        let style = style.with_key("rate", rate).with_key("leader", leader);
        bar.set_style(style.progress_chars("== "));
    }
    bar.enable_steady_tick(Duration::from_millis(200));
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
        for (strategy, (hands, [first, last])) in failed.iter() {
            let hands = if *hands == 1 { "1 hand".to_owned() } else { format!("{hands} hands") };
            let last = if first == last { String::new() } else { format!("; the last: {last}") };
            warn(format_args!("parlour: `{strategy}` failed and lost {hands}: {first}{last}"));
        }
    }
}

impl Observer for Watch {
    fn expected(&self, all: u64) {
        self.bar.iter().for_each(|bar| bar.set_length(all));
    }

    fn resumed(&self, hands: u64) {
        self.played(hands);
        self.bar.iter().for_each(ProgressBar::reset_eta);
    }

    fn played(&self, hands: u64) {
        self.bar.iter().for_each(|bar| bar.inc(hands));
    }

    fn dealt(&self, deals: u64, won: &[Vec<i64>]) {
        // Later deals confirm a result, at some of the tables only.
        let is_over = |bar: &ProgressBar| bar.length().is_some_and(|all| bar.position() > all);
        if self.bar.as_ref().is_none_or(is_over) {
            return;
        }
        let mut standings = self.standings.lock().unwrap_or_else(PoisonError::into_inner);
        standings.deals += deals;
        for won in won {
            let strategies = standings.strategies.iter_mut();
            strategies.zip(won).for_each(|((.., sum), units)| *sum += units);
        }
    }

    fn failed(&self, strategy: &str, said: &str) {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        let first = || (0, [said, said].map(str::to_owned));
        let (hands, [_, last]) = failed.entry(strategy.to_owned()).or_insert_with(first);
        *hands += 1;
        said.clone_into(last);
    }
}
