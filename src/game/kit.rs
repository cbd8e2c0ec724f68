//! The tests that every game passes: call [`check`] for each variant.

use super::{
    Bot, Counts, Figure, FinishedHand, Game, Kind, Measured, Recorded, Ruled, STEPS, Scores, Seat,
    Sight, Spread, Turn,
};
use crate::chance::Seed;
use crate::stats::Bins;

/// Plays random hands and checks the contract of [`Game`] at every node.
///
/// # Panics
/// At the first broken promise, naming it.
pub fn check<G: Game>(game: &G, hands: u64) {
    assert!(size_of::<G::Move>() <= 8, "a move is at most eight bytes");
    for hand in 0..hands {
        check_hand(game, Seed::new(hand));
    }
}

fn check_hand<G: Game>(game: &G, seed: Seed) {
    let mut chance = seed.child(0).stream();
    let mut choice = seed.child(1).stream();
    let mut state = game.deal(&mut chance);
    let mut again = {
        let mut chance = seed.child(0).stream();
        game.deal(&mut chance)
    };
    let mut chance_again = chance.clone();
    assert_eq!(state, again, "the same seed deals the same hand");
    let (mut legal, mut seen) = (Vec::new(), Vec::new());
    let mut made = 0;
    loop {
        game.moves(&state, &mut legal);
        check_views(game, &state, &legal, &mut seen, &mut choice);
        if game.turn(&state) == Turn::Over {
            break;
        }
        assert!(!legal.is_empty(), "a seat to move has a move");
        assert!(legal.is_sorted_by(|a, b| a < b), "moves ascend, each once");
        assert!(
            legal.binary_search(&game.sample(&state, &mut choice)).is_ok(),
            "a sampled move is legal"
        );
        let mv = legal[choice.below(legal.len() as u32) as usize];
        assert_eq!(game.try_play(&mut state, mv, &mut chance), Ok(()));
        game.play(&mut again, mv, &mut chance_again);
        assert_eq!(state, again, "the same moves and chance give the same state");
        made += 1;
        assert!(made <= game.max_moves(), "the hand ends within its stated bound");
    }
    assert!(legal.is_empty(), "no moves when the hand is over");
    let scores = game.scores(&state);
    assert_eq!(scores.0.len(), game.seats(), "a score for each seat");
    let (low, high) = game.score_range();
    assert!(scores.0.iter().all(|s| (low..=high).contains(s)), "{scores:?} outside {low}..={high}");
}

/// For every seat: an imagined world gives the view it was imagined from, and the seat to move
/// reads its legal moves off its view.
fn check_views<G: Game>(
    game: &G,
    state: &G::State,
    legal: &[G::Move],
    options: &mut Vec<G::Move>,
    choice: &mut crate::chance::Stream,
) {
    for seat in (0..game.seats()).map(|s| Seat(s as u8)) {
        let view = game.view(state, seat);
        let world = game.imagine(&view, choice);
        assert_eq!(game.view(&world, seat), view, "an imagined world fits the view");
        assert_eq!(game.turn(&world), game.turn(state), "and has the same turn");
        game.options(&view, options);
        if game.turn(state) == Turn::Of(seat) {
            assert_eq!(options, legal, "a view shows the legal moves");
            let (mut one, mut two) = (choice.clone(), choice.clone());
            assert_eq!(
                game.sample(state, &mut one),
                game.sample_view(&view, &mut two),
                "state and view sample alike"
            );
        } else {
            assert!(options.is_empty(), "no moves out of turn");
        }
    }
}

/// Illegal moves are refused and change nothing; `all` lists every move there could be.
///
/// # Panics
/// When a move outside the legal list is taken.
pub fn check_refusals<G: Game>(game: &G, hands: u64, all: &[G::Move]) {
    let mut legal = Vec::new();
    for hand in 0..hands {
        let mut chance = Seed::new(hand).child(2).stream();
        let mut state = game.deal(&mut chance);
        while game.turn(&state) != Turn::Over {
            game.moves(&state, &mut legal);
            for &mv in all.iter().filter(|mv| legal.binary_search(mv).is_err()) {
                let before = state.clone();
                assert!(game.try_play(&mut state, mv, &mut chance).is_err(), "{mv:?} is illegal");
                assert_eq!(state, before, "a refused move changes nothing");
            }
            let mv = game.sample(&state, &mut chance);
            game.play(&mut state, mv, &mut chance);
        }
    }
}

