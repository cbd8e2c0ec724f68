//! What do the moves that strategies choose gain on those of `steady`? A match says so too, but asks
//! for more decisions: 1000 positions leave no more doubt than some 900 hands of 23 moves each.
//!
//! ```text
//! move_gain judge FILE [--deals N] [--playouts N] [--by STRATEGY]
//!                                                    positions with the worth of their candidates
//! move_gain rate FILE STRATEGY… [--spots N]          what each strategy gains in them
//! ```
//! A twelfth of the positions that steady players come to is looked at; with `--by STRATEGY`, of
//! those in which that strategy is to move against a steady player, an eighth. Each of the candidates
//! (the eight that `steady` likes best) is judged by playouts between steady players with the hands
//! really held and the same draws for all: the chance to win, that is, if both go on as steady
//! players. So a strategy is rated by what its moves come to in the worlds that there are, not in
//! those that it imagines. By the performance difference lemma (Kakade and Langford 2002) the gains
//! of a hand's moves add up to the gain in score in the positions that the strategy itself comes to.
//!
//! A line of FILE: the deal, the moves made so far (each as its place among the legal ones, with
//! commas), and for each candidate, best liked first, its chance to win.

use std::fmt::Write as _;

use anyhow::{Context as _, bail};
use parlour::chance::{Seed, Stream};
use parlour::files::Shelf;
use parlour::game::{Game, Policy, Ruled, Seat, Sight, Turn};
use parlour::games::leopard::bots::{Steady, Weights};
use parlour::games::leopard::{Leopard, Move, Rules, State};
use parlour::strategy::{Strategic, Strategy};
use rayon::prelude::*;

/// How many candidates are judged.
const CANDIDATES: usize = 8;

/// One of so many positions is looked at.
const ONE_OF: u32 = 12;

/// The same of a strategy's own.
const ONE_OF_OWN: u32 = 8;

/// The game, who plays it, and where chance comes from.
struct Table {
    game: Leopard,
    steady: Steady,
    root: Seed,
}

impl Table {
    fn new() -> anyhow::Result<Table> {
        let text = std::fs::read_to_string("strategies/leopard/steady.json")?;
        let file: serde_json::Value = serde_json::from_str(&text)?;
        let weights: Weights = serde_json::from_value(file["weights"].clone())?;
        let steady = Steady::new(weights).map_err(|faults| anyhow::anyhow!(faults.join("; ")))?;
        let game = Leopard::new(&Rules::REVISED).map_err(|faults| anyhow::anyhow!("{faults:?}"))?;
        Ok(Table { game, steady, root: Seed::new(77).named("spots") })
    }

    /// Plays a hand; `at` is told every position and what led to it, and says which move is made.
    fn walk(&self, deal: u64, mut at: impl FnMut(&State, &[(Seat, Move)], Seat) -> Option<Move>) {
        let mut chance = self.root.child(deal).child(0).stream();
        let mut state = self.game.deal(&mut chance);
        let mut past = Vec::new();
        while let Turn::Of(seat) = self.game.turn(&state) {
            let Some(mv) = at(&state, &past, seat) else { return };
            self.game.play(&mut state, mv, &mut chance);
            past.push((seat, mv));
        }
    }

    /// The moves that steady likes best, best first; those that cannot differ once.
    fn candidates(&self, state: &State, seat: Seat) -> Vec<Move> {
        let mut legal = Vec::new();
        self.game.moves(state, &mut legal);
        self.game.join_equal(state, &mut legal);
        let mut worth = Vec::new();
        self.steady.weigh(&self.game, &self.game.view(state, seat), &legal, &mut worth);
        let mut liked: Vec<(f32, Move)> = worth.into_iter().zip(legal).collect();
        liked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        liked.truncate(CANDIDATES);
        liked.into_iter().map(|(_, mv)| mv).collect()
    }

    /// The chance to win after each candidate, by playouts over the same draws.
    fn judge(&self, state: &State, seat: usize, playouts: u64, chance: &mut Stream) -> Vec<f64> {
        let candidates = self.candidates(state, Seat(seat as u8));
        let mut won = vec![0.0; candidates.len()];
        for _ in 0..playouts {
            let common = Seed::new(chance.bits()).stream();
            for (won, mv) in won.iter_mut().zip(&candidates) {
                let (mut state, mut chance) = (*state, common.clone());
                self.game.play(&mut state, *mv, &mut chance);
                while let Turn::Of(mover) = self.game.turn(&state) {
                    let view = self.game.view(&state, mover);
                    let mv = self.steady.pick(&self.game, &view, &mut chance);
                    self.game.play(&mut state, mv, &mut chance);
                }
                let scores = self.game.scores(&state).0;
                *won += 0.5 + 0.5 * f64::from((scores[seat] - scores[seat ^ 1]).signum());
            }
        }
        won.into_iter().map(|won| won / playouts as f64).collect()
    }
}

