//! Learns the prior of Eleusis' rules from rules that people have used:
//! `cargo run --release -p parlour-lab -- eleusis-prior > strategies/eleusis/rules/prior.json`.
//!
//! The weights of the features (see [`Prior`]) are those that make the training rules likeliest, each
//! weight being normal around zero beforehand (Chen and Rosenfeld 2000), found by gradient ascent
//! (Adam; Kingma and Ba 2015). The table is a pure function of the program.

use std::collections::HashMap;

use parlour::games::eleusis::infer::{Classes, Grammar, KINDS, Member, PAIRINGS, PLACES, Prior};
use parlour::games::eleusis::rule::Rule;
use parlour::games::eleusis::{Half, Join, Role, Test, Vocabulary, playable};
use parlour::maths::exp;

/// How the weights are learnt.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Learning {
    /// The standard deviation of a weight beforehand.
    pub spread: f64,
    /// How many steps are made.
    pub steps: u32,
}

impl Default for Learning {
    /// Chosen by cross-validation within the training half.
    fn default() -> Learning {
        Learning { spread: 0.7, steps: 60 }
    }
}

/// What each part of a text makes of its likelihood among the texts of its template: four parts
/// halve it.
const PART: f64 = 0.840_896_415_253_714_6;

/// The names of the places where a test can stand.
const PLACE_NAMES: [&str; PLACES] = ["alone", "part", "condition", "side"];

/// A test as the prior sees it.
struct Atom {
    role: Role,
    text: String,
    template: String,
    size: f64,
}

impl Atom {
    fn of(test: &Test) -> Atom {
        Atom {
            role: test.role,
            text: test.rule.to_string(),
            template: test.template(),
            size: test.rule.expr().size() as f64,
        }
    }
}

/// What the masses of combinations are products of: each atom at each place, each kind, each way in
/// which the two sides of a pair or of an *if* go together.
struct Terms {
    atoms: usize,
    /// The features of each term with their amounts.
    features: Vec<Vec<(u32, f64)>>,
    /// The mass of each before anything is learnt. Templates are alike likely at every place, and
    /// within a template a text of four parts more is half as likely.
    base: Vec<f64>,
    /// How many features there are.
    count: usize,
}

impl Terms {
    fn of(atoms: &[Atom]) -> Terms {
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let mut number = |name: String| {
            let next = numbers.len() as u32;
            *numbers.entry(name).or_insert(next)
        };
        let mut of = Vec::with_capacity(PLACES * atoms.len());
        let mut base = Vec::with_capacity(PLACES * atoms.len());
        for place in 0..PLACES {
            let mut totals: HashMap<&str, f64> = HashMap::new();
            for atom in atoms {
                let mut features = Vec::new();
                let fits = match place {
                    0 => atom.role != Role::Condition,
                    2 => atom.role == Role::Condition,
                    _ => atom.role == Role::Simple,
                };
                if fits {
                    let here = PLACE_NAMES[place];
                    for word in words(atom) {
                        features.push((number(format!("{here} {word}")), 1.0));
                        features.push((number(word), 1.0));
                    }
                    let size = number(format!("{here} size"));
                    features.push((size, atom.size / 4.0));
                }
                base.push(if fits { power(PART, atom.size as u32) } else { 0.0 });
                *totals.entry(&atom.template).or_default() += base[of.len()];
                of.push(features);
            }
            for (atom, mass) in atoms.iter().zip(&mut base[place * atoms.len()..]) {
                *mass /= totals[&*atom.template].max(f64::MIN_POSITIVE);
            }
        }
        // Kinds and pairings are features of their own.
        let count = numbers.len() + KINDS + 2 * PAIRINGS;
        of.extend((numbers.len()..count).map(|own| vec![(own as u32, 1.0)]));
        base.resize(of.len(), 1.0);
        Terms { atoms: atoms.len(), features: of, base, count }
    }

    /// The terms of a combination.
    fn of_member(&self, &(_, ref rule, pairing): &Member) -> impl Iterator<Item = usize> {
        let (atoms, join) = (self.atoms, rule.join);
        let kinds = PLACES * atoms;
        let pairing = match join {
            Join::One => None,
            Join::If => Some(PAIRINGS + usize::from(pairing)),
            _ => Some(usize::from(pairing)),
        };
        let parts = rule.tests().iter().enumerate();
        let parts = parts.map(move |(at, &atom)| rule.place(at) * atoms + usize::from(atom));
        let pairing = pairing.map(|at| kinds + KINDS + at);
        [kinds + join as usize].into_iter().chain(pairing).chain(parts)
    }

    /// The factor of each.
    fn factors(&self, weights: &[f64]) -> Vec<f64> {
        let factor = |(features, base): (&Vec<(u32, f64)>, &f64)| {
            base * exp(features.iter().map(|&(at, much)| weights[at as usize] * much).sum())
        };
        self.features.iter().zip(&self.base).map(factor).collect()
    }

