//! A plan as it is written beside its chunks.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::plan::layout;
use super::tables::table_seed;
use super::{Plan, Schedule, Table, Until, Variant};
use crate::error::{Error, Result};
use crate::files::{Found, Origin};
use crate::strategy::{Strategic, Strategy};

/// A plan as it is written beside its chunks.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Portable {
    /// Its name.
    pub name: String,
    /// The question.
    pub about: String,
    /// The game's name.
    pub game: String,
    /// Where the experiment file was.
    pub origin: Option<Origin>,
    /// The experiment file's digest.
    pub digest: Option<String>,
    /// The variants with their rules.
    pub variants: Vec<(String, Value)>,
    /// The strategies with their files' places and texts.
    pub strategies: Vec<(String, Origin, String)>,
    /// Who meets whom.
    pub schedule: Schedule,
    /// The tables: the variant's number and the strategies' numbers.
    pub tables: Vec<(usize, Vec<usize>)>,
    /// How many deals.
    pub deals: u64,
    /// The seed.
    pub seed: u64,
    /// When the run may end before its last deal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Until>,
    /// Whether each variant's best strategy is measured again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub confirm: bool,
    /// Whether what the deal's cards explain is taken out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub control: bool,
}

impl<G: Strategic> Plan<G> {
    /// The plan as it is written beside its chunks: enough to build it again elsewhere.
    pub fn portable(&self) -> Portable {
        let (origin, digest) = self.source.clone().unzip();
        Portable {
            name: self.name.clone(),
            about: self.about.clone(),
            game: G::NAME.to_owned(),
            origin,
            digest,
            variants: self
                .variants
                .iter()
                .map(|v| {
                    (v.name.clone(), serde_json::to_value(v.game.rules()).expect("plain data"))
                })
                .collect(),
            strategies: self
                .strategies
                .iter()
                .map(|s| (s.name.clone(), s.origin.clone(), s.text.clone()))
                .collect(),
            schedule: self.schedule,
            tables: self.tables.iter().map(|t| (t.variant, t.line_up.clone())).collect(),
            deals: self.deals,
            seed: self.seed,
            until: self.until,
            confirm: self.confirm,
            control: self.control,
        }
    }

    /// Builds a plan again; `place` is the file it stands in.
    ///
    /// # Errors
    /// Bad input when it does not fit this program.
    pub fn from_portable(place: &str, portable: &Portable) -> Result<Plan<G>> {
        let fault = |what: String| Error::input(format!("{place}: {what}"));
        let variants = portable
            .variants
            .iter()
            .map(|(name, rules)| {
                let rules: G::Rules = serde_json::from_value(rules.clone())
                    .map_err(|e| fault(format!("variant `{name}`: {e}")))?;
                let game =
                    G::new(&rules).map_err(|error| fault(format!("variant `{name}`: {error}")))?;
                Ok(Variant { name: name.clone(), game })
            })
            .collect::<Result<Vec<Variant<G>>>>()?;
        let strategies = portable
            .strategies
            .iter()
            .map(|(name, origin, text)| {
                Strategy::read(&Found::new(name, origin.clone(), text.clone()))
            })
            .collect::<Result<Vec<Strategy<G>>>>()?;
        let mut tables = Vec::new();
        for (variant, line_up) in &portable.tables {
            let known =
                variants.get(*variant).filter(|_| line_up.iter().all(|&s| s < strategies.len()));
            let variant_at = known.filter(|v| v.game.seats() == line_up.len());
            let found =
                variant_at.ok_or_else(|| fault("a table does not fit its variant".to_owned()))?;
            let seed = table_seed(portable.seed, &found.name, line_up, &strategies);
            tables.push(Table { variant: *variant, line_up: line_up.clone(), seed });
        }
        let plan = Plan {
            name: portable.name.clone(),
            about: portable.about.clone(),
            layout: layout(&variants, &tables, strategies.len(), portable.control),
            variants,
            strategies,
            schedule: portable.schedule,
            tables,
            deals: portable.deals,
            seed: portable.seed,
            until: portable.until,
            confirm: portable.confirm,
            control: portable.control,
            source: portable.origin.clone().zip(portable.digest.clone()),
        };
        plan.check_size()?;
        plan.until.map_or(Ok(()), |until| until.check(&plan))?;
        Ok(plan)
    }
}
