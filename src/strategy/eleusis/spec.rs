//! What a strategy file of Eleusis can say.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::dealer::Seated;
use super::{Bayes, Cautious, Dealer};
use crate::eleusis::infer::Grammar;
use crate::eleusis::{Eleusis, View};
use crate::error::{Error, Result};
use crate::files::Found;
use crate::game::{Bot, PolicyBot, Uniform};
use crate::strategy::{Strategic, read_kind};

/// A strategy of Eleusis, resolved in full.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Spec {
    /// Uniform over the legal moves.
    Random {
        /// How it deals.
        dealer: Dealer,
    },
    /// The likeliest card.
    Cautious {
        /// How it deals.
        dealer: Dealer,
    },
    /// Its belief in everything.
    Bayes {
        /// How it deals.
        dealer: Dealer,
        /// What it goes by.
        #[serde(flatten)]
        params: Params,
    },
}

impl Spec {
    /// How it deals.
    pub fn dealer(&self) -> &Dealer {
        match self {
            Spec::Random { dealer } | Spec::Cautious { dealer } | Spec::Bayes { dealer, .. } => {
                dealer
            }
        }
    }
}

/// What `bayes` goes by beside its belief.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Params {
    /// How many rules it keeps in view when it looks ahead.
    pub panel: u16,
    /// Cards that a verdict nobody can foretell is worth.
    pub curiosity: f64,
    /// The belief in one rule from which on it becomes prophet.
    pub faith: f64,
    /// The belief in one rule from which on it commits to it in `science`.
    pub commit: f64,
    /// With fewer cards than this it does not become prophet but plays on.
    pub least_hand: u16,
}

impl Default for Params {
    fn default() -> Params {
        Params { panel: 64, curiosity: 1.0, faith: 0.25, commit: 0.52, least_hand: 4 }
    }
}

impl Params {
    /// Whether to become prophet with this belief in one rule.
    pub(super) fn prophesies(&self, belief: f64, view: &View) -> bool {
        belief >= self.faith && view.hand.len() >= self.least_hand.into()
    }

    fn faults(&self) -> Vec<String> {
        let fields = [
            ("panel", f64::from(self.panel), 1.0, 1000.0),
            ("curiosity", self.curiosity, 0.0, 10.0),
            ("faith", self.faith, 0.0, 1.0),
            ("commit", self.commit, 0.0, 1.0),
            ("least_hand", f64::from(self.least_hand), 0.0, 1000.0),
        ];
        let wrong = fields.into_iter().filter(|(_, x, low, high)| !(low..=high).contains(&x));
        wrong
            .map(|(name, value, low, high)| {
                format!("field `{name}` is {value}; it must be from {low} to {high}")
            })
            .collect()
    }
}

/// A strategy file of Eleusis as it is written.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[schemars(rename = "EleusisStrategy")]
pub enum SpecFile {
    /// Any legal move, all alike.
    Random(Plain),
    /// The card that is likeliest right, one at a time; never prophet, states no rule.
    Cautious(Plain),
    /// Goes by its belief over some hundred thousand rules in everything.
    Bayes(BayesFile),
}

fn random_rule() -> String {
    "random-rule".to_owned()
}

/// A kind without parameters of its own.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "EleusisPlainStrategy")]
pub struct Plain {
    /// One sentence for people.
    #[serde(default)]
    about: String,
    /// The game, as a safeguard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    /// The kind.
    #[serde(default)]
    kind: String,
    /// How it deals: `random-rule`, `fixed:` and a rule of the bank by name or text, or `scheming`.
    #[serde(default = "random_rule")]
    dealer: String,
}

/// The kind `bayes`.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "EleusisBayes")]
pub struct BayesFile {
    /// One sentence for people.
    #[serde(default)]
    about: String,
    /// The game, as a safeguard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    /// The kind.
    #[serde(default)]
    kind: String,
    /// How it deals: `random-rule`, `fixed:` and a rule of the bank by name or text, or `scheming`.
    #[serde(default = "random_rule")]
    dealer: String,
    /// How many rules it keeps in view when it looks ahead, 1 to 1000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    panel: Option<u16>,
    /// Cards that a verdict nobody can foretell is worth, 0 to 10.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    curiosity: Option<f64>,
    /// The belief in one rule from which on it becomes prophet, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    faith: Option<f64>,
    /// The belief in one rule from which on it commits to it in `science`, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    commit: Option<f64>,
    /// With fewer cards than this it does not become prophet but plays on, 0 to 1000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    least_hand: Option<u16>,
}

impl BayesFile {
    fn params(&self) -> Params {
        let usual = Params::default();
        Params {
            panel: self.panel.unwrap_or(usual.panel),
            curiosity: self.curiosity.unwrap_or(usual.curiosity),
            faith: self.faith.unwrap_or(usual.faith),
            commit: self.commit.unwrap_or(usual.commit),
            least_hand: self.least_hand.unwrap_or(usual.least_hand),
        }
    }
}

impl Strategic for Eleusis {
    type Scratch = ();
    type Spec = Spec;
    type SpecFile = SpecFile;

    const KINDS: &'static [&'static str] = &["random", "cautious", "bayes"];

    fn spec(kind: &str, found: &Found) -> Result<Spec> {
        let place = found.place();
        let dealer = |text: &str| {
            let at = |fault| Error::input(format!("{place}: field `dealer`: {fault}"));
            Dealer::read(text).map_err(at)
        };
        if kind == "bayes" {
            let file = read_kind::<BayesFile>(found)?;
            let params = file.params();
            let faults = params.faults();
            if !faults.is_empty() {
                return Err(Error::input(format!("{place}: {}", faults.join("; "))));
            }
            return Ok(Spec::Bayes { dealer: dealer(&file.dealer)?, params });
        }
        let dealer = dealer(&read_kind::<Plain>(found)?.dealer)?;
        Ok(if kind == "cautious" { Spec::Cautious { dealer } } else { Spec::Random { dealer } })
    }

    fn bot(&self, spec: &Spec) -> Box<dyn Bot<Eleusis>> {
        let dealer = spec.dealer().clone();
        match spec {
            Spec::Random { .. } => Box::new(Seated { dealer, player: PolicyBot(Uniform) }),
            Spec::Cautious { .. } => {
                Box::new(Seated { dealer, player: Cautious::new(Grammar::simple()) })
            }
            Spec::Bayes { params, .. } => {
                Box::new(Seated { dealer, player: Bayes::new(Grammar::shared(), *params) })
            }
        }
    }

    fn is_cheap(spec: &Spec) -> bool {
        matches!(spec, Spec::Random { .. })
    }
}
