//! Bradley-Terry ratings from games of two, with draws and a seat term.

use super::matrix::{Matrix, solve, zeros};
use parlour_base::maths::exact::{exp, ln, ln_1p};

/// Elo points per natural unit of log-strength: 400 / ln 10. A difference of 400 points means ten
/// wins to one loss.
pub const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The number of virtual games that [`rate`] adds for each pair that met.
pub const PRIOR: f64 = 1.0;

/// Newton's method stops when its step is shorter than this, in natural units, or when steps below
/// [`SHORT`] no longer shrink. So the tallies decide every digit that is written, not the last bit
/// of a logarithm.
const TOLERANCE: f64 = 1e-12;

/// Below this length, each step is far shorter than the one before.
const SHORT: f64 = 1e-2;

/// The results of two strategies in one seat order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PairResults {
    /// The strategy that moved first.
    pub first: usize,
    /// The strategy that moved second; it may be the same.
    pub second: usize,
    /// The games that the first won, those without a winner, and those that the second won.
    pub counts: [u64; 3],
}

impl PairResults {
    /// Returns the number of games.
    pub fn games(&self) -> f64 {
        self.counts.iter().map(|&n| n as f64).sum()
    }
}

/// Ratings on the Elo scale.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// The rating of each strategy. Within each group of strategies that are linked by games
    /// the mean is 0; ratings of different groups cannot be compared.
    pub ratings: Vec<f64>,
    /// The number of each strategy's group, from 0 in order of first appearance.
    pub groups: Vec<usize>,
    /// The value of moving first, in Elo points: a player in the first seat plays as if rated this
    /// much higher.
    pub seat: f64,
    /// The draw parameter ν ≥ 0: draws for each `√(wins · losses)`.
    pub draw: f64,
    /// `true` if the fit converged; it does unless counts exceed the resolution of floats.
    pub converged: bool,
}

/// Returns the probabilities of win, draw and loss from a difference in log-strength and the log of
/// the draw parameter.
fn outcome(difference: f64, draw: f64) -> [f64; 3] {
    let logs = [difference / 2.0, draw, -difference / 2.0];
    let largest = logs.iter().copied().fold(f64::MIN, f64::max);
    let weights = logs.map(|x| exp(x - largest));
    let sum: f64 = weights.iter().sum();
    weights.map(|x| x / sum)
}

/// Rates strategies `0..strategies` from their games.
///
/// The model is Davidson's. With strengths `π`, a first seat worth the factor `σ`, and a draw
/// parameter `ν`, win : draw : loss of the first is `√(σπ_i/π_j) : ν : √(π_j/σπ_i)` (Bradley and
/// Terry 1952; Davidson, *On extending the Bradley-Terry model to accommodate ties*, JASA 65,
/// 1970). The order effect is that of Davidson and Beaver, Biometrics 33, 1977, with `√σ` moved
/// into `ν`. Unlike Rao and Kupper's model (1967), it is log-linear: scores are its sufficient
/// statistics. So a draw counts as exactly half a win, and the likelihood is concave. Ratings are
/// `400·log10 π`.
///
/// Newton's method maximizes the likelihood, damped by `ln(1 + β)/β`, where `β` is `√3` times the
/// length of the step. `√3` bounds how fast the logarithms of win, draw and loss diverge, so every
/// step gains (Sun and Tran-Dinh, *Generalized self-concordant functions*, Mathematical Programming
/// 178, 2019).
///
/// Each pair that met also plays one virtual game, spread evenly over both seat orders and the
/// three outcomes. This is a proper prior, as in Caron and Doucet, *Efficient Bayesian inference
/// for generalized Bradley-Terry models*, 2012. It makes every answer finite, even if Hunter's
/// condition fails (all wins, all draws, one seat order only; *MM algorithms for generalized
/// Bradley-Terry models*, Annals of Statistics 32, 2004). Strategies without a chain of games
/// between them are rated in separate groups; one without games has rating 0. Without any game the
/// seat is worth 0 and `ν` is 1. Results that name a strategy out of range are ignored.
///
/// A hand of `k` seats counts as `k·(k − 1)/2` games of two, which the better score wins and equal
/// scores draw (**pairwise from ranks**). In the model of Plackett (1975) and Luce (1959) the order
/// of any two is a Bradley-Terry game whoever else takes part. So the strengths are those of the
/// full ranking (a composite likelihood: Varin, Reid and Firth, *An overview of composite
/// likelihood methods*, Statistica Sinica 21, 2011). Unlike Plackett-Luce, ties are allowed. The
/// seat term is then the value of sitting earlier. Games of one hand are not independent: intervals
/// must come from the jackknife over chunks of deals.
pub fn rate(strategies: usize, meetings: &[PairResults]) -> Ratings {
    rate_with_prior(strategies, meetings, PRIOR)
}

