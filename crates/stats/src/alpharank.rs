//! α-rank: the share of time that an evolving population spends with each strategy. Also the
//! non-transitive cycles of a population.

use std::collections::BTreeSet;

use super::holm::{holm, is_significant};
use parlour_base::maths::exact::{exp, ln};

/// The population size of [`alpha_rank`] that its authors use.
pub const POPULATION: u32 = 50;

/// Returns the share of time that a population spends with each strategy. Now and then one member
/// switches to another strategy, which spreads or dies out before the next switch.
///
/// `payoffs[i][j]` is the payoff of strategy `i` against `j` (a score in `[0, 1]`, say). A mutant
/// `r` among `s` takes over a population of `m` with probability `1 / (1 + Σ_{l<m} Π_{p≤l}
/// exp(−α·(f_r(p) − f_s(p))))`. Here `f` is the mean payoff against the other `m − 1` members if
/// `p` members play `r`. The shares are the stationary distribution of these take-overs
/// (Omidshafiei et al., *α-Rank: multi-agent evaluation by evolution*, Scientific Reports 9, 2019,
/// the single-population case; Traulsen, Nowak and Pacheco 2006). The larger the intensity `α`, the
/// more rarely a weaker strategy takes over. Rankings are read at an intensity beyond which they no
/// longer change.
///
/// The computation uses logarithms, and the elimination of Grassmann, Taksar and Heyman
/// (*Regenerative analysis and steady state distributions for Markov chains*, 1985), which never
/// subtracts. No intensity overflows.
///
/// Returns `None` for an empty or ragged table, infinite numbers, a negative intensity, or a
/// population below 2. A single strategy has share 1.
pub fn alpha_rank(payoffs: &[Vec<f64>], population: u32, intensity: f64) -> Option<Vec<f64>> {
    let n = payoffs.len();
    let sound = |row: &Vec<f64>| row.len() == n && row.iter().all(|x| x.is_finite());
    let settings = population >= 2 && intensity >= 0.0 && intensity.is_finite();
    if n == 0 || !settings || !payoffs.iter().all(sound) {
        return None;
    }
    // The log of the probability that a population of s turns to r, up to the common factor 1/(n −
    // 1).
    let turn = |s: usize, r: usize| fixation(payoffs, population, intensity, r, s);
    let mut rates: Vec<Vec<f64>> = (0..n)
        .map(|s| (0..n).map(|r| if s == r { f64::NEG_INFINITY } else { turn(s, r) }).collect())
        .collect();
    // Eliminates the last state repeatedly.
    let mut leaving = vec![0.0; n];
    for last in (1..n).rev() {
        leaving[last] = log_sum(&rates[last][..last]);
        for i in 0..last {
            for j in (0..last).filter(|&j| j != i) {
                let detour = rates[i][last] + rates[last][j] - leaving[last];
                rates[i][j] = log_sum(&[rates[i][j], detour]);
            }
        }
    }
    let mut logs = vec![0.0; n];
    for state in 1..n {
        let inflow: Vec<f64> = (0..state).map(|i| logs[i] + rates[i][state]).collect();
        logs[state] = log_sum(&inflow) - leaving[state];
    }
    let total = log_sum(&logs);
    Some(logs.iter().map(|x| exp(x - total)).collect())
}

/// Returns the log of the probability that one `r` takes over a population of `s`.
fn fixation(payoffs: &[Vec<f64>], population: u32, intensity: f64, r: usize, s: usize) -> f64 {
    let others = f64::from(population - 1);
    let mut logs = vec![0.0];
    let mut product = 0.0;
    for mutants in 1..population {
        let (p, q) = (f64::from(mutants), f64::from(population - mutants));
        let mutant = ((p - 1.0) * payoffs[r][r] + q * payoffs[r][s]) / others;
        let native = (p * payoffs[s][r] + (q - 1.0) * payoffs[s][s]) / others;
        product -= intensity * (mutant - native);
        logs.push(product);
    }
    -log_sum(&logs)
}

/// Returns the log of a sum of exponentials.
fn log_sum(logs: &[f64]) -> f64 {
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !largest.is_finite() {
        return largest;
    }
    largest + ln(logs.iter().map(|x| exp(x - largest)).sum())
}

/// The score of one strategy against another.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Comparison {
    /// One strategy.
    pub a: usize,
    /// The other.
    pub b: usize,
    /// The score of `a` against `b`, in `[0, 1]`.
    pub score: f64,
    /// The p-value of the null hypothesis that the score is ½ ([`super::Moments::score_p`]), if
    /// there is one.
    pub p: Option<f64>,
}

