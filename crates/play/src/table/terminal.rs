//! A table in plain text, line by line: for terminals, connections from afar, screen readers.

use std::io::{BufRead, Read};

use super::kept::Kept;
use super::play::{Table, secret_setup};
use super::seen::{End, Thought};
use crate::cards::CardStyle;
use crate::error::{Error, Result};
use crate::game::{MANUAL, Seat, Turn};
use crate::strategy::{Advice, Strategic};

/// What can be written beside moves.
const HELP: &str = "Write a move as the list of moves does, several with commas between them, or:
  moves    all legal moves          look     the table again
  hint     what the adviser thinks  back     take your last move back
  resign   break the hand off       quit     leave; the hand is kept
  ?        this";

/// What the person who deals can write.
const DEALER: &str = "You deal. Write a rule or the name of one, `any` for a random corpus rule, or `by hand` to keep the \
                      rule secret and judge yourself; `parlour list rules` shows the names, `quit` leaves.";

/// So many moves are listed unasked.
const LISTED: usize = 30;

/// So many lines hide what another person saw.
const CURTAIN: usize = 40;

/// A table that speaks with people at a terminal.
pub struct Terminal<'a, G: Strategic> {
    table: Table<G>,
    kept: Kept,
    letters: CardStyle,
    /// The lines of a text that people write.
    input: &'a mut dyn BufRead,
    /// What prints a text.
    say: &'a mut dyn FnMut(&str) -> Result<()>,
    /// How many moves each seat was shown.
    shown: Vec<usize>,
    /// Who looked last.
    looks: Option<Seat>,
}

/// What a line asks for.
enum Said {
    /// Nothing more: the table is left.
    Left,
    /// The turn goes on.
    Again,
    /// The position is another one.
    Moved,
}

