//! Small dense symmetric matrices.

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

    /// The lower factor `L` of a positive definite matrix `L·Lᵀ` (Cholesky). A pivot that rounding
    /// has made vanish is held just above zero.
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
    /// The solution `x` of `A·x = b`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_a_system() {
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
