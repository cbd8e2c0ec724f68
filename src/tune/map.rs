//! A map of a space of rules: what each rule does to each figure, by surfaces fitted to all rule sets that a
//! search played. As tables, and as a page with the front.

use std::collections::BTreeMap;
use std::path::Path;

use itertools::Itertools;
use maud::{PreEscaped, html};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::front_search::{Figures, FoundFront, RuleSet, Space, reading};
use crate::error::Result;
use crate::files::write_atomic;
use crate::game::{FigureInfo, Sweep, sweep};
use crate::results::report::{Page, Section};
use crate::results::{Column, Summary, Table, VariantSummary, thousands};
use crate::stats::{Estimate, Surface};
use crate::{PROGRAM, Seed};

/// The number of rule sets over which means are taken.
const POPULATION: usize = 512;

/// One row per figure and rule, and per figure and pair of rules.
#[derive(Clone, Serialize, JsonSchema)]
pub struct EffectRow {
    /// The figure, a column of `variants.csv`.
    pub figure: &'static str,
    /// Unit of the figure.
    pub unit: &'static str,
    /// A rule.
    pub rule: String,
    /// The value of the rule with the lowest mean of the figure.
    pub from: String,
    /// The value with the highest mean.
    pub to: String,
    /// Another rule; empty for the effect of one rule.
    pub other_rule: String,
    /// Change of the figure from the first to the second value, as a mean over all values of the other
    /// rules. For a pair: how much larger this change is when the other rule changes as well, from its value
    /// with the lowest mean to that with the highest. Unit: see
    /// `unit`.
    pub effect: Estimate,
}

/// A map of a space of rules.
pub struct RuleMap {
    /// The original variant: its name, or what a variant file has.
    base: Value,
    /// The rules and their values.
    fields: Vec<(String, Vec<Value>)>,
    figures: Vec<FigureInfo>,
    /// The rule sets, their deals, and their figures.
    sets: Vec<(RuleSet, u64, Figures)>,
    effects: Vec<EffectRow>,
    /// For each figure and pair of rules the mean of the figure for each pair of values, over all values of
    /// the other rules.
    means: Vec<Value>,
}

impl RuleMap {
    /// Fits a surface to each figure of the rule sets that were played. `figures` are those of the
    /// objectives.
    pub fn new(base: Value, sweep: &Sweep, figures: &[FigureInfo], found: &FoundFront) -> RuleMap {
        let fields: Vec<(String, Vec<Value>)> =
            sweep.fields().map(|(name, values)| (name.to_owned(), values.to_vec())).collect();
        let all = found.results.keys().map(|set| found.space.features(set)).collect_vec();
        let points = all.iter().map(Vec::as_slice).collect_vec();
        let terms = terms(&found.space);
        let (mut effects, mut means) = (Vec::new(), Vec::new());
        let columns = (0..figures.len()).unique_by(|at| figures[*at].name).collect_vec();
        for &column in &columns {
            let FigureInfo { name: figure, unit, .. } = figures[column];
            let readings = found.results.values().filter_map(|it| reading(it, column));
            let surface = Surface::fit(&points, &readings.collect_vec());
            // The values of each rule with the lowest and the highest mean.
            let mut ends: BTreeMap<usize, [usize; 2]> = BTreeMap::new();
            for Term { rules, cells } in &terms {
                let words = |values: &[usize]| {
                    let all = rules.iter().zip(values);
                    all.map(|(rule, value)| sweep::word(&fields[*rule].1[*value])).collect_vec()
                };
                let names = rules.iter().map(|rule| fields[*rule].0.clone()).collect_vec();
                if let [rule] = rules[..] {
                    let mean =
                        |(value, x): &(Vec<usize>, Vec<f64>)| (surface.mean(x).value, value[0]);
                    let order = cells.iter().map(mean).sorted_by(|a, b| a.0.total_cmp(&b.0));
                    let order = order.map(|(_, value)| value).collect_vec();
                    ends.insert(rule, [order[0], order[order.len() - 1]]);
                } else {
                    let cell = |(values, x): &(Vec<usize>, Vec<f64>)| {
                        let [one, other] = [0, 1].map(|at| words(values)[at].clone());
                        json!([one, other, rounded(surface.mean(x).value)])
                    };
                    let cells = cells.iter().map(cell).collect_vec();
                    means.push(json!([figure, names[0], names[1], cells]));
                }
                // The change along each rule, or the change of the change.
                let sign = |values: &[usize]| -> f64 {
                    let of = |(rule, value): (&usize, &usize)| match ends[rule] {
                        [_, high] if *value == high => 1.0,
                        [low, _] if *value == low => -1.0,
                        _ => 0.0,
                    };
                    rules.iter().zip(values).map(of).product()
                };
                let change = sum(cells.iter().map(|(values, x)| (sign(values), x.as_slice())));
                let [from, to] = [0, 1]
                    .map(|end| words(&rules.iter().map(|rule| ends[rule][end]).collect_vec()));
                effects.push(EffectRow {
                    figure,
                    unit,
                    rule: names[0].clone(),
                    from: from[0].clone(),
                    to: to[0].clone(),
                    other_rule: names.get(1).cloned().unwrap_or_default(),
                    effect: surface.change(&change),
                });
            }
        }
        let take = |it: &Figures| columns.iter().map(|column| it[*column]).collect();
        let sets = found.results.iter().map(|(set, it)| (set.clone(), found.deals[set], take(it)));
        let (sets, figures) = (sets.collect(), columns.iter().map(|at| figures[*at]).collect());
        RuleMap { base, fields, figures, sets, effects, means }
    }

