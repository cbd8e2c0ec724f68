//! What the chunks of a progress file belong to, and whether others may stand beside them.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use parlour_base::Program;

use super::{Inputs, Outline, Resolved, Shard};

/// The first line: what the chunks belong to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgressHeader {
    /// The version of this format.
    pub format: u64,
    /// What is played, in full.
    pub experiment: Resolved,
    /// Its digest.
    pub digest: String,
    /// Where the experiment and its strategies came from.
    pub inputs: Inputs,
    /// The program that began: its version and the fingerprint of its sources.
    pub program: String,
    /// Other programs that went on, of which the user said that they play the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vouched: Vec<String>,
    /// Whether every hand is listed.
    pub hands: bool,
    /// Whether every hand is recorded.
    pub records: bool,
    /// Which part of the chunks this is; none for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
}

impl ProgressHeader {
    /// The header of a run of this plan.
    pub fn of(
        plan: &Outline,
        program: Program,
        hands: bool,
        records: bool,
        shard: Option<Shard>,
    ) -> Self {
        ProgressHeader {
            format: FORMAT,
            experiment: plan.resolved.clone(),
            digest: plan.digest.clone(),
            inputs: plan.inputs.clone(),
            program: program.to_string(),
            vouched: Vec::new(),
            hands,
            records,
            shard,
        }
    }

    /// Goes on with this run as another header asks for it: with as many deals, or with more.
    ///
    /// # Errors
    /// The first difference, as a sentence that follows the file's name.
    pub fn go_on(
        &mut self,
        other: &ProgressHeader,
        same_program: bool,
    ) -> std::result::Result<(), String> {
        let [had, wanted] = [&*self, other].map(|header| header.experiment.experiment.deals);
        let mut then = other.clone();
        then.experiment.experiment.deals = had;
        then.digest = then.experiment.digest();
        if had != wanted && then.digest == self.digest {
            if wanted < had {
                return Err(format!(
                    "it is a run of {had} deals, and {wanted} are asked for; give `--deals {had}`, or more"
                ));
            }
            if self.hands || self.records {
                return Err(format!(
                    "its {had} deals are listed hand by hand (`--hands`, `--records`), and such a run has no more added; for {wanted} of them begin anew, with `--out` or `--replace`"
                ));
            }
            self.join(&then, same_program)?;
            self.experiment = other.experiment.clone();
            self.digest.clone_from(&other.digest);
        } else {
            // More deals alone are no change, so the message is to name another.
            self.join(&then, same_program)?;
        }
        match self.shard == other.shard {
            true => Ok(()),
            false => Err("it holds another shard of the run".to_owned()),
        }
    }

    /// Takes the chunks of another header's run beside these. The programs must be the same, or the
    /// user vouch for it; then all of them are named from here on.
    ///
    /// # Errors
    /// The first difference, as a sentence that follows the file's name.
    pub fn join(
        &mut self,
        other: &ProgressHeader,
        same_program: bool,
    ) -> std::result::Result<(), String> {
        let (was, is) = (&self.experiment, &other.experiment);
        if self.format != other.format {
            return Err(format!(
                "its format is {}, which `parlour report` and `parlour plan` still read; to go on, \
                 run the experiment again, or use {}",
                self.format, self.program
            ));
        }
        if was.name != is.name {
            return Err(format!(
                "it belongs to another experiment: the name was `{}`, it is `{}` now",
                was.name, is.name
            ));
        }
        if self.digest != other.digest {
            return Err(format!("the experiment has changed: {}", changed(was, is)));
        }
        if (self.hands, self.records) != (other.hands, other.records) {
            return Err("it was begun with other `--hands` or `--records`; give the same".into());
        }
        for program in std::iter::once(&other.program).chain(&other.vouched) {
            let known = self.program == *program || self.vouched.contains(program);
            if !known && !same_program {
                return Err(format!(
                    "it was written by another program: it was `{}`, it is `{program}` now; where \
                     you are sure that both play and count the same (only comments or texts differ, \
                     say), `--allow-other-build` goes on, and the results name both",
                    self.program
                ));
            }
            self.vouched.extend((!known).then(|| program.clone()));
        }
        Ok(())
    }
}

/// The first part in which two resolved experiments differ.
fn changed(was: &Resolved, is: &Resolved) -> String {
    let [mut was, is] = [was, is].map(|resolved| json!(resolved));
    let short = |part: &Value| !part.is_array() && !part.is_object();
    for (name, part) in is
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(name, _)| !["about", "question"].contains(&name.as_str()))
    {
        let before = was[name].take();
        if before != *part {
            return match short(&before) && short(part) {
                true if name == "judge" => format!(
                    "`{name}` was {before}, it is {part} now; put the judge file of then back where \
                     `luck_adjusted` looks for it, or begin anew with `--out` or `--replace`"
                ),
                true => format!("`{name}` was {before}, it is {part} now"),
                false => format!("`{name}` are others now"),
            };
        }
    }
    let left_out = |(name, _): &(&String, &Value)| *name != "question" && is.get(name).is_none();
    let left_out = was.as_object().and_then(|was| was.iter().find(left_out));
    format!("`{}` is left out now", left_out.map_or("a part", |(name, _)| name))
}

/// The version of the format; 2 since distributions are counted, 3 since zeros in a row are not
/// listed, 4 since the experiment is written as it is hashed and shown, and all sums have names.
pub(super) const FORMAT: u64 = 4;
