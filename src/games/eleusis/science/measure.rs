//! What many cases come to.

use super::Played;

/// Means over cases, and how far stated probabilities can be trusted.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Means {
    /// How many cases.
    pub cases: usize,
    /// The mean score.
    pub score: f64,
    /// The share of cases solved.
    pub solved: f64,
    /// The mean turn of those solved.
    pub turn: Option<f64>,
    /// Wrong commitments a case.
    pub wrong_commitments: f64,
    /// The mean of (probability − right)² over all guesses of all turns (Brier 1950).
    pub brier: Option<f64>,
    /// The mean probability of a guess that was wrong.
    pub wrong_guess: Option<f64>,
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0u32), |(sum, count), x| (sum + x, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// The means of these cases.
pub fn means<'a>(played: impl Iterator<Item = &'a Played> + Clone) -> Means {
    let of = |figure: fn(&Played) -> f64| mean(played.clone().map(figure)).unwrap_or(0.0);
    let guesses = || {
        let turns = played.clone().flat_map(|case| &case.turns);
        turns.filter_map(|row| row.guess.as_ref().map(|(_, p)| (*p, row.guess_right)))
    };
    let square = |(p, right): (f64, bool)| (p - f64::from(u8::from(right))).powi(2);
    Means {
        cases: played.clone().count(),
        score: of(|case| case.score().into()),
        solved: of(|case| f64::from(u8::from(case.solved.is_some()))),
        turn: mean(played.clone().filter_map(|case| case.solved.map(f64::from))),
        wrong_commitments: of(|case| case.wrong_commitments.into()),
        brier: mean(guesses().map(square)),
        wrong_guess: mean(guesses().filter(|(_, right)| !right).map(|(p, _)| p)),
    }
}
