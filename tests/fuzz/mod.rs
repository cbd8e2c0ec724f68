//! Fuzzing: good files of every kind, mutated at random and read by every reader.
//!
//! No input may panic, take over one second or 256 MB, or be refused without its file (and line and
//! field, if there is one). Every input is determined by the seed, the name of its reader and its
//! number.
//!
//! `PARLOUR_FUZZ` sets the number of inputs, `PARLOUR_FUZZ_SEED` the random seed.
//! `PARLOUR_FUZZ_ONLY` tries only the input of this number and prints it. Memory is measured for
//! the whole process, so no other test may run at the same time:
//!
//! ```sh
//! PARLOUR_FUZZ=100000 cargo test --release --test all fuzz:: -- --nocapture
//! ```

mod answers;
mod folders;
mod found;
mod json;
mod mutate;
mod program;
mod readers;

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use parlour::chance::{Seed, Stream};
use parlour::error::Error;
use serde_json::Value;

use mutate::{Form, Input, mutated};
use readers::{FILE, Reader};

/// The limit of CPU seconds per input.
const MOST_SECONDS: f64 = 1.0;

/// Reads a number from the environment.
fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().expect("a whole number"))
}

/// Returns the number of inputs of a reader with this share, in thousandths.
fn inputs(share: u64) -> u64 {
    (number("PARLOUR_FUZZ").unwrap_or(4000) * share).div_ceil(1000)
}

/// The current input and its start, for the watchdog.
type Now = Arc<Mutex<Option<(Instant, String)>>>;

/// Ends the program if an input takes far too long: nothing else can end an endless loop.
fn watch(now: &Now) {
    let now = Arc::downgrade(now);
    std::thread::spawn(move || {
        while let Some(now) = now.upgrade() {
            if let Some((since, what)) = &*now.lock().unwrap()
                && since.elapsed() > Duration::from_secs(60)
            {
                // Bypasses the capture of test output.
                _ = writeln!(std::io::stderr(), "{what} does not end");
                std::process::exit(1);
            }
            drop(now);
            std::thread::sleep(Duration::from_millis(500));
        }
    });
}

/// Returns the CPU seconds of this thread; `None` if the system does not provide them.
fn seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split(' ').next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}

/// The most memory that this process ever had, in megabytes.
fn memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes >> 10)
}

/// Tries a reader with its share of the inputs.
fn fuzz(reader: &Reader) {
    let seed = Seed::new(number("PARLOUR_FUZZ_SEED").unwrap_or(15)).named(reader.name);
    let (began, now) = (Instant::now(), Now::default());
    watch(&now);
    let only = number("PARLOUR_FUZZ_ONLY");
    let numbers = only.map_or(0..inputs(reader.share), |one| one..one + 1);
    let (count, mut taken) = (numbers.end - numbers.start, 0);
    let (mut faults, mut slowest, mut cpu) = (Vec::new(), (0.0, 0), 0.0);
    for number in numbers {
        let mut chance = seed.child(number).stream();
        let good =
            |chance: &mut Stream| &reader.good[chance.below(reader.good.len() as u32) as usize];
        let (one, (other, _)) = (good(&mut chance), good(&mut chance));
        // The first ones are the good files as they are.
        let is_good = (number as usize) < reader.good.len();
        let (bytes, which) = match is_good {
            true => &reader.good[number as usize],
            false => one,
        };
        let input = match is_good {
            true => Input { bytes: bytes.clone(), field: None },
            false => mutated(bytes, other, reader.form, &mut chance),
        };
        if only.is_some() {
            println!("{}", String::from_utf8_lossy(&input.bytes));
        }
        *now.lock().unwrap() = Some((Instant::now(), format!("{}, input {number}", reader.name)));
        let mut timed = || {
            let (before, clock) = (seconds(), Instant::now());
            let verdict = attempt(reader, &input.bytes, *which, &mut chance);
            let took = match (before, seconds()) {
                (Some(before), Some(after)) => after - before,
                _ => clock.elapsed().as_secs_f64(),
            };
            (verdict, took)
        };
        let (verdict, mut took) = timed();
        // A machine that has other work may be slow for a moment.
        for _ in 0..2 {
            if took > MOST_SECONDS && !is_good {
                took = took.min(timed().1);
            }
        }
        *now.lock().unwrap() = None;
        cpu += took;
        if took > slowest.0 && !is_good {
            slowest = (took, number);
        }
        let mut wrong = match &verdict {
            Err(panic) => Some(format!("a panic: {panic}")),
            Ok(Err(error)) if is_good => Some(format!("a good file is refused: {error}")),
            Ok(Err(error)) => complaint(error, &input, reader.form),
            Ok(Ok(())) => None,
        };
        if only.is_some() {
            println!("{verdict:?}");
        }
        taken += u64::from(matches!(verdict, Ok(Ok(()))));
        // The first ones make what all share.
        if took > MOST_SECONDS && !is_good {
            wrong = Some(format!("{took:.1} seconds"));
        }
        if let Some(wrong) = wrong {
            let start = String::from_utf8_lossy(&input.bytes[..input.bytes.len().min(1500)]);
            faults.push(format!("{}, input {number}: {wrong}\n{start}", reader.name));
        }
    }
    let took = began.elapsed().as_secs_f64();
    println!(
        "{}: {count} inputs, {taken} taken, {took:.1} s, {:.1} of them CPU, the slowest {:.3} s (input {}), at most {} MB",
        reader.name,
        cpu,
        slowest.0,
        slowest.1,
        memory().unwrap_or(0)
    );
    let all = faults.len();
    faults.truncate(8);
    assert!(faults.is_empty(), "{all} faults, the first ones:\n{}", faults.join("\n\n"));
    if std::env::var_os("PARLOUR_FUZZ").is_some() {
        assert!(memory() < Some(256), "{:?} MB", memory());
    }
}

