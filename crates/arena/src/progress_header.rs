//! The header of a progress file: the run that its chunks belong to.

use parlour_base::Program;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Inputs, PlanInfo, Resolved, Shard};

/// The format of progress files that this program reads and writes.
pub(super) const FORMAT: u64 = 4;

/// The first line of a progress file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgressHeader {
    /// The version of the file format.
    pub format: u64,
    /// The complete experiment.
    #[serde(rename = "experiment")]
    pub resolved: Resolved,
    /// The digest of the experiment.
    pub digest: String,
    /// The sources of the experiment and its strategies.
    pub inputs: Inputs,
    /// The program that started the run: its version and the fingerprint of its sources.
    pub program: String,
    /// Other programs that continued the run; the user has confirmed that their results are the
    /// same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accepted_programs: Vec<String>,
    /// `true` if every hand is listed.
    pub hands: bool,
    /// `true` if every hand is recorded.
    pub records: bool,
    /// The shard; `None` for the whole run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
}

impl ProgressHeader {
    /// Creates the header of a run of this plan.
    pub fn of(
        plan: &PlanInfo,
        program: Program,
        hands: bool,
        records: bool,
        shard: Option<Shard>,
    ) -> Self {
        ProgressHeader {
            format: FORMAT,
            resolved: plan.resolved.clone(),
            digest: plan.digest.clone(),
            inputs: plan.inputs.clone(),
            program: program.to_string(),
            accepted_programs: Vec::new(),
            hands,
            records,
            shard,
        }
    }

    /// Updates the header to resume the run as `new` requests, with as many deals or more.
    ///
    /// # Errors
    /// The first difference, as a sentence that follows the file's name.
    pub fn resume_with(
        &mut self,
        new: &ProgressHeader,
        allow_other_build: bool,
    ) -> std::result::Result<(), String> {
        let [had, wanted] = [&*self, new].map(|header| header.resolved.experiment.deals);
        let mut as_before = new.clone();
        as_before.resolved.experiment.deals = had;
        as_before.digest = as_before.resolved.digest();
        let is_other_size = had != wanted && as_before.digest == self.digest;
        if is_other_size && wanted < had {
            return Err(format!("the run has {had} deals; `--deals` must be at least {had}"));
        }
        if is_other_size && (self.hands || self.records) {
            return Err(format!(
                "the run has lists of hands (`--hands`, `--records`) and cannot be extended; use `--out` \
                 or `--replace` to play {wanted} deals"
            ));
        }
        // If more than the number of deals differs, the message names the other difference.
        self.merge(&as_before, allow_other_build)?;
        if is_other_size {
            self.resolved = new.resolved.clone();
            self.digest.clone_from(&new.digest);
        }
        match self.shard == new.shard {
            true => Ok(()),
            false => Err("it holds another shard of the run".to_owned()),
        }
    }

    /// Adds the programs of another header of the same run, whose chunks are to be merged.
    ///
    /// # Errors
    /// The first difference, as a sentence that follows the file's name. Another program is an error
    /// unless `allow_other_build` is set.
    pub fn merge(
        &mut self,
        other: &ProgressHeader,
        allow_other_build: bool,
    ) -> std::result::Result<(), String> {
        let (old, new) = (&self.resolved, &other.resolved);
        if old.name != new.name {
            return Err(format!(
                "it belongs to the experiment `{}`, not to `{}`",
                old.name, new.name
            ));
        }
        if self.digest != other.digest {
            return Err(format!("the experiment has changed: {}", difference(old, new)));
        }
        if (self.hands, self.records) != (other.hands, other.records) {
            return Err("it was started with other `--hands` or `--records`; use the same".into());
        }
        for program in std::iter::once(&other.program).chain(&other.accepted_programs) {
            let is_known = self.program == *program || self.accepted_programs.contains(program);
            if !is_known && !allow_other_build {
                return Err(format!(
                    "it was written by {}, this is {program}; if both give identical results, \
                     continue with `--allow-other-build` (the results name both)",
                    self.program
                ));
            }
            self.accepted_programs.extend((!is_known).then(|| program.clone()));
        }
        Ok(())
    }
}

/// Describes the first difference of two resolved experiments.
fn difference(old: &Resolved, new: &Resolved) -> String {
    let [mut old, new] = [old, new].map(|resolved| json!(resolved));
    let is_short = |part: &Value| !part.is_array() && !part.is_object();
    let fields = new.as_object().into_iter().flatten();
    for (name, now) in fields.filter(|(name, _)| !["about", "question"].contains(&name.as_str())) {
        let before = old[name].take();
        if before == *now {
            continue;
        }
        return match is_short(&before) && is_short(now) {
            true if name == "judge" => format!(
                "`{name}` was {before}, it is {now} now; restore the judge file that \
                 `luck_adjusted` names, or start again with `--out` or `--replace`"
            ),
            true => format!("`{name}` was {before}, it is {now} now"),
            false => format!("`{name}` differ"),
        };
    }
    let is_removed = |(name, _): &(&String, &Value)| *name != "question" && new.get(name).is_none();
    let removed = old.as_object().and_then(|old| old.iter().find(is_removed));
    format!("`{}` was removed", removed.map_or("a field", |(name, _)| name))
}
