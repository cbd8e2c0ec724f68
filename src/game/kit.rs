//! The tests that every game passes: call [`check`] for each variant.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::{
    Bot, Counts, Figure, FinishedHand, Game, Kind, Label, Measured, Recorded, STEPS, Scores, Seat,
    Sight, Spread, Told, Turn,
};
use crate::chance::{Seed, Stream};
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
    let mut past = Vec::new();
    let mut told = Told::new(game);
    loop {
        game.moves(&state, &mut legal);
        check_views(game, &state, &legal, &mut seen, &mut choice);
        check_recall(game, &state, &past, &mut choice);
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
        let text = game.notation(mv);
        // A table of moves may hold one twice; then the first is as good.
        let back = game.parse_move(&text).map(|back| game.notation(back));
        assert_eq!(back.as_ref(), Ok(&text), "a move's notation reads back");
        assert_eq!(mv.to_string().parse().ok(), Some(mv), "`{mv}` reads back");
        let other = legal[choice.below(legal.len() as u32) as usize];
        if let Turn::Of(by) = game.turn(&state) {
            check_told(game, &state, by, [mv, other], &chance);
            told.tell(game, &state, by, mv);
            past.push((by, mv));
        }
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

/// Where moves are not open, nobody is told more of a move than the views say: if a seat has the same
/// view after either of two moves, it was told the same of them. (A view may forget an open move.)
fn check_told<G: Game>(
    game: &G,
    before: &G::State,
    by: Seat,
    moves: [G::Move; 2],
    chance: &Stream,
) {
    if G::OPEN_MOVES {
        return;
    }
    let after = moves.map(|mv| {
        let mut state = before.clone();
        game.play(&mut state, mv, &mut chance.clone());
        state
    });
    for who in (0..game.seats()).map(|s| Seat(s as u8)).filter(|who| *who != by) {
        let views = after.each_ref().map(|state| game.view(state, who));
        let told = moves.map(|mv| game.seen(before, mv, by, who));
        if views[0] == views[1] {
            assert_eq!(told[0], told[1], "seat {} is told what its view hides", who.0);
        }
    }
}

/// What a seat saw at an earlier move was its turn, and the move made was among its options.
fn check_recall<G: Game>(
    game: &G,
    state: &G::State,
    past: &[(Seat, G::Move)],
    choice: &mut Stream,
) {
    let mut options = Vec::new();
    for at in past.len().saturating_sub(3)..past.len() {
        let Some(view) = game.recall(state, past, at, choice) else { continue };
        let (seat, mv) = past[at];
        let world = game.imagine(&view, choice);
        assert_eq!(game.turn(&world), Turn::Of(seat), "a view is recalled at its seat's turn");
        assert_eq!(game.view(&world, seat), view, "a recalled view is the mover's");
        game.options(&view, &mut options);
        assert!(options.binary_search(&mv).is_ok(), "{mv:?} was possible when it was made");
    }
}

/// For every seat: an imagined world gives the view it was imagined from, and the seat to move
/// reads its legal moves off its view.
fn check_views<G: Game>(
    game: &G,
    state: &G::State,
    legal: &[G::Move],
    options: &mut Vec<G::Move>,
    choice: &mut Stream,
) {
    for seat in (0..game.seats()).map(|s| Seat(s as u8)) {
        let view = game.view(state, seat);
        let world = game.imagine(&view, choice);
        assert_eq!(game.view(&world, seat), view, "an imagined world fits the view");
        assert_eq!(game.turn(&world), game.turn(state), "and has the same turn");
        let text = serde_json::to_string(&view).expect("a view is plain data");
        let back: G::View = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
        assert_eq!(back, view, "a view reads back: {text}");
        assert_eq!(game.check_view(&view), Ok(()), "a view is within the game's ranges: {text}");
        game.options(&view, options);
        if game.turn(state) == Turn::Of(seat) {
            assert_eq!(options, legal, "a view shows the legal moves");
            let (mut here, mut there) = (legal.to_vec(), legal.to_vec());
            game.join_equal(state, &mut here);
            game.join_equal(&world, &mut there);
            assert_eq!(here, there, "moves are joined by what their seat knows");
            assert!(!here.is_empty() && here.is_sorted(), "joined moves keep their order");
            assert!(here.iter().all(|mv| legal.contains(mv)), "and are legal ones");
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
        let (mut past, mut told) = (Vec::new(), Told::new(game));
        let mut node = 0;
        while let Turn::Of(seat) = game.turn(&state) {
            let view = game.view(&state, seat);
            let world = game.imagine(&view, &mut choice);
            let answer = |view: &G::View, bot: &mut dyn Bot<G>| {
                bot.start(seat);
                let sight = Sight { view, past: told.to(seat, &past) };
                bot.choose(game, sight, &mut seed.child(5).child(node).stream())
            };
            let here = answer(&view, bot.as_mut());
            let there = answer(&game.view(&world, seat), make().as_mut());
            assert_eq!(here, there, "the same view gets the same move");
            // Half the time the bot's own move, so that its own kind of position is met too.
            let mv = if choice.below(2) == 0 { here } else { game.sample(&state, &mut choice) };
            told.tell(game, &state, seat, mv);
            assert_eq!(game.try_play(&mut state, mv, &mut chance), Ok(()), "{mv:?} is legal");
            past.push((seat, mv));
            node += 1;
        }
    }
}

/// Imagined worlds come as often as they should: `weights` are the chances of the kinds of world
/// that `kind` tells apart, which must be all there are. The χ² of `worlds` draws lies within five
/// standard deviations of its mean (its degrees of freedom); the draws are the same each time.
///
/// # Panics
/// When a kind comes too often or too seldom, or one that has no weight comes at all.
pub fn check_uniform<G: Game>(
    game: &G,
    view: &G::View,
    worlds: u32,
    weights: &BTreeMap<String, f64>,
    kind: impl Fn(&G::State) -> String,
) {
    let mut chance = Seed::new(8).stream();
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for _ in 0..worlds {
        *counts.entry(kind(&game.imagine(view, &mut chance))).or_default() += 1;
    }
    let stray = counts.keys().find(|kind| !weights.contains_key(*kind));
    assert_eq!(stray, None, "this kind of world has no weight");
    let total: f64 = weights.values().sum();
    let term = |(kind, weight): (&String, &f64)| {
        let expected = f64::from(worlds) * weight / total;
        let found = f64::from(counts.get(kind).copied().unwrap_or(0));
        (found - expected) * (found - expected) / expected
    };
    let square: f64 = weights.iter().map(term).sum();
    let freedom = weights.len() as f64 - 1.0;
    let most = freedom + 5.0 * (2.0 * freedom).sqrt();
    assert!(square <= most, "χ² is {square:.1}, above {most:.1}: {counts:?}");
}

/// A random hand: its chance before the deal and its moves.
fn random_moves<G: Game>(game: &G, seed: [Seed; 2]) -> (Stream, Vec<G::Move>) {
    let [start, mut choice] = seed.map(|seed| seed.stream());
    let mut chance = start.clone();
    let mut state = game.deal(&mut chance);
    let mut moves = Vec::new();
    while game.turn(&state) != Turn::Over {
        let mv = game.sample(&state, &mut choice);
        game.play(&mut state, mv, &mut chance);
        moves.push(mv);
    }
    (start, moves)
}

/// Record → text → record → verify, on random hands; and the choices of the record are its moves,
/// each as its seat saw it.
///
/// # Panics
/// When a hand's own record is refused, or changes on the way.
pub fn check_records<G: Recorded>(game: &G, variant: &str, hands: u64) {
    for hand in 0..hands {
        let seed = Seed::new(hand);
        let (start, moves) = random_moves(game, [seed.child(6), seed.child(7)]);
        let seats = vec!["random".to_owned(); game.seats()];
        let label = Label {
            variant: variant.to_owned(),
            deal: hand,
            hand: 0,
            rotation: 0,
            seed: hand,
            seats,
        };
        let record = game.record(&label, start, &moves);
        let text = serde_json::to_string(&record).expect("a record is plain data");
        let back: G::Record = serde_json::from_str(&text).expect("a record reads back");
        assert_eq!(G::verify(&back), Ok(()), "{text}");
        assert_eq!(serde_json::to_string(&back).expect("plain data"), text);
        assert!(G::show(&back).is_ok());
        let Ok((game, choices)) = G::choices(&back) else { panic!("no choices: {text}") };
        for (state, mv) in &choices {
            assert!(game.is_legal(state, *mv), "{mv:?} is a choice: {text}");
        }
        assert_eq!(choices.is_empty(), moves.is_empty(), "{text}");
    }
}

/// One golden transcript for each listed variant, and for each other that has a file: a random hand
/// to the letter, its record and how it is shown, in `folder/<variant>.txt`. With `UPDATE_GOLDEN=1`
/// in the environment the files are written anew.
///
/// # Panics
/// When a variant has no transcript, or another; or a transcript has no variant. All are named.
pub fn check_golden<G: Recorded>(folder: &Path) {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1");
    let mut wrong = Vec::new();
    let mut names: BTreeSet<String> =
        G::presets().iter().map(|preset| preset.name.to_owned()).collect();
    for file in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        match name.strip_suffix(".txt") {
            Some(variant) if G::preset(variant).is_some() => names.insert(variant.to_owned()),
            _ => panic!("{name} is of no named variant; remove it"),
        };
    }
    for name in names {
        let path = folder.join(format!("{name}.txt"));
        let rules = G::preset(&name).expect("it is known");
        let game = G::new(&rules).expect("a named variant is sound");
        let seed = Seed::new(1963).named(&name);
        let (start, moves) = random_moves(&game, [seed.child(0), seed.child(1)]);
        let seats = vec!["random".to_owned(); game.seats()];
        let variant = name.clone();
        let label = Label { variant, deal: 0, hand: 0, rotation: 0, seed: 1963, seats };
        let record = game.record(&label, start, &moves);
        assert_eq!(G::verify(&record), Ok(()));
        let now = format!(
            "{}\n\n{}",
            serde_json::to_string(&record).expect("plain data"),
            G::show(&record).expect("a right record can be shown")
        );
        if update {
            std::fs::create_dir_all(folder).expect("the folder can be made");
            std::fs::write(&path, &now).expect("the transcript can be written");
            continue;
        }
        let Ok(golden) = std::fs::read_to_string(&path) else {
            wrong.push(format!("{name} has no golden transcript"));
            continue;
        };
        // A checkout may have turned the ends of lines.
        let differs = golden.lines().zip(now.lines()).position(|(a, b)| a != b);
        if differs.is_some() || golden.lines().count() != now.lines().count() {
            let line = differs.map_or("the last".to_owned(), |line| (line + 1).to_string());
            wrong.push(format!("{name} differs from line {line} on"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}; UPDATE_GOLDEN=1 writes them anew");
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use super::*;
    use crate::game::Scores;

    /// The first seat hides a number, 0 to 2, in secret; the second guesses it. With `LEAK` the
    /// game tells the second seat of the secret move.
    struct Hide<const LEAK: bool>;

    #[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
    struct Table {
        hidden: Option<u8>,
        guess: Option<u8>,
    }

    #[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
    struct Known {
        seat: Seat,
        is_hidden: bool,
        /// For the seat that hid it.
        hidden: Option<u8>,
        guess: Option<u8>,
    }

    impl<const LEAK: bool> Game for Hide<LEAK> {
        type State = Table;
        type View = Known;
        type Move = u8;
        const OPEN_MOVES: bool = false;

        fn seats(&self) -> usize {
            2
        }
        fn deal(&self, _: &mut Stream) -> Table {
            Table::default()
        }
        fn turn(&self, table: &Table) -> Turn {
            match (table.hidden, table.guess) {
                (None, _) => Turn::Of(Seat(0)),
                (_, None) => Turn::Of(Seat(1)),
                _ => Turn::Over,
            }
        }
        fn moves(&self, table: &Table, out: &mut Vec<u8>) {
            out.clear();
            out.extend((0..3).filter(|_| self.turn(table) != Turn::Over));
        }
        fn play(&self, table: &mut Table, mv: u8, _: &mut Stream) {
            let Table { hidden, guess } = table;
            *(if hidden.is_none() { hidden } else { guess }) = Some(mv);
        }
        fn scores(&self, table: &Table) -> Scores {
            let found = i32::from(table.guess.is_some() && table.hidden == table.guess);
            Scores::two(1 - found, found)
        }
        fn view(&self, table: &Table, seat: Seat) -> Known {
            let hidden = table.hidden.filter(|_| seat == Seat(0) || table.guess.is_some());
            Known { seat, is_hidden: table.hidden.is_some(), hidden, guess: table.guess }
        }
        fn imagine(&self, view: &Known, chance: &mut Stream) -> Table {
            let any = view.is_hidden.then(|| chance.below(3) as u8);
            Table { hidden: view.hidden.or(any), guess: view.guess }
        }
        fn options(&self, view: &Known, out: &mut Vec<u8>) {
            let turn = u8::from(view.is_hidden);
            out.clear();
            out.extend((0..3).filter(|_| view.seat.0 == turn && view.guess.is_none()));
        }
        fn seen(&self, before: &Table, mv: u8, by: Seat, who: Seat) -> Option<u8> {
            (LEAK || by == who || before.hidden.is_some()).then_some(mv)
        }
        fn max_moves(&self) -> usize {
            2
        }
        fn score_range(&self) -> (i32, i32) {
            (0, 1)
        }
    }

    /// Guesses what it was told of the secret move.
    struct Peeker;

    impl<const LEAK: bool> Bot<Hide<LEAK>> for Peeker {
        fn choose(&mut self, _: &Hide<LEAK>, sight: Sight<'_, Hide<LEAK>>, _: &mut Stream) -> u8 {
            sight.past.first().map_or(0, |(_, hidden)| *hidden)
        }
    }

    /// How many of all nine hands a peeking second seat would win.
    fn peeked<const LEAK: bool>() -> i32 {
        let game = Hide::<LEAK>;
        let hand = |hidden| {
            let mut chance = Seed::new(0).stream();
            let (mut table, mut told) = (game.deal(&mut chance), Told::new(&game));
            let all = [(Seat(0), hidden)];
            told.tell(&game, &table, Seat(0), hidden);
            game.play(&mut table, hidden, &mut chance);
            let view = game.view(&table, Seat(1));
            let sight = Sight { view: &view, past: told.to(Seat(1), &all) };
            let guess = Peeker.choose(&game, sight, &mut chance);
            game.play(&mut table, guess, &mut chance);
            game.scores(&table).0[1]
        };
        (0..3).map(hand).sum()
    }

    #[test]
    fn a_secret_move_is_told_to_nobody() {
        check(&Hide::<false>, 20);
        check_invariance(&Hide::<false>, 20, || Box::new(Peeker));
        assert_eq!((peeked::<false>(), peeked::<true>()), (1, 3));
    }

    #[test]
    #[should_panic(expected = "seat 1 is told what its view hides")]
    fn a_game_that_tells_a_secret_move_is_caught() {
        check(&Hide::<true>, 20);
    }

    #[test]
    fn worlds_that_come_too_often_are_noticed() {
        let game = Hide::<false>;
        let view = Known { seat: Seat(1), is_hidden: true, hidden: None, guess: None };
        let kind = |table: &Table| format!("{:?}", table.hidden);
        let weights = |third: f64| {
            let weights = [("Some(0)", 1.0), ("Some(1)", 1.0), ("Some(2)", third)];
            weights.into_iter().map(|(kind, weight)| (kind.to_owned(), weight)).collect()
        };
        check_uniform(&game, &view, 3000, &weights(1.0), kind);
        let wrong = || check_uniform(&game, &view, 3000, &weights(1.3), kind);
        assert!(std::panic::catch_unwind(wrong).is_err());
    }
}