/// The figures have a name of their own, a unit and a meaning; they are read off counts that add up
/// from hand to hand, the parts of a whole add up to it, and the bins cover most random hands.
///
/// # Panics
/// At the first figure that breaks its promise, naming it.
pub fn check_figures<G: Measured>(game: &G, hands: u64) {
    let mut names = std::collections::BTreeSet::new();
    for figure in G::FIGURES {
        let Figure { name, unit, meaning, headline, .. } = figure;
        assert!(names.insert(name), "`{name}` is listed twice");
        let snake = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        assert!(name.starts_with(|c: char| c.is_ascii_lowercase()), "`{name}` is no name");
        assert!(name.chars().all(snake), "`{name}` is not in snake case");
        assert!(!unit.is_empty() && meaning.ends_with('.'), "`{name}` needs a unit and a sentence");
        assert!(!headline || figure.is_number(), "`{name}` is no number for the short table");
    }
    let mut total = vec![0; G::Counts::NAMES.len()];
    let mut sums = vec![0; G::FIGURES.iter().map(|f| readings(f).len()).sum()];
    let mut beyond: std::collections::BTreeMap<&str, u64> = std::collections::BTreeMap::new();
    for hand in 0..hands {
        let (watch, end) = random_hand(game, Seed::new(hand));
        let counts = game.counts(&watch, &end);
        counts.add_to(&mut total);
        let all = G::FIGURES.iter().flat_map(readings);
        sums.iter_mut().zip(all).for_each(|(sum, read)| *sum += read(&counts));
        let hand = FinishedHand { game, watch: &watch, end: &end };
        let mut cover = |name: &'static str, bins: Bins, number: i32| {
            let top = bins.low + bins.width * bins.count as i32;
            *beyond.entry(name).or_default() += u64::from(!(bins.low..top).contains(&number));
        };
        let Spread { score, margin, turns } = game.spread();
        let Scores(scores) = game.scores(&end);
        let best = scores[1..].iter().max().copied().unwrap_or(0);
        scores.iter().for_each(|&points| cover("the points", score, points));
        cover("the margin", margin, scores[0] - best);
        cover("the turns", turns, game.turns(&watch) as i32);
        for Figure { name, kind, .. } in G::FIGURES {
            match kind {
                Kind::Ratio { .. } => {}
                Kind::Each(read) => {
                    let [above, below] = read(&hand);
                    assert!(below > 0 || above == 0, "`{name}` has nothing below the line");
                }
                Kind::Parts { whole, parts } => {
                    let parts: Vec<i64> = parts.iter().map(|(_, part)| part(&counts)).collect();
                    assert!(parts.iter().all(|part| *part >= 0), "`{name}`: {parts:?}");
                    assert_eq!(parts.iter().sum::<i64>(), whole(&counts), "`{name}`: {parts:?}");
                }
                Kind::Histogram { bins, read } => {
                    read(&hand).into_iter().for_each(|number| cover(name, bins(game), number));
                }
                Kind::Curve { clock, bins, read } => {
                    assert!(!clock.is_empty(), "`{name}` needs a clock");
                    let steps = read(&hand);
                    cover(name, bins(game), steps[STEPS - 1]);
                    assert_eq!(steps, read(&hand), "`{name}` is a function of the hand");
                }
                Kind::Map { size, mark } => {
                    let mut cells = vec![0; size(game).0 * size(game).1];
                    mark(&hand, &mut cells);
                    assert!(cells.iter().all(|n| [0, 1].contains(n)), "`{name}`: {cells:?}");
                }
                Kind::Control { strengths, read } => {
                    let (mut once, mut twice) =
                        (vec![0; strengths.len()], vec![0; strengths.len()]);
                    let start = Seed::new(1).stream();
                    read(game, &start, &mut once);
                    (0..2).for_each(|_| read(game, &start, &mut twice));
                    once.iter_mut().for_each(|number| *number *= 2);
                    assert_eq!(once, twice, "`{name}` adds what the deal gives");
                }
            }
        }
    }
    let whole = G::Counts::of(&total);
    let all = G::FIGURES.iter().flat_map(readings);
    for (sum, read) in sums.into_iter().zip(all) {
        assert_eq!(sum, read(&whole), "a figure is a sum of counts, hand by hand");
    }
    for (name, beyond) in beyond {
        assert!(beyond <= hands / 4, "{name}: {beyond} of {hands} hands lie beyond the bins");
    }
}

