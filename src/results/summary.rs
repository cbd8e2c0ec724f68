//! All numbers of a run, made once from its final tallies.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};

use super::drawn::{Drawn, drawn};
use super::figures::{common, is_measured, names, of_variant, rated};
use super::matchups::matchups;
use super::populations::{Population, population};
use super::rows::{Confirmed, Difference, Matchup, Placed, Standing, VariantControl, VariantHead};
use super::table::{Column, Table, spread};
use crate::arena::{Plan, Tally, UNIT};
use crate::game::Kind;
use crate::stats::{Controlled, Controls, Estimate, holm, jackknife_all, jackknife_p};
use crate::strategy::Strategic;

/// All numbers of a run: a tree of variants, and the differences between each two of them.
///
/// It is serialized as its [tables](Summary::tables): for each the rows, the CSV file's heads being
/// the names.
#[derive(Clone, Debug)]
pub struct Summary {
    /// How many deals were played.
    pub deals: u64,
    /// Whether the run ended before its last deal, because `until` was reached.
    pub early: bool,
    /// The figures of each variant.
    pub figures: Vec<FigureHead>,
    /// The figures that a short table shows, by number.
    pub headlines: Vec<usize>,
    /// The variants.
    pub variants: Vec<VariantSummary>,
    /// Each two variants: the first with each later one, then the second, and so on.
    pub comparisons: Vec<Comparison>,
}

/// A figure of every variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FigureHead {
    /// The column's name.
    pub name: &'static str,
    /// What one is.
    pub unit: &'static str,
    /// One sentence.
    pub meaning: &'static str,
    /// Whether it was measured: the program that played may not have known it.
    pub measured: bool,
}

/// All numbers of a variant.
#[derive(Clone, Debug)]
pub struct VariantSummary {
    /// Its name.
    pub variant: String,
    /// Hands at all tables.
    pub hands: u64,
    /// The figures; none where nothing of the kind happened.
    pub figures: Vec<Option<Estimate>>,
    /// The first seat's score less what the deals' cards explain; none where the experiment does
    /// not ask for it.
    pub controlled: Option<Controlled>,
    /// Each strategy, the best first.
    pub standings: Vec<Standing>,
    /// Each pairing (or place in a line-up).
    pub matchups: Vec<Matchup>,
    /// What each strategy of the plan scores against each at tables of two.
    pub scores: Vec<Vec<Option<Estimate>>>,
    /// The strategies that beat one another in a ring, where there are some.
    pub population: Option<Population>,
    /// The best strategy on fresh deals, where the experiment asks for it.
    pub confirmed: Vec<Confirmed>,
    /// What is drawn, the same in every variant.
    pub drawn: Vec<Drawn>,
}

impl VariantSummary {
    /// The first seat's score.
    pub fn first_seat(&self) -> Option<Estimate> {
        self.figures[common::FIRST_SEAT]
    }

    /// Of the variance of a match's result the shares of the deal, of the strategies' strength and
    /// of the rest.
    pub fn variance_shares(&self) -> Option<[f64; 3]> {
        let [luck, skill, rest] =
            common::FROM_LAST.0.map(|from| Some(self.figures[self.figures.len() - from]?.value));
        Some([luck?, skill?, rest?])
    }

    /// The standard deviation of the strategies' ratings in Elo.
    pub fn skill_spread(&self) -> Option<Estimate> {
        self.figures[self.figures.len() - common::FROM_LAST.1]
    }
}

/// How the figures change from one variant to another on the same deals.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The first variant's number.
    pub from: usize,
    /// The second's.
    pub to: usize,
    /// The change of each figure; none where one of the two variants lacks it.
    pub changes: Vec<Option<Difference>>,
}

impl Comparison {
    /// The change of the first seat's score.
    pub fn first_seat(&self) -> Option<&Difference> {
        self.changes[common::FIRST_SEAT].as_ref()
    }
}

