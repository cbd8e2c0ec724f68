//! `cargo xtask check` and `cargo xtask ci`: named steps, each a few shell commands.

use std::collections::BTreeSet;
use std::io::{Error, Result};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::repository::root;
use crate::{layers, lines, prose};

/// A named check.
struct Step {
    name: &'static str,
    about: &'static str,
    /// Script for bash. `$bin` is the folder of built programs, `$out` a temporary folder that all
    /// steps share, `$py` the Python of a virtual environment.
    script: &'static str,
}

/// Steps that use both cores by themselves, in this order.
const BUILDING: [Step; 9] = [
    Step { name: "format", about: "rustfmt", script: "cargo fmt --all --check" },
    Step {
        name: "text",
        about: "file lengths, module layers, plain English",
        script: "cargo xtask lines --quiet; cargo xtask layers --quiet; cargo xtask prose --quiet",
    },
    Step {
        name: "dependencies",
        about: "licences, duplicates, sources, known vulnerabilities",
        script: r#"
cargo deny check licenses bans sources
cargo deny --manifest-path python/Cargo.toml check licenses bans sources
cargo deny fetch db || echo "advisories cannot be fetched; using those fetched before" >&2
if compgen -G "${CARGO_HOME:-$HOME/.cargo}/advisory-dbs/advisory-db-*" >/dev/null; then
    cargo deny --offline check advisories
else
    echo "no advisory database here; known vulnerabilities are not checked" >&2
fi"#,
    },
    Step {
        name: "lint",
        about: "clippy on everything, and on the library without the command line",
        script: r#"
cargo clippy --release --workspace --all-targets -- -D warnings
cargo clippy --release --no-default-features --lib -- -D warnings"#,
    },
    Step {
        name: "build",
        about: "programs, examples and the Python module in one build",
        script: "cargo build --release --workspace --examples --bins --lib",
    },
    Step {
        name: "wasm",
        about: "the WebAssembly module; in Node it plays as the program does",
        script: r#"
# Without optimisation across crates, which takes as long as the rest.
CARGO_PROFILE_WEB_LTO=off CARGO_PROFILE_WEB_CODEGEN_UNITS=16 cargo xtask wasm "$out/web"
cargo xtask site "$out/site" "$out/web"
node web/tests/signature.mjs "$out/web" "$bin/parlour" --speed"#,
    },
    Step {
        name: "test",
        about: "unit, integration and documentation tests, and ONNX files",
        script: r#"
cargo test --release --workspace
# Unoptimized: it compiles in a fifth of the time, and the tests take a second either way.
options=()
for package in parlour-{base,game,leopard} tract-{core,data,extra,hir,linalg,nnef,onnx,onnx-opl} rustfft; do
    options+=(--config "profile.release.package.$package.opt-level=0")
done
cargo test --release -p parlour-game --features onnx --lib --test onnx "${options[@]}" onnx"#,
    },
    Step {
        name: "exact",
        about: "exact values that take seconds",
        script: "cargo test --release --workspace --test all leapfrog::exact -- --ignored",
    },
    Step {
        name: "doc",
        about: "API documentation",
        script: r#"RUSTDOCFLAGS="-D warnings" cargo doc --release --workspace --no-deps --quiet"#,
    },
];

