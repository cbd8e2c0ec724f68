//! α-rank: how often evolution finds each strategy in power.

use super::maths::{exp, ln};

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