/// Rates as [`rate`] does with another number of virtual games per pair, at least 10⁻⁶.
pub fn rate_with_prior(strategies: usize, meetings: &[PairResults], prior: f64) -> Ratings {
    let fit = Fit::new(strategies, meetings, prior.max(1e-6));
    let mut x = vec![0.0; strategies];
    x.extend([0.0, fit.draws()]);
    let mut converged = fit.rows.is_empty();
    let mut before = f64::INFINITY;
    for _ in 0..500 {
        if converged {
            break;
        }
        let (slope, curve) = fit.slope(&x);
        let step = solve(&curve, &slope);
        let length = step.iter().map(|s| s * s).sum::<f64>().sqrt();
        converged = length < TOLERANCE || (length < SHORT && length >= before);
        before = length;
        let reach = 3f64.sqrt() * length;
        let part = if reach > 0.0 { ln_1p(reach) / reach } else { 1.0 };
        x.iter_mut().zip(step).for_each(|(x, s)| *x += part * s);
    }
    fit.finish(&x, converged)
}

/// The likelihood. Its parameters are the log-strengths, the seat's, and the log of `ν`.
struct Fit {
    strategies: usize,
    groups: Vec<usize>,
    /// First, second, and the three counts including virtual games.
    rows: Vec<(usize, usize, [f64; 3])>,
    /// The curvature that keeps each group's mean at 0; any positive number gives the same answer.
    anchor: f64,
}

impl Fit {
    fn new(strategies: usize, meetings: &[PairResults], prior: f64) -> Fit {
        let counted =
            |m: &&PairResults| m.first < strategies && m.second < strategies && m.games() > 0.0;
        let mut rows = Vec::new();
        let mut met = std::collections::BTreeSet::new();
        let mut groups: Vec<usize> = (0..strategies).collect();
        for m in meetings.iter().filter(counted) {
            rows.push((m.first, m.second, m.counts.map(|n| n as f64)));
            met.insert((m.first.min(m.second), m.first.max(m.second)));
            let (from, to) = (groups[m.second], groups[m.first]);
            groups.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
        }
        for (a, b) in met {
            rows.push((a, b, [prior / 6.0; 3]));
            rows.push((b, a, [prior / 6.0; 3]));
        }
        let mut names: Vec<usize> = Vec::new();
        for group in &mut groups {
            let known = names.iter().position(|name| name == group);
            names.extend(known.is_none().then_some(*group));
            *group = known.unwrap_or(names.len() - 1);
        }
        let games: f64 = rows.iter().map(|(_, _, counts)| counts.iter().sum::<f64>()).sum();
        let anchor = (games / strategies.max(1) as f64).max(1.0);
        Fit { strategies, groups, rows, anchor }
    }

    /// Returns the log of the draw parameter if all were equal, as a start.
    fn draws(&self) -> f64 {
        let sum = |place: usize| self.rows.iter().map(|(_, _, counts)| counts[place]).sum::<f64>();
        let (decided, draws) = (sum(0) + sum(2), sum(1));
        if draws > 0.0 { ln(2.0 * draws / decided) } else { 0.0 }
    }