    /// The rule sets as a table: their values, deals and figures.
    fn table(&self) -> Table {
        let about = "One row per rule set of the search.".to_owned();
        let column = |name: &str, kind, unit: &str, meaning: String| Column {
            heads: vec![name.to_owned()],
            kind,
            unit: unit.to_owned(),
            meaning,
        };
        let rules = self.fields.iter().map(|(name, _)| {
            column(name, "text", "value of the rule", format!("The rule `{name}`."))
        });
        let deals = column("deals", "integer", "deals", "Deals played.".to_owned());
        let figures = self.figures.iter().map(|it| Column::estimate(it.name, it.unit, it.meaning));
        let columns = rules.chain([deals]).chain(figures).collect();
        let row = |(set, deals, figures): &(RuleSet, u64, Figures)| {
            let rules = set.iter().zip(&self.fields).map(|(at, (_, values))| values[*at].clone());
            let ends = |it: &Option<Estimate>| {
                let ends = it.and_then(|it| it.interval).unzip();
                [it.map(|it| it.value), ends.0, ends.1].map(|x| json!(x))
            };
            rules.chain([json!(deals)]).chain(figures.iter().flat_map(ends)).collect()
        };
        let rows = self.sets.iter().map(row).collect();
        Table { name: "rule_sets".to_owned(), about, columns, rows }
    }