impl Summary {
    /// A summary without variants: the heads of the tables.
    pub fn blank<G: Strategic>() -> Summary {
        let figures: Vec<FigureHead> = names::<G>()
            .into_iter()
            .map(|(name, unit, meaning)| FigureHead { name, unit, meaning, measured: true })
            .collect();
        let own = G::FIGURES.iter().filter(|figure| figure.headline).map(|figure| figure.name);
        let headlines = common::HEADLINES.into_iter().chain(own).chain(common::LAST_HEADLINES);
        let number = |name: &str| figures.iter().position(|figure| figure.name == name);
        Summary {
            deals: 0,
            early: false,
            headlines: headlines.filter_map(number).collect(),
            figures,
            variants: Vec::new(),
            comparisons: Vec::new(),
        }
    }

    /// Makes the numbers from the tallies of all chunks.
    pub fn new<G: Strategic>(plan: &Plan<G>, tallies: &[Tally]) -> Summary {
        let mut blank = Summary::blank::<G>();
        let mut total = plan.layout.empty();
        tallies.iter().for_each(|tally| total.merge(tally));
        for head in &mut blank.figures {
            head.measured = is_measured::<G>(head.name, &total.missing);
        }
        let weights: Vec<u64> = tallies.iter().map(|t| t.deals).collect();
        let numbers = Numbers::new(plan, tallies, &total, blank.figures.len());
        let estimates = jackknife_all(&weights, |left_out| numbers.known(left_out).clone());
        let decision = plan.decision(&(0..).zip(tallies.iter().cloned()).collect());
        let mut matchups = matchups(plan, &total, tallies, &decision.verdicts);
        let mut variants = Vec::new();
        for variant in 0..plan.variants.len() {
            let (figures, ratings) = estimates[numbers.of(variant)].split_at(numbers.figures);
            let bounded = |(head, estimate): (&FigureHead, &Option<Estimate>)| {
                estimate.map(|estimate| within(head.unit, estimate))
            };
            let mut figures: Vec<_> = blank.figures.iter().zip(figures).map(bounded).collect();
            // The score of the first seat has its exact variance between deals.
            let hands = hands_per_deal(plan, variant);
            figures[common::FIRST_SEAT] =
                total.variants[variant].first.score(1.0 / (hands as f64 * UNIT as f64));
            let matchups = std::mem::take(&mut matchups[variant]);
            variants.push(VariantSummary {
                variant: plan.variants[variant].name.clone(),
                hands: hands * total.deals,
                figures,
                controlled: controlled(plan, tallies, variant, hands),
                standings: standings(plan, &total, variant, ratings),
                scores: scores(plan.names().len(), &matchups),
                population: population(plan, tallies, variant, &matchups),
                matchups,
                confirmed: Vec::new(),
                drawn: drawn(&plan.variants[variant].game, &total, variant),
            });
        }
        let comparisons = comparisons(&blank.figures, &variants, &numbers, &weights);
        Summary { deals: total.deals, early: decision.early, variants, comparisons, ..blank }
    }

    /// The tables that every run has, in the order of their files.
    pub fn tables(&self) -> Vec<Table> {
        let variants = || self.variants.iter();
        vec![
            Table::of("matchups", variants().flat_map(|v| &v.matchups)),
            Table::of("strategies", variants().flat_map(|v| &v.standings)),
            self.figure_table(),
            Table::of::<&Difference>("differences", self.differences()),
            Table::of::<&Placed>(
                "populations",
                variants().filter_map(|v| v.population.as_ref()).flat_map(|p| &p.rows),
            ),
            Table::of("confirmed", variants().flat_map(|v| &v.confirmed)),
        ]
    }

    /// The JSON Schema of a summary of this game.
    pub fn schema<G: Strategic>() -> Value {
        let mut properties = json!({
            "deals": { "type": "integer", "description": "Deals played." },
            "early": { "type": "boolean", "description": "Whether `until` ended the run." },
        });
        for table in Summary::blank::<G>().tables() {
            properties[&table.name] = table.schema();
        }
        json!({ "type": "object", "title": G::NAME, "properties": properties })
    }

    /// All changes of a figure between two variants.
    pub fn differences(&self) -> impl Iterator<Item = &Difference> {
        self.comparisons.iter().flat_map(|comparison| comparison.changes.iter().flatten())
    }

    /// The first variant compared with each other.
    pub fn from_first(&self) -> impl Iterator<Item = &Comparison> {
        self.comparisons.iter().take_while(|comparison| comparison.from == 0)
    }

