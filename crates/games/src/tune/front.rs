//! Better rules: the combinations of values that no other combination beats in every wish.
//!
//! All combinations play a few deals. They are sorted into layers, of which the first holds those
//! that no other dominates, the second those that only the first does, and so on (Deb et al., *A fast
//! and elitist multiobjective genetic algorithm: NSGA-II*, IEEE Transactions on Evolutionary
//! Computation 6, 2002). The better half plays twice as many deals, which begin with the same ones.
//! The first layer of the last round is the front; it is played again on fresh deals, beside the
//! rules that the search began with.

use parlour_arena::{DynPlan, Experiment, Plan, Variant, VariantSpec};
use parlour_base::chance::Seed;
use parlour_base::error::{Error, Result, ensure, unknown};
use parlour_game::Sweep;
use parlour_game::strategy::Strategic;
use parlour_report::{Comparison, Difference, Summary, tuning_warning};
use parlour_stats::{holm, is_significant};

/// The most rule sets of the last round.
const LAST: usize = 12;

/// The fewest deals of a round.
const FEWEST: u64 = 64;

/// What is wished for a figure.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Wish {
    /// As near to a number as can be.
    Near(f64),
    /// As little as can be.
    Least,
    /// As much as can be.
    Most,
}

/// A figure, and what is wished for it.
#[derive(Clone, PartialEq, Debug)]
pub struct Aim {
    /// A column of `variants.csv`.
    pub figure: String,
    /// What is wished.
    pub wish: Wish,
}

impl Aim {
    /// Reads `FIGURE=min`, `FIGURE=max` or `FIGURE=NUMBER`.
    ///
    /// # Errors
    /// Bad input when it is none of them.
    pub fn parse(text: &str) -> Result<Aim> {
        let (figure, wish) = text.split_once('=').unwrap_or((text, ""));
        let wish = match wish.trim() {
            "min" => Wish::Least,
            "max" => Wish::Most,
            number => match number.parse::<f64>() {
                Ok(number) if number.is_finite() => Wish::Near(number),
                _ => {
                    return Err(Error::input(format!(
                        "`{text}` is no aim: write FIGURE=min, FIGURE=max or FIGURE=NUMBER"
                    )));
                }
            },
        };
        Ok(Aim { figure: figure.trim().to_owned(), wish })
    }

    /// How far a number is from what is wished; less is better.
    pub fn loss(&self, number: f64) -> f64 {
        match self.wish {
            Wish::Near(aim) => (number - aim).abs(),
            Wish::Least => number,
            Wish::Most => -number,
        }
    }
}

/// A search for a front of rule sets.
pub struct FrontTask<'a> {
    /// The variant that it begins with.
    pub base: &'a str,
    /// The rules that may change, with their values.
    pub sweep: &'a Sweep,
    /// What is wished.
    pub aims: &'a [Aim],
    /// The strategies whose play shows what the rules do.
    pub strategies: &'a [String],
    /// Deals of each rule set in the last round; each round before has half of them.
    pub deals: u64,
    /// Fresh deals on which the front is confirmed.
    pub confirm: u64,
    /// What all chance grows from.
    pub seed: u64,
}

/// A front on fresh deals.
pub struct Front {
    /// The run on fresh deals; its first variant is the one that the search began with, all others
    /// are what the search came to.
    pub summary: Summary,
    /// The figures that are aimed at, by number.
    pub aimed: Vec<usize>,
    /// How many rule sets were tried.
    pub tried: usize,
    /// How any two of the variants differ in the aims.
    pub steps: Vec<Step>,
    /// The variants that no other beats on the fresh deals.
    pub held: Vec<usize>,
}

/// From one variant to another.
pub struct Step {
    /// The one, by its number in the summary.
    pub from: usize,
    /// The other.
    pub to: usize,
    /// For each aim whether the other is clearly nearer to it; `None` without a clear difference.
    pub nearer: Vec<Option<bool>>,
    /// The one that comes out nearer to every aim, or as near.
    pub winner: Option<usize>,
}

/// Plays a plan: in a round of the search, counted down to 0, or the last time, on fresh deals.
pub type Play<'a> = &'a dyn Fn(&dyn DynPlan, Option<u32>) -> Result<Summary>;