/// What of the counts a figure reads.
fn readings<G: Measured>(figure: &Figure<G>) -> Vec<fn(&G::Counts) -> i64> {
    match &figure.kind {
        Kind::Ratio { above, below } => std::iter::once(*above).chain(*below).collect(),
        Kind::Parts { whole, parts } => {
            std::iter::once(*whole).chain(parts.iter().map(|(_, part)| *part)).collect()
        }
        _ => Vec::new(),
    }
}

/// A hand of random moves, watched.
fn random_hand<G: Measured>(game: &G, seed: Seed) -> (G::Watch, G::State) {
    let (mut chance, mut choice) = (seed.child(8).stream(), seed.child(9).stream());
    let (mut state, mut watch) = (game.deal(&mut chance), G::Watch::default());
    while game.turn(&state) != Turn::Over {
        let mv = game.sample(&state, &mut choice);
        game.watch(&mut watch, &state, mv);
        game.play(&mut state, mv, &mut chance);
    }
    (watch, state)
}

/// Two worlds with the same view (and past) get the same move from the bot, at every node of some
/// random hands: no bot can peek. `make` builds the bot afresh.
///
/// # Panics
/// When the move depends on what is hidden.
pub fn check_invariance<G: Game>(game: &G, hands: u64, mut make: impl FnMut() -> Box<dyn Bot<G>>) {
    let mut bot = make();
    for hand in 0..hands {
        let seed = Seed::new(hand);
        let (mut chance, mut choice) = (seed.child(3).stream(), seed.child(4).stream());
        let mut state = game.deal(&mut chance);
        let mut past = Vec::new();
        let mut node = 0;
        while let Turn::Of(seat) = game.turn(&state) {
            let view = game.view(&state, seat);
            let world = game.imagine(&view, &mut choice);
            let answer = |view: &G::View, bot: &mut dyn Bot<G>| {
                bot.start(seat);
                let sight = Sight { view, past: &past };
                bot.choose(game, sight, &mut seed.child(5).child(node).stream())
            };
            let here = answer(&view, bot.as_mut());
            let there = answer(&game.view(&world, seat), make().as_mut());
            assert_eq!(here, there, "the same view gets the same move");
            // Half the time the bot's own move, so that its own kind of position is met too.
            let mv = if choice.below(2) == 0 { here } else { game.sample(&state, &mut choice) };
            assert_eq!(game.try_play(&mut state, mv, &mut chance), Ok(()), "{mv:?} is legal");
            past.push((seat, mv));
            node += 1;
        }
    }
}

/// Record → text → record → verify, on random hands.
///
/// # Panics
/// When a hand's own record is refused, or changes on the way.
pub fn check_records<G: Recorded + Ruled>(game: &G, variant: &str, hands: u64) {
    for hand in 0..hands {
        let seed = Seed::new(hand);
        let start = seed.child(6).stream();
        let (mut chance, mut choice) = (start.clone(), seed.child(7).stream());
        let mut state = game.deal(&mut chance);
        let mut moves = Vec::new();
        while game.turn(&state) != Turn::Over {
            let mv = game.sample(&state, &mut choice);
            game.play(&mut state, mv, &mut chance);
            moves.push(mv);
        }
        let label = super::Label {
            variant: variant.to_owned(),
            deal: hand,
            hand: 0,
            rotation: 0,
            seed: hand,
            seats: vec!["random".to_owned(); game.seats()],
        };
        let record = game.record(&label, start, &moves);
        let text = serde_json::to_string(&record).expect("a record is plain data");
        let back: G::Record = serde_json::from_str(&text).expect("a record reads back");
        assert_eq!(G::verify(&back), Ok(()), "{text}");
        assert_eq!(serde_json::to_string(&back).expect("plain data"), text);
        assert!(G::show(&back).is_ok());
    }
}