    fn difference(&self, x: &[f64], first: usize, second: usize) -> f64 {
        x[first] - x[second] + x[self.strategies]
    }

    /// Returns the gradient of the log-likelihood and its negative Hessian.
    fn slope(&self, x: &[f64]) -> (Vec<f64>, Matrix) {
        let (seat, draw) = (self.strategies, self.strategies + 1);
        let mut slope = vec![0.0; draw + 1];
        let mut curve = zeros(draw + 1);
        for &(first, second, counts) in &self.rows {
            let games: f64 = counts.iter().sum();
            let p = outcome(self.difference(x, first, second), x[draw]);
            let edge = p[0] - p[2];
            // In the difference d = a_first − a_second + seat, and in the log of ν.
            let by_d = (counts[0] - counts[2] - games * edge) / 2.0;
            let by_draw = counts[1] - games * p[1];
            let curve_d = games * (p[0] + p[2] - edge * edge) / 4.0;
            let curve_both = -games * p[1] * edge / 2.0;
            let mut parts = vec![(seat, 1.0)];
            if first != second {
                parts.extend([(first, 1.0), (second, -1.0)]);
            }
            for &(i, sign) in &parts {
                slope[i] += sign * by_d;
                curve[i][draw] += sign * curve_both;
                curve[draw][i] += sign * curve_both;
                for &(j, other) in &parts {
                    curve[i][j] += sign * other * curve_d;
                }
            }
            slope[draw] += by_draw;
            curve[draw][draw] += games * p[1] * (1.0 - p[1]);
        }
        for (i, group) in self.groups.iter().enumerate() {
            for j in (0..seat).filter(|&j| self.groups[j] == *group) {
                curve[i][j] += self.anchor;
            }
        }
        (slope, curve)
    }

    fn finish(self, x: &[f64], converged: bool) -> Ratings {
        let n = self.strategies;
        let rating = |i: usize| {
            let group = (0..n).filter(|&j| self.groups[j] == self.groups[i]).map(|j| x[j]);
            let mean = group.clone().sum::<f64>() / group.count() as f64;
            (x[i] - mean) * ELO
        };
        let ratings = (0..n).map(rating).collect();
        Ratings { ratings, groups: self.groups, seat: x[n] * ELO, draw: exp(x[n + 1]), converged }
    }
}

#[cfg(test)]
mod tests {
    use parlour_base::chance::Stream;
    use parlour_base::chance::cases::{cases, number};

    use super::*;
    use parlour_base::maths::exact::log10;

    fn meeting(first: usize, second: usize, counts: [u64; 3]) -> PairResults {
        PairResults { first, second, counts }
    }

    /// Counts as the model expects them, of many games.
    fn expected(ratings: &[f64], seat: f64, draw: f64) -> Vec<PairResults> {
        let mut meetings = Vec::new();
        for i in 0..ratings.len() {
            for j in (0..ratings.len()).filter(|&j| j != i) {
                let p = outcome((ratings[i] - ratings[j] + seat) / ELO, ln(draw));
                meetings.push(meeting(i, j, p.map(|p| (p * 1e9).round() as u64)));
            }
        }
        meetings
    }

    #[test]
    fn known_ratings_are_recovered() {
        let truth = [-120.0, -30.0, 0.0, 150.0];
        let found = rate(4, &expected(&truth, 35.0, 0.6));
        assert!(found.converged);
        for (a, b) in found.ratings.iter().zip(truth) {
            assert!((a - b).abs() < 1e-3, "{found:?}");
        }
        assert!((found.seat - 35.0).abs() < 1e-3 && (found.draw - 0.6).abs() < 1e-5);
    }