impl FrontTask<'_> {
    /// Searches, and confirms what it found.
    ///
    /// # Errors
    /// Bad input; whatever `play` fails with.
    pub fn go<G: Strategic>(&self, play: Play<'_>) -> Result<Front> {
        ensure(self.deals >= FEWEST && self.confirm > 1, || {
            Error::input(format!("at least {FEWEST} deals are needed, and 2 to confirm"))
        })?;
        let base = VariantSpec::Named(self.base.to_owned());
        let all = base.clone().swept(self.sweep).map(|swept| vec![base, swept]);
        let first = self.plan::<G>(all.unwrap_or_default(), self.deals, self.seed)?;
        let (tried, swept) = (first.variants.len(), first.resolved.swept.clone());
        // The rules that strategies were tuned under are known of the plan that sweeps only.
        let tuning_warning = tuning_warning(&first);
        let mut left: Vec<Variant<G>> = first.variants;
        let rounds = rounds(left.len());
        let mut aimed = Vec::new();
        let mut layers = Vec::new();
        for round in (0..=rounds).rev() {
            let deals = (self.deals >> round).max(FEWEST);
            let plan = self.plan::<G>(written(&left), deals, self.seed)?;
            let summary = play(&plan, Some(round))?;
            aimed = self.aimed(&summary)?;
            let losses: Vec<Vec<f64>> = summary
                .variants
                .iter()
                .map(|variant| {
                    let loss = |(aim, figure): (&Aim, &usize)| {
                        variant.figures[*figure]
                            .map_or(f64::INFINITY, |found| aim.loss(found.value))
                    };
                    self.aims.iter().zip(&aimed).map(loss).collect()
                })
                .collect();
            layers = layered(&losses);
            if round > 0 {
                let kept: Vec<usize> = best(&layers, &losses, left.len().div_ceil(2));
                left = chosen(left, &kept);
            }
        }
        let front: Vec<usize> = (0..left.len()).filter(|at| layers[*at] == 0).collect();
        let front = chosen(left, &front);
        let others = front.into_iter().filter(|variant| variant.name != self.base);
        let start = Variant::<G>::named(self.base)?;
        let last: Vec<Variant<G>> = std::iter::once(start).chain(others).collect();
        // Fewer digits, so that every program reads the number as it is.
        let fresh = Seed::new(self.seed).named("fresh").number() >> 12;
        let plan = self.plan::<G>(written(&last), self.confirm, fresh)?;
        let plan = plan.with(&mut |resolved| resolved.swept = swept.clone())?;
        let summary = Summary { tuning_warning, ..play(&*plan, None)? };
        let steps = steps(&summary, self.aims, &aimed);
        let held = held(summary.variants.len(), &steps);
        Ok(Front { summary, aimed, tried, steps, held })
    }

    /// How many hands it has at most, where a match is one hand.
    pub fn hands(&self) -> u64 {
        let strategies = self.strategies.len() as u64;
        let each = 2 * (strategies * strategies.saturating_sub(1) / 2).max(1);
        let (mut left, mut all) = (self.sweep.count().min(200) as u64 + 1, 0);
        let rounds = rounds(left as usize);
        for round in (0..=rounds).rev() {
            all += left * (self.deals >> round).max(FEWEST);
            left = left.div_ceil(2);
        }
        each * (all + (LAST as u64 + 1) * self.confirm)
    }

    fn plan<G: Strategic>(
        &self,
        variants: Vec<VariantSpec<G::Patch>>,
        deals: u64,
        seed: u64,
    ) -> Result<Plan<G>> {
        let experiment = Experiment::of_variants(G::NAME, variants, self.strategies);
        Plan::resolve("front", &Experiment { deals, seed, ..experiment })
    }

    /// The figures that are aimed at, by number.
    fn aimed(&self, summary: &Summary) -> Result<Vec<usize>> {
        let number = |aim: &Aim| {
            let found = summary.figures.iter().position(|head| head.name == aim.figure);
            let names = || summary.figures.iter().map(|head| head.name);
            found.ok_or_else(|| Error::input(unknown("figure", &aim.figure, names())))
        };
        self.aims.iter().map(number).collect()
    }
}

/// How any two variants differ in the aims: what is clear is clear after Holm's correction over all
/// aims of all pairs.
fn steps(summary: &Summary, aims: &[Aim], aimed: &[usize]) -> Vec<Step> {
    let changes = |pair: &Comparison| -> Vec<Option<Difference>> {
        aimed.iter().map(|figure| pair.changes[*figure].clone()).collect()
    };
    let all: Vec<Vec<Option<Difference>>> = summary.comparisons.iter().map(changes).collect();
    let p: Vec<Option<f64>> = all.iter().flatten().map(|change| change.as_ref()?.p_value).collect();
    let corrected = holm(&p);
    let mut corrected = corrected.into_iter();
    let step = |(pair, changes): (&Comparison, Vec<Option<Difference>>)| {
        let (mut nearer, mut losses) = (Vec::new(), Vec::new());
        for (aim, change) in aims.iter().zip(changes) {
            let is_clear = is_significant(corrected.next().flatten());
            let both = change.map(|change| (aim.loss(change.value_a), aim.loss(change.value_b)));
            nearer.push(both.filter(|_| is_clear).map(|(from, to)| to < from));
            losses.push(both.unwrap_or((f64::NAN, f64::NAN)));
        }
        let winner = match () {
            () if losses.iter().all(|(from, to)| to <= from) => Some(pair.to),
            () if losses.iter().all(|(from, to)| from <= to) => Some(pair.from),
            () => None,
        };
        Step { from: pair.from, to: pair.to, nearer, winner }
    };
    summary.comparisons.iter().zip(all).map(step).collect()
}