/// Returns the result of a reader for these bytes, or the message of its panic.
fn attempt(
    reader: &Reader,
    bytes: &[u8],
    which: usize,
    chance: &mut Stream,
) -> Result<Result<(), Error>, String> {
    let read = || match std::str::from_utf8(bytes) {
        Ok(text) => (reader.read)(text, which, chance),
        // Only a file can hold such bytes.
        Err(_) => {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join(FILE);
            std::fs::write(&file, bytes).unwrap();
            parlour::files::read_text(&file).map(|text| panic!("it is no UTF-8: {text}"))
        }
    };
    catch_unwind(AssertUnwindSafe(read)).map_err(|panic| match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => (*panic.downcast::<&str>().unwrap_or_default()).to_owned(),
    })
}

/// Returns the flaw of an error message, if any.
fn complaint(error: &Error, input: &Input, form: Form) -> Option<String> {
    let said = error.to_string();
    let lacks = |what: &str| Some(format!("{what}: {said}"));
    if !said.contains(FILE) {
        return lacks("no file");
    }
    if said.len() > 3000 {
        return Some(format!("{} bytes said: {:.300}", said.len(), said));
    }
    if said.chars().any(char::is_control) {
        return Some(format!("a control character: {said:?}"));
    }
    let Ok(text) = std::str::from_utf8(&input.bytes) else {
        return if said.contains("line") { None } else { lacks("no line") };
    };
    // Messages about a whole file.
    let of_all = [
        "SHA-256",
        "the file has no cases",
        "chunks exist",
        "deals are missing from these folders",
        "not a results folder",
        // It is read before all else.
        "field `game`: unknown game",
        "No such file",
    ];
    let is_json = form == Form::Words || serde_json::from_str::<Value>(text).is_ok();
    if !is_json && !said.contains("line") && !of_all.iter().any(|all| said.contains(all)) {
        return lacks("no line");
    }
    // Lines of chunks have a seal around what they say; one that does not fit says no more.
    let is_seal = |name: &String| ["body", "check"].contains(&name.as_str());
    if said.contains("missing field") || ["SHA-256", "checksum"].iter().any(|s| said.contains(s)) {
        return None;
    }
    let field = input.field.as_ref().filter(|way| !way.iter().all(is_seal))?;
    match field.iter().any(|name| said.contains(name.as_str())) {
        true => None,
        false => Some(format!("none of {field:?}: {said}")),
    }
}

#[test]
fn experiments() {
    fuzz(&readers::experiments());
}

#[test]
fn strategies() {
    fuzz(&readers::strategies());
}

#[test]
fn rules() {
    fuzz(&readers::rules());
}

#[test]
fn the_rule_language() {
    fuzz(&readers::rule_language());
}

#[test]
fn records() {
    fuzz(&readers::records());
}

#[test]
fn positions() {
    fuzz(&readers::positions());
}

#[test]
fn science_cases() {
    fuzz(&readers::cases());
}

#[test]
fn moves() {
    fuzz(&readers::notations());
}

#[test]
fn progress_files() {
    fuzz(&folders::progress());
}

#[test]
fn manifests() {
    fuzz(&folders::manifests());
}

#[test]
fn tables() {
    fuzz(&folders::tables());
}
