//! All readers of files, each with good files.

use std::path::{Path, PathBuf};

use parlour::arena::{Head, Overrides, Plan, PlanSource, Variant, VariantSpec};
use parlour::cards::Card;
use parlour::chance::{Seed, Stream};
use parlour::error::{Error, Result};
use parlour::files::{Origin, SourceFile, parse_json, parse_json_line};
use parlour::game::{Game, PositionFile, Recorded, Ruled, Turn};
use parlour::games::eleusis::rule::{Rule, right_share, validate};
use parlour::games::eleusis::{Eleusis, Split, corpus, science};
use parlour::games::{leapfrog::Leapfrog, leopard::Leopard};
use parlour::strategy::{Strategic, Strategy};
use serde_json::Value;

use super::mutate::Form;

/// A file as messages name it.
pub const FILE: &str = "fuzz.json";

/// Reads a text, given what stands beside the good file that it was made of.
pub type Read = dyn Fn(&str, usize, &mut Stream) -> Result<()>;

/// A reader of one kind of file.
pub struct Reader {
    pub name: &'static str,
    pub form: Form,
    /// The share of all inputs, in thousandths.
    pub share: u64,
    /// Good files, each with an argument of the reader.
    pub good: Vec<(Vec<u8>, usize)>,
    /// Reads a text and uses the result; it may contain assertions.
    pub read: Box<Read>,
}

/// Does something with the type of the game of this name, or of this number.
macro_rules! with {
    ($which:expr, $G:ident => $body:expr) => {
        match $which {
            0 => {
                type $G = Leopard;
                $body
            }
            1 => {
                type $G = Leapfrog;
                $body
            }
            _ => {
                type $G = Eleusis;
                $body
            }
        }
    };
}
pub(super) use with;

pub const GAMES: [&str; 3] = ["leopard", "leapfrog", "eleusis"];

/// The number of a game by its name; an error as the commands give it where there is none.
pub fn number(name: &str) -> Result<usize> {
    let unknown = || Error::input(parlour::files::unknown("game", name, GAMES)).in_field("game");
    GAMES.iter().position(|game| *game == name).ok_or_else(unknown)
}

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "json")).collect();
    files.sort();
    files
}

fn found(text: &str) -> SourceFile {
    SourceFile::new("fuzz", Origin::File(FILE.into()), text.to_owned())
}

fn texts<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Vec<(Vec<u8>, usize)> {
    texts.into_iter().map(|text| (text.as_ref().as_bytes().to_vec(), 0)).collect()
}

pub fn experiments() -> Reader {
    let mut good: Vec<(Vec<u8>, usize)> =
        files("experiments").iter().map(|path| (std::fs::read(path).unwrap(), 0)).collect();
    good.extend(texts([
        crate::cli::common::experiment(20),
        r#"{"game": "leopard", "strategies": ["random", "greedy", {"name": "s", "base": "champion", "tree": {"exploration": 0.5}, "model": null}],
  "variants": ["revised", {"name": "v", "base": "denexa", "knock_at": 9, "hands_per_match": 2}],
  "schedule": "gauntlet", "champion": "greedy", "deals": 20, "seed": 5, "luck_adjusted": true, "confirm": false,
  "until": {"half_width": 0.01}}"#.to_owned(),
        r#"{"game": "eleusis", "variants": ["express"], "strategies": ["random", "cautious", "bayes"],
  "schedule": "line-up", "line_ups": [["random", "cautious", "bayes", "random"]], "deals": 3, "allow_clock": true}"#.to_owned(),
        r#"{"game": "leapfrog", "variants": [{"name": "v", "base": "murray-mini-4x4", "seats": 3, "pieces": {"colors": {"white": 9, "yellow": 4, "red": 2, "green": 1}}}],
  "strategies": ["greedy", "careful"], "schedule": "line-up", "line_ups": [["greedy", "careful", "greedy"]], "deals": 9}"#.to_owned(),
    ]));
    let read = |text: &str, _, _: &mut Stream| {
        let head: Head = parse_json(FILE, text)?;
        let game = number(&head.game).map_err(|error| error.in_file(FILE))?;
        with!(game, G => {
            let source = found(text);
            let source = PlanSource::Experiment(&source);
            let plan = Plan::<G>::read(source, Overrides::default(), &())?;
            let plan = plan.info();
            assert!(plan.resolved.chunks() > 0 && plan.hands(None) > 0);
            let again = serde_json::to_string(&plan.resolved).unwrap();
            assert_eq!(serde_json::from_str::<Value>(&again).unwrap()["name"], "fuzz");
            Ok(())
        })
    };
    Reader { name: "experiment", form: Form::Json, share: 100, good, read: Box::new(read) }
}

