//! The comparisons that a question asks for, each with its numbers.

use super::super::Series;
use super::super::numbers::Comparison;
use super::super::rows::{Matchup, Standing};
use super::super::summary::VariantSummary;
use super::super::{Asked, FIRST_SEAT};
use super::{Call, DOUBLING, EACH, Finding, trend};
use crate::arena::{PlanInfo, Tally, UNIT};
use crate::game::FigureInfo;
use crate::stats::{Estimate, jackknife_all, jackknife_p};

/// What `from` is where a number is compared with a fair share.
pub(crate) const FAIR: &str = "a fair share";

/// The figure of a score with the luck taken out.
pub(super) const ADJUSTED: &str = "score_adjusted";

/// What findings are made from.
pub(crate) struct Evidence<'a> {
    pub plan: &'a PlanInfo,
    pub total: &'a Tally,
    pub tallies: &'a [Tally],
    pub heads: &'a [FigureInfo],
    pub variants: &'a [VariantSummary],
    pub comparisons: &'a [Comparison],
}

/// A finding without numbers.
pub(super) fn blank(figure: &str, unit: &str, variant: &str, from: &str, to: &str) -> Finding {
    let [figure, unit, variant, from, to] = [figure, unit, variant, from, to].map(str::to_owned);
    let (a, b, change, p, p_family) = (None, None, None, None, None);
    let (call, deals_needed) = (Call::Measured, None);
    let steps = 1.0;
    Finding {
        figure,
        unit,
        variant,
        from,
        to,
        a,
        b,
        change,
        p,
        p_family,
        call,
        deals_needed,
        steps,
    }
}

/// What a strategy scores against another.
fn scored(figure: &str, row: &Matchup, score: Option<Estimate>, p: Option<f64>) -> Finding {
    let Matchup { variant, strategy, opponent, .. } = row;
    Finding {
        a: score.map(|score| score.scaled(-1.0).shifted(1.0)),
        b: score,
        change: score.map(|score| score.shifted(-0.5)),
        p,
        ..blank(figure, "share of the win", variant, opponent, strategy)
    }
}

