//! Strategies that beat one another in a ring.

use super::multiple::{holm, survives};

/// One comparison of two strategies.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Duel {
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
pub fn rings(strategies: usize, duels: &[Duel]) -> Vec<Vec<usize>> {
    let adjusted = holm(&duels.iter().map(|duel| duel.p).collect::<Vec<_>>());
    let mut beats = vec![vec![false; strategies]; strategies];
    for (duel, p) in duels.iter().zip(adjusted) {
        if duel.a < strategies && duel.b < strategies && duel.score != 0.5 && survives(p) {
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

    fn duel(a: usize, b: usize, score: f64, p: f64) -> Duel {
        Duel { a, b, score, p: Some(p) }
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
