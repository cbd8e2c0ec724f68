//! Trained networks as strategies: where they play, and which files are refused.

use std::path::Path;

use serde_json::{Value, json};

use super::common::{fail, output, same, succeed};

/// A tensor: its name, its shape and its numbers.
pub type Tensor<'a> = (&'a str, &'a [usize], Vec<f32>);

/// Writes a safetensors file.
pub fn write(path: &Path, metadata: &Value, tensors: &[Tensor<'_>]) {
    let (mut header, mut data) = (json!({ "__metadata__": metadata }), Vec::new());
    for (name, shape, numbers) in tensors {
        let start = data.len();
        data.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        header[name] =
            json!({ "dtype": "F32", "shape": shape, "data_offsets": [start, data.len()] });
    }
    let header = header.to_string();
    let length = (header.len() as u64).to_le_bytes();
    std::fs::write(path, [&length, header.as_bytes(), &data].concat()).unwrap();
}

/// Numbers without a pattern.
fn numbers(count: usize, seed: u32) -> Vec<f32> {
    let next = |state: &mut u32| {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Some((*state >> 8) as f32 / (1 << 24) as f32 - 0.5)
    };
    std::iter::repeat_with(|| ()).scan(seed, |state, ()| next(state)).take(count).collect()
}

/// The tensors of a network for Leopard under `revised`, with a value.
pub fn network(seed: u32) -> Vec<Tensor<'static>> {
    vec![
        ("0.weight", &[8, 187], numbers(8 * 187, seed)),
        ("0.bias", &[8], numbers(8, seed + 1)),
        ("2.weight", &[306, 8], numbers(306 * 8, seed + 2)),
        ("2.bias", &[306], numbers(306, seed + 3)),
        ("value.0.weight", &[1, 187], numbers(187, seed + 4)),
        ("value.0.bias", &[1], vec![0.1]),
    ]
}

pub fn metadata() -> Value {
    json!({ "game": "leopard", "activation": "relu" })
}

#[test]
fn a_network_plays_the_same_on_any_number_of_threads_and_from_a_manifest() {
    let here = tempfile::tempdir().unwrap();
    let (here, file) = (here.path(), here.path().join("mine.safetensors"));
    write(&file, &metadata(), &network(1));
    let played = ["match", "leopard", "mine.safetensors", "random", "--deals", "6", "--quiet"];
    for (threads, out) in [("1", "one"), ("2", "two")] {
        succeed(here, &[&played[..], &["--threads", threads, "--out", out]].concat());
    }
    same(&here.join("one"), &here.join("two"));
    let again = ["run", "one/manifest.json", "--quiet", "--replace", "--out", "again"];
    succeed(here, &again);
    let table = |folder: &str| std::fs::read(here.join(folder).join("matchups.csv")).unwrap();
    assert_eq!(table("one"), table("again"));
    write(&file, &metadata(), &network(2));
    let other = ["mine.safetensors has changed: its SHA-256 is ", "its SHA-256 was "];
    fail(here, &again, 2, &other);
    std::fs::remove_file(&file).unwrap();
    fail(here, &again, 2, &["cannot read mine.safetensors", "its SHA-256 was "]);
}

#[test]
fn a_network_serves_in_searches_and_in_other_commands() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    std::fs::create_dir(here.join("nets")).unwrap();
    write(&here.join("nets/mine.safetensors"), &metadata(), &network(1));
    // The network lies beside the file that names it.
    let named = r#"{ "kind": "network", "file": "mine.safetensors" }"#;
    std::fs::write(here.join("nets/named.json"), named).unwrap();
    let search = json!({
        "base": "ismcts-250",
        "budget": { "iterations": 30 },
        "playouts": {
            "by": "nets/named.json", "first": null,
            "cut_off": { "moves": 2, "evaluator": "nets/mine.safetensors" },
        },
        "guide": { "by": "nets/mine.safetensors" },
    });
    std::fs::write(here.join("search.json"), search.to_string()).unwrap();
    let players = ["./search.json", "nets/named.json", "nets/mine.safetensors"];
    let rest = ["--deals", "1", "--quiet", "--out", "league"];
    succeed(here, &[&["tournament", "leopard"][..], &players, &rest].concat());
    let exploit = ["exploit", "leopard", "nets/mine.safetensors", "--deals", "1", "--quiet"];
    succeed(here, &exploit);
    let records = ["--deals", "1", "--quiet", "--records", "hands.jsonl"];
    succeed(here, &[&["match", "leopard", players[2], "random"][..], &records].concat());
    let advice = ["replay", "hands.jsonl", "--advise", "nets/mine.safetensors"];
    assert!(succeed(here, &advice).contains("mine"));
    fail(
        here,
        &["science", "--corpus", "test", "--strategy", "nets/mine.safetensors"],
        2,
        &["`mine` is a network"],
    );
}

