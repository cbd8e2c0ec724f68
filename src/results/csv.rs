//! The CSV files.

use std::path::Path;

use super::Summary;
use crate::error::{Error, Result};
use crate::files::WholeFile;
use crate::stats::Estimate;

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

/// An estimate's three columns: the value and the ends of its interval.
pub(super) fn headers(name: &str) -> [String; 3] {
    [name.to_owned(), format!("{name}_low"), format!("{name}_high")]
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
pub(super) fn write(folder: &Path, summary: &Summary) -> Result<()> {
    matchups(&folder.join("matchups.csv"), summary)?;
    strategies(&folder.join("strategies.csv"), summary)?;
    variants(&folder.join("variants.csv"), summary)?;
    differences(&folder.join("differences.csv"), summary)?;
    populations(&folder.join("populations.csv"), summary)
}

fn matchups(path: &Path, summary: &Summary) -> Result<()> {
    let mut table = Table::create(path)?;
    let plain =
        ["variant", "strategy", "opponent", "deals", "matches", "hands", "wins", "draws", "losses"];
    let estimates = ["score", "points_for", "points_against", "margin", "turns"];
    let last = ["p", "p_holm", "variance_ratio", "deals_0", "deals_1", "deals_2", "deals_3", "deals_4"];
    let names = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
    let wide = estimates.iter().flat_map(|e| headers(e));
    table.row(names(&plain).into_iter().chain(wide).chain(names(&last)))?;
    for row in &summary.matchups {
        let names = [&row.variant, &row.strategy, &row.opponent].map(String::clone);
        let counts = [row.deals, row.matches, row.hands, row.wins, row.draws, row.losses];
        let estimates = [row.score, row.points_for, row.points_against, row.margin, row.turns];
        let counts = counts.iter().map(u64::to_string);
        let wide = estimates.into_iter().flat_map(cells);
        let small = |p: Option<f64>| p.map_or(String::new(), |p| format!("{p:.3e}"));
        let ratio = row.variance_ratio.map_or(String::new(), |r| format!("{r:.6}"));
        let last = [small(row.p), small(row.p_holm), ratio];
        let by_deal = (0..5).map(|i| row.by_deal.map_or(String::new(), |d| d[i].to_string()));
        table.row(names.into_iter().chain(counts).chain(wide).chain(last).chain(by_deal))?;
    }
    table.finish()
}

fn strategies(path: &Path, summary: &Summary) -> Result<()> {
    let mut table = Table::create(path)?;
    let plain = ["variant", "strategy", "rank", "matches", "hands"];
    let estimates = ["score", "rating"];
    table.row(
        plain.map(String::from).into_iter().chain(estimates.iter().flat_map(|e| headers(e))),
    )?;
    for row in &summary.standings {
        let names = [row.variant.clone(), row.strategy.clone(), row.rank.to_string()];
        let counts = [row.matches.to_string(), row.hands.to_string()];
        let estimates = [row.score, row.rating].into_iter().flat_map(cells);
        table.row(names.into_iter().chain(counts).chain(estimates))?;
    }
    table.finish()
}

fn variants(path: &Path, summary: &Summary) -> Result<()> {
    let mut table = Table::create(path)?;
    let plain = ["variant", "deals", "hands"].map(String::from).into_iter();
    let figures = summary.variants.first().map_or(&[][..], |v| &v.figures);
    table.row(plain.chain(figures.iter().flat_map(|f| headers(f.name))))?;
    for row in &summary.variants {
        let plain = [row.variant.clone(), row.deals.to_string(), row.hands.to_string()];
        table.row(plain.into_iter().chain(row.figures.iter().flat_map(|f| cells(f.estimate))))?;
    }
    table.finish()
}

fn differences(path: &Path, summary: &Summary) -> Result<()> {
    let mut table = Table::create(path)?;
    let plain =
        ["variant_a", "variant_b", "figure", "unit", "a", "b"].map(String::from).into_iter();
    table.row(plain.chain(headers("difference")))?;
    for row in &summary.differences {
        let names = [row.from.clone(), row.to.clone(), row.figure.to_owned(), row.unit.to_owned()];
        let bare = |x: f64| cells(Some(Estimate::bare(x)))[0].clone();
        let two = [bare(row.before), bare(row.after)];
        table.row(names.into_iter().chain(two).chain(cells(Some(row.change))))?;
    }
    table.finish()
}

fn populations(path: &Path, summary: &Summary) -> Result<()> {
    let mut table = Table::create(path)?;
    let plain = ["variant", "strategy", "ring"].map(String::from).into_iter();
    let estimates = ["nash_share", "nash_score", "alpha_rank"];
    table.row(plain.chain(estimates.iter().flat_map(|e| headers(e))))?;
    for population in &summary.populations {
        for row in &population.rows {
            let ring = row.ring.map_or(String::new(), |ring| (ring + 1).to_string());
            let names = [population.variant.clone(), row.strategy.clone(), ring];
            let estimates = [row.nash_share, row.nash_score, row.alpha_rank];
            table.row(names.into_iter().chain(estimates.into_iter().flat_map(|e| cells(Some(e)))))?;
        }
    }
    table.finish()
}
