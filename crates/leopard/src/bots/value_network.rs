//! A player that chooses by a trained network: the chance to win after each move.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use crate::cells::{CardKind, without_twins};
use crate::network::{Features, Net, NetworkFile, VIEW_HIDDEN, view_features};
use crate::{Leopard, Move, Rules, Side, View};
use parlour_base::chance::Stream;
use parlour_base::files::read_bytes;
use parlour_base::maths::exp;
use parlour_game::{Policy, Ruled};

/// The network that comes with the program.
const BUILT_IN: &[u8] = include_bytes!("../network/value.network");

/// Looks one move ahead and chooses by a network's chance to win in the position after the move
/// (Tesauro 1995, *Temporal difference learning and TD-Gammon*).
#[derive(Clone, PartialEq, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "NetworkField")]
#[schemars(with = "NetworkField")]
pub struct ValueNetwork(pub Arc<Net>);

/// The fields of a strategy file.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NetworkField {
    /// Path of a network file, relative to this file or to the current folder; the built-in network by default.
    #[serde(default)]
    network: Option<String>,
}

impl ValueNetwork {
    /// Reads a network file.
    ///
    /// # Errors
    /// A sentence about the file that follows its name.
    pub fn read(file: &[u8]) -> Result<ValueNetwork, String> {
        let NetworkFile { net, .. } = NetworkFile::read(file, &[Features::View])?;
        match net.hidden {
            VIEW_HIDDEN => Ok(ValueNetwork(Arc::new(net))),
            hidden => Err(format!("it has {hidden} hidden units; it must have {VIEW_HIDDEN}")),
        }
    }

    /// The best move, and the logit of the chance to win after it.
    pub fn best(&self, rules: &Rules, view: &View) -> (Move, f32) {
        let mut best = (Move::End, f32::NEG_INFINITY);
        for_each_move(rules, view, |mv| {
            let logit = self.logit_after(rules, view, mv);
            if logit > best.1 {
                best = (mv, logit);
            }
        });
        best
    }

    /// The logit of the chance to win after a move.
    fn logit_after(&self, rules: &Rules, view: &View, mv: Move) -> f32 {
        let mut after = *view;
        if let Some((side, card, cell)) = mv.laid() {
            let seat = view.seat.side() ^ side as usize;
            after.squares[seat].put(card, cell);
            after.values[seat] = after.squares[seat].value(rules) as u8;
        }
        if let Some(card) = mv.card() {
            after.hand.remove(card);
        }
        let knocks = mv == Move::Knock;
        if knocks || (view.stock_len == 0 && view.held[0] + view.held[1] == 1) {
            let [own, other] = Side::BOTH.map(|side| after.value(side));
            let lead = rules.score(own, knocks, knocks) - rules.score(other, knocks, false);
            return CERTAIN * lead.signum() as f32;
        }
        // The other seat draws before it moves.
        after.stock_len = view.stock_len.saturating_sub(rules.draw);
        self.logit(rules, &after)
    }

    /// The logit of the chance to win of the seat whose view this is, which has just moved.
    pub fn logit(&self, rules: &Rules, view: &View) -> f32 {
        let mut hidden = [0; VIEW_HIDDEN];
        hidden.copy_from_slice(&self.0.bias);
        view_features(rules, view, &mut |feature| {
            for (sum, weight) in hidden.iter_mut().zip(self.0.row(feature)) {
                *sum = sum.wrapping_add(*weight);
            }
        });
        self.0.logit(&hidden, 0) as f32
    }
}

impl TryFrom<NetworkField> for ValueNetwork {
    type Error = String;

    fn try_from(field: NetworkField) -> Result<ValueNetwork, String> {
        let built_in = ValueNetwork::read(BUILT_IN)?;
        // A manifest has the digest.
        let path = match field.network {
            Some(path) if path != built_in.0.digest() => path,
            _ => return Ok(built_in),
        };
        let file = read_bytes(path.as_ref()).map_err(|error| error.to_string())?;
        ValueNetwork::read(&file).map_err(|fault| format!("{path}: {fault}"))
    }
}

/// A run records the digest of the weights.
impl Serialize for ValueNetwork {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([("network", self.0.digest())])
    }
}

/// Logit of a win at the end of a hand; farther out than any estimate.
const CERTAIN: f32 = 1e6;

/// The chance of a logit.
fn chance_of(logit: f32) -> f32 {
    (1.0 / (1.0 + exp(f64::from(-logit)))) as f32
}

impl Policy<Leopard> for ValueNetwork {
    fn pick(&self, game: &Leopard, view: &View, _: &mut Stream) -> Move {
        self.best(game.rules(), view).0
    }

    /// The chance to win after each move.
    fn score_moves(&self, game: &Leopard, view: &View, moves: &[Move], out: &mut Vec<f32>) -> bool {
        out.clear();
        let chance = |mv: &Move| chance_of(self.logit_after(game.rules(), view, *mv));
        out.extend(moves.iter().map(chance));
        true
    }

    fn estimates_wins(&self) -> bool {
        true
    }

    fn win_probability(&self, game: &Leopard, view: &View) -> Option<f32> {
        Some(chance_of(self.logit(game.rules(), view)))
    }
}

/// Calls `add` with every move, a knock first; of two jacks, or two queens, only with the first.
#[inline(always)]
fn for_each_move(rules: &Rules, view: &View, mut add: impl FnMut(Move)) {
    if view.may_knock(rules) {
        add(Move::Knock);
    }
    for card in without_twins(view.hand.distinct()) {
        for side in Side::BOTH {
            for cell in rules.cells(CardKind::of(card), view.square(side), side) {
                add(Move::lay(side, card, cell));
            }
        }
        if !view.played {
            add(Move::Discard(card));
        }
    }
    if view.may_end() {
        add(Move::End);
    }
}
