//! `parlour run`.

use super::{
    Args, Found, Head, Overrides, Path, PathBuf, Result, Shard, Shelf, Threads, Watch, name_folder,
    parse_json, planned, say, say_json, say_tables, with_game,
};
use crate::arena::Playable;

#[derive(Args, Debug)]
pub(super) struct Run {
    /// An experiment file, or the name of one that comes with the program
    experiment: String,
    /// Where the results go [default: results/<experiment>]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Another number of deals than the file's
    #[arg(long)]
    deals: Option<u64>,
    /// Another seed than the file's
    #[arg(long)]
    seed: Option<u64>,
    #[command(flatten)]
    threads: Threads,
    /// Go on with an unfinished run
    #[arg(long)]
    resume: bool,
    /// Go on though another program began: you are sure that both play and count the same
    #[arg(long, requires = "resume")]
    same_program: bool,
    /// Only part I of N, to be joined by `merge`
    #[arg(long, value_name = "I/N", value_parser = parse_shard)]
    shard: Option<Shard>,
    /// Write records.jsonl, a line a hand
    #[arg(long)]
    records: bool,
    /// Write hands.csv, a row a hand
    #[arg(long)]
    hands: bool,
    /// No progress bar and no tables
    #[arg(long)]
    quiet: bool,
    /// Print the numbers as JSON, by the names of the CSV columns
    #[arg(long, conflicts_with = "shard")]
    json: bool,
}

pub(super) fn run(given: &Run) -> Result<()> {
    let found = Shelf::experiments().find(&given.experiment)?;
    let place = found.place();
    let head: Head = parse_json(&place, &found.text)?;
    let &Run { deals, seed, .. } = given;
    let plan = with_game!(head.game.as_str(), G => planned::<G>(&found, Overrides { deals, seed }))
        .map_err(|error| error.in_field("game").in_file(&place))?;
    play(given, &found, &*plan?)
}

fn play(given: &Run, found: &Found, plan: &dyn Playable) -> Result<()> {
    let &Run { shard, hands, records, resume, same_program, quiet, .. } = given;
    let usual = || Path::new("results").join(&found.name);
    let out = given.out.clone().unwrap_or_else(usual);
    let watch = Watch::new(plan.outline(), shard, quiet)?;
    let (folder, watched) = (Some(out.as_path()), watch.over(plan, given.threads));
    let run = crate::Run { folder, hands, records, resume, same_program, ..watched };
    if let Some(shard) = shard {
        run.go_shard(shard)?;
        drop(watch);
        let (Shard { part, of }, out) = (shard, out.display());
        let hint = "Join all shards with `parlour merge DIR... --out DIR`.";
        return if quiet { Ok(()) } else { say(format!("Shard {part}/{of}: {out}\n{hint}")) };
    }
    let summary = run.go()?;
    drop(watch);
    if given.json {
        return say_json(&summary);
    }
    if quiet {
        return Ok(());
    }
    let about = &plan.outline().experiment().about;
    if !about.is_empty() {
        say(format!("{about}\n"))?;
    }
    say_tables(&summary)?;
    let early = if summary.early { " The run ended early, as `until` says." } else { "" };
    let deals = summary.deals;
    say(format!("± is half a 95 % interval, from the variance between {deals} deals.{early}"))?;
    name_folder(&out)
}

/// Reads `I/N`.
fn parse_shard(text: &str) -> std::result::Result<Shard, String> {
    let usual = || format!("`{text}` is not a shard: write I/N with 1 ≤ I ≤ N, as in 2/5");
    let (part, of) = text.split_once('/').ok_or_else(usual)?;
    let number = |text: &str| text.parse::<u64>().map_err(|_| usual());
    let shard = Shard { part: number(part)?, of: number(of)? };
    if (1..=shard.of).contains(&shard.part) { Ok(shard) } else { Err(usual()) }
}
