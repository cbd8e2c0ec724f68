//! Nash averaging: strategies rated against an unbeatable mixture.

use super::matrix::{maximize, pivot, solve, zeros};
use parlour_base::maths::exact::ln;

/// The tolerance for zero, for numbers of order 1.
const TINY: f64 = 1e-9;

/// Returns the Nash average of a table of scores: `scores[i][j]` in `[0, 1]` is the score of
/// strategy `i` against `j`. The first part is the share of each strategy in the mixture; the shares
/// sum to 1. The second is the score of each, in `[0, 1]`, against the mixture: ½ for its members, and at
/// most ½ for others.
///
/// Two referees each name a strategy; the payoff is the score less ½ (its antisymmetric part, so
/// the two triangles of the table need not agree to the last digit). Of all equilibria the one of
/// greatest entropy is taken. It is unique, so the answer does not depend on the path of an
/// algorithm. A strategy that is entered twice shares its place and changes nothing else (Balduzzi,
/// Tuyls, Perolat and Graepel, *Re-evaluating evaluation*, NeurIPS 2018). Their payoff is the
/// log-odds, which a score of 0 or 1 does not have.
///
/// A linear program finds an equilibrium with the largest support and the most slack off it (strict
/// complementarity, Goldman and Tucker 1956). If it is not unique, Newton's method with a barrier
/// maximizes the entropy within the set of equilibria.
///
/// Returns `None` for an empty or ragged table, or infinite numbers. A single strategy has share 1.
pub fn nash_average(scores: &[Vec<f64>]) -> Option<(Vec<f64>, Vec<f64>)> {
    let n = scores.len();
    let sound = |row: &Vec<f64>| row.len() == n && row.iter().all(|x| x.is_finite());
    if n == 0 || !scores.iter().all(sound) {
        return None;
    }
    let table = |cell: &dyn Fn(usize, usize) -> f64| -> Vec<Vec<f64>> {
        (0..n).map(|i| (0..n).map(|j| cell(i, j)).collect()).collect()
    };
    let payoffs = table(&|i, j| (scores[i][j] - scores[j][i]) / 2.0);
    let largest = payoffs.iter().flatten().fold(0.0f64, |m, x| m.max(x.abs()));
    let scaled = table(&|i, j| if largest > 0.0 { payoffs[i][j] / largest } else { 0.0 });
    let shares = Equilibria::find(&scaled)?.most_entropy();
    let against = |row: &Vec<f64>| (0.5 + dot(row, &shares)).clamp(0.0, 1.0);
    let scores = payoffs.iter().map(against).collect();
    Some((shares, scores))
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// The equilibria of a symmetric zero-sum game: all mixtures of the support that give the support
/// payoff 0 and the others less.
struct Equilibria {
    strategies: usize,
    support: Vec<usize>,
    /// A mixture with positive shares on the support, and slack everywhere off it.
    inner: Vec<f64>,
    /// The directions in which a mixture may move and keep the payoff of the support at 0.
    directions: Vec<Vec<f64>>,
    /// The payoff of each strategy off the support against each of the support.
    others: Vec<Vec<f64>>,
}

impl Equilibria {
    /// Maximizes `Σ y + t` over `p = y + z`, `A·p + t ≤ 0`, `y ≤ 1`, `t ≤ 1`: at the optimum `y` is 1
    /// on the support and `t` is 1 off it.
    fn find(payoffs: &[Vec<f64>]) -> Option<Equilibria> {
        let n = payoffs.len();
        let unit = |at: usize, size: usize| (0..size).map(move |j| f64::from(u8::from(j == at)));
        let wins = payoffs.iter().enumerate();
        let wins = wins.map(|(i, row)| [&row[..], row, &unit(i, n).collect::<Vec<_>>()].concat());
        let limits = (0..n).chain(2 * n..3 * n).map(|at| unit(at, 3 * n).collect());
        let rows: Vec<Vec<f64>> = wins.chain(limits).collect();
        let part = |at: [f64; 3]| -> Vec<f64> { at.iter().flat_map(|x| vec![*x; n]).collect() };
        let (bounds, gain) = (part([0.0, 1.0, 1.0]), part([1.0, 0.0, 1.0]));
        let x = maximize(&gain, &rows, &bounds)?;
        let support: Vec<usize> = (0..n).filter(|&i| x[i] > 0.5).collect();
        let weight = |&i: &usize| x[i] + x[n + i];
        let total: f64 = support.iter().map(weight).sum();
        if support.is_empty() || !total.is_finite() {
            return None;
        }
        let inner = support.iter().map(|i| weight(i) / total).collect();
        let part = |i: usize| support.iter().map(|&j| payoffs[i][j]).collect::<Vec<_>>();
        let mut equations: Vec<Vec<f64>> = support.iter().map(|&i| part(i)).collect();
        equations.push(vec![1.0; support.len()]);
        let directions = null_space(equations, support.len());
        let others = (0..n).filter(|i| !support.contains(i)).map(part).collect();
        Some(Equilibria { strategies: n, support, inner, directions, others })
    }

    fn most_entropy(&self) -> Vec<f64> {
        let mut p = self.inner.clone();
        if !self.directions.is_empty() {
            let mut barrier = 1.0;
            while barrier > 1e-13 {
                self.climb(&mut p, barrier);
                barrier = if self.others.is_empty() { 0.0 } else { barrier / 8.0 };
            }
        }
        let total: f64 = p.iter().sum();
        let mut shares = vec![0.0; self.strategies];
        for (&i, x) in self.support.iter().zip(&p) {
            shares[i] = x / total;
        }
        shares
    }

    /// Returns `−Σ p·ln p + barrier · Σ ln slack`; `None` outside the set.
    fn height(&self, p: &[f64], barrier: f64) -> Option<f64> {
        let mut height = 0.0;
        for x in p {
            (*x > 0.0).then_some(())?;
            height -= x * ln(*x);
        }
        for row in &self.others {
            let slack = -dot(row, p);
            (slack > 0.0).then_some(())?;
            height += barrier * ln(slack);
        }
        Some(height)
    }

    /// Maximizes the height along the directions by Newton's method.
    fn climb(&self, p: &mut Vec<f64>, barrier: f64) {
        let Some(mut height) = self.height(p, barrier) else { return };
        let size = self.directions.len();
        for _ in 0..100 {
            let mut slope: Vec<f64> = p.iter().map(|x| -1.0 - ln(*x)).collect();
            let weights: Vec<f64> = self.others.iter().map(|row| 1.0 / -dot(row, p)).collect();
            for (row, weight) in self.others.iter().zip(&weights) {
                slope.iter_mut().zip(row).for_each(|(s, a)| *s -= barrier * weight * a);
            }
            let mut curve = zeros(size);
            for (i, u) in self.directions.iter().enumerate() {
                for (j, v) in self.directions.iter().enumerate() {
                    let entropy: f64 = (0..p.len()).map(|k| u[k] * v[k] / p[k]).sum();
                    let wall: f64 = self
                        .others
                        .iter()
                        .zip(&weights)
                        .map(|(row, w)| barrier * w * w * dot(row, u) * dot(row, v))
                        .sum();
                    curve[i][j] += entropy + wall;
                }
            }
            let along: Vec<f64> = self.directions.iter().map(|u| dot(u, &slope)).collect();
            let step = solve(&curve, &along);
            let gain = dot(&step, &along);
            if gain.is_nan() || gain < 1e-24 {
                return;
            }
            let mut part = 1.0;
            loop {
                let mut next = p.clone();
                for (u, s) in self.directions.iter().zip(&step) {
                    next.iter_mut().zip(u).for_each(|(x, d)| *x += part * s * d);
                }
                if let Some(higher) = self.height(&next, barrier)
                    && higher >= height + 0.1 * part * gain - 1e-15
                {
                    (*p, height) = (next, higher);
                    break;
                }
                part /= 2.0;
                if part < 1e-12 {
                    return;
                }
            }
        }
    }
}

/// Returns a basis of the null space of these equations (Gauss-Jordan with full pivoting).
fn null_space(mut equations: Vec<Vec<f64>>, width: usize) -> Vec<Vec<f64>> {
    let mut pivots: Vec<usize> = Vec::new();
    for row in 0..equations.len() {
        let lines = equations.iter().enumerate().skip(row);
        let cells =
            lines.flat_map(|(i, line)| line.iter().enumerate().map(move |(j, x)| (x, i, j)));
        let larger = |best: (f64, usize, usize), (x, i, j): (&f64, usize, usize)| {
            if x.abs() > best.0 { (x.abs(), i, j) } else { best }
        };
        let (size, i, j) = cells.fold((0.0, row, 0), larger);
        if size < TINY {
            break;
        }
        equations.swap(row, i);
        pivot(&mut equations, row, j);
        pivots.push(j);
    }
    (0..width)
        .filter(|j| !pivots.contains(j))
        .map(|free| {
            let mut vector = vec![0.0; width];
            vector[free] = 1.0;
            for (row, &j) in pivots.iter().enumerate() {
                vector[j] = -equations[row][free];
            }
            vector
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use parlour_base::chance::cases::{cases, number, numbers};

    use super::*;

    fn scores(payoffs: &[&[f64]]) -> Vec<Vec<f64>> {
        payoffs.iter().map(|row| row.iter().map(|x| 0.5 + x).collect()).collect()
    }

    fn near(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        let close = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6);
        assert!(close, "{found:?}, not {expected:?}");
    }

    #[test]
    fn rock_paper_scissors() {
        let plain = scores(&[&[0.0, -0.5, 0.5], &[0.5, 0.0, -0.5], &[-0.5, 0.5, 0.0]]);
        let (shares, against) = nash_average(&plain).unwrap();
        near(&shares, &[1.0 / 3.0; 3]);
        near(&against, &[0.5; 3]);
        // With stakes a, b, c on the three pairs, the shares are proportional to the stake of the
        // opposite pair.
        let staked = scores(&[&[0.0, -0.1, 0.4], &[0.1, 0.0, -0.2], &[-0.4, 0.2, 0.0]]);
        near(&nash_average(&staked).unwrap().0, &[2.0 / 7.0, 4.0 / 7.0, 1.0 / 7.0]);
    }

    #[test]
    fn copies_share_their_place() {
        // The invariance of Balduzzi et al. 2018: a strategy entered twice has a sixth each.
        let copied = scores(&[
            &[0.0, -0.4, 0.4, 0.4],
            &[0.4, 0.0, -0.4, -0.4],
            &[-0.4, 0.4, 0.0, 0.0],
            &[-0.4, 0.4, 0.0, 0.0],
        ]);
        let (shares, against) = nash_average(&copied).unwrap();
        near(&shares, &[1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0, 1.0 / 6.0]);
        near(&against, &[0.5; 4]);
    }

    #[test]
    fn the_best_of_a_ladder_has_all() {
        let ladder = scores(&[&[0.0, -0.1, -0.3], &[0.1, 0.0, -0.2], &[0.3, 0.2, 0.0]]);
        let (shares, against) = nash_average(&ladder).unwrap();
        near(&shares, &[0.0, 0.0, 1.0]);
        near(&against, &[0.2, 0.3, 0.5]);
    }

    #[test]
    fn constraints_may_limit_the_entropy() {
        // The first two are equal; the third loses to the first by 0.3 and beats the second by 0.1.
        // So the second may have at most three quarters: no limit to a half each. With the numbers
        // exchanged it may have at most a quarter.
        let free = scores(&[&[0.0, 0.0, 0.3], &[0.0, 0.0, -0.1], &[-0.3, 0.1, 0.0]]);
        near(&nash_average(&free).unwrap().0, &[0.5, 0.5, 0.0]);
        let held = scores(&[&[0.0, 0.0, 0.1], &[0.0, 0.0, -0.3], &[-0.1, 0.3, 0.0]]);
        near(&nash_average(&held).unwrap().0, &[0.75, 0.25, 0.0]);
    }

    #[test]
    fn degenerate_tables_are_defined() {
        assert_eq!(nash_average(&[]), None);
        assert_eq!(nash_average(&[vec![0.5, 0.5], vec![0.5]]), None);
        assert_eq!(nash_average(&[vec![f64::NAN]]), None);
        near(&nash_average(&[vec![0.5]]).unwrap().0, &[1.0]);
        near(&nash_average(&vec![vec![0.5; 5]; 5]).unwrap().0, &[0.2; 5]);
    }

    #[test]
    fn no_strategy_beats_the_mixture() {
        for mut chance in cases("no strategy beats the mixture", 256) {
            let cells = numbers(&mut chance, -5..6, 49..50);
            let n = number(&mut chance, 1..8) as usize;
            // Coarse payoffs, so that ties and sets of equilibria are common.
            let mut table = vec![vec![0.5; n]; n];
            for i in 0..n {
                for j in 0..i {
                    table[i][j] = 0.5 + cells[7 * i + j] as f64 / 10.0;
                    table[j][i] = 1.0 - table[i][j];
                }
            }
            let (shares, against) = nash_average(&table).unwrap();
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            for (share, score) in shares.iter().zip(&against) {
                assert!(*share >= 0.0 && *score <= 0.5 + 1e-8, "{shares:?} {against:?}");
                assert!(*share < 1e-6 || *score > 0.5 - 1e-8, "{shares:?} {against:?}");
            }
            // In another order, the same.
            let turn = |i: usize| (i + 1) % n;
            let turned: Vec<Vec<f64>> =
                (0..n).map(|i| (0..n).map(|j| table[turn(i)][turn(j)]).collect()).collect();
            let (other, _) = nash_average(&turned).unwrap();
            for i in 0..n {
                let apart = (other[i] - shares[turn(i)]).abs();
                assert!(apart < 1e-4, "{shares:?} {other:?}");
            }
        }
    }
}