impl<'a, G: Strategic> Terminal<'a, G> {
    /// A terminal at a table.
    pub fn new(
        table: Table<G>,
        kept: Kept,
        letters: CardStyle,
        input: &'a mut dyn BufRead,
        say: &'a mut dyn FnMut(&str) -> Result<()>,
    ) -> Terminal<'a, G> {
        let shown = vec![0; table.sitters().len()];
        Terminal { table, kept, letters, input, say, shown, looks: None }
    }

    /// Plays until people leave or their text ends; hands are kept at each move.
    ///
    /// # Errors
    /// When nothing can be read, printed or kept.
    pub fn run(mut self) -> Result<Kept> {
        let names = self.table.sitters().iter().enumerate();
        let names: Vec<String> =
            names.map(|(seat, who)| format!("seat {seat} {}", who.name())).collect();
        (self.say)(&format!("{}; {}. `?` tells what to write.", G::NAME, names.join(", ")))?;
        (self.say)(&format!("Moves: {}", self.table.game().how_to_write()))?;
        loop {
            self.keep()?;
            let said = match self.table.turn() {
                Turn::Over => self.over()?,
                Turn::Seat(_) if self.table.asks_dealer => self.lay_down()?,
                Turn::Seat(seat) if self.table.people().contains(&seat) => self.turn(seat)?,
                Turn::Seat(_) => {
                    self.think();
                    Said::Moved
                }
            };
            if let Said::Left = said {
                self.keep()?;
                return Ok(self.kept);
            }
        }
    }

    fn keep(&mut self) -> Result<()> {
        let record = self.table.record().map(|line| (self.table.place().0, line));
        self.kept.keep(self.table.unfinished(), record)
    }

    /// Thinks about what there is to think about.
    fn think(&mut self) {
        if let Some(job) = self.table.job() {
            self.table.done(job.run());
        }
    }

    /// The next line that is written; none at the end of the text.
    fn line(&mut self, prompt: &str) -> Result<Option<String>> {
        (self.say)(prompt)?;
        let mut bytes = Vec::new();
        let read = (&mut *self.input).take(LONGEST).read_until(b'\n', &mut bytes);
        let read = read.map_err(|error| Error::failed(format!("cannot read a line: {error}")))?;
        Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).trim().to_owned()))
    }

    /// Asks the person who deals what the hand is dealt with.
    fn lay_down(&mut self) -> Result<Said> {
        (self.say)(DEALER)?;
        let mut laid: Option<String> = None;
        loop {
            let Some(line) = self.line("rule> ")? else { return Ok(Said::Left) };
            match (line.as_str(), &laid) {
                ("quit", _) => return Ok(Said::Left),
                ("any", _) => self.table.lay_down(None)?,
                (MANUAL, _) => self.table.lay_down(Some(MANUAL))?,
                ("", Some(text)) => self.table.lay_down(Some(text))?,
                ("", None) => continue,
                ("?" | "help", _) => {
                    (self.say)(DEALER)?;
                    continue;
                }
                (text, _) => {
                    match secret_setup(&**self.table.game())
                        .and_then(|secret| secret.preview(text, None))
                    {
                        Ok(meant) => {
                            let right = meant.right.join(" ");
                            (self.say)(&format!(
                                "{}\nright as the starter: {right}\nEnter deals with it; or \
                                 write another.",
                                meant.text
                            ))?;
                            laid = Some(line);
                        }
                        Err(error) => (self.say)(&error.to_string())?,
                    }
                    continue;
                }
            }
            return Ok(Said::Moved);
        }
    }

    /// A person's turn: what has happened, the table, and lines until it is over.
    fn turn(&mut self, seat: Seat) -> Result<Said> {
        let several = self.table.people().len() > 1;
        if several && self.looks != Some(seat) {
            let wait = format!("Seat {} is to move. Press Enter when nobody else looks.", seat.0);
            if self.line(&wait)?.is_none() {
                return Ok(Said::Left);
            }
        }
        self.tell(seat)?;
        self.look(seat)?;
        loop {
            let Some(line) = self.line(&format!("seat {}> ", seat.0))? else {
                return Ok(Said::Left);
            };
            match self.hear(seat, &line)? {
                Said::Again => {}
                Said::Moved if several => {
                    (self.say)(&"\n".repeat(CURTAIN))?;
                    return Ok(Said::Moved);
                }
                said => return Ok(said),
            }
        }
    }

    /// What has happened since a seat looked last.
    fn tell(&mut self, seat: Seat) -> Result<()> {
        self.looks = Some(seat);
        if let Some(notice) = self.table.notice() {
            (self.say)(&format!("! {notice}"))?;
        }
        let past = self.table.past(seat);
        let from = self.shown[seat.index()].min(past.len());
        let news: Vec<String> = past[from..]
            .iter()
            .map(|(by, mv)| {
                let who = self.table.sitters()[by.index()].name();
                let who =
                    if *by == seat { "you".to_owned() } else { format!("seat {} {who}", by.0) };
                format!("- {who}: {}", self.table.game().notation(*mv))
            })
            .collect();
        self.shown[seat.index()] = past.len();
        if news.is_empty() { Ok(()) } else { (self.say)(&news.join("\n")) }
    }

    fn look(&mut self, seat: Seat) -> Result<()> {
        let view = self.table.view(seat);
        (self.say)(&self.table.game().picture(&view, self.letters))?;
        self.list(seat, LISTED)
    }

    /// The legal moves, so many at most.
    fn list(&mut self, seat: Seat, most: usize) -> Result<()> {
        let moves = self.table.options(seat);
        let named = moves.iter().take(most).map(|mv| self.table.game().notation(*mv));
        let named = named.collect::<Vec<_>>().join(", ");
        (self.say)(&match moves.len().saturating_sub(most) {
            0 => format!("moves: {named}"),
            more => format!("moves: {named}, and {more} more; `moves` lists all"),
        })
    }

    fn hear(&mut self, seat: Seat, line: &str) -> Result<Said> {
        let done = match line {
            "" => return Ok(Said::Again),
            "?" | "help" => {
                let moves = self.table.game().how_to_write();
                (self.say)(&format!("{HELP}\n{moves}")).map(|()| None)
            }
            "moves" => self.list(seat, usize::MAX).map(|()| None),
            "look" => self.look(seat).map(|()| None),
            "hint" => self.hint(seat).map(|()| None),
            "quit" => return Ok(Said::Left),
            "resign" => self.table.resign().map(Some),
            "back" => {
                let people = self.table.people();
                let done = self.table.take_back(seat, &people);
                let shown = &mut self.shown;
                done.map(|()| {
                    // What is left of the hand was seen.
                    shown.fill(usize::MAX);
                    Some(())
                })
            }
            text => {
                let moves = self.table.game().read_moves(&CardStyle::plain(text));
                let legal = |error: Error| error.with_note("; `moves` lists what is legal");
                moves.and_then(|moves| self.table.play(seat, &moves).map_err(legal)).map(Some)
            }
        };
        match done {
            Ok(None) => Ok(Said::Again),
            Ok(Some(())) => Ok(Said::Moved),
            // What people wrote is wrong: they are told, and write again.
            Err(error) if error.kind() == crate::Kind::Input => {
                (self.say)(&format!("{error}")).map(|()| Said::Again)
            }
            Err(error) => Err(error),
        }
    }

    fn hint(&mut self, seat: Seat) -> Result<()> {
        self.table.want_advice(seat)?;
        self.think();
        match self.table.advice(seat) {
            Some(advice) => (self.say)(&advised(advice)),
            None => {
                Err(Error::input(self.table.notice().unwrap_or("there is no advice").to_owned()))
            }
        }
    }

    /// The end of a hand, and whether another is dealt.
    fn over(&mut self) -> Result<Said> {
        self.think();
        let Some(end) = self.table.end() else { return Ok(Said::Moved) };
        let people = self.table.people();
        if let Some(seat) = self.looks.or(people.first().copied()) {
            self.tell(seat)?;
        }
        let ended = self.ended(&end);
        (self.say)(&ended)?;
        if end.asks_rule {
            (self.say)(
                "Which rule was it? With it the hand can be recorded; Enter leaves it secret.",
            )?;
            while let Some(text) = self.line("rule> ")?.filter(|text| !text.is_empty()) {
                match self.table.disclose(&text) {
                    Ok(()) => break,
                    Err(error) => (self.say)(&error.to_string())?,
                }
            }
        }
        if self.table.record().is_some() {
            self.keep()?;
            (self.say)(&format!("Its record is in {}.", self.kept.records().display()))?;
        }
        loop {
            match self.line("`again` deals the next hand, `quit` leaves> ")?.as_deref() {
                Some("again") => {
                    self.table.again()?;
                    self.shown.fill(0);
                    self.looks = None;
                    return Ok(Said::Moved);
                }
                None | Some("quit") => return Ok(Said::Left),
                Some("") => {}
                Some(other) => {
                    (self.say)(&format!("`{other}` is neither; write `again` or `quit`."))?;
                }
            }
        }
    }

    /// How the hand ended, what was hidden, and what the bots thought.
    fn ended(&self, end: &End<G::View>) -> String {
        let name = |seat: usize| format!("seat {seat} ({})", self.table.sitters()[seat].name());
        let points = end.scores.iter().enumerate();
        let points: Vec<String> =
            points.map(|(seat, points)| format!("{} {points}", name(seat))).collect();
        let result = match end.winner {
            _ if end.resigned => "The hand is broken off.".to_owned(),
            Some(seat) => format!("{} wins.", name(seat.index())),
            None => "Nobody has more points than all others.".to_owned(),
        };
        let mut text = format!("\n{result} Points: {}.\n", points.join(", "));
        for (seat, view) in end.views.iter().enumerate().take(if G::OPEN { 1 } else { usize::MAX })
        {
            let picture = self.table.game().picture(view, self.letters);
            let who = if G::OPEN { "the table".to_owned() } else { name(seat) };
            text += &format!("\n{who} at the end:\n{picture}");
        }
        for (seat, belief) in end.beliefs.iter().enumerate() {
            if let Some(belief) = belief {
                text += &format!("{} {belief}.\n", name(seat));
            }
        }
        if !end.thoughts.is_empty() {
            text += "\nWhat bots thought of their moves, the three that they liked best:\n";
        }
        for thought in &end.thoughts {
            text += &format!("{}\n", thought_of(thought));
        }
        text.trim_end().to_owned()
    }
}

