//! `parlour bundle` and `parlour run BUNDLE`: the files of a bundle, and messages about changed bytes.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use parquet::file::reader::{FileReader, SerializedFileReader};
use serde_json::{Value, json};

use super::common::{experiment, fail, files, output, parlour, refuse, same, succeed};
use super::network::{metadata, network, write};

/// A folder with a finished run in `run` and its bundle in `run-bundle`.
fn bundled() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("e.json"), experiment(8)).unwrap();
    succeed(here, &["run", "./e.json", "--quiet", "--hands", "--out", "run"]);
    let said = succeed(here, &["bundle", "run"]);
    let last = said.lines().last().unwrap();
    assert_eq!(last, "`parlour run run-bundle` checks the files and repeats the run.");
    folder
}

/// All files of a bundle, from its digests.
fn listed(bundle: &Path) -> Vec<(String, PathBuf)> {
    let digests = fs::read_to_string(bundle.join("SHA256SUMS")).unwrap();
    let names = digests.lines().map(|line| line.split_once("  ").unwrap().1);
    names.map(|name| (name.to_owned(), bundle.join(name))).collect()
}

#[test]
fn a_bundle_reads_back_and_repeats_its_run() {
    let folder = bundled();
    let (here, bundle) = (folder.path(), folder.path().join("run-bundle"));
    let all = listed(&bundle);
    for ending in ["parquet", "tex", "svg", "pdf", "csv", "cff", "md"] {
        assert!(all.iter().any(|(name, _)| name.ends_with(ending)), "{ending}");
    }
    // The rows of Parquet are those of CSV.
    for (name, path) in all.iter().filter(|(name, _)| name.ends_with(".parquet")) {
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let mut csv = csv::Reader::from_path(bundle.join(format!("{stem}.csv"))).unwrap();
        let heads: Vec<String> = csv.headers().unwrap().iter().map(str::to_owned).collect();
        let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
        let schema = reader.metadata().file_metadata().schema_descr_ptr();
        let columns: Vec<&str> = schema.columns().iter().map(|column| column.name()).collect();
        assert_eq!(columns, heads, "{name}");
        let rows = reader.metadata().file_metadata().num_rows();
        assert_eq!(rows as usize, csv.records().count(), "{name}");
    }
    // The metadata name every file that exists; every chart of the page is a picture.
    let text = fs::read_to_string(bundle.join("ro-crate-metadata.json")).unwrap();
    let graph: Value = serde_json::from_str(&text).unwrap();
    let parts = graph["@graph"][1]["hasPart"].as_array().unwrap();
    assert_eq!(parts.len() + 1, all.len(), "all but the metadata");
    for part in parts {
        assert!(bundle.join(part["@id"].as_str().unwrap()).is_file(), "{part}");
    }
    let svgs: Vec<_> = all.iter().filter(|(name, _)| name.ends_with(".svg")).collect();
    let page = fs::read_to_string(bundle.join("report.html")).unwrap();
    assert_eq!(svgs.len(), page.matches("<figure>").count());
    for (name, path) in svgs {
        let text = fs::read_to_string(path).unwrap();
        assert!(text.contains("</title>") && !text.contains("var("), "{name}");
        let pdf = fs::read(path.with_extension("pdf")).unwrap();
        assert!(pdf.starts_with(b"%PDF-") && pdf.ends_with(b"%%EOF"), "{name}");
    }
    // Two bundles of a run are the same; a bundle is a result folder; it repeats its run.
    succeed(here, &["bundle", "run", "--out", "again"]);
    let same_bytes = |(name, path): &(String, PathBuf)| {
        assert!(fs::read(path).unwrap() == fs::read(here.join("again").join(name)).unwrap());
    };
    all.iter().for_each(same_bytes);
    assert_eq!(succeed(here, &["show", "run-bundle"]), succeed(here, &["show", "run"]));
    let said = succeed(here, &["run", "run-bundle", "--hands", "--out", "repeated"]);
    assert!(said.contains("All tables equal those of the bundle."), "{said}");
    let table = |run: &str| fs::read(here.join(run).join("matchups.csv")).unwrap();
    assert_eq!(table("run"), table("repeated"));
}

#[test]
fn a_changed_byte_is_reported_with_the_name_of_its_file() {
    let folder = bundled();
    let (here, bundle) = (folder.path(), folder.path().join("run-bundle"));
    let all = listed(&bundle);
    for (name, path) in &all {
        let bytes = fs::read(path).unwrap();
        let mut changed = bytes.clone();
        changed[bytes.len() / 2] ^= 1;
        fs::write(path, &changed).unwrap();
        let words = [&*format!("run-bundle/{name}: the file has changed"), "unchanged copy"];
        fail(here, &["run", "run-bundle", "--out", "no"], 2, &words);
        fs::remove_file(path).unwrap();
        fail(here, &["run", "run-bundle", "--out", "no"], 2, &["cannot read run-bundle/", name]);
        fs::write(path, &bytes).unwrap();
    }
    // So is a change of the digests themselves, and a line that is missing.
    let digests = bundle.join("SHA256SUMS");
    let bytes = fs::read(&digests).unwrap();
    for at in (0..bytes.len()).step_by(29) {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        fs::write(&digests, &changed).unwrap();
        refuse(&output(here, &["run", "run-bundle", "--out", "no"]), 2, &["run-bundle/"]);
    }
    let text = String::from_utf8(bytes).unwrap();
    for (name, _) in &all {
        let others =
            text.split_inclusive('\n').filter(|line| !line.ends_with(&format!("  {name}\n")));
        let rest: String = others.collect();
        fs::write(&digests, rest).unwrap();
        let words =
            [&*format!("run-bundle/{name}: the file has changed"), "its line in SHA256SUMS"];
        fail(here, &["run", "run-bundle", "--out", "no"], 2, &words);
    }
    fs::remove_file(&digests).unwrap();
    fail(here, &["run", "run-bundle"], 2, &["cannot read run-bundle/SHA256SUMS"]);
    assert!(!here.join("no").exists());
}