    /// The prior of these weights.
    fn prior(&self, weights: &[f64], training: &[Rule], missing: usize) -> Prior {
        let factors = self.factors(weights);
        let (tests, rest) = factors.split_at(PLACES * self.atoms);
        let (kinds, pairings) = rest.split_at(KINDS);
        Prior {
            learnt_from: training.iter().map(Rule::to_string).collect(),
            outside: (missing + 1) as f64 / (training.len() + 2) as f64,
            kinds: std::array::from_fn(|at| kinds[at]),
            pairings: [0, PAIRINGS].map(|from| std::array::from_fn(|at| pairings[from + at])),
            tests: std::array::from_fn(|at| tests[at * self.atoms..][..self.atoms].to_vec()),
        }
    }

    /// The mass of each member, not scaled; their sum.
    fn weigh(&self, members: &[Member], weights: &[f64], masses: &mut [f64]) -> f64 {
        let factors = self.factors(weights);
        let mut all = 0.0;
        for (member, mass) in members.iter().zip(masses) {
            *mass = self.of_member(member).map(|term| factors[term]).product();
            all += *mass;
        }
        all
    }
}

/// What an atom is described by: its text and template, how far it looks back, the words and
/// numbers in it.
fn words(atom: &Atom) -> Vec<String> {
    let mut out = vec![format!("= {}", atom.text), format!("like {}", atom.template)];
    let pieces: Vec<&str> =
        atom.text.split(|c: char| !c.is_alphanumeric()).filter(|piece| !piece.is_empty()).collect();
    let mut back = "0";
    for (at, piece) in pieces.iter().enumerate() {
        if *piece == "last" {
            let next = pieces.get(at + 1).filter(|next| next.bytes().all(|b| b.is_ascii_digit()));
            back = back.max(next.copied().unwrap_or("1"));
        } else {
            out.push((*piece).to_owned());
        }
    }
    out.push(format!("back {back}"));
    out.sort();
    out.dedup();
    out
}

/// Writes the prior learnt from the training half of the bank.
pub fn run() -> anyhow::Result<()> {
    let training = playable(Some(Half::Training)).map(|entry| entry.rule.clone());
    let training: Vec<Rule> = training.collect();
    let prior = learn_from(&training, &Classes::default(), &Learning::default());
    println!("{}", serde_json::to_string(&prior)?);
    Ok(())
}

/// The prior learnt from these rules.
pub fn learn_from(training: &[Rule], classes: &Classes, learning: &Learning) -> Prior {
    let atoms: Vec<Atom> = Vocabulary::shared().tests.iter().map(Atom::of).collect();
    let terms = Terms::of(&atoms);
    let mut weights = vec![0.0; terms.count];
    let grammar = Grammar::new(classes, &terms.prior(&weights, training, 0));
    let seen: Vec<u32> = training
        .iter()
        .filter_map(|rule| grammar.class_of(rule).map(|class| class as u32))
        .collect();
    let members = &classes.members;
    let (mut first, mut second) = (weights.clone(), weights.clone());
    let mut by_class: HashMap<u32, Vec<usize>> = HashMap::new();
    for &class in &seen {
        by_class.entry(class).or_default();
    }
    for (index, (class, ..)) in members.iter().enumerate() {
        if let Some(list) = by_class.get_mut(class) {
            list.push(index);
        }
    }
    let mut masses = vec![0.0; members.len()];
    for step in 1..=learning.steps {
        let mass_all = terms.weigh(members, &weights, &mut masses);
        // What the training rules have more of than the model expects, by term and by feature.
        let mut more = vec![0.0; terms.features.len()];
        let mut add = |index: usize, amount: f64| {
            terms.of_member(&members[index]).for_each(|term| more[term] += amount);
        };
        let scale = seen.len() as f64 / mass_all;
        for (index, mass) in masses.iter().enumerate() {
            add(index, -mass * scale);
        }
        for class in &seen {
            let own = &by_class[class];
            let sum: f64 = own.iter().map(|&index| masses[index]).sum();
            own.iter().for_each(|&index| add(index, masses[index] / sum));
        }
        let mut gradient = vec![0.0; terms.count];
        for (amount, features) in more.iter().zip(&terms.features) {
            for &(feature, much) in features {
                gradient[feature as usize] += amount * much;
            }
        }
        let late = f64::from(step) / f64::from(learning.steps);
        let rate = 0.15 * (1.0 - late) + 0.005;
        let (decay_one, decay_two): (f64, f64) = (0.9, 0.99);
        let bias_one = 1.0 - power(decay_one, step);
        let bias_two = 1.0 - power(decay_two, step);
        for feature in 0..terms.count {
            let slope = gradient[feature] - weights[feature] / (learning.spread * learning.spread);
            first[feature] = decay_one * first[feature] + (1.0 - decay_one) * slope;
            second[feature] = decay_two * second[feature] + (1.0 - decay_two) * slope * slope;
            let root = (second[feature] / bias_two).sqrt() + 1e-6;
            weights[feature] += rate * first[feature] / bias_one / root;
        }
    }
    terms.prior(&weights, training, training.len() - seen.len())
}

/// A power by multiplication: the same on every machine.
fn power(base: f64, exponent: u32) -> f64 {
    (0..exponent).fold(1.0, |product, _| product * base)
}