/// A line is read so far.
const LONGEST: u64 = 1 << 16;

fn value(value: f64, is_chance: bool) -> String {
    if is_chance { format!("{:.1} %", 100.0 * value) } else { format!("{value:.3}") }
}

fn thought_of(thought: &Thought) -> String {
    let liked =
        thought.liked.iter().map(|c| format!("{} {}", c.mv, value(c.value, thought.is_chance)));
    let (seat, mv, liked) = (thought.seat.0, &thought.mv, liked.collect::<Vec<_>>().join(", "));
    let liked = if liked.is_empty() { liked } else { format!(" ({liked})") };
    format!("  move {}, seat {seat}: {mv}{liked}", thought.after + 1)
}

/// Advice in words, with the values of the moves that it looked at.
fn advised(advice: &Advice) -> String {
    let mut text = advice.in_words();
    if advice.iterations == 0 {
        return text;
    }
    let what = if advice.is_chance { "chance to win" } else { "mean reward" };
    text += &format!(" The {what}, with its 95 % interval:");
    for line in advice.moves.iter().take(6) {
        let [mean, low, high] =
            [line.value, line.low, line.high].map(|x| value(x, advice.is_chance));
        text += &format!("\n  {:<10} {mean}, {low} to {high}", line.mv);
    }
    text
}
