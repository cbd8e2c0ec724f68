//! One verdict for one number: the sentences, tables and pages of every committed run.

use std::path::Path;

use super::common::succeed;
use parlour::games::Games;
use parlour::results::{Conclusion, Family, Finding, Folder, Summary, report, run_report};

/// The verdict of a finding on the step from one variant to another.
fn verdict(f: &Finding, from: &str) -> Conclusion {
    match f.conclusion {
        Conclusion::Higher if f.reference != from => Conclusion::Lower,
        Conclusion::Lower if f.reference != from => Conclusion::Higher,
        same => same,
    }
}

/// The name of a figure in text.
fn words(figure: &str) -> String {
    match figure {
        "luck_share" => "variance from the deal".to_owned(),
        figure => figure.replace('_', " "),
    }
}

/// Checks that the texts have this verdict, and returns their number.
fn check<'a>(place: &str, texts: impl Iterator<Item = &'a str>, conclusion: Conclusion) -> usize {
    let texts: Vec<&str> = texts.collect();
    for text in &texts {
        assert!(text.contains(conclusion.text()), "{place}: {conclusion:?} in {text}");
    }
    texts.len()
}

fn check_run(run: &str, page: &str, summary: &Summary) -> usize {
    let findings = &summary.answer.findings;
    let screen = run_report(summary, true).on_screen(10_000);
    let mut checked = 0;
    for row in summary.differences().filter(|row| row.family == Family::Question) {
        let (a, b) = (&row.variant_a, &row.variant_b);
        let is_of = |f: &&Finding| {
            f.figure == row.figure && [[a, b], [b, a]].contains(&[&f.reference, &f.subject])
        };
        let expected = verdict(findings.iter().find(is_of).unwrap(), a);
        let place = format!("{run}: {} from {a} to {b}", row.figure);
        assert_eq!(row.conclusion, expected, "{place}");
        let figure = words(row.figure);
        let table = screen.split_once(&format!("From {a} to {b}, on the same deals\n"));
        let lines = table.into_iter().flat_map(|(_, table)| table.lines());
        let lines = lines.take_while(|line| line.starts_with('|'));
        checked += check(&place, lines.filter(|l| l.contains(&format!("* {figure} "))), expected);
        let heads = [a, b].map(|variant| format!("data-head=\"{variant}\""));
        let rows = page.split("<tr ").filter(|tr| tr.starts_with("class=\"asked\""));
        let rows = rows.filter(|tr| heads.iter().all(|head| tr.contains(head)));
        checked +=
            check(&place, rows.filter(|tr| tr.contains(&format!(">{figure}</td>"))), expected);
    }
    // The table of comparisons that are no changes between variants of all pairings.
    let heads = ["reference value", "opponent's score"].map(|head| format!("data-head=\"{head}\""));
    let rows = page.split("<tr>").filter(|tr| heads.iter().any(|head| tr.contains(head)));
    let rows: Vec<&str> = rows.collect();
    for f in findings {
        let start = format!("{}, ", words(&f.figure));
        let ends = ["", &start].map(|start| format!(">{start}{}</td>", f.subject));
        let others = [&f.reference, &f.variant].into_iter().filter(|name| !name.is_empty());
        let others: Vec<String> = others.map(|name| format!(">{name}</td>")).collect();
        let is_row = |tr: &&&str| {
            ends.iter().any(|end| tr.contains(end)) && others.iter().all(|cell| tr.contains(cell))
        };
        let rows = rows.iter().filter(is_row);
        checked += check(run, rows.copied(), f.conclusion);
        // With objectives, the table has the verdicts that no sentence names.
        let table = summary.answer.table.iter().flatten().map(String::as_str);
        let answer = table.fold(summary.answer.text(), |text, cell| text + "\n" + cell);
        let words: &[&str] = match f.conclusion {
            Conclusion::NoClearDifference => {
                &["o clear difference", "not clear", "more", "unclear"]
            }
            Conclusion::NotEnoughDeals => &["ot enough deals", "more", "unclear"],
            _ => &[""],
        };
        assert!(words.iter().any(|word| answer.contains(word)), "{run}: {f:?} in {answer}");
    }
    checked
}

#[test]
fn every_committed_run_gives_one_verdict() {
    let mut runs = 0;
    for entry in std::fs::read_dir("results").unwrap() {
        let folder = entry.unwrap().path();
        if !folder.join("progress.jsonl").exists() {
            continue;
        }
        let run = folder.display().to_string();
        let read = Folder::new(&folder).read(&Games(parlour::PROGRAM), true);
        let (header, summary) = read.unwrap_or_else(|error| panic!("{run}: {error}"));
        let here = tempfile::tempdir().unwrap();
        let answer = &summary.tables()[0];
        answer.write(here.path()).unwrap();
        let text = |folder: &Path| std::fs::read_to_string(folder.join("answer.csv")).unwrap();
        assert_eq!(text(here.path()), text(&folder), "{run}: `parlour report --tables {run}`");
        let page = report::page(&header, &summary, &[]);
        let checked = check_run(&run, &page, &summary);
        assert!(
            checked >= summary.answer.findings.iter().filter(|f| f.change.is_some()).count(),
            "{run}"
        );
        runs += 1;
    }
    assert!(runs > 20, "{runs} runs");
}

#[test]
fn show_prints_what_the_command_printed() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let commands = [
        "match leopard greedy brisk",
        "compare leopard original revised --strategies greedy,brisk",
        "sweep leopard revised knock_at=6..8 --strategies greedy",
        "tournament leopard greedy brisk random",
        "exploit leopard greedy --iterations 2",
        "run bonus",
    ];
    for (command, out) in commands.into_iter().zip(["m", "c", "s", "t", "x", "b"]) {
        let more = ["--deals", "12", "--out", out];
        let words = command.split(' ').chain(more).collect::<Vec<_>>();
        let printed = succeed(here, &words);
        let printed = printed.trim_end_matches(&format!("Results: {out}\n"));
        assert_eq!(printed, succeed(here, &["show", out]), "{command}");
    }
    let short = succeed(here, &["show", "c"]);
    let all = succeed(here, &["show", "c", "--all"]);
    assert!(short.contains("All figures: `--all`") && !short.contains("margin sd"), "{short}");
    assert!(all.contains("| margin sd ") && !all.contains("`--all`"), "{all}");
    let words = "compare leopard original revised --strategies greedy,brisk --deals 12";
    let quiet = succeed(here, &format!("{words} --quiet").split(' ').collect::<Vec<_>>());
    assert_eq!(quiet.lines().count(), 1, "{quiet}");
    assert!(quiet.starts_with("Between `greedy` and `brisk`, "), "{quiet}");
    let whole = succeed(here, &format!("{words} --all").split(' ').collect::<Vec<_>>());
    assert_eq!(whole, all);
}