fn judge(path: &str, deals: u64, playouts: u64, by: Option<&str>) -> anyhow::Result<()> {
    let table = Table::new()?;
    let shelf = Shelf::strategies(Leopard::NAME);
    let by = by.map(|name| Strategy::<Leopard>::load(&shelf, name)).transpose()?;
    let one_of = if by.is_some() { ONE_OF_OWN } else { ONE_OF };
    let lines = (0..deals).into_par_iter().map(|deal| {
        let mut picks = table.root.named("pick").child(deal).stream();
        let mut chance = table.root.named("judge").child(deal).stream();
        let mut choice = table.root.child(deal).child(1).stream();
        let own = Seat((deal & 1) as u8);
        let mut bot = by.as_ref().map(|by| table.game.bot(&by.spec));
        if let Some(bot) = &mut bot {
            bot.start(own);
        }
        let (mut lines, mut places, mut legal) = (String::new(), Vec::new(), Vec::new());
        table.walk(deal, |state, past, seat| {
            let view = table.game.view(state, seat);
            let is_asked = bot.is_none() || seat == own;
            if is_asked && picks.below(one_of) == 0 {
                let candidates = table.candidates(state, seat);
                if candidates.len() > 1 && candidates[0] != Move::KNOCK {
                    let worth = table.judge(state, seat.index(), playouts, &mut chance);
                    let worth: Vec<String> = worth.iter().map(|w| format!("{w:.4}")).collect();
                    let _ = writeln!(lines, "{deal} {} {}", places.join(","), worth.join(" "));
                }
            }
            let mv = match &mut bot {
                Some(bot) if seat == own => {
                    bot.choose(&table.game, Sight { view: &view, past }, &mut choice)
                }
                _ => table.steady.pick(&table.game, &view, &mut choice),
            };
            table.game.moves(state, &mut legal);
            let place = legal.binary_search(&mv).expect("a strategy makes legal moves");
            places.push(place.to_string());
            Some(mv)
        });
        lines
    });
    Ok(std::fs::write(path, lines.collect::<Vec<_>>().concat())?)
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
            table.game.moves(state, &mut legal);
            self.places.get(past.len()).and_then(|place| legal.get(*place)).copied()
        });
        let Some((state, past, seat)) = found else { return Vec::new() };
        let candidates = table.candidates(&state, seat);
        let view = table.game.view(&state, seat);
        let worst = self.worth.iter().copied().fold(1.0, f64::min);
        let rated = strategies.iter().map(|strategy| {
            let seed = table.root.named("rate").child(self.deal).child(past.len() as u64);
            let mut bot = table.game.bot(&strategy.spec);
            bot.start(seat);
            let start = std::time::Instant::now();
            let sight = Sight { view: &view, past: &past };
            let mv = bot.choose(&table.game, sight, &mut seed.stream());
            let time = start.elapsed().as_secs_f64();
            let at = candidates.iter().position(|candidate| *candidate == mv);
            let worth = at.and_then(|at| self.worth.get(at)).unwrap_or(&worst);
            (worth - self.worth[0], time)
        });
        rated.collect()
    }
}

/// A mean and its standard error.
fn mean(numbers: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let n = numbers.clone().count() as f64;
    let mean = numbers.clone().sum::<f64>() / n;
    let variance = numbers.map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean, (variance / n).sqrt())
}

fn rate(path: &str, names: &[String], most: usize) -> anyhow::Result<()> {
    let table = Table::new()?;
    let shelf = Shelf::strategies(Leopard::NAME);
    let strategies: Result<Vec<Strategy<Leopard>>, _> =
        names.iter().map(|name| Strategy::load(&shelf, name)).collect();
    let strategies = strategies?;
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?;
    let spots: Option<Vec<Spot>> = text.lines().take(most).map(Spot::read).collect();
    let spots = spots.with_context(|| format!("{path}: a line is not `deal places worth…`"))?;
    let rows: Vec<_> = spots.par_iter().map(|spot| spot.rate(&table, &strategies)).collect();
    println!("{} positions; gain a move ± standard error, and on the first", rows.len());
    for (at, strategy) in strategies.iter().enumerate() {
        let (gain, error) = mean(rows.iter().map(|row| row[at].0));
        let (more, doubt) = mean(rows.iter().map(|row| row[at].0 - row[0].0));
        let (time, _) = mean(rows.iter().map(|row| row[at].1));
        let name = &strategy.name;
        println!("{name:24} {gain:.5} ± {error:.5}  {more:+.5} ± {doubt:.5}  {:.1} ms", time * 1e3);
    }
    Ok(())
}

fn main() -> anyhow::Result<()> {
    let (mut deals, mut playouts, mut spots) = (500, 120, usize::MAX);
    let (mut words, mut by) = (Vec::new(), None);
    let mut arguments = std::env::args().skip(1);
    while let Some(word) = arguments.next() {
        let mut value = || arguments.next().with_context(|| format!("{word} wants a value"));
        match word.as_str() {
            "--deals" => deals = value()?.parse()?,
            "--playouts" => playouts = value()?.parse()?,
            "--by" => by = Some(value()?),
            "--spots" => spots = value()?.parse()?,
            _ => words.push(word),
        }
    }
    match &words[..] {
        [job, path] if job == "judge" => judge(path, deals, playouts, by.as_deref()),
        [job, path, names @ ..] if job == "rate" && !names.is_empty() => rate(path, names, spots),
        _ => bail!("usage: move_gain judge FILE | rate FILE STRATEGY…, with options"),
    }
}