/// Returns the non-transitive cycles of a population. In such a set each strategy beats some other,
/// and over one or more steps every other. Only differences that are significant after Holm's
/// correction over all comparisons count (5 %). Within a cycle no ladder orders the strategies:
/// Nash averages and α-rank say more than ratings. The probability of reporting a cycle where there
/// is none is below 5 %.
///
/// Each cycle is a list of its members in ascending order (a strongly connected component of the
/// graph of significant wins). Cycles are ordered by their first members.
pub fn non_transitive_cycles(strategies: usize, comparisons: &[Comparison]) -> Vec<Vec<usize>> {
    let adjusted = holm(&comparisons.iter().map(|pair| pair.p).collect::<Vec<_>>());
    let mut beats = vec![vec![false; strategies]; strategies];
    for (pair, p) in comparisons.iter().zip(adjusted) {
        if pair.a < strategies && pair.b < strategies && pair.score != 0.5 && is_significant(p) {
            let (winner, loser) =
                if pair.score > 0.5 { (pair.a, pair.b) } else { (pair.b, pair.a) };
            beats[winner][loser] = true;
        }
    }
    // Transitive closure (Warshall 1962).
    for via in 0..strategies {
        for from in 0..strategies {
            for to in 0..strategies {
                beats[from][to] |= beats[from][via] && beats[via][to];
            }
        }
    }
    let cycle = |first: usize| -> Vec<usize> {
        (0..strategies).filter(|&other| beats[first][other] && beats[other][first]).collect()
    };
    // All members of a cycle have the same.
    let cycles: BTreeSet<_> = (0..strategies).map(cycle).filter(|one| one.len() > 1).collect();
    cycles.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commitment_game_matches_published_shares() {
        // Han, Pereira and Lenaerts 2013, with the shares in OpenSpiel's test
        // (egt/alpharank_test.py).
        let (r, t, p, s, delta, eps) = (1.0, 2.0, 0.0, -1.0, 4.0, 0.25);
        let payoffs = vec![
            vec![r - eps / 2.0, r - eps, 0.0, s + delta - eps, r - eps],
            vec![r, r, s, s, s],
            vec![0.0, t, p, p, p],
            vec![t - delta, t, p, p, p],
            vec![r, t, p, p, p],
        ];
        let found = alpha_rank(&payoffs, 20, 0.1).unwrap();
        let published = [0.409_667_87, 0.079_598_41, 0.205_069_98, 0.085_059_83, 0.220_603_9];
        for (a, b) in found.iter().zip(published) {
            assert!((a - b).abs() < 1e-6, "{found:?}");
        }
    }

    #[test]
    fn rock_paper_scissors_has_equal_shares() {
        let payoffs = vec![vec![0.5, 0.0, 1.0], vec![1.0, 0.5, 0.0], vec![0.0, 1.0, 0.5]];
        for intensity in [0.0, 0.1, 10.0, 1e6] {
            let found = alpha_rank(&payoffs, POPULATION, intensity).unwrap();
            assert!(found.iter().all(|x| (x - 1.0 / 3.0).abs() < 1e-9), "{found:?}");
        }
    }

    #[test]
    fn the_best_of_a_ladder_has_all() {
        let payoffs = vec![vec![0.5, 0.4, 0.2], vec![0.6, 0.5, 0.3], vec![0.8, 0.7, 0.5]];
        let found = alpha_rank(&payoffs, POPULATION, 100.0).unwrap();
        assert!(found[2] > 1.0 - 1e-9 && found.iter().all(|x| x.is_finite()), "{found:?}");
        // Without selection all shares are equal.
        let found = alpha_rank(&payoffs, POPULATION, 0.0).unwrap();
        assert!(found.iter().all(|x| (x - 1.0 / 3.0).abs() < 1e-12));
    }

    #[test]
    fn two_strategies_match_the_closed_form() {
        // In a constant-sum game the ratio of the two fixations is exp(u·(m − 1)) with u = α·m/(m −
        // 1)·(payoff − ½). So the log-odds of the shares are m·α·(payoff − ½).
        let payoffs = vec![vec![0.5, 0.55], vec![0.45, 0.5]];
        let found = alpha_rank(&payoffs, 50, 0.7).unwrap();
        let odds: f64 = ln(found[0] / found[1]);
        assert!((odds - 50.0 * 0.7 * 0.05).abs() < 1e-9, "{odds}");
    }

    #[test]
    fn degenerate_tables_are_defined() {
        assert_eq!(alpha_rank(&[], 50, 1.0), None);
        assert_eq!(alpha_rank(&[vec![0.5]], 50, 1.0), Some(vec![1.0]));
        assert_eq!(alpha_rank(&[vec![0.5]], 1, 1.0), None);
        assert_eq!(alpha_rank(&[vec![f64::NAN]], 50, 1.0), None);
        assert_eq!(alpha_rank(&[vec![0.5, 0.5], vec![0.5]], 50, 1.0), None);
    }
}

#[cfg(test)]
mod cycles_tests {
    use super::*;

    fn duel(a: usize, b: usize, score: f64, p: f64) -> Comparison {
        Comparison { a, b, score, p: Some(p) }
    }

    #[test]
    fn only_significant_cycles_are_reported() {
        let ring = [
            duel(0, 1, 0.6, 1e-6),
            duel(2, 1, 0.4, 1e-6),
            duel(2, 0, 0.6, 1e-6),
            duel(3, 0, 0.9, 1e-9),
            duel(3, 1, 0.9, 1e-9),
        ];
        assert_eq!(non_transitive_cycles(4, &ring), [[0, 1, 2]]);
        let mut unproven = ring;
        unproven[2].p = Some(0.03);
        assert!(!non_transitive_cycles(4, &unproven).is_empty());
        unproven[2].p = Some(0.06);
        assert!(non_transitive_cycles(4, &unproven).is_empty());
        unproven[2].p = None;
        assert!(non_transitive_cycles(4, &unproven).is_empty());
        assert!(non_transitive_cycles(0, &[]).is_empty());
    }
}
