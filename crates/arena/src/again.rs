//! A resolved experiment, as a manifest shows it, is played again.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::luck::Judging;
use super::{Bots, Input, Inputs, Overrides, Plan, Resolved, SpelledStrategy, Variant};
use crate::error::{Error, Result, ensure};
use crate::files::{SourceFile, digest};
use crate::strategy::{Strategic, Strategy};

impl<G: Strategic> Plan<G> {
    /// The plan of an experiment that is spelled out in a file; no other file is read. The bots that
    /// the calling program brought along are brought again.
    ///
    /// # Errors
    /// Bad input when it means something else to this program than to the one that spelled it, or a
    /// bot is not brought.
    pub fn again<'a>(
        mut resolved: Resolved,
        source: &SourceFile,
        overrides: Overrides,
        own: impl IntoIterator<Item = (&'a str, Bots<G>)>,
    ) -> Result<Plan<G>> {
        let mut own: BTreeMap<&str, Bots<G>> = own.into_iter().collect();
        let experiment = &mut resolved.experiment;
        experiment.deals = overrides.deals.unwrap_or(experiment.deals);
        experiment.seed = overrides.seed.unwrap_or(experiment.seed);
        let input = |name: &str, sha256: &str| Input {
            name: name.to_owned(),
            from: Some(source.origin.clone()),
            sha256: sha256.to_owned(),
            ..Input::default()
        };
        let mut inputs =
            Inputs { experiment: Some(input(&resolved.name, &source.digest)), ..Inputs::default() };
        let mut bots = Vec::new();
        for spelled in &experiment.strategies {
            if spelled.strategy.is_null()
                && let Some((name, who)) = own.remove_entry(spelled.name.as_str())
            {
                // As of the run itself, nothing but its name is known.
                inputs.strategies.push(Input { from: None, ..input(name, &digest(name)) });
                bots.push(who);
                continue;
            }
            let read = Strategy::<G>::read(&said(spelled, source)?)?;
            ensure(json!(read.spec) == spelled.strategy, || {
                let (name, message) = (&spelled.name, "means something else to this program");
                Error::input(format!("the strategy `{name}` {message} than to the one of the run"))
            })?;
            let input = input(&spelled.name, &read.digest);
            inputs.strategies.push(Input { text: read.text, ..input });
            bots.push(Bots::Read(read.spec));
        }
        let variants = experiment.variants.iter().flatten();
        let variants =
            variants.map(|v| Variant::spelled(&v.name, &v.rules)).collect::<Result<Vec<_>>>()?;
        let said = experiment.luck_adjusted.as_ref();
        let judging = Judging::again(said, resolved.judge.as_deref(), &variants)?;
        Plan::derive(resolved, inputs, bots.into(), judging)
    }
}

/// What a strategy would say in a file of its own.
fn said(spelled: &SpelledStrategy, source: &SourceFile) -> Result<SourceFile> {
    let mut file = spelled.strategy.clone();
    let Value::Object(fields) = &mut file else {
        let name = &spelled.name;
        let message = format!(
            "the bot `{name}` belongs to the program that ran it, which has to bring it along \
             again: in Python with `bots={{\"{name}\": …}}`"
        );
        return Err(Error::input(message));
    };
    // The strategies that it names are read by their names; the comparison looks at them.
    fields.remove("named");
    fields.insert("base".to_owned(), Value::Null);
    Ok(SourceFile::new(&spelled.name, source.origin.clone(), file.to_string()))
}
