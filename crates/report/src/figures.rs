//! Figures of a set of deals: plain numbers in a fixed order, so that the jackknife can compute them
//! with any chunk left out; and charts.

use crate::units::Unit;
use parlour_arena::{
    Anchor, LuckTarget, Objective, PlanInfo, PlannedTable, TableTally, Tally, UNIT, WinRates, pairs,
};
use parlour_base::maths::exact::square;
use parlour_game::{FigureInfo, FigureKind, FigureSpec, ForcedByRules, StandardBins};
use parlour_stats::{Bins, PairResults, Ratings, rate, rating_spread, shares};

/// A list of figure descriptions in the syntax of [`figures!`].
macro_rules! figure_list {
    ($($(#[doc = $meaning:literal])+ $name:ident: $unit:literal $(, $mark:ident)?;)+) => {
        [$($crate::figures!(@head $name $unit concat!($($meaning),+), $($mark)?)),+]
    };
}

/// Figures of every game, before its own.
const COMMON: [FigureInfo; 3] = figure_list! {
    /// Mean result of a hand's first seat: 1 for a win, a share for a shared win.
    first_seat_score: "share of the win", headline;
    /// Share of hands without a single winner.
    draw_rate: "share of hands", headline;
    /// Standard deviation of the first seat's points minus the mean of the others'.
    margin_sd: "points";
};

/// Index of the first seat's score.
pub(super) const FIRST_SEAT: usize = 0;

/// Index of the standard deviation of the margin.
const MARGIN_SD: usize = 2;

/// Figures of every game, after its own.
const COMMON_LAST: [FigureInfo; 6] = figure_list! {
    /// Share of the variance of a match's result that the deal explains; depends on the
    /// participating strategies.
    luck_share: "share of variance";
    /// Share of this variance that the strength of the strategies explains.
    skill_share: "share of variance";
    /// The rest: chance during play, and deals that suit one strategy better than another.
    rest_share: "share of variance";
    /// Standard deviation of the strategies' ratings; depends on the participating strategies.
    rating_spread: "Elo";
    /// Best rating minus worst rating.
    skill_range: "Elo";
    /// Advantage of moving first, in Elo.
    seat_elo: "Elo";
};

/// The figure of a run whose luck is judged.
pub(super) const OF_LUCK: [FigureInfo; 1] = figure_list! {
    /// First seat's score less the luck of the cards, in runs with luck_adjusted.
    first_seat_luck_adjusted: "share of the win", headline;
};

/// The figure of a question with a matrix of win rates, after all others.
pub(super) const OF_MATRIX: [FigureInfo; 1] = figure_list! {
    /// Root mean square distance of the win rates from the matrix of the question; only with a matrix.
    win_rate_distance: "share of the win";
};

/// Returns the descriptions of a variant's figures, those of some questions only included.
pub(super) fn all_heads(figures: &[FigureSpec]) -> impl Iterator<Item = FigureInfo> {
    let own = figures.iter().filter(|figure| figure.is_number()).map(|figure| figure.head);
    COMMON.into_iter().chain(own).chain(COMMON_LAST).chain(OF_LUCK).chain(OF_MATRIX)
}

/// Returns the descriptions of the figures of a plan's variants.
pub(super) fn heads(plan: &PlanInfo) -> impl Iterator<Item = FigureInfo> {
    let has = |name: &str| match name {
        "first_seat_luck_adjusted" => plan.resolved.judge.is_some(),
        "win_rate_distance" => win_rates(plan).is_some(),
        _ => true,
    };
    all_heads(&plan.figures).filter(move |head| has(head.name))
}

/// The matrix of win rates of a plan's question.
fn win_rates(plan: &PlanInfo) -> Option<&WinRates> {
    plan.experiment().question.iter().flat_map(|it| &it.objective).find_map(|it| match it {
        Objective::WinRates(matrix) => Some(matrix),
        Objective::Figure(_) => None,
    })
}

/// The root mean square distance of the win rates at some tables from the matrix of the question. `None`
/// if two of its players do not meet there.
fn win_rate_distance(plan: &PlanInfo, tables: &[(&PlannedTable, &TableTally)]) -> Option<f64> {
    let WinRates { players, win_rates } = win_rates(plan)?;
    let strategy = |player: usize| plan.names().position(|name| *name == players[player]);
    let gap = |(a, b): (usize, usize)| {
        let (first, second) = (strategy(a)?, strategy(b)?);
        let (table, tally) = tables.iter().find(|(table, _)| {
            table.line_up == [first, second] || table.line_up == [second, first]
        })?;
        let order = tally.orders.first()?;
        let [won, drawn, lost] =
            [0, 1, 2].map(|at| (order.in_order[at] + order.swapped[at]) as f64);
        let rate = (won + 0.5 * drawn) / (won + drawn + lost);
        let rate = if table.line_up[0] == first { rate } else { 1.0 - rate };
        Some(square(rate - win_rates[a][b])).filter(|gap| gap.is_finite())
    };
    let gaps: Option<Vec<f64>> = pairs(players.len()).map(gap).collect();
    gaps.map(|gaps| (gaps.iter().sum::<f64>() / gaps.len() as f64).sqrt())
}

/// Returns the value that a variant's rules force on a figure, if any.
pub(super) fn forced(plan: &PlanInfo, variant: usize, name: &str) -> Option<ForcedByRules> {
    let mut all = plan.variants[variant].fixed.iter();
    all.find(|(forced, _)| *forced == name).map(|(_, value)| *value)
}

/// Returns `true` if a figure was measured. `missing` names the counts and figures that were not.
pub(super) fn is_measured(figure: &FigureSpec, missing: &[&str]) -> bool {
    !missing.iter().any(|gap| *gap == figure.head.name || figure.reads(gap))
}

/// The tables of a variant with their tallies.
fn tables<'a>(
    plan: &'a PlanInfo,
    tally: &'a Tally,
    variant: usize,
) -> impl Iterator<Item = (&'a PlannedTable, &'a TableTally)> {
    plan.tables.iter().zip(&tally.tables).filter(move |(table, _)| table.variant == variant)
}

/// The ratio figures of a variant as numerator and denominator, in the order of [`heads`]. `None`
/// for other figures before [`COMMON_LAST`], and for what was not measured.
fn ratios(plan: &PlanInfo, tally: &Tally, variant: usize) -> Vec<Option<[f64; 2]>> {
    let hands: u64 = tables(plan, tally, variant).map(|(_, t)| t.hands).sum();
    let drawn: u64 = tables(plan, tally, variant).map(|(_, t)| t.drawn_hands).sum();
    let counted = &tally.variants[variant];
    let first = counted.first_seat.sum as f64 / UNIT as f64;
    let mut ratios = vec![Some([first, hands as f64]), Some([drawn as f64, hands as f64]), None];
    for figure in plan.figures.iter().filter(|figure| figure.is_number()) {
        let (above, below) = match (&figure.form, counted.figure(figure.head.name)) {
            (FigureKind::Each, [above, below]) => (*above, *below),
            _ => match figure.read(&counted.counts.sums)[..] {
                [above, below] => (above, below),
                [above] => (above, hands as i64),
                _ => (0, 0),
            },
        };
        let measured = is_measured(figure, &tally.missing);
        ratios.push(measured.then_some([above as f64, below as f64]));
    }
    ratios.into_iter().map(|ratio| ratio.filter(|[_, below]| *below > 0.0)).collect()
}

/// A figure of the hands at one table; `None` for figures that only a whole variant has.
pub(super) fn at_table(name: &str, table: &TableTally) -> Option<f64> {
    let [w, d, l] = table.orders.first()?.in_order;
    let [sl, sd, sw] = table.orders.first()?.swapped;
    let (above, below) = match name {
        "first_seat_score" => ((w + sw) as f64 + 0.5 * (d + sd) as f64, w + d + l + sl + sd + sw),
        "draw_rate" => (table.drawn_hands as f64, table.hands),
        "turns" => (table.turns as f64, table.hands),
        _ => return None,
    };
    (below > 0).then(|| above / below as f64)
}

/// The evidence behind a figure.
pub(super) struct Support {
    /// Number of deals: decisions are analyzed in a sample of the deals only.
    pub deals: u64,
    /// Number of trials, if the figure is a share.
    pub trials: Option<u64>,
}

/// Returns the evidence behind each figure of a variant, in the order of [`heads`].
pub(super) fn supports(plan: &PlanInfo, total: &Tally, variant: usize) -> Vec<Support> {
    let deals = total.deals;
    let every = plan.experiment().sample_decisions_every;
    let sampled = every.map_or(deals, |every| deals.div_ceil(every.get().into()));
    let is_sampled = |head: &FigureInfo| {
        plan.figures.iter().any(|f| f.needs_decisions && f.head.name == head.name)
    };
    let ratios = ratios(plan, total, variant).into_iter().chain(std::iter::repeat(None));
    let support = |(head, ratio): (FigureInfo, Option<[f64; 2]>)| Support {
        deals: if is_sampled(&head) { sampled } else { deals },
        trials: ratio.filter(|_| Unit::parse(head.unit).is_share()).map(|[_, below]| below as u64),
    };
    heads(plan).zip(ratios).map(support).collect()
}

/// The figures of a variant in the order of [`heads`], then the ratings of all strategies.
pub(super) fn variant_numbers(plan: &PlanInfo, tally: &Tally, variant: usize) -> Vec<Option<f64>> {
    let tables: Vec<(&PlannedTable, &TableTally)> = tables(plan, tally, variant).collect();
    let sum = |of: &dyn Fn(&TableTally) -> f64| tables.iter().map(|(_, t)| of(t)).sum::<f64>();
    let ratios = ratios(plan, tally, variant).into_iter();
    let mut numbers: Vec<_> = ratios.map(|it| it.map(|[above, below]| above / below)).collect();
    let (hands, others) = (sum(&|t| t.hands as f64), plan.variants[variant].seats as f64 - 1.0);
    let (mean, square) = (sum(&|t| t.lead as f64) / hands, sum(&|t| t.lead_squares as f64) / hands);
    numbers[MARGIN_SD] = (hands > 0.0).then(|| (square - mean * mean).max(0.0).sqrt() / others);
    // A strategy against itself shows no skill between its seatings.
    let pairings = tables.iter().filter(|(table, _)| !table.is_mirror());
    let parts = shares(pairings.flat_map(|(_, t)| &t.seatings));
    numbers.extend((0..3).map(|part| Some(parts?[part])));
    let ratings = ratings(plan, &tables);
    let rated: Vec<f64> = rated(plan, variant).into_iter().map(|s| ratings.ratings[s]).collect();
    let (deviation, range) = rating_spread(&rated).filter(|_| rated.len() > 1).unzip();
    numbers.extend([deviation, range, Some(ratings.seat)]);
    numbers.extend(plan.resolved.judge.as_ref().map(|_| {
        let scale = 1.0 / (plan.hands_of_variant(variant) as f64 * UNIT as f64);
        tally.luck_of(LuckTarget::FirstSeat(variant))?.mean(scale)
    }));
    numbers.extend(win_rates(plan).map(|_| win_rate_distance(plan, &tables)));
    let anchor = anchor(plan).map(|(s, rating)| (ratings.ratings[s], rating));
    let (from, to) = anchor.unwrap_or_default();
    numbers.extend(ratings.ratings.into_iter().map(|rating| Some(rating - from + to)));
    numbers
}

/// The strategy with a fixed rating and this rating, if the experiment has one.
pub(super) fn anchor(plan: &PlanInfo) -> Option<(usize, f64)> {
    let Anchor { strategy, rating } = plan.experiment().anchor.as_ref()?;
    Some((plan.names().position(|name| name == strategy)?, *rating))
}

/// The strategies that meet another one under a variant.
pub(super) fn rated(plan: &PlanInfo, variant: usize) -> Vec<usize> {
    let tables = || plan.tables.iter().filter(|t| t.variant == variant && !t.is_mirror());
    (0..plan.names().len()).filter(|s| tables().any(|t| t.line_up.contains(s))).collect()
}

fn ratings(plan: &PlanInfo, tables: &[(&PlannedTable, &TableTally)]) -> Ratings {
    let meetings = tables.iter().flat_map(|(table, tally)| {
        tally.orders.iter().zip(pairs(table.line_up.len())).flat_map(|(order, (a, b))| {
            let (a, b) = (table.line_up[a], table.line_up[b]);
            let [lost, drawn, won] = order.swapped;
            let swapped = PairResults { first: b, second: a, counts: [won, drawn, lost] };
            [PairResults { first: a, second: b, counts: order.in_order }, swapped]
        })
    });
    rate(plan.names().len(), &meetings.collect::<Vec<_>>())
}

/// A figure that is drawn as a chart.
#[derive(Clone, PartialEq, Debug)]
pub struct Distribution {
    /// Name, unit and meaning.
    pub head: FigureInfo,
    /// The kind of chart.
    pub kind: FigureKind,
    /// The bins of a histogram or a curve.
    pub bins: Bins,
    /// Counts: of the parts of a whole; of hands by bin, for all seats or each seat; of hands by bin
    /// after each of equal steps; or of events by row of the board. Empty if the figure was not
    /// measured.
    pub rows: Vec<Vec<i64>>,
}

/// Charts of every game.
const COMMON_CHARTS: [FigureInfo; 3] = figure_list! {
    /// Points of each seat at the end.
    points: "points";
    /// First seat's points minus those of the best other seat.
    margin: "points";
    /// Turns of all seats.
    length_of_a_hand: "turns";
};

/// Returns all charts of a variant: those of every game, then the game's own.
pub(super) fn distributions(plan: &PlanInfo, total: &Tally, variant: usize) -> Vec<Distribution> {
    let tally = &total.variants[variant];
    let rows = |sums: &[i64], width: usize| -> Vec<Vec<i64>> {
        sums.chunks_exact(width.max(1)).map(<[i64]>::to_vec).collect()
    };
    let StandardBins { score, margin, turns } = tally.spread;
    let common = [(score, &tally.scores), (margin, &tally.margin), (turns, &tally.turns)];
    let common = COMMON_CHARTS.into_iter().zip(common).map(|(head, (bins, sums))| Distribution {
        head,
        kind: FigureKind::Histogram,
        bins,
        rows: rows(sums, bins.count),
    });
    let is_chart = |kind: &FigureKind| !matches!(kind, FigureKind::Ratio | FigureKind::Each);
    let own = plan.figures.iter().filter(|figure| is_chart(&figure.form)).map(|figure| {
        let counted = tally.counted(figure.head.name);
        let rows = match figure.form {
            FigureKind::Parts(_) => vec![figure.read(&tally.counts.sums)[1..].to_vec()],
            _ => counted.map_or(Vec::new(), |counted| rows(&counted.sums, counted.row_len)),
        };
        let rows = if is_measured(figure, &total.missing) { rows } else { Vec::new() };
        let bins = counted.and_then(|counted| counted.bins).unwrap_or(score);
        Distribution { head: figure.head, kind: figure.form.clone(), bins, rows }
    });
    common.chain(own).collect()
}
