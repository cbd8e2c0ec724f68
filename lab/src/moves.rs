//! Measures how much the moves of strategies gain over those of `steady`. A match measures the
//! same, but needs more decisions: 1000 positions are as precise as some 900 hands of 23 moves
//! each.
//!
//! `judge` writes positions with the values of their candidates, `rate` reads them.
//!
//! One position in twelve of hands between steady players is sampled; with `--by STRATEGY`, one in
//! eight of those in which that strategy is to move against a steady player. Each candidate (the
//! eight that `steady` values most, or more) is valued by playouts between steady players with the
//! true hands and the same draws for all. The value is the probability to win if both go on as
//! steady players. So a strategy is rated in the true worlds, not in those that it samples. By the
//! performance difference lemma (Kakade and Langford 2002), the gains of a hand's moves add up to
//! the gain in score.
//!
//! A line of FILE has the deal, the moves made so far, and the probability to win for each
//! candidate. Moves are indices among the legal ones, separated by commas. Candidates are in the
//! order of `steady`.

use std::fmt::Write as _;

use anyhow::Context as _;
use clap::Args;
use parlour::chance::Seed;
use parlour::files::Library;
use parlour::game::{Game, Observation, Policy, Ruled, Seat};
use parlour::games::leopard::bots::Steady;
use parlour::games::leopard::{Leopard, Move, State};
use parlour::stats::Moments;
use parlour::strategy::{Strategic, Strategy};
use rayon::prelude::*;

use crate::table::{liked, steady, variant, walk, wins};

/// One position in this number is sampled.
const ONE_OF: u32 = 12;

/// The same for a strategy's own positions.
const ONE_OF_OWN: u32 = 8;

#[derive(Args)]
pub struct Judge {
    /// File to write
    file: String,
    #[arg(long, default_value_t = 500)]
    deals: u64,
    /// Playouts of each candidate
    #[arg(long, default_value_t = 120)]
    playouts: u64,
    /// Number of candidates: the moves that `steady` values most
    #[arg(long, default_value_t = 8)]
    candidates: usize,
    /// Use the positions of this strategy, in hands against `steady`
    #[arg(long, value_name = "STRATEGY")]
    by: Option<String>,
}

#[derive(Args)]
pub struct Rate {
    /// File written by `judge`
    file: String,
    #[arg(required = true)]
    strategies: Vec<String>,
    /// Largest number of positions
    #[arg(long, default_value_t = usize::MAX)]
    spots: usize,
}

/// The game, its players and the random seed.
struct Table {
    game: Leopard,
    steady: Steady,
    root: Seed,
}

impl Table {
    fn new() -> anyhow::Result<Table> {
        let root = Seed::new(77).named("spots");
        Ok(Table { game: variant("revised")?, steady: steady()?, root })
    }

    /// Plays a hand of this deal, see [`walk`].
    fn walk(&self, deal: u64, at: impl FnMut(&State, &[(Seat, Move)], Seat) -> Option<Move>) {
        walk(&self.game, self.root.child(deal).child(0).stream(), at);
    }

    /// The moves that `steady` values most, up to this number.
    fn candidates(&self, state: &State, seat: Seat, many: usize) -> Vec<Move> {
        liked(&self.game, &self.steady, state, seat, many)
    }
}

fn load(name: &str) -> parlour::error::Result<Strategy<Leopard>> {
    Strategy::load(&Library::strategies(Leopard::NAME), name)
}

impl Judge {
    pub fn run(&self) -> anyhow::Result<()> {
        let table = Table::new()?;
        let by = self.by.as_deref().map(load).transpose()?;
        let lines =
            (0..self.deals).into_par_iter().map(|deal| self.deal(&table, by.as_ref(), deal));
        Ok(std::fs::write(&self.file, lines.collect::<Vec<_>>().concat())?)
    }