    #[test]
    fn baseball_matches_published_abilities() {
        // The American League of 1987, home wins and losses: Agresti, *Categorical Data Analysis*
        // (2nd edition 2002), tables 10.10 and 10.11; with the home term the fit is printed by
        // Turner and Firth, *Bradley-Terry models in R* (2012).
        let home = [
            [(0, 0), (4, 3), (4, 2), (4, 3), (6, 1), (4, 2), (6, 0)],
            [(3, 3), (0, 0), (4, 2), (4, 3), (6, 0), (6, 1), (4, 3)],
            [(2, 5), (4, 3), (0, 0), (2, 4), (4, 3), (4, 2), (6, 0)],
            [(3, 3), (5, 1), (2, 5), (0, 0), (4, 3), (4, 2), (6, 1)],
            [(5, 1), (2, 5), (3, 3), (4, 2), (0, 0), (5, 2), (6, 0)],
            [(2, 5), (3, 3), (3, 4), (4, 3), (4, 2), (0, 0), (2, 4)],
            [(2, 5), (1, 5), (1, 6), (2, 4), (1, 6), (3, 4), (0, 0)],
        ];
        let mut games = Vec::new();
        for (i, row) in home.iter().enumerate() {
            games.extend(row.iter().enumerate().map(|(j, &(w, l))| meeting(i, j, [w, 0, l])));
        }
        let found = rate_with_prior(7, &games, 0.0);
        assert!(found.converged);
        let published = [1.6196, 1.4754, 1.3271, 1.2813, 1.1438, 0.7047, 0.0];
        for (rating, ability) in found.ratings.iter().zip(published) {
            assert!(((rating - found.ratings[6]) / ELO - ability).abs() < 1e-4, "{found:?}");
        }
        assert!((found.seat / ELO - 0.3023).abs() < 1e-4);
    }

    #[test]
    fn draws_and_seats_match_another_optimizer() {
        // The same likelihood raised by SciPy's BFGS and then Nelder-Mead, without the virtual
        // games and with them.
        let games = [
            meeting(0, 1, [34, 12, 21]),
            meeting(1, 0, [25, 9, 33]),
            meeting(0, 2, [40, 8, 11]),
            meeting(2, 0, [15, 14, 30]),
            meeting(1, 2, [28, 15, 22]),
            meeting(2, 1, [23, 11, 31]),
        ];
        for (prior, ratings, seat, draw) in [
            (0.0, [77.313_83, -7.061_61, -70.252_22], 20.233_06, 0.460_766),
            (PRIOR, [76.760_46, -7.020_61, -69.739_84], 20.083_72, 0.464_196),
        ] {
            let found = rate_with_prior(3, &games, prior);
            for (a, b) in found.ratings.iter().zip(ratings) {
                assert!((a - b).abs() < 1e-3, "{found:?}");
            }
            assert!((found.seat - seat).abs() < 1e-3 && (found.draw - draw).abs() < 1e-5);
        }
    }

    #[test]
    fn one_pair_matches_the_closed_form() {
        // Both orders alike: the seat is worth nothing, the rating difference is
        // 400·log10(wins/losses), ν = draws/√(wins·losses).
        let games = [
            meeting(0, 1, [6_000_000, 3_000_000, 1_000_000]),
            meeting(1, 0, [1_000_000, 3_000_000, 6_000_000]),
        ];
        let found = rate(2, &games);
        assert!((found.ratings[0] - found.ratings[1] - 400.0 * log10(6.0)).abs() < 1e-3);
        assert!(found.seat.abs() < 1e-6);
        assert!((found.draw - 3.0 / 6f64.sqrt()).abs() < 1e-5);
        let p = outcome((found.ratings[0] - found.ratings[1] + found.seat) / ELO, ln(found.draw));
        assert!((p[0] - 0.6).abs() < 1e-6 && (p[1] - 0.3).abs() < 1e-6);
    }

