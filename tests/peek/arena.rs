//! Attacks on the arguments that the arena passes to bots: the game, the random stream, and the
//! time between hands.

use std::sync::{Arc, Mutex};

use parlour::arena::{BotFactory, Experiment, Plan};
use parlour::chance::Stream;
use parlour::game::{Bot, BotError, Game, Observation, Ruled, Seat};
use parlour::games::eleusis::{self, Eleusis};
use parlour::games::leopard::{self, Leopard};
use parlour::results::Run;
use parlour::strategy::Strategic;

/// Lets bots of this kind play a pairing, or a table of this many deals.
fn play<G: Strategic>(
    experiment: Experiment<parlour::arena::VariantSpec>,
    make: impl Fn() -> Box<dyn Bot<G>> + Send + Sync + 'static,
) {
    let bots = BotFactory::custom(move |_: &G| make());
    let plan = Plan::<G>::resolve_with("peek", &experiment, [("spy", bots)]).unwrap();
    Run { threads: 1, ..Run::of(&plan, parlour::PROGRAM) }.go().unwrap();
}

fn leopard(deals: u64) -> Experiment<parlour::arena::VariantSpec> {
    let seats = ["spy", "random"].map(str::to_owned);
    Experiment { deals, seed: 1 << 40, ..Experiment::of_match("leopard", "revised", &seats) }
}

/// Tries to deal its own hand again with streams that it can make of its own.
struct Dealer {
    found: Arc<Mutex<(u32, u32)>>,
    first: bool,
    seat: Seat,
}

impl Bot<Leopard> for Dealer {
    fn start(&mut self, seat: Seat) {
        (self.first, self.seat) = (true, seat);
    }

    fn choose(
        &mut self,
        game: &Leopard,
        observation: Observation<'_, Leopard>,
        chance: &mut Stream,
    ) -> Result<leopard::Move, BotError> {
        if std::mem::take(&mut self.first) {
            let mut stream = chance.clone();
            let mut found = self.found.lock().unwrap();
            for _ in 0..300 {
                // The hand as it was dealt, before the first draw.
                let dealt = game.deal(&mut stream.clone());
                let view = game.view(&dealt, self.seat);
                let has = |card| observation.view.hand.count(card) >= view.hand.count(card);
                let all = view.hand.cards().all(has);
                found.0 += 1;
                found.1 += u32::from(all);
                stream.bits();
            }
        }
        Ok(game.sample_view(observation.view, chance))
    }
}

#[test]
fn no_stream_of_a_bot_deals_the_cards_again() {
    let found = Arc::new(Mutex::new((0, 0)));
    let shared = found.clone();
    play(leopard(40), move || {
        Box::new(Dealer { found: shared.clone(), first: false, seat: Seat(0) })
    });
    let (tried, hits) = *found.lock().unwrap();
    assert!(tried >= 300 * 40, "{tried}");
    assert_eq!(hits, 0, "of {tried} deals");
}

/// Remembers the hands that it has seen: in the next rotation of a deal the other seat holds what
/// it held before.
struct Elephant {
    /// Everything that it was ever handed before this hand.
    remembered: Vec<String>,
    hands: u32,
    most: Arc<Mutex<u32>>,
}

impl Bot<Leopard> for Elephant {
    fn start(&mut self, _: Seat) {
        self.hands += 1;
        let mut most = self.most.lock().unwrap();
        *most = self.hands.max(*most);
    }

    fn choose(
        &mut self,
        game: &Leopard,
        observation: Observation<'_, Leopard>,
        chance: &mut Stream,
    ) -> Result<leopard::Move, BotError> {
        self.remembered.push(format!("{:?}", observation.view.hand));
        Ok(game.sample_view(observation.view, chance))
    }
}

#[test]
fn a_bot_cannot_remember_the_same_cards_from_the_other_seat() {
    let most = Arc::new(Mutex::new(0));
    let shared = most.clone();
    play(leopard(5), move || {
        Box::new(Elephant { remembered: Vec::new(), hands: 0, most: shared.clone() })
    });
    assert_eq!(*most.lock().unwrap(), 1, "each hand has a bot of its own");
}

/// Looks for the secret rule in the game that it is handed.
struct Reader {
    secret: &'static str,
    looked: Arc<Mutex<u32>>,
}

impl Reader {
    fn read(&self, game: &Eleusis, chance: &Stream) {
        *self.looked.lock().unwrap() += 1;
        assert!(!format!("{game:?}").contains(self.secret), "the game shows it");
        assert!(!serde_json::to_string(game.rules()).unwrap().contains(self.secret));
        let dealt: Vec<String> = (0..20)
            .map(|skip| {
                let mut chance = chance.clone();
                (0..skip).for_each(|_| _ = chance.bits());
                game.deal(&mut chance).rule.to_string()
            })
            .collect();
        let known = dealt.iter().filter(|rule| **rule == self.secret).count();
        assert!(known < 20, "each hand that it deals has the secret rule");
    }
}

impl Bot<Eleusis> for Reader {
    fn choose_setup(&mut self, game: &Eleusis, chance: &mut Stream) -> Option<u32> {
        self.read(game, chance);
        None
    }

    fn choose(
        &mut self,
        game: &Eleusis,
        observation: Observation<'_, Eleusis>,
        chance: &mut Stream,
    ) -> Result<eleusis::Move, BotError> {
        if observation.view.seat != Seat(0) {
            self.read(game, chance);
        }
        Ok(game.sample_view(observation.view, chance))
    }
}

#[test]
fn the_game_that_a_bot_is_handed_does_not_tell_a_secret_that_the_variant_names() {
    // Not a corpus rule, so that only the variant reveals it.
    let secret = "rank mod 5 < 3 or color == last.color";
    let patch = serde_json::json!({ "secret": secret }).as_object().cloned().unwrap();
    let variant = parlour::arena::VariantSpec::Inline {
        name: Some("secret".to_owned()),
        sweep: None,
        base: "express".to_owned(),
        patch,
    };
    let seats = ["spy", "random", "spy", "random"].map(str::to_owned);
    let experiment = Experiment {
        variants: Some(vec![variant]),
        deals: 1,
        ..Experiment::of_match("eleusis", "express", &seats)
    };
    let looked = Arc::new(Mutex::new(0));
    let shared = looked.clone();
    // A bot that panics loses the hand and does not end the run: what it found is looked at here.
    let failed = Arc::new(Mutex::new(Vec::new()));
    struct Listener(Arc<Mutex<Vec<String>>>);
    impl parlour::arena::Observer for Listener {
        fn failed(&self, _: &str, said: &str) {
            self.0.lock().unwrap().push(said.to_owned());
        }
    }
    let listener = Listener(failed.clone());
    let bots = BotFactory::custom(move |game: &Eleusis| {
        assert!(!format!("{game:?}").contains(secret), "the maker is shown it");
        let reader: Box<dyn Bot<Eleusis>> = Box::new(Reader { secret, looked: shared.clone() });
        reader
    });
    let plan = Plan::<Eleusis>::resolve_with("peek", &experiment, [("spy", bots)]).unwrap();
    Run { threads: 1, observer: &listener, ..Run::of(&plan, parlour::PROGRAM) }.go().unwrap();
    assert_eq!(*failed.lock().unwrap(), Vec::<String>::new());
    assert!(*looked.lock().unwrap() > 20);
}
