//! Small dense symmetric matrices, and the simplex method for small linear programs.

/// A square matrix, row by row.
pub(super) type Matrix = Vec<Vec<f64>>;

/// Returns a matrix of zeros.
pub(super) fn zeros(size: usize) -> Matrix {
    vec![vec![0.0; size]; size]
}

/// Returns the solution `x` of `A·x = b` for a positive definite matrix `A`.
pub(super) fn solve(matrix: &[Vec<f64>], b: &[f64]) -> Vec<f64> {
    let l = cholesky(matrix);
    solve_upper(&l, solve_lower(&l, b.to_vec()))
}

/// Returns the lower factor `L` with `A = L·Lᵀ` (Cholesky). A pivot that rounding made vanish is
/// held just above zero.
pub(super) fn cholesky(matrix: &[Vec<f64>]) -> Matrix {
    let n = matrix.len();
    let largest = (0..n).map(|i| matrix[i][i]).fold(0.0, f64::max);
    let least = (largest * 1e-14).max(f64::MIN_POSITIVE);
    let mut l = zeros(n);
    for i in 0..n {
        for j in 0..=i {
            let dot: f64 = (0..j).map(|k| l[i][k] * l[j][k]).sum();
            let rest = matrix[i][j] - dot;
            l[i][j] += if i == j { rest.max(least).sqrt() } else { rest / l[j][j] };
        }
    }
    l
}

/// Solves `L·x = b`.
pub(super) fn solve_lower(l: &[Vec<f64>], mut x: Vec<f64>) -> Vec<f64> {
    for i in 0..l.len() {
        let dot: f64 = (0..i).map(|k| l[i][k] * x[k]).sum();
        x[i] = (x[i] - dot) / l[i][i];
    }
    x
}

/// Solves `Lᵀ·x = b`.
pub(super) fn solve_upper(l: &[Vec<f64>], mut x: Vec<f64>) -> Vec<f64> {
    for i in (0..l.len()).rev() {
        let dot: f64 = (i + 1..l.len()).map(|k| l[k][i] * x[k]).sum();
        x[i] = (x[i] - dot) / l[i][i];
    }
    x
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
    let goal: Vec<f64> = gain.iter().map(|x| -x).collect();
    let mut tableau: Vec<Vec<f64>> = rows.iter().chain([&goal]).cloned().collect();
    tableau.iter_mut().for_each(|line| line.resize(width, 0.0));
    for (index, (line, bound)) in tableau.iter_mut().zip(bounds).enumerate() {
        line[variables + index] = 1.0;
        line[width - 1] = bound.max(0.0);
    }
    let mut basis: Vec<usize> = (variables..variables + constraints).collect();
    for _ in 0..1000 * (width + 1) {
        let Some(enter) = (0..width - 1).find(|&j| tableau[constraints][j] < -TINY) else {
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
        for (row, &variable) in basis.iter().enumerate().filter(|(i, _)| tableau[*i][enter] > TINY)
        {
            let ratio = tableau[row][width - 1] / tableau[row][enter];
            let closer = leave.is_none_or(|(least, best)| {
                ratio < least - TINY || (ratio <= least + TINY && variable < basis[best])
            });
            if closer {
                leave = Some((ratio, row));
            }
        }
        let (_, row) = leave?;
        pivot(&mut tableau, row, enter);
        basis[row] = enter;
    }
    None
}

/// Scales a row so that its cell in this column is 1, and subtracts it from all other rows so that
/// theirs are 0.
pub(super) fn pivot(rows: &mut [Vec<f64>], row: usize, column: usize) {
    let cell = rows[row][column];
    rows[row].iter_mut().for_each(|x| *x /= cell);
    let line = rows[row].clone();
    for (index, other) in rows.iter_mut().enumerate() {
        let factor = other[column];
        if index != row && factor != 0.0 {
            other.iter_mut().zip(&line).for_each(|(x, y)| *x -= factor * y);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cholesky_solves_a_system() {
        let a = [vec![4.0, 2.0, 0.4], vec![2.0, 3.0, 0.1], vec![0.4, 0.1, 1.0]];
        let x = solve(&a, &[1.0, -2.0, 3.0]);
        for (i, b) in [1.0, -2.0, 3.0].iter().enumerate() {
            let found: f64 = (0..3).map(|j| a[i][j] * x[j]).sum();
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