pub fn strategies() -> Reader {
    let mut good = Vec::new();
    for (game, name) in GAMES.iter().enumerate() {
        let all = files(&format!("strategies/{name}"))
            .into_iter()
            .map(|path| std::fs::read(path).unwrap());
        good.extend(all.filter(|text| text.len() < 4000).map(|text| (text, game)));
    }
    good.extend(texts([
        r#"{"base": "champion", "about": "x", "budget": {"iterations": 20}, "tree": {"memory_mb": 1, "depth": 2}, "guide": null}"#,
        r#"{"base": "ismcts-500", "playouts": {"by": "greedy", "cut_off": {"moves": 4}}, "reward": {"win": 0.5, "scale": 5}}"#,
    ]));
    let read = |text: &str, which, _: &mut Stream| {
        with!(which, G => {
            let strategy = Strategy::<G>::read(&found(text))?;
            let spelled = serde_json::to_value(&strategy.spec).unwrap();
            assert!(spelled["kind"].is_string(), "{spelled}");
            let game = <G as Ruled>::new(&<G as Ruled>::presets()[0].rules).unwrap();
            drop(game.bot(&strategy.spec));
            Ok(())
        })
    };
    Reader { name: "strategy", form: Form::Json, share: 100, good, read: Box::new(read) }
}

/// Plays a hand to its end from here.
fn play_out<G: Game>(game: &G, state: &mut G::State, chance: &mut Stream) {
    let mut moves = 0;
    while game.turn(state) != Turn::Over {
        let mv = game.sample(state, chance);
        game.apply(state, mv, chance);
        moves += 1;
        assert!(moves <= game.max_moves(), "more than {} moves", game.max_moves());
    }
    assert_eq!(game.scores(state).0.len(), game.seats());
}

pub fn rules() -> Reader {
    fn of<G: Ruled>(which: usize) -> impl Iterator<Item = (Vec<u8>, usize)> {
        let text = move |preset: parlour::game::rules::Preset<G::Rules>| {
            let mut file = serde_json::json!({ "name": "mine", "base": preset.name });
            let patch = serde_json::to_value(G::patch_of(&preset.rules)).unwrap();
            file.as_object_mut().unwrap().extend(patch.as_object().unwrap().clone());
            (serde_json::to_string_pretty(&file).unwrap().into_bytes(), which)
        };
        G::presets().into_iter().map(text)
    }
    let good = of::<Leopard>(0).chain(of::<Leapfrog>(1)).chain(of::<Eleusis>(2)).collect();
    let read = |text: &str, which, chance: &mut Stream| {
        with!(which, G => {
            let spec: VariantSpec = parse_json(FILE, text)?;
            let variant = Variant::<G>::resolve(&spec).map_err(|error| error.in_file(FILE))?;
            let game = variant.game;
            let mut state = game.deal(chance);
            if !slow(text) {
                play_out(&game, &mut state, chance);
            }
            let scores = game.scores(&state);
            let (low, high) = game.score_range();
            assert!(scores.0.iter().all(|s| (low..=high).contains(s)), "{scores:?} outside {low}..={high}");
            Ok(())
        })
    };
    Reader { name: "rules", form: Form::Json, share: 100, good, read: Box::new(read) }
}

/// Returns `true` for seven of eight texts, which are not examined further.
fn slow(text: &str) -> bool {
    !text.len().is_multiple_of(8)
}

pub fn rule_language() -> Reader {
    let good = texts(corpus().iter().map(|entry| entry.rule.to_string()));
    let read = |text: &str, _, chance: &mut Stream| {
        // The one who names the rule says where it stands.
        let rule: Rule = text.parse().map_err(|fault: parlour::games::eleusis::RuleError| {
            Error::input(fault.to_string()).in_file(FILE)
        })?;
        let written = rule.to_string();
        let again: Rule = written.parse().unwrap_or_else(|e| panic!("{e}: {written}"));
        assert_eq!(again, rule, "{written}");
        let mut memory = Default::default();
        for _ in 0..30 {
            let card = Card::from_index(chance.below(52) as u8);
            assert_eq!(rule.right(&memory), again.right(&memory));
            memory = rule.step(&memory, card);
        }
        if !slow(text) {
            let share = right_share(&rule);
            assert!((0.0..=1.0).contains(&share), "{share}");
            _ = validate(&rule);
        }
        Ok(())
    };
    Reader { name: "rule", form: Form::Words, share: 150, good, read: Box::new(read) }
}

