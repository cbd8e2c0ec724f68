//! The CSV files.

use std::path::Path;

use super::columns::heads;
use super::{
    Confirmed, Difference, Matchup, Placed, Population, Standing, Summary, VariantFigures,
};
use crate::error::{Error, Result};
use crate::files::WholeFile;
use crate::stats::{Estimate, Verdict};
use crate::strategy::Strategic;

/// A table that is written row by row and takes its place when it is whole.
pub(super) struct Table {
    writer: csv::Writer<WholeFile>,
    place: String,
}

impl Table {
    pub fn create(path: &Path) -> Result<Table> {
        let writer = csv::Writer::from_writer(WholeFile::create(path)?);
        Ok(Table { writer, place: path.display().to_string() })
    }

    pub fn row<T: AsRef<[u8]>>(&mut self, cells: impl IntoIterator<Item = T>) -> Result<()> {
        self.writer.write_record(cells).map_err(|error| self.failed(&error))
    }

    pub fn finish(self) -> Result<()> {
        let place = self.place;
        let file = self.writer.into_inner();
        file.map_err(|error| Error::failed(format!("cannot write {place}: {}", error.error())))?
            .finish()
    }

    fn failed(&self, error: &csv::Error) -> Error {
        Error::failed(format!("cannot write {}: {error}", self.place))
    }
}

/// An estimate's three cells; empty where there is none.
pub(super) fn cells(estimate: Option<Estimate>) -> [String; 3] {
    let number = |x: f64| {
        let text = format!("{x:.6}");
        // No negative zero.
        if text == "-0.000000" { "0.000000".to_owned() } else { text }
    };
    match estimate {
        None => Default::default(),
        Some(Estimate { value, interval: None }) => [number(value), String::new(), String::new()],
        Some(Estimate { value, interval: Some((low, high)) }) => {
            [number(value), number(low), number(high)]
        }
    }
}

/// Writes all tables but `hands.csv`.
pub(super) fn write<G: Strategic>(folder: &Path, summary: &Summary) -> Result<()> {
    let write = |name: &str, rows: Vec<Vec<String>>| {
        let mut table = Table::create(&folder.join(name))?;
        table.row(heads::<G>(name))?;
        rows.iter().try_for_each(|row| table.row(row))?;
        table.finish()
    };
    write("matchups.csv", summary.matchups.iter().map(matchup).collect())?;
    write("strategies.csv", summary.standings.iter().map(standing).collect())?;
    write("variants.csv", summary.variants.iter().map(variant).collect())?;
    write("differences.csv", summary.differences.iter().map(difference).collect())?;
    write("populations.csv", summary.populations.iter().flat_map(population).collect())?;
    write("confirmed.csv", summary.confirmed.iter().map(confirmed).collect())
}

fn wide(estimates: impl IntoIterator<Item = Option<Estimate>>) -> Vec<String> {
    estimates.into_iter().flat_map(cells).collect()
}

fn matchup(row: &Matchup) -> Vec<String> {
    let counts = [row.deals, row.matches, row.hands, row.wins, row.draws, row.losses];
    [
        vec![row.variant.clone(), row.strategy.clone(), row.opponent.clone()],
        counts.iter().map(u64::to_string).collect(),
        wide([row.score, row.points_for, row.points_against, row.margin, row.turns]),
        vec![small(row.p), small(row.p_holm)],
        vec![row.verdict.map_or(String::new(), |v| verdict(v).to_owned())],
        vec![row.variance_ratio.map_or(String::new(), |r| format!("{r:.6}"))],
        (0..5).map(|i| row.by_deal.map_or(String::new(), |d| d[i].to_string())).collect(),
    ]
    .concat()
}

/// A p-value, of which the order counts.
fn small(p: Option<f64>) -> String {
    p.map_or(String::new(), |p| format!("{p:.3e}"))
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Undecided => "undecided",
        Verdict::Lower => "lower",
        Verdict::Upper => "upper",
    }
}

fn standing(row: &Standing) -> Vec<String> {
    let counts = [row.rank as u64, row.matches, row.hands];
    [
        vec![row.variant.clone(), row.strategy.clone()],
        counts.iter().map(u64::to_string).collect(),
        wide([row.score, row.rating]),
    ]
    .concat()
}

fn variant(row: &VariantFigures) -> Vec<String> {
    let plain = vec![row.variant.clone(), row.deals.to_string(), row.hands.to_string()];
    let saved = row.controlled.map(|c| format!("{:.6}", c.saved)).unwrap_or_default();
    let controlled = wide([row.controlled.map(|c| c.mean)]);
    [plain, wide(row.figures.iter().map(|f| f.estimate)), controlled, vec![saved]].concat()
}

fn difference(row: &Difference) -> Vec<String> {
    let bare = |x: f64| cells(Some(Estimate::bare(x)))[0].clone();
    let names = vec![row.from.clone(), row.to.clone(), row.figure.to_owned(), row.unit.to_owned()];
    let probabilities = vec![small(row.p), small(row.p_holm)];
    let values = vec![bare(row.before), bare(row.after)];
    [names, values, wide([Some(row.change)]), probabilities].concat()
}

fn confirmed(row: &Confirmed) -> Vec<String> {
    [
        vec![row.variant.clone(), row.strategy.clone(), row.opponent.clone()],
        wide([row.chosen]),
        vec![row.deals.to_string()],
        wide([row.score]),
    ]
    .concat()
}

fn population(population: &Population) -> Vec<Vec<String>> {
    let row = |row: &Placed| {
        let ring = row.ring.map_or(String::new(), |ring| (ring + 1).to_string());
        let names = vec![population.variant.clone(), row.strategy.clone(), ring];
        [names, wide([row.nash_share, row.nash_score, row.alpha_rank].map(Some))].concat()
    };
    population.rows.iter().map(row).collect()
}