    #[test]
    fn degenerate_tournaments_have_finite_answers() {
        let wins = rate(2, &[meeting(0, 1, [1000, 0, 0]), meeting(1, 0, [0, 0, 1000])]);
        assert!(wins.converged && wins.ratings[0] > 500.0 && wins.ratings[0] < 2000.0);
        let draws = rate(2, &[meeting(0, 1, [0, 1000, 0]), meeting(1, 0, [0, 1000, 0])]);
        assert!(draws.converged && draws.ratings[0].abs() < 1e-9 && draws.draw > 100.0);
        assert!(draws.draw.is_finite());
        let order = rate(2, &[meeting(0, 1, [1000, 0, 0])]);
        assert!(order.converged && order.seat.is_finite() && order.ratings[0] > 0.0);
        let alone = rate(1, &[meeting(0, 0, [600, 0, 400])]);
        assert!((alone.seat - 400.0 * log10(1.5)).abs() < 1.0);
        assert_eq!(alone.ratings, [0.0]);
        let none = rate(3, &[]);
        assert_eq!((none.ratings, none.seat, none.draw), (vec![0.0; 3], 0.0, 1.0));
        assert_eq!(none.groups, [0, 1, 2]);
        assert!(rate(0, &[]).ratings.is_empty());
        assert!(rate(1, &[meeting(0, 7, [5, 5, 5])]).converged);
    }

    #[test]
    fn the_order_of_strategies_does_not_matter() {
        // Strategies in another order are rounded otherwise on the way. Nearly all meetings are won
        // by the stronger, so that the likelihood is flat.
        let truth = [-700.0, -250.0, 0.0, 40.0, 910.0];
        let games = expected(&truth, 35.0, 0.01);
        let turn = |i: usize| (i + 2) % 5;
        let turned: Vec<PairResults> = games
            .iter()
            .rev()
            .map(|game| PairResults { first: turn(game.first), second: turn(game.second), ..*game })
            .collect();
        let (found, other) = (rate(5, &games), rate(5, &turned));
        for (i, rating) in found.ratings.iter().enumerate() {
            assert!((rating - other.ratings[turn(i)]).abs() < 1e-8, "{found:?} {other:?}");
        }
        assert!((found.seat - other.seat).abs() < 1e-8);
    }

    #[test]
    fn groups_that_never_met_are_rated_separately() {
        let games = [
            meeting(0, 2, [700, 0, 300]),
            meeting(2, 0, [300, 0, 700]),
            meeting(1, 3, [500, 0, 500]),
            meeting(3, 1, [500, 0, 500]),
        ];
        let found = rate(5, &games);
        assert_eq!(found.groups, [0, 1, 0, 1, 2]);
        assert!((found.ratings[0] + found.ratings[2]).abs() < 1e-9 && found.ratings[0] > 50.0);
        assert!(found.ratings[1].abs() < 1e-6 && found.ratings[4] == 0.0);
    }

    #[test]
    fn every_tournament_has_a_finite_answer() {
        for mut chance in cases("every tournament has a finite answer", 256) {
            // Counts of all sizes, from none to 2⁴⁰.
            let most = chance.below(41) + 1;
            let game = |chance: &mut Stream| {
                let [i, j] = [(); 2].map(|()| chance.below(4) as usize);
                meeting(i, j, [(); 3].map(|()| (1u64 << (chance.below(42) % most)) >> 1))
            };
            let count = number(&mut chance, 0..12);
            let games: Vec<PairResults> = (0..count).map(|_| game(&mut chance)).collect();
            let found = rate(4, &games);
            // Beyond that the virtual games may vanish in the rounding of the real ones.
            let moderate = games.iter().all(|game| game.games() < 1e6);
            assert!(found.converged || !moderate, "{games:?} {found:?}");
            assert!(found.seat.is_finite() && found.draw.is_finite(), "{games:?}");
            assert!(found.ratings.iter().all(|x| x.is_finite()), "{games:?}");
        }
    }
}
