//! A table in plain text, line by line: for terminals, remote connections and screen readers.

use std::io::{BufRead, Read};

use super::participant::Thought;
use super::saved_hands::HandFiles;
use super::table::{Table, secret_setup};
use parlour_base::cards::CardStyle;
use parlour_base::error::{Error, Kind, Result};
use parlour_game::strategy::{Advice, Strategic};
use parlour_game::{MANUAL, Scores, Seat, Turn};

/// The commands besides moves.
const HELP: &str = include_str!("terminal-help.txt");

/// The commands of the person who deals.
const DEALER_HELP: &str = "You deal. Enter a rule, the name of a rule, `any` for a random corpus rule, or `by hand` \
                           to keep the rule to yourself and judge. `parlour list rules` lists the names; `quit` leaves.";

/// The number of moves that the help lists.
const LISTED_MOVES: usize = 30;

/// The number of blank lines that hide another person's view.
const CURTAIN_LINES: usize = 40;

/// The maximum length of a line of input, in bytes.
const MAX_LINE: u64 = 1 << 16;

/// A table for people at a terminal.
pub struct Terminal<'a, G: Strategic> {
    table: Table<G>,
    files: HandFiles,
    letters: CardStyle,
    /// The lines that people enter.
    input: &'a mut dyn BufRead,
    /// Prints a text.
    print: &'a mut dyn FnMut(&str) -> Result<()>,
    /// The number of moves shown to each seat.
    shown: Vec<usize>,
    /// The seat that looked last.
    viewer: Option<Seat>,
}