#[test]
fn wrong_folders_are_refused_and_nothing_is_left() {
    let folder = bundled();
    let here = folder.path();
    fail(here, &["bundle", "run-bundle"], 2, &["run-bundle is a bundle already", "finished run"]);
    fail(here, &["bundle", "nowhere"], 2, &["nowhere is not a results folder"]);
    fail(here, &["bundle", "run"], 2, &["run-bundle exists already", "--out"]);
    fail(here, &["bundle", "run", "--out", "run"], 2, &["run exists already"]);
    fail(here, &["bundle", "run", "--out", "e.json/in"], 1, &["cannot create the folder e.json"]);
    fail(here, &["bundle", "run", "--out", "e.json"], 2, &["e.json exists already"]);
    let shard = ["run", "./e.json", "--shard", "1/2", "--quiet", "--out", "shard"];
    succeed(here, &shard);
    fail(here, &["bundle", "shard"], 2, &["shard holds shard 1 of 2"]);
    fs::write(here.join("run/variants.csv"), "edited").unwrap();
    fail(here, &["bundle", "run", "--out", "edited"], 2, &["variants.csv", "cut or edited"]);
    let left = fs::read_dir(here).unwrap().flatten().map(|entry| entry.file_name());
    let mut left: Vec<String> = left.map(|name| name.to_string_lossy().into_owned()).collect();
    left.sort();
    assert_eq!(left, ["e.json", "run", "run-bundle", "shard"]);
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_nothing_half_written() {
    let folder = bundled();
    let here = folder.path();
    let before = files(&here.join("run"));
    // A limit on the size of files acts as a full disk.
    let program = parlour(here).get_program().to_owned();
    let script = r#"ulimit -f 20; "$0" bundle run --out new"#;
    let mut shell = std::process::Command::new("bash");
    let full = shell.args(["-c", script]).arg(&program).current_dir(here).output();
    refuse(&full.unwrap(), 1, &["cannot write new/"]);
    assert_eq!(fs::read_dir(here).unwrap().count(), 3, "e.json, run and run-bundle");
    assert!(files(&here.join("run")) == before);
}

#[test]
fn a_bundle_holds_its_networks() {
    let here = tempfile::tempdir().unwrap();
    let (here, nets) = (here.path(), here.path().join("nets"));
    fs::create_dir(&nets).unwrap();
    for seed in 1..=4 {
        let file = nets.join(format!("n{seed}.safetensors"));
        write(&file, &metadata(), &network(seed));
        let named = json!({ "kind": "network", "file": format!("n{seed}.safetensors") });
        fs::write(nets.join(format!("n{seed}.json")), named.to_string()).unwrap();
    }
    // One plays, a search names two, in a file and by itself, and one judges luck.
    let experiment = json!({
        "game": "leopard", "variants": ["revised"], "deals": 4, "luck_adjusted": "nets/n4.json",
        "strategies": ["nets/n1.json", "random", {
            "name": "mine", "base": "ismcts-250", "budget": { "iterations": 20 },
            "playouts": { "by": "nets/n2.json", "first": null },
            "guide": { "by": "nets/n3.safetensors" },
        }],
    });
    fs::write(here.join("e.json"), experiment.to_string()).unwrap();
    succeed(here, &["run", "./e.json", "--quiet", "--out", "run"]);
    succeed(here, &["bundle", "run", "--out", "moved/paper"]);
    // The fifth is built in: the base of the search names it as its evaluator.
    assert_eq!(fs::read_dir(here.join("moved/paper/inputs")).unwrap().count(), 5);
    fs::rename(&nets, here.join("hidden")).unwrap();
    let said = succeed(here, &["run", "moved/paper", "--out", "repeated"]);
    assert!(said.contains("All tables equal"), "{said}");
    fs::rename(here.join("moved/paper"), here.join("paper")).unwrap();
    succeed(here, &["run", "paper", "--quiet", "--out", "third"]);
    same(&here.join("repeated"), &here.join("third"));
    fail(here, &["bundle", "run"], 2, &["nets/n1.safetensors"]);
    fs::rename(here.join("hidden"), &nets).unwrap();
    write(&nets.join("n3.safetensors"), &metadata(), &network(9));
    let changed = ["nets/n3.safetensors has changed since the run: its SHA-256 was"];
    fail(here, &["bundle", "run"], 2, &changed);
    assert!(!here.join("run-bundle").exists());
}
