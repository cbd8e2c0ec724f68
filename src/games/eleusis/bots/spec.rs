//! What a strategy file of Eleusis can say.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::dealer::Seated;
use super::worth::prophecy;
use super::{Bayes, Cautious, Dealer, Depth, Ismcts};
use crate::games::eleusis::infer::Grammar;
use crate::games::eleusis::{Eleusis, Rules, View};
use crate::error::{Error, Result};
use crate::game::{Bot, PolicyBot, Uniform};
use crate::strategy::{Layers, Strategic};

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
    /// A search of worlds that it believes in.
    Ismcts {
        /// How it deals.
        dealer: Dealer,
        /// What it goes by.
        #[serde(flatten)]
        depth: Depth,
    },
}

impl Spec {
    /// How it deals.
    pub fn dealer(&self) -> &Dealer {
        match self {
            Spec::Random { dealer }
            | Spec::Cautious { dealer }
            | Spec::Bayes { dealer, .. }
            | Spec::Ismcts { dealer, .. } => dealer,
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
    /// How many turns a wrong commitment is taken to cost in `science`; each makes the next cost
    /// as much more.
    pub caution: f64,
    /// With fewer cards than this it does not become prophet but plays on.
    pub least_hand: u16,
    /// How likely a prophet is thought to judge as it would itself, not to know the rule: where it
    /// is, a doubtful play may provoke its overthrow.
    pub likeness: f64,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            panel: 64,
            curiosity: 1.0,
            faith: 0.15,
            commit: 0.4,
            caution: 5.0,
            least_hand: 4,
            likeness: 0.3,
        }
    }
}

impl Params {
    /// Whether to become prophet with this belief in one rule.
    pub(super) fn prophesies(&self, rules: &Rules, view: &View, belief: f64) -> bool {
        belief >= self.faith
            && view.hand.len() >= self.least_hand.into()
            && prophecy(rules, view, belief) > 0.0
    }

    fn faults(&self) -> Vec<String> {
        out_of_range(&[
            ("panel", f64::from(self.panel), 1.0, 1000.0),
            ("curiosity", self.curiosity, 0.0, 10.0),
            ("faith", self.faith, 0.0, 1.0),
            ("commit", self.commit, 0.0, 1.0),
            ("caution", self.caution, 0.0, 100.0),
            ("least_hand", f64::from(self.least_hand), 0.0, 1000.0),
            ("likeness", self.likeness, 0.0, 1.0),
        ])
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
    /// Information-set Monte Carlo tree search over worlds whose rules it believes in.
    Ismcts(IsmctsFile),
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
    /// How many turns a wrong commitment is taken to cost in `science`, 0 to 100; each makes the
    /// next cost as much more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    caution: Option<f64>,
    /// With fewer cards than this it does not become prophet but plays on, 0 to 1000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    least_hand: Option<u16>,
    /// How likely a prophet is thought to judge as it would itself, not to know the rule, 0 to 1:
    /// where it is, a doubtful play may provoke its overthrow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    likeness: Option<f64>,
}

impl BayesFile {
    fn params(&self) -> Params {
        let usual = Params::default();
        Params {
            panel: self.panel.unwrap_or(usual.panel),
            curiosity: self.curiosity.unwrap_or(usual.curiosity),
            faith: self.faith.unwrap_or(usual.faith),
            commit: self.commit.unwrap_or(usual.commit),
            caution: self.caution.unwrap_or(usual.caution),
            least_hand: self.least_hand.unwrap_or(usual.least_hand),
            likeness: self.likeness.unwrap_or(usual.likeness),
        }
    }
}

/// The kind `ismcts`.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "EleusisIsmcts")]
pub struct IsmctsFile {
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
    /// How many worlds it imagines and plays on, 1 to 1000000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    iterations: Option<u32>,
    /// How much it explores, 0 to 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    exploration: Option<f64>,
    /// How many rules it draws from its belief for the worlds, 1 to 10000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rules: Option<u32>,
    /// After how many moves a playout is cut off and the cards held are counted, 0 to 10000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cut_off: Option<u32>,
    /// How often a player in a playout knows what is right, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    skill: Option<f64>,
}

impl IsmctsFile {
    fn depth(&self) -> Depth {
        let usual = Depth::default();
        Depth {
            iterations: self.iterations.unwrap_or(usual.iterations),
            exploration: self.exploration.unwrap_or(usual.exploration),
            rules: self.rules.unwrap_or(usual.rules),
            cut_off: self.cut_off.unwrap_or(usual.cut_off),
            skill: self.skill.unwrap_or(usual.skill),
        }
    }
}

impl Depth {
    fn faults(&self) -> Vec<String> {
        out_of_range(&[
            ("iterations", f64::from(self.iterations), 1.0, 1e6),
            ("exploration", self.exploration, 0.0, 100.0),
            ("rules", f64::from(self.rules), 1.0, 1e4),
            ("cut_off", f64::from(self.cut_off), 0.0, 1e4),
            ("skill", self.skill, 0.0, 1.0),
        ])
    }
}

/// A sentence for each field that is not between its bounds.
fn out_of_range(fields: &[(&str, f64, f64, f64)]) -> Vec<String> {
    let wrong = fields.iter().filter(|(_, value, low, high)| !(low..=high).contains(&value));
    wrong
        .map(|(name, value, low, high)| {
            format!("field `{name}` is {value}; it must be from {low} to {high}")
        })
        .collect()
}

impl Strategic for Eleusis {
    type Scratch = ();
    type Spec = Spec;
    type SpecFile = SpecFile;

    const KINDS: &'static [&'static str] = &["random", "cautious", "bayes", "ismcts"];

    fn spec(layers: &Layers) -> Result<Spec> {
        let kind = layers.kind();
        let place = layers.place();
        let dealer = |text: &str| {
            let at = |fault| Error::input(format!("{place}: field `dealer`: {fault}"));
            Dealer::read(text).map_err(at)
        };
        let sound = |faults: Vec<String>| match faults.is_empty() {
            true => Ok(()),
            false => Err(Error::input(format!("{place}: {}", faults.join("; ")))),
        };
        if kind == "bayes" {
            let file = layers.read::<BayesFile>()?;
            let params = file.params();
            sound(params.faults())?;
            return Ok(Spec::Bayes { dealer: dealer(&file.dealer)?, params });
        }
        if kind == "ismcts" {
            let file = layers.read::<IsmctsFile>()?;
            let depth = file.depth();
            sound(depth.faults())?;
            return Ok(Spec::Ismcts { dealer: dealer(&file.dealer)?, depth });
        }
        let dealer = dealer(&layers.read::<Plain>()?.dealer)?;
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
            Spec::Ismcts { depth, .. } => {
                Box::new(Seated { dealer, player: Ismcts::new(Grammar::shared(), *depth) })
            }
        }
    }

    /// The grammar with its prior, wherever somebody infers.
    fn knowledge(specs: &[&Spec]) -> Vec<(&'static str, String)> {
        let infers = specs.iter().any(|spec| !matches!(spec, Spec::Random { .. }));
        if infers { vec![("eleusis_grammar", Grammar::shared().digest())] } else { Vec::new() }
    }

    fn is_cheap(spec: &Spec) -> bool {
        matches!(spec, Spec::Random { .. })
    }
}