    /// Adds what fresh deals say of each variant's best strategy.
    pub(super) fn confirm(&mut self, confirmed: Vec<Vec<Confirmed>>) {
        for (variant, rows) in self.variants.iter_mut().zip(confirmed) {
            variant.confirmed = rows;
        }
    }

    /// `variants.csv`, whose columns are the game's figures.
    fn figure_table<'a>(&'a self) -> Table {
        let head = |v: &'a VariantSummary| VariantHead {
            variant: &v.variant,
            deals: self.deals,
            hands: v.hands,
        };
        let left = self.variants.iter().map(head);
        let figure = |f: &FigureHead| Column::estimate(f.name, f.unit, f.meaning);
        let cells = |v: &VariantSummary| {
            v.figures.iter().flat_map(|estimate| spread(&json!(estimate), 3)).collect()
        };
        let figures = Table {
            columns: self.figures.iter().map(figure).collect(),
            rows: self.variants.iter().map(cells).collect(),
            ..Table::default()
        };
        let right = self.variants.iter().map(|v| VariantControl {
            first_seat_controlled: v.controlled.map(|c| c.mean),
            control_saved: v.controlled.map(|c| c.saved),
        });
        Table::of("variants", left).beside(figures).beside(Table::of("", right))
    }
}

impl Serialize for Summary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("deals", &self.deals)?;
        map.serialize_entry("early", &self.early)?;
        for table in self.tables() {
            map.serialize_entry(&table.name, &table.objects())?;
        }
        map.end()
    }
}

/// The figures and ratings of all variants as plain numbers, with all deals and with each chunk
/// left out. They are computed once.
struct Numbers {
    figures: usize,
    /// Figures and ratings of a variant.
    wide: usize,
    full: Vec<Option<f64>>,
    partial: Vec<Vec<Option<f64>>>,
}

impl Numbers {
    fn new<G: Strategic>(plan: &Plan<G>, tallies: &[Tally], total: &Tally, figures: usize) -> Self {
        let numbers = |tally: &Tally| -> Vec<Option<f64>> {
            let one = |variant| {
                let (figures, ratings) = of_variant(plan, tally, variant);
                figures.into_iter().chain(ratings.ratings.into_iter().map(Some)).collect::<Vec<_>>()
            };
            (0..plan.variants.len()).flat_map(one).collect()
        };
        Numbers {
            figures,
            wide: figures + plan.names().len(),
            full: numbers(total),
            partial: tallies.iter().map(|chunk| numbers(&total.without(chunk))).collect(),
        }
    }

    fn known(&self, left_out: Option<usize>) -> &Vec<Option<f64>> {
        left_out.map_or(&self.full, |chunk| &self.partial[chunk])
    }

    /// Where the numbers of a variant stand.
    fn of(&self, variant: usize) -> std::ops::Range<usize> {
        variant * self.wide..(variant + 1) * self.wide
    }

    /// How each figure changes from one variant to another.
    fn changes(&self, left_out: Option<usize>, from: usize, to: usize) -> Vec<Option<f64>> {
        let known = self.known(left_out);
        let (a, b) = (&known[self.of(from)], &known[self.of(to)]);
        a.iter().zip(b).take(self.figures).map(|(a, b)| Some((*b)? - (*a)?)).collect()
    }
}

/// Each two variants, with Holm's correction over all changes of all figures.
fn comparisons(
    heads: &[FigureHead],
    variants: &[VariantSummary],
    numbers: &Numbers,
    weights: &[u64],
) -> Vec<Comparison> {
    let pairs = |from: usize| (from + 1..variants.len()).map(move |to| (from, to));
    let pairs: Vec<(usize, usize)> = (0..variants.len()).flat_map(pairs).collect();
    let changes = jackknife_all(weights, |left_out| {
        pairs.iter().flat_map(|&(from, to)| numbers.changes(left_out, from, to)).collect()
    });
    let row = |(from, to): (usize, usize), figure: usize, change: Option<Estimate>| {
        let FigureHead { name, unit, .. } = heads[figure];
        Some(Difference {
            variant_a: variants[from].variant.clone(),
            variant_b: variants[to].variant.clone(),
            figure: name,
            unit,
            a: numbers.full[numbers.of(from)][figure]?,
            b: numbers.full[numbers.of(to)][figure]?,
            difference: change?,
            p: jackknife_p(change?, weights.len()),
            p_holm: None,
        })
    };
    let mut changes = changes.into_iter();
    let mut comparisons: Vec<Comparison> = pairs
        .into_iter()
        .map(|(from, to)| {
            let figures = (0..heads.len()).zip(changes.by_ref());
            let changes = figures.map(|(figure, change)| row((from, to), figure, change)).collect();
            Comparison { from, to, changes }
        })
        .collect();
    let mut rows: Vec<&mut Difference> =
        comparisons.iter_mut().flat_map(|c| c.changes.iter_mut().flatten()).collect();
    let adjusted = holm(&rows.iter().map(|row| row.p).collect::<Vec<_>>());
    rows.iter_mut().zip(adjusted).for_each(|(row, p)| row.p_holm = p);
    comparisons
}