/// Those of so many variants that no other beats: comes out nearer to every aim, or as near, and to one
/// of them clearly. (Were it enough to be clearly nearer to one and not clearly farther from the
/// others, small unclear steps would lead from one end of the front to the other.)
fn held(count: usize, steps: &[Step]) -> Vec<usize> {
    let loser = |step: &Step| {
        let winner = step.winner.filter(|_| step.nearer.iter().any(Option::is_some))?;
        Some(if winner == step.to { step.from } else { step.to })
    };
    let losers: Vec<usize> = steps.iter().filter_map(loser).collect();
    (0..count).filter(|variant| !losers.contains(variant)).collect()
}

/// How often so many rule sets are halved until few are left.
fn rounds(count: usize) -> u32 {
    count.div_ceil(LAST).next_power_of_two().ilog2()
}

/// Variants as an experiment writes them.
fn written<G: Strategic>(variants: &[Variant<G>]) -> Vec<VariantSpec<G::Patch>> {
    let written = |variant: &Variant<G>| match G::preset(&variant.name) {
        Some(_) => VariantSpec::Named(variant.name.clone()),
        None => VariantSpec::Custom {
            name: variant.name.clone(),
            base: G::presets()[0].name.to_owned(),
            patch: G::patch_of(variant.game.rules()),
        },
    };
    variants.iter().map(written).collect()
}

fn chosen<T>(all: Vec<T>, kept: &[usize]) -> Vec<T> {
    all.into_iter().enumerate().filter(|(at, _)| kept.contains(at)).map(|(_, it)| it).collect()
}

/// The layer of each: 0 where none is better in one loss and as good in all others.
fn layered(losses: &[Vec<f64>]) -> Vec<usize> {
    let beats = |a: &[f64], b: &[f64]| a != b && a.iter().zip(b).all(|(a, b)| a <= b);
    let mut layers = vec![usize::MAX; losses.len()];
    for layer in 0..losses.len() {
        let free: Vec<usize> = (0..losses.len()).filter(|at| layers[*at] == usize::MAX).collect();
        for &at in &free {
            if !free.iter().any(|other| beats(&losses[*other], &losses[at])) {
                layers[at] = layer;
            }
        }
    }
    layers
}

/// So many from the first layers; within a layer those that are nearest to all aims, each loss being
/// counted by how many have less.
fn best(layers: &[usize], losses: &[Vec<f64>], count: usize) -> Vec<usize> {
    let rank = |at: usize| -> usize {
        let less = |aim: usize| losses.iter().filter(|other| other[aim] < losses[at][aim]).count();
        (0..losses[at].len()).map(less).sum()
    };
    let mut order: Vec<usize> = (0..layers.len()).collect();
    order.sort_by_key(|&at| (layers[at], rank(at), at));
    order.truncate(count);
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_peel_off_what_nothing_dominates() {
        let losses = [[1.0, 4.0], [2.0, 2.0], [4.0, 1.0], [3.0, 3.0], [4.0, 4.0], [2.0, 2.0]];
        let losses = losses.map(|both| both.to_vec());
        let layers = layered(&losses);
        assert_eq!(layers, [0, 0, 0, 1, 2, 0]);
        assert_eq!(best(&layers, &losses, 2), [1, 5]);
        assert_eq!(layered(&[vec![f64::INFINITY], vec![0.0]]), [1, 0]);
    }

    #[test]
    fn who_is_clearly_beaten_does_not_hold() {
        let step = |from, to, nearer: [Option<bool>; 2], winner| Step {
            from,
            to,
            nearer: nearer.to_vec(),
            winner,
        };
        let steps = [
            step(0, 1, [Some(true), None], Some(1)),
            step(0, 2, [Some(true), Some(false)], None),
            step(1, 2, [None, None], Some(2)),
            step(1, 3, [Some(false), None], Some(1)),
        ];
        assert_eq!(held(4, &steps), [1, 2]);
    }

    #[test]
    fn aims_are_read() {
        let aim = |text| Aim::parse(text).map(|aim| aim.wish);
        assert_eq!(aim("a=min").unwrap(), Wish::Least);
        assert_eq!(aim("a = 0.5").unwrap(), Wish::Near(0.5));
        assert!(aim("a").is_err() && aim("a=near").is_err() && aim("a=nan").is_err());
        assert_eq!(
            Aim::parse("a=0.5").unwrap().loss(0.25),
            Aim::parse("a=0.5").unwrap().loss(0.75)
        );
    }
}