    /// The lines of a deal.
    fn deal(&self, table: &Table, by: Option<&Strategy<Leopard>>, deal: u64) -> String {
        let Table { game, steady, root } = table;
        let one_of = if by.is_some() { ONE_OF_OWN } else { ONE_OF };
        let mut picks = root.named("pick").child(deal).stream();
        let mut chance = root.named("judge").child(deal).stream();
        let mut choice = root.child(deal).child(1).stream();
        let own = Seat((deal & 1) as u8);
        let mut bot = by.map(|by| game.bot(&by.spec));
        if let Some(bot) = &mut bot {
            bot.start(own);
        }
        let (mut lines, mut places, mut legal) = (String::new(), Vec::new(), Vec::new());
        table.walk(deal, |state, past, seat| {
            let view = game.view(state, seat);
            let is_asked = bot.is_none() || seat == own;
            if is_asked && picks.below(one_of) == 0 {
                let candidates = table.candidates(state, seat, self.candidates);
                if candidates.len() > 1 && candidates[0] != Move::Knock {
                    let playouts = self.playouts;
                    let won =
                        wins(game, steady, &candidates, seat, playouts, &mut chance, |_| *state);
                    let worth = won.iter().map(|won| format!("{:.4}", won / playouts as f64));
                    let worth = worth.collect::<Vec<_>>().join(" ");
                    let _ = writeln!(lines, "{deal} {} {worth}", places.join(","));
                }
            }
            let mv = match &mut bot {
                Some(bot) if seat == own => {
                    let observation = Observation { view: &view, past };
                    bot.choose(game, observation, &mut choice).expect("a strategy plays")
                }
                _ => steady.pick(game, &view, &mut choice),
            };
            game.legal_moves(state, &mut legal);
            let place = legal.binary_search(&mv).expect("a strategy makes legal moves");
            places.push(place.to_string());
            Some(mv)
        });
        lines
    }
}

/// A position and the values of its candidates.
struct Spot {
    deal: u64,
    places: Vec<usize>,
    worth: Vec<f64>,
}

impl Spot {
    fn read(line: &str) -> Option<Spot> {
        let mut words = line.split(' ');
        let (deal, places) = (words.next()?.parse().ok()?, words.next()?);
        let places = places.split(',').filter(|place| !place.is_empty());
        let places = places.map(|place| place.parse().ok()).collect::<Option<_>>()?;
        let worth = words.map(|word| word.parse().ok()).collect::<Option<_>>()?;
        Some(Spot { deal, places, worth })
    }

    /// The gain of each strategy's move over that of `steady`, and its time in seconds. A move
    /// without a value counts as the worst one.
    fn rate(&self, table: &Table, strategies: &[Strategy<Leopard>]) -> Vec<(f64, f64)> {
        let (mut found, mut legal) = (None, Vec::new());
        table.walk(self.deal, |state, past, seat| {
            found = Some((*state, past.to_vec(), seat));
            table.game.legal_moves(state, &mut legal);
            self.places.get(past.len()).and_then(|place| legal.get(*place)).copied()
        });
        let Some((state, past, seat)) = found else { return Vec::new() };
        let candidates = table.candidates(&state, seat, self.worth.len());
        let view = table.game.view(&state, seat);
        let worst = self.worth.iter().copied().fold(1.0, f64::min);
        let rated = strategies.iter().map(|strategy| {
            let seed = table.root.named("rate").child(self.deal).child(past.len() as u64);
            let mut bot = table.game.bot(&strategy.spec);
            bot.start(seat);
            let start = std::time::Instant::now();
            let observation = Observation { view: &view, past: &past };
            let mv = bot.choose(&table.game, observation, &mut seed.stream());
            let mv = mv.expect("a strategy plays");
            let time = start.elapsed().as_secs_f64();
            let at = candidates.iter().position(|candidate| *candidate == mv);
            let worth = at.and_then(|at| self.worth.get(at)).unwrap_or(&worst);
            (worth - self.worth[0], time)
        });
        rated.collect()
    }
}

/// A number of each position, in millionths, so that sums are exact.
fn mean(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let moments: Moments = numbers.map(|x| (x * 1e6).round() as i64).collect();
    let value = moments.mean(1e-6).map_or(0.0, |mean| mean.value);
    let variance = moments.variance(1e-6).unwrap_or(0.0);
    (value, (variance / moments.n.max(1) as f64).sqrt())
}

impl Rate {
    pub fn run(&self) -> anyhow::Result<()> {
        let (table, path) = (Table::new()?, &self.file);
        let strategies = self.strategies.iter().map(|name| load(name));
        let strategies = strategies.collect::<Result<Vec<_>, _>>()?;
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?;
        let spots: Option<Vec<Spot>> = text.lines().take(self.spots).map(Spot::read).collect();
        let spots = spots.with_context(|| format!("{path}: a line is not `deal places worth…`"))?;
        let rows: Vec<_> = spots.par_iter().map(|spot| spot.rate(&table, &strategies)).collect();
        println!("{} positions; gain a move ± standard error, and on the first", rows.len());
        for (at, strategy) in strategies.iter().enumerate() {
            let (gain, error) = mean(rows.iter().map(|row| row[at].0));
            let (more, doubt) = mean(rows.iter().map(|row| row[at].0 - row[0].0));
            let (time, _) = mean(rows.iter().map(|row| row[at].1));
            let (name, time) = (&strategy.name, time * 1e3);
            println!("{name:24} {gain:.5} ± {error:.5}  {more:+.5} ± {doubt:.5}  {time:.1} ms");
        }
        Ok(())
    }
}
