//! What do the moves that strategies choose gain on those of `steady`? A match says so too, but asks
//! for more decisions: 1000 positions leave no more doubt than some 900 hands of 23 moves each.
//!
//! `judge` writes positions with the worth of their candidates, `rate` reads them.
//!
//! A twelfth of the positions that steady players come to is looked at; with `--by STRATEGY`, of
//! those in which that strategy is to move against a steady player, an eighth. Each of the candidates
//! (the eight that `steady` likes best, or more) is judged by playouts between steady players with the hands
//! really held and the same draws for all: the chance to win, that is, if both go on as steady
//! players. So a strategy is rated by what its moves come to in the worlds that there are, not in
//! those that it imagines. By the performance difference lemma (Kakade and Langford 2002) the gains
//! of a hand's moves add up to the gain in score in the positions that the strategy itself comes to.
//!
//! A line of FILE: the deal, the moves made so far (each as its place among the legal ones, with
//! commas), and for each candidate, best liked first, its chance to win.

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

/// One of so many positions is looked at.
const ONE_OF: u32 = 12;

/// The same of a strategy's own.
const ONE_OF_OWN: u32 = 8;

#[derive(Args)]
pub struct Judge {
    /// The file to write
    file: String,
    #[arg(long, default_value_t = 500)]
    deals: u64,
    /// Playouts of each candidate
    #[arg(long, default_value_t = 120)]
    playouts: u64,
    /// How many candidates are judged: those that `steady` likes best
    #[arg(long, default_value_t = 8)]
    candidates: usize,
    /// Look at the positions of this strategy, in hands against `steady`
    #[arg(long, value_name = "STRATEGY")]
    by: Option<String>,
}

#[derive(Args)]
pub struct Rate {
    /// The file that `judge` wrote
    file: String,
    #[arg(required = true)]
    strategies: Vec<String>,
    /// No more than so many positions
    #[arg(long, default_value_t = usize::MAX)]
    spots: usize,
}

/// The game, who plays it, and where chance comes from.
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

    /// So many moves that `steady` likes best.
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
                if candidates.len() > 1 && candidates[0] != Move::KNOCK {
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
                    bot.choose(game, Observation { view: &view, past }, &mut choice)
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

/// A position and what its candidates are worth.
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

    /// What the move of each strategy gains on that of `steady`, and how long it took, in seconds.
    /// A move that was not judged counts as the worst that was.
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
            let time = start.elapsed().as_secs_f64();
            let at = candidates.iter().position(|candidate| *candidate == mv);
            let worth = at.and_then(|at| self.worth.get(at)).unwrap_or(&worst);
            (worth - self.worth[0], time)
        });
        rated.collect()
    }
}

/// A number observed in each position, in millionths, so that sums are exact.
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
