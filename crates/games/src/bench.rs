//! Measurements of play: its speed on one core, and the behaviour signature.

use std::sync::Arc;
use std::time::Duration;

use parlour_arena::{BotFactory, LineUp, Variant, slot_of};
use parlour_base::chance::Seed;
use parlour_base::error::Result;
use parlour_base::files::{Library, digest};
use parlour_base::time::Instant;
use parlour_game::kit::random_hand;
use parlour_game::search::{Observers, PolicyPlayout, Search, SearchParts};
use parlour_game::strategy::{Strategic, Strategy};
use parlour_game::{Game, Observation, PolicyBot, Turn, Uniform};

/// Receives each measurement that can be made: the variant's name, a strategy's name, [`PLAYOUT`] or
/// [`ITERATION`], and the measurement itself, which takes this long.
pub type Measure<'a> = &'a mut dyn FnMut(&str, &str, &dyn Fn(Duration) -> Speed);

/// The result of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct Speed {
    /// Hands per second, or iterations of the search.
    pub hands_per_second: f64,
    /// Turns per hand; the search has none of its own.
    pub turns_per_hand: Option<f64>,
}

/// The measurement of bare random playouts, the first of each variant.
pub const PLAYOUT: &str = "playout";

/// The measurement of a tree search from openings.
pub const ITERATION: &str = "ismcts iteration";

/// Offers the measurements of a game: each listed variant, or one, with all cheap strategies.
pub(super) fn benchmarks<G: Strategic>(variant: Option<&str>, measure: Measure<'_>) -> Result<()> {
    let library = Library::strategies(G::NAME);
    let load = |name: &String| Strategy::<G>::load(&library, name);
    let mut strategies: Vec<_> = library.names().iter().map(load).collect::<Result<_>>()?;
    strategies.retain(|strategy| G::is_cheap(&strategy.spec.kind));
    let variants = match variant {
        Some(name) => vec![Variant::<G>::named(name)?],
        None => Variant::all()?,
    };
    for Variant { name, game } in &variants {
        measure(name, PLAYOUT, &|time| playouts(game, time));
        measure(name, ITERATION, &|time| iterations(game, time));
        for strategy in strategies.iter().filter(|it| game.check(&it.spec).is_ok()) {
            let bots = BotFactory::Strategy(strategy.spec.clone());
            measure(name, &strategy.name, &|time| self_play(game, &bots, time));
        }
    }
    Ok(())
}

/// Random playouts without bots; the turns per hand are those of random bots.
fn playouts<G: Strategic>(game: &G, time: Duration) -> Speed {
    let random = BotFactory::custom(|_| Box::new(PolicyBot(Uniform)));
    let Speed { turns_per_hand, .. } = self_play(game, &random, time);
    let mut chance = Seed::new(1).stream();
    let hands_per_second = rate(time, || {
        let mut state = game.deal(&mut chance);
        game.playout(&mut state, &mut chance);
    });
    Speed { hands_per_second, turns_per_hand }
}

/// Iterations of a tree search from openings, with random playouts.
fn iterations<G: Strategic>(game: &G, time: Duration) -> Speed {
    const PER_SEARCH: u64 = 250;
    let playout = Arc::new(PolicyPlayout::random());
    let mut search = Search::new(SearchParts::plain(Observers::Single, PER_SEARCH, playout));
    let mut chance = Seed::new(5).stream();
    let searches = rate(time, || {
        let state = game.deal(&mut chance);
        if let Turn::Seat(seat) = game.turn(&state) {
            let view = game.view(&state, seat);
            search.analyze(game, Observation { view: &view, past: &[] }, &mut chance);
        }
    });
    Speed { hands_per_second: searches * PER_SEARCH as f64, turns_per_hand: None }
}

/// Bots against themselves in the arena's loop, each deal in all rotations.
fn self_play<G: Strategic>(game: &G, bots: &BotFactory<G>, time: Duration) -> Speed {
    let seats = game.seats();
    let mut line_up = LineUp::new(game, std::iter::repeat_n(bots, seats));
    let (mut deals, mut hands, mut turns) = (0u64, 0u64, 0u64);
    let deals_per_second = rate(time, || {
        let start = Seed::new(4).child(deals).stream();
        deals += 1;
        for rotation in 0..seats as u32 {
            let choice = Seed::new(3).child(hands);
            let slot_at = |seat| slot_of(seat, rotation, 0, seats);
            _ = line_up.play(false, &start, choice, slot_at);
            hands += 1;
            turns += u64::from(game.turns(&line_up.stats));
        }
    });
    Speed {
        hands_per_second: deals_per_second * seats as f64,
        turns_per_hand: Some(turns as f64 / hands as f64),
    }
}

/// Runs some work again and again for this long; returns the repetitions per second.
fn rate(time: Duration, mut work: impl FnMut()) -> f64 {
    work();
    let (start, mut done, mut batch) = (Instant::now(), 0u64, 1);
    // Batches grow, so that reading the clock costs little even for short work.
    while start.elapsed() < time {
        for _ in 0..batch {
            work();
        }
        done += batch;
        batch = 64.min(2 * batch);
    }
    done as f64 / start.elapsed().as_secs_f64()
}

/// The part of one game in the behaviour signature: the moves of all variants and cheap strategies from
/// fixed seeds, as digests.
pub(super) fn behaviour<G: Strategic>() -> Result<String> {
    let library = Library::strategies(G::NAME).embedded_only();
    let variants = Variant::<G>::all()?;
    let mut text = String::new();
    for Variant { name, game } in &variants {
        text += &format!("{} {name} {}\n", G::NAME, digest_of_playouts(game));
    }
    let mut names: Vec<(String, String)> =
        library.names().into_iter().map(|name| (label(&name).to_owned(), name)).collect();
    names.sort_unstable();
    for (label, name) in names {
        let spec = Strategy::<G>::load(&library, &name)?.spec;
        let is_cheap = G::is_cheap(&spec.kind);
        let bots = BotFactory::Strategy(spec);
        for variant in variants.iter().filter(|_| is_cheap) {
            let played = digest_of_self_play(&variant.game, &bots)?;
            text += &format!("{} {} {label} {played}\n", G::NAME, variant.name);
        }
    }
    Ok(text)
}

/// The label of a strategy: its name when the signature was introduced, so that a new name does not
/// change the signature.
fn label(name: &str) -> &str {
    name
}

/// The digest of the moves and scores of 5 random hands.
fn digest_of_playouts<G: Game>(game: &G) -> String {
    let mut text = String::new();
    for hand in 0..5 {
        let seed = Seed::new(hand).named("signature");
        let tell = |_: &G::State, mv| text += &format!("{mv:?} ");
        let end = random_hand(game, &seed.child(0).stream(), seed.child(1), tell);
        text += &format!("{:?}\n", game.scores(&end));
    }
    digest(text)[..16].to_owned()
}

/// The digest of the moves of 4 hands of a strategy against itself.
fn digest_of_self_play<G: Strategic>(game: &G, bots: &BotFactory<G>) -> Result<String> {
    let mut line_up = LineUp::new(game, std::iter::repeat_n(bots, game.seats()));
    let mut text = String::new();
    for hand in 0..4 {
        let seed = Seed::new(hand).named("signature");
        line_up.reset_bots();
        line_up.play(true, &seed.child(0).stream(), seed.child(1), |seat| seat)?;
        text += &format!("{:?}\n", line_up.moves());
    }
    Ok(digest(text)[..16].to_owned())
}
