//! α-rank: how often evolution finds each strategy in power; strategies that beat one another in a ring.

use super::holm::{holm, is_significant};
use parlour_base::maths::exact::{exp, ln};

/// The population of [`alpha_rank`] that the method's authors use.
pub const POPULATION: u32 = 50;

/// The share of time that a population spends with each strategy, when now and then one member
/// takes up another and it spreads or dies out before the next does.
///
/// `payoffs[i][j]` is what strategy `i` gets against `j` (a score in `[0, 1]`, say). A mutant `r`
/// among `s` takes over a population of `m` with the probability
/// `1 / (1 + Σ_{l<m} Π_{p≤l} exp(−α·(f_r(p) − f_s(p))))`, where `f` is the mean payoff against the
/// other `m − 1` members when `p` of them all play `r`; the shares are the stationary
/// distribution of these take-overs (Omidshafiei et al., *α-Rank: multi-agent evaluation by
/// evolution*, Scientific Reports 9, 2019, the single-population case; Traulsen, Nowak and
/// Pacheco 2006). The larger the intensity `α`, the less a weaker strategy ever takes over;
/// rankings are read where a larger one no longer changes them.
///
/// Worked in logarithms, with the elimination of Grassmann, Taksar and Heyman (*Regenerative
/// analysis and steady state distributions for Markov chains*, 1985), which never subtracts, so
/// that no intensity overflows.
///
/// `None` for an empty or ragged table, numbers that are not finite, a negative intensity, or a
/// population below 2. One strategy has the share 1.
pub fn alpha_rank(payoffs: &[Vec<f64>], population: u32, intensity: f64) -> Option<Vec<f64>> {
    let n = payoffs.len();
    let sound = |row: &Vec<f64>| row.len() == n && row.iter().all(|x| x.is_finite());
    let settings = population >= 2 && intensity >= 0.0 && intensity.is_finite();
    if n == 0 || !settings || !payoffs.iter().all(sound) {
        return None;
    }
    // The log of the probability that a population of s turns to r; a common factor of 1/(n − 1)
    // does not matter.
    let turn = |s: usize, r: usize| fixation(payoffs, population, intensity, r, s);
    let mut rates: Vec<Vec<f64>> = (0..n)
        .map(|s| (0..n).map(|r| if s == r { f64::NEG_INFINITY } else { turn(s, r) }).collect())
        .collect();
    // Elimination of the last state, again and again.
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

/// The log of the probability that one `r` takes over a population of `s`.
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

/// The log of a sum of exponentials.
fn log_sum(logs: &[f64]) -> f64 {
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !largest.is_finite() {
        return largest;
    }
    largest + ln(logs.iter().map(|x| exp(x - largest)).sum())
}

/// One comparison of two strategies.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Comparison {
    /// One strategy.
    pub a: usize,
    /// The other.
    pub b: usize,
    /// The score of `a` against `b`, in `[0, 1]`.
    pub score: f64,
    /// The p-value of a score of ½ ([`super::Moments::score_p`]), if there is one.
    pub p: Option<f64>,
}

/// The rings in a population: sets of strategies in which each beats some other and, over one or
/// more steps, every other, counting only differences that survive Holm's correction over all duels
/// at 5 %. Where there is one, no ladder orders these strategies, and Nash averages and α-rank say
/// more than ratings do. The probability to report a ring where there is none is then below 5 %.
///
/// Each ring is given by its members in ascending order (a strongly connected component of the
/// graph of proven wins); rings come in the order of their first members.
pub fn rings(strategies: usize, duels: &[Comparison]) -> Vec<Vec<usize>> {
    let adjusted = holm(&duels.iter().map(|duel| duel.p).collect::<Vec<_>>());
    let mut beats = vec![vec![false; strategies]; strategies];
    for (duel, p) in duels.iter().zip(adjusted) {
        if duel.a < strategies && duel.b < strategies && duel.score != 0.5 && is_significant(p) {
            let (winner, loser) =
                if duel.score > 0.5 { (duel.a, duel.b) } else { (duel.b, duel.a) };
            beats[winner][loser] = true;
        }
    }
    // Over any number of steps (Warshall 1962).
    for via in 0..strategies {
        for from in 0..strategies {
            for to in 0..strategies {
                beats[from][to] |= beats[from][via] && beats[via][to];
            }
        }
    }
    let ring = |first: usize| -> Vec<usize> {
        (0..strategies).filter(|&other| beats[first][other] && beats[other][first]).collect()
    };
    (0..strategies)
        .map(|first| (first, ring(first)))
        .filter(|(first, members)| members.len() > 1 && members[0] == *first)
        .map(|(_, members)| members)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commitment_game_as_published() {
        // Han, Pereira and Lenaerts 2013, with the shares that OpenSpiel holds itself to
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
    fn rock_paper_scissors_has_no_best() {
        let payoffs = vec![vec![0.5, 0.0, 1.0], vec![1.0, 0.5, 0.0], vec![0.0, 1.0, 0.5]];
        for intensity in [0.0, 0.1, 10.0, 1e6] {
            let found = alpha_rank(&payoffs, POPULATION, intensity).unwrap();
            assert!(found.iter().all(|x| (x - 1.0 / 3.0).abs() < 1e-9), "{found:?}");
        }
    }

    #[test]
    fn a_ladder_is_its_best() {
        let payoffs = vec![vec![0.5, 0.4, 0.2], vec![0.6, 0.5, 0.3], vec![0.8, 0.7, 0.5]];
        let found = alpha_rank(&payoffs, POPULATION, 100.0).unwrap();
        assert!(found[2] > 1.0 - 1e-9 && found.iter().all(|x| x.is_finite()), "{found:?}");
        // Without selection all are alike.
        let found = alpha_rank(&payoffs, POPULATION, 0.0).unwrap();
        assert!(found.iter().all(|x| (x - 1.0 / 3.0).abs() < 1e-12));
    }

    #[test]
    fn two_strategies_have_the_closed_form() {
        // A constant-sum game: the ratio of the two fixations is exp(u·(m − 1)) with
        // u = α·m/(m − 1)·(payoff − ½), so the shares' log-odds are m·α·(payoff − ½).
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
    fn rings_are_found_where_they_are_proven() {
        let ring = [
            duel(0, 1, 0.6, 1e-6),
            duel(2, 1, 0.4, 1e-6),
            duel(2, 0, 0.6, 1e-6),
            duel(3, 0, 0.9, 1e-9),
            duel(3, 1, 0.9, 1e-9),
        ];
        assert_eq!(rings(4, &ring), [[0, 1, 2]]);
        let mut unproven = ring;
        unproven[2].p = Some(0.03);
        assert!(!rings(4, &unproven).is_empty());
        unproven[2].p = Some(0.06);
        assert!(rings(4, &unproven).is_empty());
        unproven[2].p = None;
        assert!(rings(4, &unproven).is_empty());
        assert!(rings(0, &[]).is_empty());
    }
}