    /// Writes the tables and the page into the folder of the run on fresh deals, whose variants have these
    /// rules. `names` are those of the game and the run.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(
        &self,
        names: [&str; 2],
        run: &Summary,
        rules: &[Value],
        folder: &Path,
    ) -> Result<()> {
        self.table().write(folder)?;
        Table::of("effects", self.effects.clone()).write(folder)?;
        write_atomic(&folder.join("map.html"), self.page(names, run, rules))
    }

    /// Returns the numbers that the script of the page draws.
    fn data(&self, run: &Summary, rules: &[Value]) -> Value {
        let number = |e: &Option<Estimate>| e.map(|e| rounded(e.value));
        let set = |(set, deals, figures): &(RuleSet, u64, Figures)| {
            json!([set, deals, figures.iter().map(number).collect_vec()])
        };
        let of_run = |figure: &FigureInfo| run.figures.iter().position(|it| it.name == figure.name);
        let places = self.figures.iter().filter_map(of_run).collect_vec();
        let variant = |(it, rules): (&VariantSummary, &Value)| {
            json!([it.variant, places.iter().map(|at| it.figures[*at]).collect_vec(), rules])
        };
        json!({
            "base": self.base,
            "fields": self.fields,
            "figures": self.figures.iter().map(|it| [it.name, it.unit]).collect_vec(),
            "effects": self.effects,
            "means": self.means,
            "sets": self.sets.iter().map(set).collect_vec(),
            "front": run.variants.iter().zip(rules).map(variant).collect_vec(),
        })
    }

    fn page(&self, [game, name]: [&str; 2], run: &Summary, rules: &[Value]) -> String {
        let data = self.data(run, rules).to_string().replace("</", "<\\/");
        let page = Page {
            game,
            name,
            question: &run.answer.question,
            answer: &run.answer.sentences,
            is_different: None,
            size: format!(
                "{} rule sets; the best ones on {} fresh deals; program {PROGRAM}",
                thousands(self.sets.len() as u64),
                thousands(run.deals),
            ),
            first_screen: html! {
                div id="scatter" {}
                p.dim { "Each point is a rule set, by the figures of its last round. Rings: the confirmed front and the "
                    "named rules, on fresh deals. Point at one for its rules; a click saves them as a variant file." }
            },
            open: Section {
                id: "map",
                title: "Two rules at a time",
                body: html! {
                    p { "The mean of a figure over all values of the other rules, by a surface fitted to all rule sets." }
                    div id="heat" {}
                },
            },
            folded: vec![Section {
                id: "effects",
                title: "What each rule does",
                body: html! { div id="effects-chart" {} },
            }],
            files: html! {
                p { a href="report.html" { "report.html" } " compares the best rule sets on the fresh deals. Tables:"
                    @for name in ["rule_sets", "effects", "variants", "differences", "answer"] {
                        " " a href={ (name) ".csv" } { (name) ".csv" } } }
                script type="application/json" id="data" { (PreEscaped(data)) }
                script { (PreEscaped(include_str!("map.js"))) }
            },
        };
        page.render()
    }
}

/// A rule or a pair of rules, with the mean features of the space for each combination of their values.
struct Term {
    rules: Vec<usize>,
    cells: Vec<(Vec<usize>, Vec<f64>)>,
}

/// Returns the rules that have an effect, then all pairs of them.
fn terms(space: &Space) -> Vec<Term> {
    let population = space.spread(POPULATION, Seed::new(1));
    let free = space.free().collect_vec();
    let term = |fields: Vec<&(usize, &[usize])>| {
        let rules = fields.iter().map(|(rule, _)| *rule).collect_vec();
        let choices = fields.iter().map(|(_, choices)| choices.iter().copied());
        let mean = |values: Vec<usize>| {
            let with = |set: &RuleSet| {
                let mut set = set.clone();
                rules.iter().zip(&values).for_each(|(rule, value)| set[*rule] = *value);
                space.features(&set)
            };
            let all = population.iter().map(with).collect_vec();
            let share = 1.0 / all.len() as f64;
            let mean = sum(all.iter().map(|x| (share, x.as_slice())));
            (values, mean)
        };
        let cells = choices.multi_cartesian_product().map(mean).collect();
        Term { rules, cells }
    };
    (1..=2).flat_map(|count| free.iter().combinations(count)).map(term).collect()
}

fn rounded(x: f64) -> f64 {
    (x * 1e5).round() / 1e5
}

/// The sum of vectors with their weights.
fn sum<'a>(parts: impl IntoIterator<Item = (f64, &'a [f64])>) -> Vec<f64> {
    let mut total = Vec::new();
    for (weight, part) in parts {
        total.resize(part.len(), 0.0);
        total.iter_mut().zip(part).for_each(|(sum, x)| *sum += weight * x);
    }
    total
}
