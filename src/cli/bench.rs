//! `parlour bench`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use schemars::JsonSchema;

use super::{
    Args, Error, GAMES, Library, Observation, Output, Result, Seed, Serialize, Strategic, Strategy,
    Turn, Watch, say, with_game,
};
use crate::arena::{Bots, LineUp, slot_of};
use crate::error::ensure;
use crate::games::signature;
use crate::results::{Grid, Sheet};
use crate::search::{Observers, PolicyPlayout, Search, SearchParts, TreeSearch};
use crate::{PolicyBot, Uniform, Variant};

#[derive(Args, Debug)]
pub(super) struct Bench {
    /// Only this game
    game: Option<String>,
    /// Only this variant of it, in place of the listed ones
    #[arg(long, requires = "game")]
    variant: Option<String>,
    #[command(flatten)]
    output: Output,
    /// Print the behaviour signature instead
    #[arg(long)]
    signature: bool,
    /// Milliseconds for each line
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    time: u64,
}

/// The speed of one thing on one core.
#[derive(Serialize, JsonSchema)]
pub(super) struct Line {
    /// The game.
    game: &'static str,
    /// The variant.
    variant: String,
    /// A strategy's name (against itself, in the arena), `playout` for bare random playouts, or
    /// `ismcts iteration` for a search of openings with such playouts; its hands are iterations.
    strategy: String,
    /// Hands a second.
    hands_per_second: f64,
    /// Turns a second.
    turns_per_second: f64,
    /// The time of a turn.
    nanoseconds_per_turn: f64,
    /// The time of a turn as a multiple of the bare random playout's.
    ratio: f64,
    /// The time of a hand, or of an iteration, as a multiple of it.
    hand_ratio: f64,
}

pub(super) fn run(given: &Bench) -> Result<()> {
    given.output.check()?;
    if given.signature {
        return say(signature()?);
    }
    let (mut lines, mut all) = (Vec::new(), 0);
    let time = Duration::from_millis(given.time);
    let games = given.game.as_deref().map_or(GAMES.to_vec(), |game| vec![game]);
    let variant = given.variant.as_deref();
    for &game in &games {
        all += with_game!(game, G => Subject::<G>::of(variant)?.lines())?;
    }
    let watch = Watch::of(all as u64, "lines")?;
    for &game in &games {
        with_game!(game, G => Subject::<G>::of(variant)?.measure(time, &watch, &mut lines))?;
    }
    let goes_on = watch.goes_on();
    drop(watch);
    given.output.give(&lines, || told(&lines))?;
    ensure(goes_on || lines.len() == all, || {
        Error::stopped(format!("stopped after {} of {all} lines", lines.len()))
    })
}

fn told(lines: &[Line]) -> Sheet {
    let row = |line: &Line| {
        [
            line.game.to_owned(),
            line.variant.clone(),
            line.strategy.clone(),
            format!("{:.0}", line.hands_per_second),
            format!("{:.0}", line.turns_per_second),
            format!("{:.1}", line.nanoseconds_per_turn),
            format!("{:.2}", line.ratio),
            format!("{:.2}", line.hand_ratio),
        ]
    };
    let heads = "game|variant|strategy|hands/s|turns/s|ns/turn|× playout's turn|× playout";
    let about = "One core. A strategy plays itself through the arena's loop; `playout` is the bare random \
         playout, `ismcts iteration` one of a search of openings with such playouts.";
    Sheet::default().showing(Grid::of(3, heads.split('|'), lines.iter().map(row))).saying(about)
}

/// What is measured of a game.
struct Subject<G: Strategic> {
    variants: Vec<Variant<G>>,
    /// Those that are cheap.
    strategies: Vec<Strategy<G>>,
}

impl<G: Strategic> Subject<G> {
    fn of(variant: Option<&str>) -> Result<Subject<G>> {
        let shelf = Library::strategies(G::NAME);
        let load = |name: &String| Strategy::<G>::load(&shelf, name);
        let mut strategies: Vec<_> = shelf.names().iter().map(load).collect::<Result<_>>()?;
        strategies.retain(|strategy| G::is_cheap(&strategy.spec.kind));
        let variants = match variant {
            Some(name) => vec![Variant::named(name)?],
            None => Variant::all()?,
        };
        Ok(Subject { variants, strategies })
    }