/// Steps that only run built programs, two at a time, the longest first.
const RUNNING: [Step; 11] = [
    Step {
        name: "python",
        about: "the Python package: tests, examples on a toy budget and of the pages, types, reference",
        script: r#"
cp "$bin/libparlour_python.so" python/src/parlour/_parlour.abi3.so
trap 'rm python/src/parlour/_parlour.abi3.so' EXIT
PARLOUR_PROGRAM=$bin/parlour "$py" -m pytest python/tests
(cd python && "$py" -m mypy)
"$py" -m mypy.stubtest parlour._parlour --allowlist python/tests/stubtest \
    --mypy-config-file python/pyproject.toml
"$py" scripts/reference.py "$out/reference""#,
    },
    Step {
        name: "browser",
        about: "reports, recorded hands and the playing page in Chromium",
        script: r#"
"$bin/parlour" run experiments/original-vs-revised.json --deals 20 --hands --records --quiet --out "$out/shown"
# `scripts/nightly` has the pages of all committed runs.
"$py" tests/browser/report.py "$out/shown/report.html" results/index.html \
    results/{map-of-rules,leapfrog-ladder,eleusis-players}/*.html
"$py" tests/browser/picture.py "$out/shown/report.html" results/{knock-threshold,leapfrog-ladder}/report.html
for game in "leopard ismcts-500 2" "leapfrog careful 2" "eleusis cautious 5"; do
    read -r game adviser seats <<<"$game"
    "$bin/parlour" match "$game" random random --seats "$seats" --deals 1 --records "$out/$game.jsonl" >/dev/null
    "$bin/parlour" replay "$out/$game.jsonl" --advise "$adviser" --html "$out/$game.html"
done
"$py" tests/browser/hand.py "$out"/{leopard,leapfrog,eleusis}.html "$out/shown/hands.html"
"$py" tests/browser/play.py "$bin/parlour""#,
    },
    Step {
        name: "fuzz",
        about: "100,000 bad inputs for each reader, in at most 256 MB",
        script: "PARLOUR_FUZZ=100000 cargo test --release --workspace --test all fuzz:: -- --nocapture",
    },
    Step {
        name: "site",
        about: "the page in a browser tab: a comparison to its end, hands of all games, broken links",
        script: r#""$py" tests/browser/site.py "$out/site" "$bin/parlour""#,
    },
    Step {
        name: "bundle",
        about: "a bundle, as pandas, DuckDB, LaTeX and validators of metadata read it",
        script: r#"
# Of their own: they need older packages than the others.
"$py" -m uv venv --quiet "$out/validators"
"$py" -m uv pip install --quiet --python "$out/validators/bin/python" cffconvert roc-validator rocrate
"$bin/parlour" run experiments/original-vs-revised.json --deals 50 --quiet --out "$out/for-paper"
for folder in "$out/for-paper" results/{knock-threshold,eleusis-players,map-of-express}; do
    rm -rf "$out/paper"
    "$bin/parlour" bundle "$folder" --out "$out/paper" >/dev/null
    (cd "$out/paper" && sha256sum --quiet --check SHA256SUMS)
    "$py" scripts/bundle.py "$out/paper"
    "$out/validators/bin/python" scripts/ro-crate.py "$out/paper"
    "$out/validators/bin/cffconvert" --validate --infile "$out/paper/CITATION.cff"
    (cd "$out/paper" && pdflatex -halt-on-error -interaction=batchmode -output-directory "$out" paper.tex)
done"#,
    },
    Step {
        name: "faults",
        about: "full disks, closed streams, small limits, wrong files",
        script: r#"scripts/faults.sh "$bin/parlour" | { grep -v '^ok' || true; }"#,
    },
    Step {
        name: "reproduce",
        about: "committed results that took at most 10 seconds, to the byte",
        script: r#"scripts/reproduce.py --most 10 --program "$bin/parlour""#,
    },
    Step {
        name: "run",
        about: "the README's first command with few deals; records are verified",
        script: r#"
"$bin/parlour" run experiments/original-vs-revised.json --deals 20 --hands --records --out "$out/results"
"$bin/parlour" verify "$out/results/records.jsonl"
"$bin/lab" score greedy random --deals 100 --variant revised"#,
    },
    Step {
        name: "speed",
        about: "instructions of a playout (at most 222 a turn) and of a run (at most 1.15 times 222)",
        script: r#"
scripts/instructions.sh revised | tee "$out/instructions"
awk '{ if ($2 > 222) { print "more than 222 instructions a turn"; exit 1 } }' "$out/instructions"
scripts/arena-overhead.sh revised | tee "$out/overhead"
awk '{ if ($2 > 255) { print "a run costs more than 1.15 times 222 instructions a turn"; exit 1 } }' "$out/overhead""#,
    },
    Step {
        name: "external",
        about: "a player of the rule-discovery protocol in Python",
        script: r#""$bin/parlour" check-bot --game eleusis --science -- python3 scripts/bots/eleusis_scientist.py"#,
    },
    Step {
        name: "analysis",
        about: "plots and queries of the committed runs",
        script: r#"
for folder in results/original-vs-revised results/eleusis-players results/leapfrog-ladder; do
    "$py" scripts/plots.py "$folder" --out "$out/plots"
    "$py" scripts/queries.py "$folder" >"$out/answers"
done"#,
    },
];

/// Creates the virtual environment of the Python steps while Rust is compiled.
const PYTHON: Step = Step {
    name: "venv",
    about: "packages for the Python steps",
    script: r#"
python3 -m venv "$out/venv"
# It unpacks several gigabytes faster than pip.
"$py" -m pip install --quiet uv
"$py" -m uv pip install --quiet --python "$py" dm-tree distributed duckdb gymnasium matplotlib mcp mypy \
    numpy open_spiel pandas pdoc pettingzoo playwright polars pyarrow pytest safetensors sb3-contrib torch \
    torchrl tqdm
site=$("$py" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
echo "$PWD/python/src" >"$site/parlour.pth""#,
};

const NEED_PYTHON: [&str; 5] = ["browser", "python", "analysis", "bundle", "site"];

/// Runs all steps of a submission, or the named ones. Returns `false` if one fails.
pub fn ci(names: &[String]) -> Result<bool> {
    let all = || BUILDING.iter().chain(&RUNNING);
    if names == ["list"] {
        all().for_each(|step| println!("{:14} {}", step.name, step.about));
        return Ok(true);
    }
    if let Some(name) = names.iter().find(|name| all().all(|step| step.name != **name)) {
        return Err(Error::other(format!("no step `{name}`; see `cargo xtask ci list`")));
    }
    let wanted = |step: &&Step| names.is_empty() || names.iter().any(|name| name == step.name);
    let out = std::env::temp_dir().join(format!("parlour-ci-{}", std::process::id()));
    std::fs::create_dir_all(&out)?;
    let context = Context::new(&out.to_string_lossy())?;
    let needs_python = RUNNING.iter().filter(wanted).any(|s| NEED_PYTHON.contains(&s.name));
    let passes = std::thread::scope(|scope| {
        let python = needs_python.then(|| scope.spawn(|| context.run(&PYTHON, true)));
        let mut passes = BUILDING.iter().filter(wanted).all(|step| context.run(step, false));
        if let Some(python) = python {
            passes &= python.join().unwrap_or(false);
        }
        passes && context.run_all(&RUNNING.iter().filter(wanted).collect::<Vec<_>>())
    });
    std::fs::remove_dir_all(&out)?;
    context.print_times();
    Ok(passes)
}

struct Context {
    variables: Vec<(&'static str, String)>,
    times: Mutex<Vec<(&'static str, f64)>>,
}

impl Context {
    fn new(out: &str) -> Result<Context> {
        let target = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
        let bin = root().join(target).join("release").to_string_lossy().into_owned();
        let variables = vec![
            ("bin", bin),
            ("out", out.to_owned()),
            ("py", format!("{out}/venv/bin/python")),
            // The scripts must not build the programs again with other features.
            ("PARLOUR_BUILT", "1".to_owned()),
        ];
        Ok(Context { variables, times: Mutex::default() })
    }

    /// Runs a step and returns `true` if it passes. `capture` keeps its output to itself until it
    /// has ended.
    fn run(&self, step: &Step, capture: bool) -> bool {
        if !capture {
            println!("== {}: {}", step.name, step.about);
        }
        let start = Instant::now();
        let mut command = Command::new("bash");
        command.args(["-euo", "pipefail", "-c", step.script]).current_dir(root());
        command.envs(self.variables.iter().cloned()).stdin(Stdio::null());
        let status = if capture {
            command.output().map(|output| {
                let text = [output.stdout, output.stderr].concat();
                println!("== {}: {}", step.name, step.about);
                print!("{}", String::from_utf8_lossy(&text));
                output.status
            })
        } else {
            command.status()
        };
        let passes = status.is_ok_and(|status| status.success());
        if let Ok(mut times) = self.times.lock() {
            times.push((step.name, start.elapsed().as_secs_f64()));
        }
        if !passes {
            println!("FAILED: {} (repeat it with `cargo xtask ci {}`)", step.name, step.name);
        }
        passes
    }

    /// Runs steps two at a time.
    fn run_all(&self, steps: &[&Step]) -> bool {
        let (left, passes) = (Mutex::new(steps.iter()), AtomicBool::new(true));
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    loop {
                        let step = left.lock().ok().and_then(|mut left| left.next().copied());
                        let Some(step) = step else { break };
                        if !self.run(step, true) {
                            passes.store(false, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        passes.load(Ordering::Relaxed)
    }

    fn print_times(&self) {
        let Ok(times) = self.times.lock() else { return };
        times.iter().for_each(|(name, seconds)| println!("{seconds:7.1} s  {name}"));
    }
}

/// Folders of `tests/` that concern a crate.
const TESTS_OF: [(&str, &[&str]); 11] = [
    ("game", &["search", "external", "mutations", "peek"]),
    ("arena", &["cli::same_bytes", "cli::stopped"]),
    ("report", &["cli::reports", "cli::output"]),
    ("play", &["table"]),
    ("leopard", &["leopard", "cli::reports", "cli::old_folders"]),
    ("leapfrog", &["leapfrog", "cli::reports", "cli::old_folders"]),
    ("eleusis", &["eleusis", "cli::reports", "cli::old_folders"]),
    ("eleusis-rules", &["eleusis"]),
    ("games", &["cli::commands"]),
    ("src", &["cli::commands", "cli::wrong_input"]),
    ("examples", &["examples"]),
];

/// Formats, lints and tests what changed since main. Returns `false` if a step fails.
pub fn check() -> Result<bool> {
    let files = changed_files()?;
    let packages = packages(&files);
    println!("{} changed files; packages: {}", files.len(), list(&packages));
    let mut passes = bash("cargo fmt --all --check")?;
    for findings in [lines::find()?, prose::check(&files)?] {
        passes &= findings.report(true);
    }
    let (cycles, names) = layers::check(&[])?;
    passes &= cycles.report(true) & names.report(true);
    if !packages.is_empty() {
        let selected: String = packages.iter().map(|package| format!(" -p {package}")).collect();
        let lint = format!("cargo clippy --profile quick{selected} --all-targets -- -D warnings");
        passes = passes && bash(&lint)?;
    }
    let unit: String =
        packages.iter().filter(|p| *p != "parlour-python").map(|p| format!(" -p {p}")).collect();
    if !unit.is_empty() {
        passes = passes && bash(&format!("cargo test --profile quick{unit} --lib --bins"))?;
    }
    let filters = test_filters(&files);
    if !filters.is_empty() {
        let filters = list(&filters).replace(',', "");
        passes = passes && bash(&format!("cargo test --profile quick --test all -- {filters}"))?;
    }
    Ok(passes)
}

fn list(words: &BTreeSet<String>) -> String {
    words.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}

/// Builds the WebAssembly module. Returns `false` if the build fails.
pub fn wasm(arguments: &[String]) -> Result<bool> {
    let status = Command::new(root().join("scripts/wasm.sh")).args(arguments).status()?;
    Ok(status.success())
}

fn bash(script: &str) -> Result<bool> {
    println!("$ {script}");
    let status = Command::new("bash").args(["-c", script]).current_dir(root()).status()?;
    Ok(status.success())
}

/// Lists the files that differ from the last commit shared with main, uncommitted ones included.
fn changed_files() -> Result<Vec<String>> {
    let script = "base=$(git merge-base HEAD origin/main 2>/dev/null || git merge-base HEAD main 2>/dev/null \
                  || echo HEAD); git diff --name-only \"$base\"; git ls-files --others --exclude-standard";
    let output = Command::new("bash").args(["-c", script]).current_dir(root()).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let files: BTreeSet<String> = text.lines().map(str::to_owned).collect();
    Ok(files.into_iter().collect())
}

/// Names the packages that hold the files.
fn packages(files: &[String]) -> BTreeSet<String> {
    let named = files.iter().filter_map(|file| {
        let parts: Vec<&str> = file.split('/').collect();
        match parts.as_slice() {
            ["crates", name, ..] => package_name(&format!("crates/{name}")),
            ["lab" | "python" | "web" | "xtask", ..] if file.ends_with(".rs") => {
                package_name(parts[0])
            }
            ["src" | "examples", ..] if file.ends_with(".rs") => package_name("."),
            _ => None,
        }
    });
    named.collect()
}

/// Reads the name of the package in a folder.
fn package_name(folder: &str) -> Option<String> {
    let text = std::fs::read_to_string(root().join(folder).join("Cargo.toml")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("name = "))?;
    Some(line.trim_matches('"').to_owned())
}

/// Names the integration tests that concern the files.
fn test_filters(files: &[String]) -> BTreeSet<String> {
    let mut filters = BTreeSet::new();
    for file in files.iter().filter(|file| file.ends_with(".rs")) {
        let parts: Vec<&str> = file.split('/').collect();
        let room =
            if parts[0] == "crates" { parts.get(1).copied().unwrap_or("") } else { parts[0] };
        for (_, tests) in TESTS_OF.iter().filter(|(name, _)| *name == room) {
            filters.extend(tests.iter().map(|test| format!("{test}::")));
        }
        if parts[0] == "tests" && parts.len() > 2 {
            filters.insert(format!("{}::", parts[1]));
        }
    }
    filters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_follow_from_the_files() {
        let files = ["crates/leopard/src/rules.rs", "tests/cli/run.rs", "docs/play.md"];
        let filters = test_filters(&files.map(str::to_owned));
        assert_eq!(list(&filters), "cli::, cli::old_folders::, cli::reports::, leopard::");
        let packages = packages(&["crates/leopard/src/a.rs", "src/cli/a.rs"].map(str::to_owned));
        assert_eq!(list(&packages), "parlour, parlour-leopard");
    }
}
