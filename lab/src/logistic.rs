//! A logistic regression: how likely something is by some numbers, its weights as likely as can be.

/// What was seen once: the numbers, whether it was so, and for how much it counts.
pub struct Seen<const N: usize> {
    pub numbers: [f64; N],
    pub was: bool,
    pub counts: f64,
}

/// For how many that were seen the guess beforehand counts that a number says nothing.
const RIDGE: f64 = 1.0;

/// Newton's steps are few; more would change nothing.
const STEPS: usize = 12;

/// The weights, that of no number first; `chance` makes a chance of the logarithm of odds.
pub fn fit<const N: usize>(seen: &[Seen<N>], chance: impl Fn(f64) -> f64) -> (f64, [f64; N]) {
    let all: f64 = seen.iter().map(|one| one.counts).sum();
    let mean = |of: &dyn Fn(&Seen<N>) -> f64| {
        seen.iter().map(|one| one.counts * of(one)).sum::<f64>() / all.max(f64::MIN_POSITIVE)
    };
    // Numbers of one size, so that the guess beforehand bears on all alike.
    let means: [f64; N] = std::array::from_fn(|at| mean(&|one| one.numbers[at]));
    let sizes: [f64; N] = std::array::from_fn(|at| {
        let square = mean(&|one| (one.numbers[at] - means[at]) * (one.numbers[at] - means[at]));
        if square > 0.0 { square.sqrt() } else { 1.0 }
    });
    let scaled = |one: &Seen<N>| -> Vec<f64> {
        let numbers = (0..N).map(|at| (one.numbers[at] - means[at]) / sizes[at]);
        std::iter::once(1.0).chain(numbers).collect()
    };
    let rows: Vec<Vec<f64>> = seen.iter().map(scaled).collect();
    let mut weights = vec![0.0; N + 1];
    for _ in 0..STEPS {
        let mut slope: Vec<f64> = weights.iter().map(|weight| -RIDGE * weight).collect();
        let mut bend = vec![vec![0.0; N + 1]; N + 1];
        (1..=N).for_each(|at| bend[at][at] = RIDGE);
        slope[0] = 0.0;
        for (one, row) in seen.iter().zip(&rows) {
            let p = chance(row.iter().zip(&weights).map(|(x, weight)| x * weight).sum());
            let error = one.counts * (f64::from(u8::from(one.was)) - p);
            let spread = one.counts * p * (1.0 - p);
            for (at, x) in row.iter().enumerate() {
                slope[at] += error * x;
                bend[at].iter_mut().zip(row).for_each(|(bend, y)| *bend += spread * x * y);
            }
        }
        let step = solved(bend, slope);
        weights.iter_mut().zip(step).for_each(|(weight, step)| *weight += step);
    }
    let weight = std::array::from_fn(|at| weights[at + 1] / sizes[at]);
    let base = (0..N).fold(weights[0], |base, at| base - weight[at] * means[at]);
    (base, weight)
}

/// Solves linear equations by elimination; what cannot be told apart is left as it is.
fn solved(mut left: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let count = right.len();
    for at in 0..count {
        let largest = (at..count).max_by(|&a, &b| left[a][at].abs().total_cmp(&left[b][at].abs()));
        let largest = largest.unwrap_or(at);
        left.swap(at, largest);
        right.swap(at, largest);
        let pivot = left[at].clone();
        if pivot[at].abs() < 1e-12 {
            right[at] = 0.0;
            continue;
        }
        for other in (0..count).filter(|other| *other != at) {
            let times = left[other][at] / pivot[at];
            left[other].iter_mut().zip(&pivot).for_each(|(x, y)| *x -= times * y);
            right[other] -= times * right[at];
        }
    }
    (0..count)
        .map(|at| if left[at][at].abs() < 1e-12 { 0.0 } else { right[at] / left[at][at] })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chance(odds: f64) -> f64 {
        1.0 / (1.0 + (-odds).exp())
    }

    #[test]
    fn weights_that_made_the_data_are_found_again() {
        // Each pair of numbers counts as often as it would be seen.
        let of = |x: f64, y: f64| chance(-0.5 + 1.5 * x - 0.25 * y);
        let grid =
            (0..20).flat_map(|x| (0..20).map(move |y| (f64::from(x) / 5.0 - 2.0, f64::from(y))));
        let seen: Vec<Seen<2>> = grid
            .flat_map(|(x, y)| {
                [(true, of(x, y)), (false, 1.0 - of(x, y))].map(|(was, p)| Seen {
                    numbers: [x, y],
                    was,
                    counts: 1000.0 * p,
                })
            })
            .collect();
        let (base, weights) = fit(&seen, chance);
        assert!((base + 0.5).abs() < 0.01 && (weights[0] - 1.5).abs() < 0.01, "{base} {weights:?}");
        assert!((weights[1] + 0.25).abs() < 0.01, "{weights:?}");
    }
}
