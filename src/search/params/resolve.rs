//! From the text of a file to a search whose policies are known.

use super::{
    GuideFile, IsmctsFile, MctsFile, MoIsmctsFile, ModelFile, MonteCarloFile, PimcFile, Search,
    StartFile,
};
use crate::error::{Error, Faults, Result};
use crate::strategy::Layers;

/// The policies that a file names.
struct Policies<P> {
    rollout: P,
    start: Option<StartFile<P>>,
    judge: Option<P>,
    model: Option<ModelFile<P>>,
    guide: Option<GuideFile<P>>,
}

impl Search<String> {
    /// Reads a file whose `kind` is one of [`KINDS`](super::KINDS). It is not checked yet.
    ///
    /// # Errors
    /// The first thing that cannot be read.
    pub fn read(file: &Layers) -> Result<Search<String>> {
        Ok(match file.kind() {
            "monte-carlo" => Search::MonteCarlo(file.read()?),
            "pimc" => Search::Pimc(file.read()?),
            "ismcts" => Search::Ismcts(file.read()?),
            "mo-ismcts" => Search::MoIsmcts(file.read()?),
            _ => Search::Mcts(file.read()?),
        })
    }

    /// Checks a file and puts policies in the place of their names; `policy` says what is wrong
    /// with a name.
    ///
    /// # Errors
    /// Everything that is wrong with the file, in one message.
    pub fn resolve<P>(self, place: &str, policy: impl Fn(&str) -> Result<P>) -> Result<Search<P>> {
        let mut faults = Faults::from(self.faults());
        let mut named = |field: &str, name: &str| {
            policy(name).map_err(|error| faults.add(error.in_field(field))).ok()
        };
        let rollout = named("rollout", self.rollout().0);
        let start = self.rollout_start().map(|file| {
            let strategy = named("rollout_start.strategy", &file.strategy);
            strategy.map(|strategy| StartFile { strategy, moves: file.moves })
        });
        let judge = self.cut_off().1.map(|name| named("judge", name));
        let model = self.model().map(|file| {
            let strategy = named("model.strategy", &file.strategy);
            let ModelFile { doubt, moves, pool, .. } = *file;
            strategy.map(|strategy| ModelFile { strategy, doubt, moves, pool })
        });
        let guide = self.guide().map(|file| {
            let strategy = named("guide.strategy", &file.strategy);
            let GuideFile { visits, reward, keep, .. } = *file;
            strategy.map(|strategy| GuideFile { strategy, visits, reward, keep })
        });
        match rollout {
            Some(rollout) if faults.is_empty() => {
                let policies = Policies {
                    rollout,
                    start: start.flatten(),
                    judge: judge.flatten(),
                    model: model.flatten(),
                    guide: guide.flatten(),
                };
                Ok(self.with(policies))
            }
            _ => Err(Error::from(faults).in_file(place)),
        }
    }

    fn with<P>(self, policies: Policies<P>) -> Search<P> {
        let Policies { rollout, start, judge, model, guide } = policies;
        macro_rules! with {
            ($kind:ident, $name:ident, $file:expr, { $($own:ident),* }, { $($extra:tt)* }) => {
                Search::$kind($name {
                    about: $file.about,
                    game: $file.game,
                    kind: $file.kind,
                    iterations: $file.iterations,
                    milliseconds: $file.milliseconds,
                    rollout,
                    rollout_start: start,
                    stray: $file.stray,
                    cut_off: $file.cut_off,
                    judge,
                    win: $file.win,
                    scale: $file.scale,
                    join_equal: $file.join_equal,
                    $($own: $file.$own,)*
                    $($extra)*
                })
            };
            (tree $kind:ident, $name:ident, $file:expr, { $($own:ident),* }, { $($extra:tt)* }) => {
                with!(
                    $kind,
                    $name,
                    $file,
                    {
                        exploration, rule, first_play, widening, suggested_first, others_follow,
                        depth, decide,
                        memory_mb $(, $own)*
                    },
                    { $($extra)* }
                )
            };
        }
        match self {
            Search::MonteCarlo(file) => {
                with!(MonteCarlo, MonteCarloFile, file, {}, { model, guide })
            }
            Search::Pimc(file) => {
                with!(tree Pimc, PimcFile, file, { world_iterations }, { model })
            }
            Search::Ismcts(file) => {
                with!(tree Ismcts, IsmctsFile, file, { reuse, paired }, { model, guide })
            }
            Search::MoIsmcts(file) => {
                with!(tree MoIsmcts, MoIsmctsFile, file, { reuse, redeterminize }, { model, guide })
            }
            Search::Mcts(file) => with!(tree Mcts, MctsFile, file, { reuse }, { guide }),
        }
    }
}