/// The first seat's score by the control variate; the parts whose coefficients are fitted apart are
/// the chunks.
fn controlled<G: Strategic>(
    plan: &Plan<G>,
    tallies: &[Tally],
    variant: usize,
    hands: u64,
) -> Option<Controlled> {
    let figure = G::control().filter(|_| plan.experiment().control)?;
    let Kind::Control { strengths, .. } = figure.kind else { return None };
    let control = |tally: &Tally| tally.variants[variant].controls(figure.name, strengths.len());
    let parts: Option<Vec<Controls>> = tallies.iter().map(control).collect();
    let found = Controls::mean(&parts?, 1.0 / (hands as f64 * UNIT as f64))?;
    Some(Controlled { mean: found.mean.clamped(0.0, 1.0), ..found })
}

/// A share lies between 0 and 1, and so do the ends of its interval.
fn within(unit: &str, estimate: Estimate) -> Estimate {
    if unit.starts_with("share") { estimate.clamped(0.0, 1.0) } else { estimate }
}

fn hands_per_deal<G: Strategic>(plan: &Plan<G>, variant: usize) -> u64 {
    let tables = 0..plan.tables.len();
    tables.filter(|&t| plan.tables[t].variant == variant).map(|t| plan.hands_of(t)).sum()
}

/// What each of so many strategies scores against each at tables of two.
fn scores(count: usize, rows: &[Matchup]) -> Vec<Vec<Option<Estimate>>> {
    let mut scores = vec![vec![None; count]; count];
    for row in rows {
        if let Some((a, b)) = row.pair {
            scores[a][b] = scores[a][b].or(row.score);
        }
    }
    let met = scores.clone();
    for (a, row) in scores.iter_mut().enumerate() {
        for (b, score) in row.iter_mut().enumerate() {
            *score = score.or(met[b][a].map(|score| score.scaled(-1.0).shifted(1.0)));
        }
    }
    scores
}

/// The strategies of one variant, the best rated first; equal ratings stand as in the experiment.
fn standings<G: Strategic>(
    plan: &Plan<G>,
    total: &Tally,
    variant: usize,
    ratings: &[Option<Estimate>],
) -> Vec<Standing> {
    let row = |number: usize| {
        let (mut matches, mut hands) = (0, 0);
        for (index, table) in plan.tables.iter().enumerate() {
            if table.variant == variant && !table.is_mirror() {
                let places = table.line_up.iter().filter(|&&s| s == number).count() as u64;
                matches += places * table.line_up.len() as u64;
                hands += places * plan.hands_of(index);
            }
        }
        Standing {
            variant: plan.variants[variant].name.clone(),
            strategy: plan.name_of(number).to_owned(),
            number,
            rank: 0,
            matches: matches * total.deals,
            hands: hands * total.deals,
            score: total.variants[variant].standings[number]
                .score(1.0 / (matches as f64 * UNIT as f64)),
            rating: ratings[number],
        }
    };
    let mut rows: Vec<Standing> = rated(plan, variant).into_iter().map(row).collect();
    let rating = |row: &Standing| row.rating.map_or(0.0, |r| r.value);
    rows.sort_by(|a, b| rating(b).total_cmp(&rating(a)));
    for (index, row) in rows.iter_mut().enumerate() {
        row.rank = index + 1;
    }
    rows
}
