//! All numbers of a run, made once from its final tallies.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};

use super::drawn::{Drawn, drawn};
use super::figures::{
    COMMON_LAST, FIRST_SEAT, FigureHead, LUCK, REST, SKILL, SPREAD, heads, is_measured,
};
use super::matchups::matchups;
use super::numbers::{Numbers, comparisons, controlled, hands_per_deal, scores, standings, within};
use super::populations::{Population, population};
use super::rows::{Confirmed, Difference, Matchup, Placed, Standing, VariantControl, VariantHead};
use super::table::{Column, Table, spread};
use crate::arena::{Plan, Tally, UNIT};
use crate::stats::{Controlled, Estimate, jackknife_all};
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
    /// The variants.
    pub variants: Vec<VariantSummary>,
    /// Each two variants: the first with each later one, then the second, and so on.
    pub comparisons: Vec<Comparison>,
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
        self.figures[FIRST_SEAT]
    }

    /// Of the variance of a match's result the shares of the deal, of the strategies' strength and
    /// of the rest.
    pub fn variance_shares(&self) -> Option<[f64; 3]> {
        let [luck, skill, rest] = [LUCK, SKILL, REST].map(|figure| self.last(figure));
        Some([luck?.value, skill?.value, rest?.value])
    }

    /// The standard deviation of the strategies' ratings in Elo.
    pub fn skill_spread(&self) -> Option<Estimate> {
        self.last(SPREAD)
    }

    /// One of the figures that every game has after its own.
    fn last(&self, figure: usize) -> Option<Estimate> {
        self.figures[self.figures.len() - COMMON_LAST.len() + figure]
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
        self.changes[FIRST_SEAT].as_ref()
    }
}

impl Summary {
    /// A summary without variants: the heads of the tables.
    pub fn blank<G: Strategic>() -> Summary {
        let (variants, comparisons) = (Vec::new(), Vec::new());
        Summary { deals: 0, early: false, figures: heads::<G>().collect(), variants, comparisons }
    }

    /// Makes the numbers from the tallies of all chunks.
    pub fn new<G: Strategic>(plan: &Plan<G>, tallies: &[Tally]) -> Summary {
        let mut blank = Summary::blank::<G>();
        let mut total = plan.empty.clone();
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
            figures[FIRST_SEAT] =
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

    /// The numbers of the figures that a short table shows.
    pub fn headlines(&self) -> impl Iterator<Item = usize> {
        (0..self.figures.len()).filter(|&figure| self.figures[figure].headline)
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