impl Evidence<'_> {
    /// The findings, without the correction for their number.
    pub fn findings(&self, asked: &Asked) -> Vec<Finding> {
        match asked {
            Asked::Figures { variants, fair: true, .. } => {
                variants.iter().map(|v| self.first_seat(*v)).collect()
            }
            Asked::Figures { figures, variants, .. } => {
                let each = figures.iter().flat_map(|f| self.changes(*f, variants));
                each.collect()
            }
            Asked::Pairing { strategies: [a, b], variants, .. } if a == b => {
                variants.iter().filter_map(|v| self.mirror(*v, *a)).collect()
            }
            Asked::Pairing { strategies: [a, b], variants, bound: true } => {
                variants.iter().filter_map(|v| self.bound(*v, *a, *b)).collect()
            }
            Asked::Pairing { strategies: [a, b], variants, .. } => {
                variants.iter().filter_map(|v| self.pairing(*v, *a, *b)).collect()
            }
            Asked::Scores { strategies, variants } => {
                variants.iter().flat_map(|v| self.scores(*v, strategies)).collect()
            }
            Asked::Ladder { champion: Some(champion), variants } => {
                let others = |v: usize| {
                    let ranked = self.variants[v].standings.iter().map(|s| s.number);
                    ranked
                        .filter(|s| s != champion)
                        .filter_map(move |s| self.pairing(v, s, *champion))
                };
                variants.iter().flat_map(|v| others(*v)).collect()
            }
            Asked::Ladder { champion: None, variants } => {
                variants.iter().flat_map(|v| self.ladder(*v)).collect()
            }
            Asked::Trend { figure, over, series } => self.trends(*figure, over, series),
        }
    }

    /// A figure under the first of these variants and under each other.
    fn changes(&self, figure: usize, variants: &[usize]) -> Vec<Finding> {
        let FigureInfo { name, unit, .. } = self.heads[figure];
        let under =
            |v: usize| (self.variants[v].variant.as_str(), self.variants[v].figures[figure]);
        let (first, others) = match variants {
            [] => return Vec::new(),
            [only] => {
                let (to, b) = under(*only);
                return vec![Finding { b, ..blank(name, unit, "", "", to) }];
            }
            [first, others @ ..] => (*first, others),
        };
        let change = |to: usize| {
            let (low, high) = (first.min(to), first.max(to));
            let found = self.comparisons.iter().find(|c| (c.from, c.to) == (low, high))?;
            let row = found.changes[figure].as_ref()?;
            let sign = if first < to { 1.0 } else { -1.0 };
            Some((row.difference.scaled(sign), row.p))
        };
        let one = |&to: &usize| {
            let (from, a) = under(first);
            let (change, p) = change(to).unzip();
            let (name_of, b) = under(to);
            Finding { a, b, change, p: p.flatten(), ..blank(name, unit, "", from, name_of) }
        };
        others.iter().map(one).collect()
    }

    /// The first seat's score against a fair share.
    fn first_seat(&self, variant: usize) -> Finding {
        let row = &self.variants[variant];
        let FigureInfo { name, unit, .. } = self.heads[FIRST_SEAT];
        let hands = self.plan.hands_of_variant(variant);
        let scale = 1.0 / (hands as f64 * UNIT as f64);
        let b = row.first_seat();
        let p = self.total.variants[variant].first_seat.score_p(scale, row.fair());
        let change = b.map(|b| b.shifted(-row.fair()));
        let a = Some(Estimate::symmetric(row.fair(), 0.0));
        Finding { a, b, change, p, ..blank(name, unit, "", FAIR, &row.variant) }
    }

    /// What the first of two of the same strategy scores.
    fn mirror(&self, variant: usize, strategy: usize) -> Option<Finding> {
        let tables = self.plan.tables.iter();
        let of_variant = tables.clone().filter(|t| t.variant == variant).count();
        let name = self.plan.name_of(strategy);
        if of_variant == 1 {
            let to = name.to_owned();
            let variant_name = self.variants[variant].variant.clone();
            return Some(Finding { to, variant: variant_name, ..self.first_seat(variant) });
        }
        let number = self.plan.tables.iter().position(|t| {
            t.variant == variant && t.line_up.len() == 2 && t.line_up == [strategy, strategy]
        })?;
        let score = |tally: &Tally| {
            let orders = tally.tables[number].orders.first()?;
            let ([w, d, l], [sl, sd, sw]) = (orders.in_order, orders.swapped);
            let all = (w + d + l + sl + sd + sw) as f64;
            (all > 0.0).then(|| ((w + sw) as f64 + 0.5 * (d + sd) as f64) / all)
        };
        let found = self.jackknife(|tally| vec![score(tally)]).pop().flatten()?;
        let change = found.shifted(-0.5);
        let FigureInfo { name: figure, unit, .. } = self.heads[FIRST_SEAT];
        Some(Finding {
            a: Some(Estimate::symmetric(0.5, 0.0)),
            b: Some(found),
            change: Some(change),
            p: jackknife_p(change, self.tallies.len()),
            ..blank(figure, unit, &self.variants[variant].variant, FAIR, name)
        })
    }

    /// What one strategy scores against another.
    fn pairing(&self, variant: usize, one: usize, other: usize) -> Option<Finding> {
        let row = self.met(variant, one, other)?;
        Some(scored("score", &row, row.score, row.p))
    }

    /// The same of a strategy that was made to beat the other, with the luck taken out where it was
    /// judged.
    fn bound(&self, variant: usize, one: usize, other: usize) -> Option<Finding> {
        let row = self.met(variant, one, other)?;
        let Some(score) = row.score_adjusted else { return self.pairing(variant, one, other) };
        let p = jackknife_p(score.shifted(-0.5), self.tallies.len());
        Some(scored(ADJUSTED, &row, Some(score), p))
    }

    /// The results of one strategy against another.
    fn met(&self, variant: usize, one: usize, other: usize) -> Option<Matchup> {
        let row = self.variants[variant].matchups.iter();
        let mut row = row.filter(|m| m.pair == Some((one, other)) || m.pair == Some((other, one)));
        let row = row.next()?;
        // After a sequential test, the score without the bias of the stop.
        let row = Matchup { score: row.sprt_score.or(row.score), ..row.clone() };
        Some(if row.pair == Some((one, other)) { row } else { row.turned() })
    }

    /// The scores of strategies less that of the first, over all their tables.
    fn scores(&self, variant: usize, strategies: &[usize]) -> Vec<Finding> {
        let [first, others @ ..] = strategies else { return Vec::new() };
        let row = &self.variants[variant];
        let standing = |s: usize| row.standings.iter().find(|row| row.number == s);
        let score = |tally: &Tally, s: usize| {
            let matches = standing(s)?.matches / self.total.deals.max(1);
            let sum = tally.variants[variant].standings[s].sum as f64;
            let most = (matches * tally.deals) as f64 * UNIT as f64;
            (most > 0.0).then(|| sum / most)
        };
        let changes = self.jackknife(|tally| {
            others.iter().map(|s| Some(score(tally, *s)? - score(tally, *first)?)).collect()
        });
        let of = |s: usize| standing(s).and_then(|row| row.score);
        let one = |(s, change): (&usize, Option<Estimate>)| Finding {
            a: of(*first),
            b: of(*s),
            change,
            p: change.and_then(|change| jackknife_p(change, self.tallies.len())),
            ..blank(
                "score",
                "share of the win",
                &row.variant,
                self.plan.name_of(*first),
                self.plan.name_of(*s),
            )
        };
        others.iter().zip(changes).map(one).collect()
    }

    /// Each strategy against the next below it; where more than two sit at a table, each against a
    /// fair share.
    fn ladder(&self, variant: usize) -> Vec<Finding> {
        let row = &self.variants[variant];
        if row.matchups.iter().any(|m| m.pair.is_some()) {
            let rungs = row.standings.windows(2);
            return rungs.filter_map(|r| self.pairing(variant, r[0].number, r[1].number)).collect();
        }
        let one = |s: &Standing| {
            let matches = s.matches / self.total.deals.max(1);
            let scale = 1.0 / (matches as f64 * UNIT as f64);
            let p = self.total.variants[variant].standings[s.number].score_p(scale, row.fair());
            Finding {
                a: Some(Estimate::symmetric(row.fair(), 0.0)),
                b: s.score,
                change: s.score.map(|score| score.shifted(-row.fair())),
                p,
                ..blank("score", "share of the win", &row.variant, FAIR, &s.strategy)
            }
        };
        let mut found: Vec<Finding> = row.standings.iter().map(one).collect();
        let value = |f: &Finding| f.b.map_or(0.0, |b| b.value);
        found.sort_by(|a, b| value(b).total_cmp(&value(a)));
        found
    }

    /// The trend of each series.
    fn trends(&self, figure: Option<usize>, over: &str, series: &[Series]) -> Vec<Finding> {
        let (plan, total, tallies) = (self.plan, self.total, self.tallies);
        let slopes = trend::slopes(plan, total, tallies, figure, series, self.heads.len());
        let one = |(series, change): (&Series, Option<Estimate>)| {
            let (name, unit) = match figure {
                Some(figure) => (self.heads[figure].name, self.heads[figure].unit),
                None => ("rating", "Elo"),
            };
            let short = unit.split(' ').next().unwrap_or(unit);
            let each =
                if series.in_doublings() { DOUBLING.to_owned() } else { format!("{EACH}{over}") };
            let at = |point: Option<&(f64, usize)>| {
                let (x, of) = *point?;
                Some((format!("{over} {x}"), series.number(self.variants, figure, of)?))
            };
            let (from, a) = at(series.points.first()).unzip();
            let (to, b) = at(series.points.last()).unzip();
            let [from, to] = [from, to].map(Option::unwrap_or_default);
            let p = change.and_then(|change| jackknife_p(change, tallies.len()));
            let unit = format!("{short}{each}");
            let places = [series.points.first(), series.points.last()]
                .map(|point| point.map_or(0.0, |(x, _)| trend::place(series, *x)));
            let steps = (places[1] - places[0]).abs().max(f64::MIN_POSITIVE);
            Finding { a, b, change, p, steps, ..blank(name, &unit, &series.name, &from, &to) }
        };
        series.iter().zip(slopes).map(one).collect()
    }

    fn jackknife(&self, numbers: impl Fn(&Tally) -> Vec<Option<f64>>) -> Vec<Option<Estimate>> {
        let weights: Vec<u64> = self.tallies.iter().map(|tally| tally.deals).collect();
        jackknife_all(&weights, |left_out| match left_out {
            None => numbers(self.total),
            Some(chunk) => numbers(&self.total.without(&self.tallies[chunk])),
        })
    }
}