#[test]
fn a_network_plays_only_under_rules_with_its_sizes() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    write(&here.join("mine.safetensors"), &metadata(), &network(1));
    let experiment = json!({
        "game": "leopard", "strategies": ["mine.safetensors", "greedy"], "deals": 1,
        "variants": ["revised", { "name": "told", "base": "revised", "face_down_covers": "card" }],
    });
    std::fs::write(here.join("mine.json"), experiment.to_string()).unwrap();
    let sizes = ["187 inputs and 306 actions", "observation has 205 numbers", "variant `told`"];
    fail(here, &["run", "mine.json", "--quiet", "--out", "out"], 2, &sizes);
    let other = "187 inputs and 306 actions; under these rules an observation has 911 numbers";
    fail(here, &["match", "leapfrog", "mine.safetensors", "random"], 2, &[other]);
}

#[test]
fn wrong_networks_are_refused_with_their_name() {
    let here = tempfile::tempdir().unwrap();
    let (here, file) = (here.path(), here.path().join("mine.safetensors"));
    let refused = |metadata: &Value, tensors: &[Tensor<'_>], words: &str| {
        write(&file, metadata, tensors);
        let play = ["match", "leopard", "mine.safetensors", "random"];
        fail(here, &play, 2, &["mine.safetensors: ", words]);
    };
    let changed = |change: &dyn Fn(&mut Vec<Tensor<'static>>)| {
        let mut tensors = network(1);
        change(&mut tensors);
        tensors
    };
    let with = |change: &dyn Fn(&mut Vec<Tensor<'static>>), words: &str| {
        refused(&metadata(), &changed(change), words);
    };
    with(&|it| it[0].1 = &[187, 8], "weights of shape [187, 8], a bias of shape [8]");
    with(&|it| it[0].1 = &[8, 187, 1], "weights of shape [8, 187, 1]");
    with(
        &|it| it[2] = ("2.weight", &[306, 4], numbers(1224, 1)),
        "[306, 4], a bias of shape [306]; [outputs, 8] and [outputs] are needed",
    );
    with(
        &|it| it[4] = ("value.0.weight", &[1, 9], numbers(9, 1)),
        "its value must have 187 inputs and 1 output",
    );
    with(&|it| it[0].2[7] = f32::NAN, "`0.weight` has numbers that are infinite or not a number");
    with(&|it| it[1].2[7] = f32::INFINITY, "`0.bias` has numbers that are infinite");
    with(&|it| drop(it.remove(3)), "it has no tensor `2.bias`");
    with(&|it| it.retain(|tensor| tensor.0.contains("value")), "no tensor `0.weight`");
    with(&|it| it.push(("log_std", &[1], vec![0.0])), "tensors beyond `0.weight`");
    refused(&json!({ "game": "leopard" }), &network(1), "`activation` in its metadata is missing");
    let gelu = json!({ "activation": "gelu" });
    refused(&gelu, &network(1), "`activation` in its metadata is gelu; use relu or tanh");
    std::fs::write(&file, "no network").unwrap();
    let play = ["match", "leopard", "mine.safetensors", "random"];
    fail(here, &play, 2, &["mine.safetensors: it is not a safetensors file"]);
    fail(
        here,
        &["match", "leopard", "none.safetensors", "random"],
        2,
        &["cannot read none.safetensors"],
    );
    let told = output(here, &["match", "leopard", "mine.onnx", "random"]);
    assert_eq!(told.status.code(), Some(2));
}
