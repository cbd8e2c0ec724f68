//! `parlour run`.

use super::{
    Args, Error, Games, Library, Output, Overrides, Path, PathBuf, Result, Results, Shard, Threads,
    Watch, name_folder, say, say_own_files, tell,
};
use crate::arena::Playable;
use crate::error::ensure;
use crate::results::{Contents, Existing, plan_from_source, report, run_sheet};

#[derive(Args, Debug)]
pub(super) struct Run {
    /// An experiment file, or the name of one that comes with the program, or the manifest of a run
    /// that is to be played again
    experiment: String,
    /// Where the results go [default: results/<experiment>, or the next free of
    /// results/<experiment>-2, -3, …]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Another number of deals than the file's
    #[arg(long, allow_negative_numbers = true)]
    deals: Option<u64>,
    /// Another seed than the file's
    #[arg(long, allow_negative_numbers = true)]
    seed: Option<u64>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    results: Results,
    /// Go on though another program began: you are sure that both play and count the same
    #[arg(long, requires = "resume")]
    same_program: bool,
    /// Only part I of N, of any number, to be joined by `merge`
    #[arg(long, value_name = "I/N", value_parser = parse_shard, conflicts_with_all = ["json", "export_markdown"])]
    shard: Option<Shard>,
    /// Write records.jsonl, a line a hand
    #[arg(long)]
    records: bool,
    /// Write hands.csv, a row a hand
    #[arg(long)]
    hands: bool,
    /// No progress bar and no tables: only where the results are
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(given: &Run) -> Result<()> {
    given.output.check()?;
    let found = Library::experiments().find(&given.experiment)?;
    let &Run { deals, seed, .. } = given;
    let (name, plan) = plan_from_source(&found, Overrides { deals, seed }, &(), &Games)?;
    play(given, &name, &*plan)
}

fn play(given: &Run, name: &str, plan: &dyn Playable) -> Result<()> {
    let &Run { shard, hands, records, results, same_program, quiet, .. } = given;
    let existing = results.existing();
    let out = given.out.clone().map_or_else(|| usual(name, shard, existing), Ok)?;
    say_own_files(plan.outline());
    let watch = Watch::of_run(plan.outline(), shard, quiet, true)?;
    let (folder, watched) = (Some(out.as_path()), watch.over(plan, given.threads));
    let run = crate::Run { folder, hands, records, existing, same_program, ..watched };
    if let Some(shard) = shard {
        run.go_shard(shard)?;
        drop(watch);
        let (Shard { part, of }, shown) = (shard, out.display());
        let hint = "Join all shards with `parlour merge DIR... --out DIR`.";
        return if quiet {
            name_folder(&out)
        } else {
            say(format!("Shard {part}/{of}: {shown}\n{hint}"))
        };
    }
    let summary = run.go()?;
    drop(watch);
    let index = report::write_index(&out)?;
    let early = if summary.early { " The run ended early, as `until` says." } else { "" };
    let deals = summary.deals;
    let note = "± is half a 95 % interval, from the variance between";
    let looked_at = summary.looked_at().map_or(String::new(), |looked_at| {
        format!(" The figures of decisions come from {looked_at} of them.")
    });
    given.output.give_unless(quiet, &summary, || {
        run_sheet(&summary).saying(format!("{note} {deals} deals.{looked_at}{early}"))
    })?;
    if given.output.json {
        return Ok(());
    }
    name_folder(&out)?;
    if quiet {
        return Ok(());
    }
    index.map_or(Ok(()), |index| say(format!("All runs: {}", index.display())))
}

/// Where results go that are not told where: to the folder of the experiment's name, unless a
/// finished run is there; then to the next one that is free. Whose results are to be replaced must be
/// clear.
fn usual(name: &str, shard: Option<Shard>, existing: Existing) -> Result<PathBuf> {
    let results = Path::new("results");
    if let Some(Shard { part, of }) = shard {
        return Ok(results.join(format!("{name}-shard-{part}-of-{of}")));
    }
    let first = results.join(name);
    let second = results.join(format!("{name}-2"));
    let is_finished = |folder: &Path| matches!(Contents::of(folder), Contents::Finished);
    ensure(existing != Existing::Replace || !is_finished(&second), || {
        let (first, second) = (first.display(), second.display());
        Error::input(format!(
            "{first} and {second} are both finished; say with `--out` which `--replace` is for"
        ))
    })?;
    let folders = (2..).map(|number| results.join(format!("{name}-{number}")));
    let mut finished = None;
    for folder in std::iter::once(first.clone()).chain(folders) {
        match Contents::of(&folder) {
            _ if existing == Existing::Replace => break,
            Contents::Finished => finished = Some(folder),
            Contents::Free if existing == Existing::Resume => break,
            Contents::Free | Contents::Begun => {
                if folder != first {
                    let (first, folder) = (first.display(), folder.display());
                    tell(format_args!("{first} holds a finished run; this one is in {folder}"));
                }
                return Ok(folder);
            }
        }
    }
    Ok(finished.unwrap_or(first))
}

/// Reads `I/N`.
fn parse_shard(text: &str) -> std::result::Result<Shard, String> {
    let usual = || format!("`{text}` is not a shard: write I/N with 1 ≤ I ≤ N, as in 2/5");
    let (part, of) = text.split_once('/').ok_or_else(usual)?;
    let number = |text: &str| text.parse::<u64>().map_err(|_| usual());
    Shard::new(number(part)?, number(of)?)
}
