//! Views: the knowledge of a seat, which is everything.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::board::{Board, Cell, cells, flip, has};
use super::leaps::ChainInProgress;
use super::{FirstToLeap, Phase, Rules, SEATS, SIDE, State};
use parlour_base::error::{Fault, Faults, ensure};
use parlour_game::Seat;

/// The knowledge of one seat. Leap Frog hides nothing.
///
/// ```
/// use parlour_base::chance::Seed;
/// use parlour_game::{Game, Ruled, Seat};
/// use parlour_leapfrog::{Leapfrog, View};
///
/// let game = Leapfrog::new(&Leapfrog::preset("murray-mini-4x4").unwrap())?;
/// let state = game.deal(&mut Seed::new(1).stream());
/// let view = game.view(&state, Seat(0));
/// let json = serde_json::to_string(&view).unwrap();
/// assert!(json.starts_with(r#"{"seat":0,"board":["#));
/// assert_eq!(serde_json::from_str::<View>(&json).unwrap(), view);
/// # Ok::<(), parlour_base::error::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(into = "ViewData", try_from = "ViewData")]
pub struct View {
    /// The observing seat.
    pub seat: Seat,
    /// The hand.
    pub state: State,
}

/// The JSON form of a view.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "LeapfrogView")]
struct ViewData {
    /// The observing seat.
    seat: Seat,
    /// Rows from the top, with the worth of each piece, 1 to 4, or `.` for an empty cell. Empty cells
    /// at the end of a row and empty rows at the end may be omitted.
    board: Vec<String>,
    /// Points of each seat.
    points: [u16; SEATS],
    /// Number of pieces captured by each seat.
    taken: [u16; SEATS],
    /// The seat to move.
    to_move: Seat,
    /// Number of first captures made.
    first_captures: u8,
    /// The kind of the next move.
    phase: Phase,
    /// The chain in progress.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    chain: Option<ChainData>,
}

/// The JSON form of a chain in progress.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "LeapfrogChain")]
struct ChainData {
    /// Start of the piece.
    start: Cell,
    /// Current cell of the piece.
    at: Cell,
    /// Cells of its captures.
    captured: Vec<Cell>,
    /// Legal landing cells.
    next: Vec<Cell>,
}

/// The letters for an empty cell and for pieces of worth 1, 2, …
const LETTERS: [char; 5] = ['.', '1', '2', '3', '4'];

impl From<View> for ViewData {
    fn from(View { seat, state }: View) -> ViewData {
        let State { board, points, taken, seat: to_move, removed, phase, chain } = state;
        let mut board = board.rows(SIDE, SIDE, &LETTERS);
        for row in &mut board {
            row.truncate(row.trim_end_matches('.').len());
        }
        while board.pop_if(|row| row.is_empty()).is_some() {}
        let ChainInProgress { start, at, captured, .. } = chain;
        let (captured, next) = (cells(&captured).collect(), chain.landings().collect());
        let is_chain = chain != ChainInProgress::default();
        let chain = is_chain.then_some(ChainData { start, at, captured, next });
        ViewData { seat, board, points, taken, to_move, first_captures: removed, phase, chain }
    }
}

impl TryFrom<ViewData> for View {
    type Error = String;

    fn try_from(data: ViewData) -> Result<View, String> {
        let (rows, cols) = (data.board.len(), data.board.iter().map(|row| row.chars().count()));
        ensure(rows <= SIDE && cols.max() <= Some(SIDE), || {
            format!("`board` has more than {SIDE} rows or columns")
        })?;
        let rows = data.board.iter().map(String::as_str);
        let board = Board::of_rows(rows, &LETTERS).map_err(|(letter, cell)| {
            format!(
                "`{letter}` on {cell} of `board` is not a piece; use 1 to 4 for its worth, or `.` for an \
                 empty cell"
            )
        })?;
        let mut progress = ChainInProgress::default();
        if let Some(ChainData { start, at, captured, next }) = data.chain {
            (progress.start, progress.at) = (start, at);
            for cell in captured {
                let twice = || format!("`chain.captured` names {cell} twice");
                ensure(!has(&progress.captured, cell), twice)?;
                flip(&mut progress.captured, cell);
            }
            for to in next {
                progress.next |= 1 << at.way_to(to)?;
            }
        }
        let ViewData { seat, points, taken, to_move, first_captures, phase, .. } = data;
        let (removed, chain) = (first_captures, progress);
        let state = State { board, points, taken, seat: to_move, removed, phase, chain };
        Ok(View { seat, state })
    }
}

impl View {
    /// The contents that are impossible in a hand of this game.
    pub(super) fn faults(&self, rules: &Rules) -> Faults {
        let mut faults = Faults::default();
        let State { board, chain: progress, phase, removed, .. } = &self.state;
        faults.range("seat", self.seat.0, 0..=rules.seats - 1);
        faults.range("to_move", self.state.seat.0, 0..=rules.seats - 1);
        faults.range("first_captures", *removed, 0..=rules.removers());
        let mut used = cells(&board.pieces).chain(cells(&progress.captured));
        if let Some(cell) = used.find(|cell| !rules.holds(*cell)) {
            let what = format!("{cell} is not on {} rows and {} columns", rules.rows, rules.cols);
            faults.push(Fault::field("board", what));
        }
        if (*phase == Phase::Remove) != (*removed < rules.removers()) && *phase != Phase::Over {
            let what = format!("does not fit {removed} of {} first captures", rules.removers());
            faults.push(Fault::field("phase", what));
        }
        let is_last = self.state.seat.0.checked_add(1) == Some(rules.removers());
        let may_choose = is_last && rules.first_to_leap == FirstToLeap::LastChooses;
        if *phase == Phase::Choose && !may_choose {
            let what = "only with `last_chooses` the seat that removed last may `choose`";
            faults.push(Fault::field("phase", what));
        }
        let next = progress.children(&board.pieces, rules);
        let right = match phase {
            Phase::Continue => board.has(progress.at) && next != 0 && progress.next == next,
            _ => progress.next == 0,
        };
        if !right && faults.is_empty() {
            let what = "phase `continue` needs a chain with its piece and legal next cells; other phases \
                        must have none";
            faults.push(Fault::field("chain", what));
        }
        faults
    }
}
