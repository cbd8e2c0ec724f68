//! Conformance tests of figures.

use super::random_hand;
use crate::{
    Counters, Figure, FigureInfo, FinishedHand, ForcedByRules, LEAD_STEPS, Measured, Reading,
    Scores, StandardBins,
};
use parlour_base::chance::Seed;
use parlour_stats::Bins;

/// Checks the figures: unique names, units and meanings; counts that add up over hands; parts that
/// add up to their whole; bins that cover most random hands.
///
/// # Panics
/// At the first faulty figure, which the message names.
pub fn check_figures<G: Measured>(game: &G, hands: u64) {
    let mut names = std::collections::BTreeSet::new();
    for figure in G::FIGURES {
        let FigureInfo { name, unit, meaning, headline } = figure.head;
        assert!(names.insert(name), "`{name}` is listed twice");
        let snake = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        assert!(name.starts_with(|c: char| c.is_ascii_lowercase()), "`{name}` is not a valid name");
        assert!(name.chars().all(snake), "`{name}` is not in snake case");
        assert!(!unit.is_empty() && meaning.ends_with('.'), "`{name}` needs a unit and a sentence");
        assert!(
            !headline || figure.plain().is_number(),
            "`{name}` is not a number, so short tables cannot show it"
        );
    }
    let count = G::HandCounts::NAMES.len();
    let needs_decisions: Vec<usize> = (count - G::decision_counts().len()..count).collect();
    let mut total = vec![0; G::HandCounts::NAMES.len()];
    let mut sums = vec![0; G::FIGURES.iter().map(|f| f.readings().len()).sum()];
    let mut won = 0;
    let mut beyond: std::collections::BTreeMap<&str, u64> = std::collections::BTreeMap::new();
    for hand in 0..hands {
        let (seed, mut stats) = (Seed::new(hand), G::HandStats::default());
        let see = |state: &G::State, mv| game.track_move(&mut stats, state, mv);
        let end = random_hand(game, &seed.child(8).stream(), seed.child(9), see);
        let counts = game.counts(&stats, &end);
        counts.add_to(&mut total);
        let all = G::FIGURES.iter().flat_map(Figure::readings);
        sums.iter_mut().zip(all).for_each(|(sum, read)| *sum += read(&counts));
        let hand = FinishedHand { game, stats: &stats, end: &end };
        let mut cover = |name: &'static str, bins: Bins, number: i32| {
            let top = bins.low + bins.width * bins.count as i32;
            *beyond.entry(name).or_default() += u64::from(!(bins.low..top).contains(&number));
        };
        let StandardBins { score, margin, turns } = game.standard_bins();
        let Scores(scores) = game.scores(&end);
        won += u64::from(game.scores(&end).winner().is_some());
        let best = scores[1..].iter().max().copied().unwrap_or(0);
        scores.iter().for_each(|&points| cover("the points", score, points));
        cover("the margin", margin, scores[0] - best);
        cover("the turns", turns, game.turns(&stats) as i32);
        for Figure { head: FigureInfo { name, .. }, kind } in G::FIGURES {
            match kind {
                Reading::Ratio { .. } => {}
                Reading::Each(read) => {
                    let [above, below] = read(&hand);
                    assert!(below > 0 || above == 0, "`{name}` has nothing below the line");
                }
                Reading::Parts { whole, parts } => {
                    let parts: Vec<i64> = parts.iter().map(|(_, part)| part(&counts)).collect();
                    assert!(parts.iter().all(|part| *part >= 0), "`{name}`: {parts:?}");
                    assert_eq!(parts.iter().sum::<i64>(), whole(&counts), "`{name}`: {parts:?}");
                }
                Reading::Histogram { bins, read } => {
                    read(&hand).into_iter().for_each(|number| cover(name, bins(game), number));
                }
                Reading::Curve { clock, bins, read } => {
                    assert!(!clock.is_empty(), "`{name}` needs a clock");
                    let steps = read(&hand);
                    cover(name, bins(game), steps[LEAD_STEPS - 1]);
                    assert_eq!(steps, read(&hand), "`{name}` is a function of the hand");
                }
                Reading::Map { size, mark } => {
                    let mut cells = vec![0; size(game).0 * size(game).1];
                    mark(&hand, &mut cells);
                    assert!(cells.iter().all(|n| [0, 1].contains(n)), "`{name}`: {cells:?}");
                }
            }
        }
    }
    for at in needs_decisions {
        let name = G::HandCounts::NAMES[at];
        assert_eq!(total[at], 0, "`{name}` is of decisions, and nobody looked at them");
    }
    let whole = G::HandCounts::of(&total);
    let all = G::FIGURES.iter().flat_map(Figure::readings);
    for (sum, read) in sums.into_iter().zip(all) {
        assert_eq!(sum, read(&whole), "a figure is a sum of counts, hand by hand");
    }
    for (name, fixed) in game.forced_figures() {
        let figure = G::FIGURES.iter().find(|figure| figure.head.name == name);
        let Some(Reading::Ratio { above, below }) = figure.map(|figure| &figure.kind) else {
            assert!(["draw_rate", "luck_share"].contains(&name), "`{name}` is no such figure");
            continue;
        };
        let below = below.map_or(hands as i64, |below| below(&whole));
        let right = fixed.number().unwrap_or(0.0) * below as f64;
        assert_eq!(above(&whole) as f64, right, "`{name}` is not fixed");
    }
    let draws = game.forced_figures().contains(&("draw_rate", ForcedByRules::Always));
    assert!(!draws || won == 0, "`draw_rate` is not fixed: {won} hands were won");
    for (name, beyond) in beyond {
        assert!(beyond <= hands / 4, "{name}: {beyond} of {hands} hands lie beyond the bins");
    }
}
