//! Small dense symmetric matrices, and the simplex method for small linear programs.

/// A square matrix, row by row.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    pub(super) fn zero(size: usize) -> Matrix {
        Matrix { size, cells: vec![0.0; size * size] }
    }

    pub(super) fn get(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    pub(super) fn add(&mut self, row: usize, column: usize, x: f64) {
        self.cells[row * self.size + column] += x;
    }

    /// Returns the lower factor `L` of a positive definite matrix `L·Lᵀ` (Cholesky). A pivot that
    /// rounding made vanish is held just above zero.
    pub(super) fn factor(&self) -> Factor {
        let n = self.size;
        let largest = (0..n).map(|i| self.get(i, i)).fold(0.0, f64::max);
        let least = (largest * 1e-14).max(f64::MIN_POSITIVE);
        let mut l = Matrix::zero(n);
        for i in 0..n {
            for j in 0..=i {
                let dot: f64 = (0..j).map(|k| l.get(i, k) * l.get(j, k)).sum();
                let rest = self.get(i, j) - dot;
                let x = if i == j { rest.max(least).sqrt() } else { rest / l.get(j, j) };
                l.add(i, j, x);
            }
        }
        Factor(l)
    }
}

/// The Cholesky factor of a positive definite matrix.
pub(super) struct Factor(Matrix);

impl Factor {
    /// Returns the solution `x` of `A·x = b`.
    pub(super) fn solve(&self, b: &[f64]) -> Vec<f64> {
        let (l, n) = (&self.0, b.len());
        let mut x = b.to_vec();
        for i in 0..n {
            let dot: f64 = (0..i).map(|k| l.get(i, k) * x[k]).sum();
            x[i] = (x[i] - dot) / l.get(i, i);
        }
        for i in (0..n).rev() {
            let dot: f64 = (i + 1..n).map(|k| l.get(k, i) * x[k]).sum();
            x[i] = (x[i] - dot) / l.get(i, i);
        }
        x
    }
}

/// The tolerance for zero, for numbers of order 1.
const TINY: f64 = 1e-10;

/// Maximizes `gain · x` over `rows · x ≤ bounds`, `x ≥ 0`. No bound may be negative, so `x = 0` is
/// feasible. Dantzig's simplex method runs on a full tableau with Bland's rule, which cannot cycle
/// (*New finite pivoting rules for the simplex method*, 1977). Coefficients should be of order 1.
/// Returns `None` if the gain is unbounded or the steps run out.
pub(super) fn maximize(gain: &[f64], rows: &[Vec<f64>], bounds: &[f64]) -> Option<Vec<f64>> {
    let (variables, constraints) = (gain.len(), rows.len());
    let width = variables + constraints + 1;
    // One row per constraint with its slack, then the bound. The last row is the negative gain.
    let mut tableau: Vec<Vec<f64>> = rows
        .iter()
        .zip(bounds)
        .enumerate()
        .map(|(index, (row, bound))| {
            let mut line = row.clone();
            line.resize(width, 0.0);
            line[variables + index] = 1.0;
            line[width - 1] = bound.max(0.0);
            line
        })
        .collect();
    let mut goal: Vec<f64> = gain.iter().map(|x| -x).collect();
    goal.resize(width, 0.0);
    let mut basis: Vec<usize> = (variables..variables + constraints).collect();
    for _ in 0..1000 * (width + 1) {
        let Some(enter) = (0..width - 1).find(|&j| goal[j] < -TINY) else {
            let mut x = vec![0.0; variables];
            for (line, &variable) in tableau.iter().zip(&basis) {
                if variable < variables {
                    x[variable] = line[width - 1].max(0.0);
                }
            }
            return Some(x);
        };
        // The tightest bound; among equals the variable with the lowest index leaves.
        let mut leave: Option<(f64, usize)> = None;
        for (row, line) in tableau.iter().enumerate().filter(|(_, line)| line[enter] > TINY) {
            let ratio = line[width - 1] / line[enter];
            let closer = leave.is_none_or(|(least, best)| {
                ratio < least - TINY || (ratio <= least + TINY && basis[row] < basis[best])
            });
            if closer {
                leave = Some((ratio, row));
            }
        }
        let (_, row) = leave?;
        let pivot = tableau[row][enter];
        tableau[row].iter_mut().for_each(|x| *x /= pivot);
        let line = tableau[row].clone();
        let eliminate = |other: &mut Vec<f64>| {
            let factor = other[enter];
            if factor != 0.0 {
                other.iter_mut().zip(&line).for_each(|(x, y)| *x -= factor * y);
                other[enter] = 0.0;
            }
        };
        tableau.iter_mut().enumerate().filter(|(i, _)| *i != row).for_each(|(_, l)| eliminate(l));
        eliminate(&mut goal);
        basis[row] = enter;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cholesky_solves_a_system() {
        let mut a = Matrix::zero(3);
        for (i, row) in [[4.0, 2.0, 0.4], [2.0, 3.0, 0.1], [0.4, 0.1, 1.0]].iter().enumerate() {
            for (j, &x) in row.iter().enumerate() {
                a.add(i, j, x);
            }
        }
        let x = a.factor().solve(&[1.0, -2.0, 3.0]);
        for (i, b) in [1.0, -2.0, 3.0].iter().enumerate() {
            let found: f64 = (0..3).map(|j| a.get(i, j) * x[j]).sum();
            assert!((found - b).abs() < 1e-12);
        }
    }
}

#[cfg(test)]
mod simplex_tests {
    use super::*;

    #[test]
    fn textbook_programs_are_solved() {
        // Max 3x + 5y with x ≤ 4, 2y ≤ 12, 3x + 2y ≤ 18 (Hillier and Lieberman): (2, 6).
        let rows = [vec![1.0, 0.0], vec![0.0, 2.0], vec![3.0, 2.0]];
        let x = maximize(&[3.0, 5.0], &rows, &[4.0, 12.0, 18.0]).unwrap();
        assert!((x[0] - 2.0).abs() < 1e-9 && (x[1] - 6.0).abs() < 1e-9);
        assert_eq!(maximize(&[1.0], &[vec![-1.0]], &[0.0]), None);
        // Beale's example, on which Dantzig's own rule cycles: 1/20 at (1/25, 0, 1, 0).
        let rows =
            [vec![0.25, -60.0, -0.04, 9.0], vec![0.5, -90.0, -0.02, 3.0], vec![0.0, 0.0, 1.0, 0.0]];
        let x = maximize(&[0.75, -150.0, 0.02, -6.0], &rows, &[0.0, 0.0, 1.0]).unwrap();
        assert!((x[0] - 0.04).abs() < 1e-9 && (x[2] - 1.0).abs() < 1e-9);
    }
}