impl<'a, G: Strategic> Terminal<'a, G> {
    /// Creates a terminal for a table.
    pub fn new(
        table: Table<G>,
        files: HandFiles,
        letters: CardStyle,
        input: &'a mut dyn BufRead,
        print: &'a mut dyn FnMut(&str) -> Result<()>,
    ) -> Terminal<'a, G> {
        let shown = vec![0; table.participants.len()];
        Terminal { table, files, letters, input, print, shown, viewer: None }
    }

    /// Plays until the people leave or the input ends. Saves the hand after each move.
    ///
    /// # Errors
    /// If reading or printing fails, or the hand is not saved at the start or the end.
    pub fn run(mut self) -> Result<()> {
        self.save()?;
        self.introduce()?;
        (self.print)(&format!("Moves: {}", self.table.game.how_to_write()))?;
        let mut leaves = false;
        while !leaves {
            // A failure is printed, and saving is tried again after the next move.
            _ = self.save();
            leaves = match self.table.turn() {
                Turn::Over => self.end_hand()?,
                Turn::Seat(_) if self.table.asks_dealer => self.ask_secret()?,
                Turn::Seat(seat) if self.table.people().contains(&seat) => self.take_turn(seat)?,
                Turn::Seat(_) => {
                    self.run_task();
                    false
                }
            };
        }
        self.save()
    }

    /// Prints who sits where, and the place of the hand in its match.
    fn introduce(&mut self) -> Result<()> {
        let names = self.table.seats().map(|seat| self.name(seat));
        let names = names.collect::<Vec<_>>().join(", ");
        (self.print)(&format!("{}; {names}. Enter `?` for help, `rules` for the rules.", G::NAME))?;
        let (hand, hands) = (self.table.place.hand + 1, self.table.base.hands_per_match());
        if hands > 1 {
            let totals = self.points(&self.table.totals());
            (self.print)(&format!("Hand {hand} of {hands} of the match. Totals: {totals}."))?;
        }
        Ok(())
    }

    fn name(&self, seat: Seat) -> String {
        format!("seat {} ({})", seat.0, self.table.participants[seat.index()].name())
    }

    fn points(&self, scores: &Scores) -> String {
        let points = self.table.seats().zip(&scores.0);
        let points = points.map(|(seat, points)| format!("{} {points}", self.name(seat)));
        points.collect::<Vec<_>>().join(", ")
    }

    /// Saves the hand. Prints a failure, and that it is mended.
    fn save(&mut self) -> Result<()> {
        let before = self.table.unsaved.clone();
        let saved = self.files.save(&mut self.table);
        if self.table.unsaved != before {
            let text = self.table.unsaved.as_deref().unwrap_or("the hand is saved again");
            (self.print)(&format!("! {text}"))?;
        }
        saved
    }

    /// Runs the next task, if any.
    fn run_task(&mut self) {
        if let Some(task) = self.table.next_task() {
            task()(&mut self.table);
        }
    }

    /// Reads the next line; `quit` at the end of the input.
    fn read_line(&mut self, prompt: &str) -> Result<String> {
        (self.print)(prompt)?;
        let mut bytes = Vec::new();
        let read = (&mut *self.input).take(MAX_LINE).read_until(b'\n', &mut bytes);
        let read = read.map_err(|error| Error::failed(format!("cannot read a line: {error}")))?;
        let line = String::from_utf8_lossy(&bytes);
        Ok(if read > 0 { line.trim() } else { "quit" }.to_owned())
    }

    /// Asks the person who deals for the secret. Returns `true` if the people leave.
    fn ask_secret(&mut self) -> Result<bool> {
        (self.print)(DEALER_HELP)?;
        let mut secret: Option<String> = None;
        loop {
            let line = self.read_line("rule> ")?;
            let chosen = match (line.as_str(), &secret) {
                ("quit", _) => return Ok(true),
                ("any", _) => None,
                (MANUAL, _) => Some(MANUAL),
                ("", Some(text)) => Some(text.as_str()),
                ("", None) => continue,
                ("?" | "help", _) => {
                    (self.print)(DEALER_HELP)?;
                    continue;
                }
                (text, _) => {
                    let setup = secret_setup(&*self.table.game);
                    match setup.and_then(|setup| setup.preview(text, None)) {
                        Ok(preview) => {
                            let sample = preview.sample.join(" ");
                            (self.print)(&format!(
                                "{}\nA main line could begin: {sample}\nPress Enter to use this rule, or \
                                 enter another.",
                                preview.text
                            ))?;
                            secret = Some(line);
                        }
                        Err(error) => (self.print)(&error.to_string())?,
                    }
                    continue;
                }
            };
            return self.table.set_secret(chosen).map(|()| false);
        }
    }

    /// Shows a person the news and the table, and reads lines until the turn is over. Returns `true` if
    /// the people leave.
    fn take_turn(&mut self, seat: Seat) -> Result<bool> {
        let several = self.table.people().len() > 1;
        if several && self.viewer != Some(seat) {
            let wait =
                format!("Seat {} is to move. Press Enter when nobody else is looking.", seat.0);
            if self.read_line(&wait)? == "quit" {
                return Ok(true);
            }
        }
        self.show_news(seat)?;
        self.show_table(seat)?;
        loop {
            let line = self.read_line("your move> ")?;
            if line == "quit" {
                return Ok(true);
            }
            let has_changed = self.follow(seat, &line).or_else(|error| match error.kind() {
                // The person tries again.
                Kind::Input => (self.print)(&error.to_string()).map(|()| false),
                _ => Err(error),
            })?;
            if has_changed {
                if several {
                    (self.print)(&"\n".repeat(CURTAIN_LINES))?;
                }
                return Ok(false);
            }
        }
    }

    /// Shows the moves since the seat looked last.
    fn show_news(&mut self, seat: Seat) -> Result<()> {
        self.viewer = Some(seat);
        if let Some(notice) = &self.table.notes.notice {
            (self.print)(&format!("! {notice}"))?;
        }
        let past = self.table.past(seat);
        let from = self.shown[seat.index()].min(past.len());
        let news: Vec<String> = past[from..]
            .iter()
            .map(|(by, mv)| {
                let who = self.table.participants[by.index()].name();
                let who =
                    if *by == seat { "you".to_owned() } else { format!("seat {} {who}", by.0) };
                format!("- {who}: {}", self.table.game.notation(*mv))
            })
            .collect();
        self.shown[seat.index()] = past.len();
        if news.is_empty() { Ok(()) } else { (self.print)(&news.join("\n")) }
    }

    fn show_table(&mut self, seat: Seat) -> Result<()> {
        let view = self.table.view(seat);
        (self.print)(&self.table.game.picture(&view, self.letters))?;
        (self.print)(&self.table.known.what_to_do(&view))
    }

    /// Lists the legal moves, at most `most`.
    fn list_moves(&mut self, seat: Seat, most: usize) -> Result<()> {
        let moves = self.table.options(seat);
        let named = moves.iter().take(most).map(|mv| self.table.game.notation(*mv));
        let named = named.collect::<Vec<_>>().join(", ");
        (self.print)(&match moves.len().saturating_sub(most) {
            0 => format!("Legal moves: {named}"),
            more => format!("Legal moves: {named}, and {more} more; `moves` lists all"),
        })
    }

    /// Follows a line of input. Returns `true` if the position has changed.
    fn follow(&mut self, seat: Seat, line: &str) -> Result<bool> {
        match line {
            "" => {}
            "?" | "help" => {
                let moves = self.table.game.how_to_write();
                (self.print)(&format!("{HELP}Moves: {moves}"))?;
                self.list_moves(seat, LISTED_MOVES)?;
            }
            "rules" => (self.print)(&self.table.rulebook().to_text())?,
            "moves" => self.list_moves(seat, usize::MAX)?,
            "look" => self.show_table(seat)?,
            "hint" => self.show_hint(seat)?,
            "resign" => return self.table.resign().map(|()| true),
            "back" => {
                self.table.take_back(seat, &self.table.people())?;
                // The remaining moves were already shown.
                self.shown.fill(usize::MAX);
                return Ok(true);
            }
            text => {
                let moves = self.table.game.read_moves(&CardStyle::plain(text))?;
                let legal = |error: Error| error.with_note(" `?` lists the legal moves.");
                let (made, all) = (self.table.play(seat, &moves).map_err(legal)?, moves.len());
                if made < all {
                    (self.print)(&format!(
                        "{made} of {all} moves made; the next one is not legal after them"
                    ))?;
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn show_hint(&mut self, seat: Seat) -> Result<()> {
        self.table.request_advice(seat)?;
        self.run_task();
        match self.table.advice(seat) {
            Some(advice) => (self.print)(&advice_text(advice)),
            None => {
                let notice = self.table.notes.notice.as_deref();
                Err(Error::input(notice.unwrap_or("no advice available").to_owned()))
            }
        }
    }

    /// Shows the result and asks for the next hand. Returns `true` if the people leave.
    fn end_hand(&mut self) -> Result<bool> {
        self.run_task();
        let people = self.table.people();
        if let Some(seat) = self.viewer.or(people.first().copied()) {
            self.show_news(seat)?;
        }
        let result = self.result();
        (self.print)(&result)?;
        if self.table.asks_rule() {
            (self.print)(
                "Which rule was it? The record of the hand needs it; press Enter to keep it secret.",
            )?;
            loop {
                let text = self.read_line("rule> ")?;
                if ["", "quit"].contains(&&*text) {
                    break;
                }
                match self.table.reveal_secret(&text) {
                    Ok(()) => break,
                    Err(error) => (self.print)(&error.to_string())?,
                }
            }
        }
        if self.table.record().is_some() && self.save().is_ok() {
            (self.print)(&format!("The record is in {}.", self.files.records.display()))?;
        }
        loop {
            match self.read_line("`next` deals the next hand, `quit` leaves> ")?.as_str() {
                // The record is saved before.
                "next" => match self.save().and_then(|()| self.table.next_hand()) {
                    Ok(()) => {
                        self.shown.fill(0);
                        self.viewer = None;
                        return self.introduce().map(|()| false);
                    }
                    Err(error) => (self.print)(&error.to_string())?,
                },
                "quit" => return Ok(true),
                "" => {}
                other => {
                    (self.print)(&format!("unknown command `{other}`; enter `next` or `quit`"))?;
                }
            }
        }
    }

    /// Returns the result, the hidden information and the thoughts of the bots.
    fn result(&self) -> String {
        let Table { notes, game, .. } = &self.table;
        let scores = self.table.scores();
        let result = match scores.winner() {
            _ if notes.resigned => "The hand was ended early.".to_owned(),
            Some(seat) => format!("{} wins.", self.name(seat)),
            None => "There is no single winner.".to_owned(),
        };
        let mut text = format!("\n{result} Points: {}.\n", self.points(&scores));
        let totals = self.table.totals();
        if self.table.base.hands_per_match() > 1 {
            text += &format!("Totals of the match: {}.\n", self.points(&totals));
        }
        text += &match totals.winner() {
            _ if !self.table.is_match_over() => String::new(),
            Some(seat) => format!("{} wins the match.\n", self.name(seat)),
            None => "The match has no single winner.\n".to_owned(),
        };
        for seat in self.table.seats().take(if game.is_open() { 1 } else { usize::MAX }) {
            let picture = game.picture(&self.table.view(seat), self.letters);
            let who = if game.is_open() { "the table".to_owned() } else { self.name(seat) };
            text += &format!("\n{who} at the end:\n{picture}");
        }
        for (seat, belief) in self.table.seats().zip(&notes.beliefs) {
            if let Some(belief) = belief {
                text += &format!("{} {belief}.\n", self.name(seat));
            }
        }
        if !notes.thoughts.is_empty() {
            text += "\nEvaluations of the bots, at most three candidates per move:\n";
        }
        for thought in &notes.thoughts {
            text += &format!("{}\n", thought_text(thought));
        }
        text.trim_end().to_owned()
    }
}

fn value(value: f64, is_chance: bool) -> String {
    if is_chance { format!("{:.1} %", 100.0 * value) } else { format!("{value:.3}") }
}

fn thought_text(thought: &Thought) -> String {
    let liked =
        thought.liked.iter().map(|c| format!("{} {}", c.mv, value(c.value, thought.is_chance)));
    let (seat, mv, liked) = (thought.seat.0, &thought.mv, liked.collect::<Vec<_>>().join(", "));
    let liked = if liked.is_empty() { liked } else { format!(" ({liked})") };
    format!("  move {}, seat {seat}: {mv}{liked}", thought.after + 1)
}

/// Returns the text of an advice, with the values of the candidates.
fn advice_text(advice: &Advice) -> String {
    let mut text = advice.in_words();
    if advice.iterations == 0 {
        return text;
    }
    let what = if advice.is_chance { "Winning chance" } else { "Mean reward" };
    text += &format!(" {what} with 95 % interval:");
    for line in advice.moves.iter().take(6) {
        let [mean, low, high] =
            [line.value, line.low, line.high].map(|x| value(x, advice.is_chance));
        text += &format!("\n  {:<10} {mean}, {low} to {high}", line.mv);
    }
    text
}