    /// How many lines its table has: each strategy, the playout and the search.
    fn lines(&self) -> usize {
        self.variants.len() * (2 + self.strategies.len())
    }

    /// Adds the lines, as far as nobody stops it.
    fn measure(&self, time: Duration, watch: &Watch, lines: &mut Vec<Line>) {
        for Variant { name, game } in &self.variants {
            if !watch.goes_on() {
                return;
            }
            // How long a random hand is.
            let random = Bots::own(|_| Box::new(PolicyBot(Uniform)));
            let (_, turns) = arena_rate(game, &random, time);
            let mut chance = Seed::new(1).stream();
            let bare = rate(time, || {
                let mut state = game.deal(&mut chance);
                game.playout(&mut state, &mut chance);
            });
            let mut line = |strategy: &str, hands_per_second: f64, turns_a_hand: f64| {
                let turns_per_second = hands_per_second * turns_a_hand;
                lines.push(Line {
                    game: G::NAME,
                    variant: name.clone(),
                    strategy: strategy.to_owned(),
                    hands_per_second,
                    turns_per_second,
                    nanoseconds_per_turn: 1e9 / turns_per_second,
                    ratio: bare * turns / turns_per_second,
                    hand_ratio: bare / hands_per_second,
                });
                watch.done();
            };
            line("playout", bare, turns);
            if watch.goes_on() {
                line("ismcts iteration", iterations(game, time), turns);
            }
            for strategy in self.strategies.iter().take_while(|_| watch.goes_on()) {
                let bots = Bots::Read(strategy.spec.clone());
                let (hands, turns) = arena_rate(game, &bots, time);
                line(&strategy.name, hands, turns);
            }
        }
    }
}

/// How many iterations a second a tree search makes from openings, with random playouts.
fn iterations<G: Strategic>(game: &G, time: Duration) -> f64 {
    const EACH: u64 = 250;
    let parts = SearchParts::plain(EACH, Arc::new(PolicyPlayout::random()));
    let mut search = TreeSearch::new(game.seats(), Observers::Single, parts);
    let mut chance = Seed::new(5).stream();
    let searches = rate(time, || {
        let state = game.deal(&mut chance);
        if let Turn::Seat(seat) = game.turn(&state) {
            let view = game.view(&state, seat);
            search.analyze(game, Observation { view: &view, past: &[] }, &mut chance);
        }
    });
    searches * EACH as f64
}

/// Hands a second and turns a hand of bots against themselves, every deal in each seat order.
fn arena_rate<G: Strategic>(game: &G, bots: &Bots<G>, time: Duration) -> (f64, f64) {
    let seats = game.seats();
    let mut line_up = LineUp::new(game, std::iter::repeat_n(bots, seats));
    let (mut deals, mut hands, mut turns) = (0u64, 0u64, 0u64);
    let deals_per_second = rate(time, || {
        let start = Seed::new(4).child(deals).stream();
        deals += 1;
        for rotation in 0..seats as u32 {
            let choice = Seed::new(3).child(hands);
            let slot_at = |seat| slot_of(seat, rotation, 0, seats);
            line_up.play(false, &start, choice, slot_at);
            hands += 1;
            turns += u64::from(game.turns(&line_up.stats));
        }
    });
    (deals_per_second * seats as f64, turns as f64 / hands as f64)
}

/// How often something is done in a second.
fn rate(time: Duration, mut what: impl FnMut()) -> f64 {
    what();
    let (start, mut done, mut batch) = (Instant::now(), 0u64, 1);
    // What takes long is done few times; for what takes little, the clock is asked seldom.
    while start.elapsed() < time {
        for _ in 0..batch {
            what();
        }
        done += batch;
        batch = 64.min(2 * batch);
    }
    done as f64 / start.elapsed().as_secs_f64()
}
