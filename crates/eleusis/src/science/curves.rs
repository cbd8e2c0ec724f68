//! What a [`Study`] shows beside its means: how belief and finding grow by turn, what the cards
//! tell, whether stated probabilities hold, and which rules are hardest.

use std::collections::BTreeMap;

use super::{Case, Played, Study, TURNS, means};
use crate::stats::{Estimate, jackknife_all, jackknife_variance, proportion};

/// How things stand after some cards, over all cases or those that still go on.
#[derive(Clone, Copy, Debug, Default)]
pub struct AfterCards {
    /// How many cards were laid.
    pub cards: u32,
    /// The share of the cases whose rule is found.
    pub found: Option<Estimate>,
    /// The mean belief in the right rule; 1 once it is found.
    pub truth: Option<Estimate>,
    /// What the next card can be expected to tell. Unit: bits.
    pub expected: Option<Estimate>,
    /// What the most telling card of the hand could be expected to tell. Unit: bits.
    pub best: Option<Estimate>,
    /// What its verdict told. Unit: bits.
    pub gained: Option<Estimate>,
}

/// The guesses whose probability was stated between two bounds.
#[derive(Clone, Copy, Debug)]
pub struct StatedBetween {
    /// The lower bound, included.
    pub low: f64,
    /// The upper one, which the last bin includes.
    pub high: f64,
    /// How many.
    pub guesses: u64,
    /// Of how many rules.
    pub rules: u64,
    /// The mean probability stated.
    pub stated: f64,
    /// The share that was right.
    pub right: Option<Estimate>,
}

/// How the cases of one rule went.
#[derive(Clone, Debug)]
pub struct OfRule<'a> {
    /// The first of them.
    pub case: &'a Case,
    /// How many cases there are.
    pub cases: usize,
    /// The mean score.
    pub score: f64,
    /// How many were solved.
    pub solved: usize,
    /// The mean turn of those.
    pub turn: Option<f64>,
    /// Wrong commitments in all.
    pub wrong_commitments: u32,
    /// The guess that stood at the end of the first case, where another than the rule did.
    pub took_for: Option<&'a str>,
}

/// How many bins there are for stated probabilities.
const BINS: usize = 10;

impl Study {
    /// How things stand after each number of cards, from none on.
    pub fn by_cards(&self) -> Vec<AfterCards> {
        let parts = |played: &Played| {
            let each = (0..=TURNS).flat_map(|cards| after_cards(played, cards));
            each.collect::<Vec<[f64; 2]>>()
        };
        let ratios = self.ratios(parts);
        let share = |e: Option<Estimate>| e.map(|e| self.as_share(e));
        let row = |(cards, found): (u32, &[Option<Estimate>])| AfterCards {
            cards,
            found: share(found[0]),
            truth: share(found[1]),
            expected: found[2].map(|e| e.clamped(0.0, 1.0)),
            best: found[3].map(|e| e.clamped(0.0, 1.0)),
            gained: found[4],
        };
        (0..).zip(ratios.chunks(5)).map(row).collect()
    }

    /// How far stated probabilities hold, in tenths; tenths without a guess are left out.
    pub fn reliability(&self) -> Vec<StatedBetween> {
        let bin = |probability: f64| ((probability * BINS as f64) as usize).min(BINS - 1);
        let guesses = |played: &Played| {
            let turns = played.turns.iter();
            turns.filter_map(|row| Some((row.probability?, row.guess_right))).collect::<Vec<_>>()
        };
        let parts = |played: &Played| {
            let mut sums = vec![[0.0; 2]; 2 * BINS];
            for (probability, right) in guesses(played) {
                let [stated, said_right] = [0, BINS].map(|from| from + bin(probability));
                sums[stated][0] += probability;
                sums[said_right][0] += f64::from(u8::from(right));
                [stated, said_right].into_iter().for_each(|at| sums[at][1] += 1.0);
            }
            sums
        };
        let ratios = self.ratios(parts);
        let mut counts = [0u64; BINS];
        let mut rules: [Vec<&str>; BINS] = Default::default();
        for (case, played) in self.played() {
            for (probability, _) in guesses(played) {
                counts[bin(probability)] += 1;
                rules[bin(probability)].push(&case.name);
            }
        }
        let row = |at: usize| {
            rules[at].sort_unstable();
            rules[at].dedup();
            let of = rules[at].len();
            let share = |e: Estimate| {
                proportion(e.value, jackknife_variance(e, of), of as f64 - 1.0, of as u64)
            };
            Some(StatedBetween {
                low: at as f64 / BINS as f64,
                high: (at + 1) as f64 / BINS as f64,
                guesses: counts[at],
                rules: of as u64,
                stated: ratios[at]?.value,
                right: ratios[BINS + at].map(share),
            })
        };
        (0..BINS).filter_map(row).collect()
    }