fn random_moves<G: Game>(game: &G, state: &G::State, chance: &mut Stream) -> G::Move {
    game.sample(state, chance)
}

pub fn records() -> Reader {
    fn of<G: Recorded>(variants: &[&str], hands: u64) -> Vec<(Vec<u8>, usize)> {
        let records = crate::mutations::records::<G>(variants, hands, random_moves);
        // One or two hands a file.
        let texts: Vec<String> = records.iter().map(Value::to_string).collect();
        texts.chunks(2).map(|two| (two.join("\n").into_bytes(), 0)).collect()
    }
    let mut good = of::<Leopard>(&["revised", "running-original", "denexa"], 3);
    good.extend(of::<Leapfrog>(&["murray-mini-4x4", "mini-4x5", "froglet"], 3));
    good.extend(of::<Eleusis>(&["express", "eleusis", "eleusis-1977"], 2));
    fn one<G: Recorded>(line: usize, text: &str) -> Result<()> {
        let record: G::Record = parse_json_line(FILE, line, text)?;
        let verified = G::verify(&record);
        let (shown, choices) = (G::show(&record), G::replay(&record));
        if verified.is_ok() {
            assert!(shown.is_ok() && choices.is_ok(), "{text}");
        }
        let fault = |fault| Error::from(fault).on_line(FILE, line);
        verified.map_err(fault)?;
        shown.map_err(fault)?;
        choices.map(|_| ()).map_err(fault)
    }
    let read = |text: &str, _, _: &mut Stream| {
        for (line, text) in (1..).zip(text.lines()) {
            let head: Head = parse_json_line(FILE, line, text)?;
            let game = number(&head.game).map_err(|error| error.on_line(FILE, line))?;
            with!(game, G => one::<G>(line, text))?;
        }
        Ok(())
    };
    Reader { name: "record", form: Form::Lines, share: 200, good, read: Box::new(read) }
}

/// Returns position files of the seat to move at random points of hands.
fn positions_of<G: Ruled>(variants: &[&str], which: usize) -> Vec<(Vec<u8>, usize)> {
    let position = |(variant, hand): (&&str, u64)| {
        let game = G::new(&G::named(variant).unwrap()).unwrap();
        let mut chance = Seed::new(hand).named(variant).stream();
        let (mut state, mut past) = (game.deal(&mut chance), Vec::new());
        let mut text = String::new();
        for _ in 0..[0, 3, 12, 40][hand as usize % 4] + 1 {
            let Turn::Seat(seat) = game.turn(&state) else { break };
            let position = PositionFile::of(&game, &game.view(&state, seat), &past);
            text = serde_json::to_string_pretty(&position).unwrap();
            let mv = game.sample(&state, &mut chance);
            past.push((seat, mv));
            game.apply(&mut state, mv, &mut chance);
        }
        (text.into_bytes(), which)
    };
    (0..4).flat_map(|hand| variants.iter().map(move |v| (v, hand))).map(position).collect()
}