    /// How the cases of each rule went, the hardest first.
    pub fn by_rule(&self) -> Vec<OfRule<'_>> {
        let mut rules = BTreeMap::<&str, Vec<&(Case, Played)>>::new();
        for one in self.played() {
            rules.entry(&one.0.name).or_default().push(one);
        }
        fn of<'a>(cases: &[&'a (Case, Played)]) -> OfRule<'a> {
            let found = means(cases.iter().map(|(_, played)| played));
            let last = cases[0].1.turns.last().filter(|row| !row.guess_right);
            OfRule {
                case: &cases[0].0,
                cases: cases.len(),
                score: found.score,
                solved: cases.iter().filter(|(_, played)| played.solved.is_some()).count(),
                turn: found.turn,
                wrong_commitments: cases.iter().map(|(_, played)| played.wrong_commitments).sum(),
                took_for: last.and_then(|row| row.guess.as_deref()),
            }
        }
        let mut rows: Vec<OfRule<'_>> = rules.values().map(|cases| of(cases)).collect();
        rows.sort_by(|a, b| a.score.total_cmp(&b.score));
        rows
    }

    /// The quotient of two sums over the cases, to both of which each case gives its part, of each
    /// of several kinds; with intervals, the cases of one rule going together.
    pub(super) fn ratios(&self, parts: impl Fn(&Played) -> Vec<[f64; 2]>) -> Vec<Option<Estimate>> {
        let mut rules = BTreeMap::<&str, (u64, Vec<[f64; 2]>)>::new();
        for (case, played) in self.played() {
            let new = parts(played);
            let (cases, sums) = rules.entry(&case.name).or_insert((0, vec![[0.0; 2]; new.len()]));
            *cases += 1;
            for (sum, new) in sums.iter_mut().flatten().zip(new.into_iter().flatten()) {
                *sum += new;
            }
        }
        let rules: Vec<(u64, Vec<[f64; 2]>)> = rules.into_values().collect();
        let weights: Vec<u64> = rules.iter().map(|(cases, _)| *cases).collect();
        jackknife_all(&weights, |left_out| {
            let kept = || rules.iter().enumerate().filter(|(rule, _)| Some(*rule) != left_out);
            let sum = |at: usize, side: usize| kept().map(|(_, (_, sums))| sums[at][side]).sum();
            let count = rules.first().map_or(0, |(_, sums)| sums.len());
            let ratio = |at: usize| -> Option<f64> {
                let (above, below): (f64, f64) = (sum(at, 0), sum(at, 1));
                (below > 0.0).then(|| above / below)
            };
            (0..count).map(ratio).collect()
        })
    }

    /// With the interval of a share of all cases.
    pub(super) fn as_share(&self, found: Estimate) -> Estimate {
        let mut names: Vec<&str> = self.played().iter().map(|(case, _)| &*case.name).collect();
        names.sort_unstable();
        names.dedup();
        let all = names.len();
        proportion(found.value, jackknife_variance(found, all), all as f64 - 1.0, all as u64)
    }
}

/// Found or not, the belief in the rule, what the next card and the best of the hand can be
/// expected to tell, what the next one told; with what each counts for.
fn after_cards(played: &Played, cards: u32) -> [[f64; 2]; 5] {
    let is_found = played.solved.is_some_and(|turn| turn <= cards);
    let next = played.turns.get(cards as usize);
    let last = next.or(played.turns.last());
    let counted = |value: Option<f64>| value.map_or([0.0; 2], |value| [value, 1.0]);
    let truth = if is_found && played.turns.iter().any(|row| row.truth.is_some()) {
        Some(1.0)
    } else {
        last.and_then(|row| row.truth)
    };
    [
        [f64::from(u8::from(is_found)), 1.0],
        counted(truth),
        counted(next.and_then(|row| row.expected_bits)),
        counted(next.and_then(|row| row.best_bits)),
        counted(next.and_then(|row| row.gained_bits)),
    ]
}