/// Strategies that answer quickly; the searches look at what was told of the past.
fn askable(which: usize) -> &'static [&'static str] {
    match which {
        0 => &[
            r#"{"kind": "random"}"#,
            r#"{"base": "steady"}"#,
            r#"{"base": "champion", "budget": {"iterations": 12}}"#,
            r#"{"base": "monte-carlo-500", "budget": {"iterations": 12}}"#,
        ],
        1 => &[
            r#"{"kind": "random"}"#,
            r#"{"base": "greedy"}"#,
            r#"{"base": "careful"}"#,
            r#"{"base": "mcts-1000", "budget": {"iterations": 12}}"#,
        ],
        _ => &[r#"{"kind": "random"}"#, r#"{"base": "cautious"}"#],
    }
}

fn position<G: Strategic>(text: &str, which: usize, chance: &mut Stream) -> Result<()> {
    let shown = G::position(FILE, text)?;
    let game = &shown.game;
    let asked = askable(which);
    let asked = asked[chance.below(asked.len() as u32) as usize];
    let strategy = Strategy::<G>::read(&found(asked)).unwrap();
    let mut bot = game.bot(&strategy.spec);
    bot.start(shown.seat);
    let mv = bot.choose(game, shown.observation(), chance).unwrap();
    let mut world = game.determinize(&shown.view, chance);
    assert_eq!(game.turn(&world), Turn::Seat(shown.seat));
    assert!(game.is_legal(&world, mv), "{mv} is illegal");
    game.apply(&mut world, mv, chance);
    if game.turn(&world) != Turn::Over {
        play_out(game, &mut world, chance);
    }
    Ok(())
}

pub fn positions() -> Reader {
    let mut good = positions_of::<Leopard>(&["revised", "running-original"], 0);
    good.extend(positions_of::<Leapfrog>(&["murray-mini-4x4", "froglet"], 1));
    good.extend(positions_of::<Eleusis>(&["express", "eleusis"], 2));
    good.extend(texts([
        r#"{ "hand": ["AS", "KD"], "own": [null, "2H", null, null, null, null, null, null, null],
     "other": [null, null, null, null, null, null, null, null, "9C"], "variant": "revised", "rules": {"knock_at": 4},
     "gone": ["JS"], "stock": 91, "other_held": 8, "seat": 1, "played": false }"#,
    ]));
    let read = |text: &str, which, chance: &mut Stream| {
        #[derive(serde::Deserialize)]
        struct Named {
            game: Option<String>,
        }
        let head: Named = parse_json(FILE, text)?;
        // As `advise` does: Leopard's need not say so.
        let game = head.game.map_or(Ok(0), |name| number(&name));
        let game = game.map_err(|error| error.in_file(FILE))?;
        let _ = which;
        with!(game, G => position::<G>(text, game, chance))
    };
    Reader { name: "position", form: Form::Json, share: 150, good, read: Box::new(read) }
}

pub fn cases() -> Reader {
    struct Steadfast;
    impl science::RuleLearner for Steadfast {
        fn state(
            &mut self,
            view: &science::CaseView,
            _: &mut Stream,
        ) -> std::result::Result<science::Statement, parlour::game::BotFailure> {
            let guess: Rule = "red".parse().unwrap();
            let card = view.hand.distinct().next().unwrap();
            let guess = Some((science::Guess::Rule(guess), 0.5));
            let commit = view.turn == 3;
            Ok(science::Statement { guess, commit, ..science::Statement::of(card) })
        }
    }
    // The walks of these are short.
    let cases = science::corpus_cases(Split::All, 1, 3).into_iter();
    let quick =
        cases.filter(|case| validate(&case.rule).is_ok_and(|found| found.situations < 3000));
    let lines: Vec<String> = quick.take(24).map(|case| case.line()).collect();
    let good = texts(lines.chunks(2).map(|two| two.join("\n")));
    let read = |text: &str, _, chance: &mut Stream| {
        for case in science::read_cases(FILE, text)? {
            let played = science::play_case(&case, &mut Steadfast, chance);
            assert!(played.turns.len() <= science::TURNS as usize);
        }
        Ok(())
    };
    Reader { name: "case", form: Form::Lines, share: 50, good, read: Box::new(read) }
}

/// Moves and cards, which stand in records and positions as text.
pub fn notations() -> Reader {
    fn of<G: Ruled>(variant: &str, which: usize) -> Vec<(Vec<u8>, usize)> {
        let game = G::new(&G::named(variant).unwrap()).unwrap();
        let mut chance = Seed::new(2).stream();
        let (mut state, mut all) = (game.deal(&mut chance), Vec::new());
        while game.turn(&state) != Turn::Over && all.len() < 12 {
            let mv = game.sample(&state, &mut chance);
            all.push((game.notation(mv).into_bytes(), which));
            game.apply(&mut state, mv, &mut chance);
        }
        all
    }
    let mut good = of::<Leopard>("running-original", 0);
    good.extend(of::<Leapfrog>("murray-mini-5x5", 1));
    good.extend(of::<Eleusis>("express", 2));
    fn one<G: Ruled>(text: &str) -> Result<()> {
        let game = G::new(&G::presets()[0].rules).unwrap();
        let mv = game.parse_move(text).map_err(|error| error.in_file(FILE))?;
        let written = game.notation(mv);
        assert_eq!(game.parse_move(&written).map(|mv| game.notation(mv)), Ok(written));
        Ok(())
    }
    let read = |text: &str, which, _: &mut Stream| with!(which, G => one::<G>(text));
    Reader { name: "move", form: Form::Words, share: 50, good, read: Box::new(read) }
}
