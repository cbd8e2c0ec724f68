//! A table for people and bots.

use std::sync::Arc;

use parlour::arena::VariantSpec;
use parlour::files::parse_json;
use parlour::games::{FirstHand, Seats, game};
use parlour::table::{TableAnswer, TableRequest, TableService, answer, random_seed};
use parlour::{Error, Seat};
use serde::Deserialize;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::JsResult;

/// The options of a table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    game: String,
    /// A name, or changed rules as in an experiment.
    variant: Option<VariantSpec>,
    seats: Option<u8>,
    #[serde(default)]
    people: Vec<u8>,
    #[serde(default)]
    against: Vec<String>,
    seed: Option<u64>,
    /// An unfinished hand, in place of the options above.
    resume: Option<String>,
}

/// A table in memory.
#[wasm_bindgen]
pub struct Table {
    service: Arc<dyn TableService>,
    people: Vec<Seat>,
}

#[wasm_bindgen]
impl Table {
    /// Sets a table with these options in JSON.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str) -> JsResult<Table> {
        let options: Options = parse_json("table", options)?;
        let Options { variant, seats, people, against, seed, resume, .. } = &options;
        let hand = match resume {
            Some(text) => FirstHand::Unfinished("the saved hand".to_owned(), text.clone()),
            None => FirstHand::New(Seats {
                variant: variant.as_ref(),
                seats: *seats,
                people,
                opponents: against,
                seed: seed.map_or_else(random_seed, Ok)?,
            }),
        };
        let service = (game(&options.game)?.table_in_memory)(&hand)?;
        let people = service.people();
        Ok(Table { service, people })
    }

    /// Returns the seats of people.
    pub fn people(&self) -> Vec<u8> {
        self.people.iter().map(|seat| seat.0).collect()
    }

    /// Answers a request as the server of `parlour play` does: `state`, `rules`, `record`, `hand`, or `do`
    /// with a command in JSON.
    pub fn request(
        &self,
        page: &str,
        seat: Option<u8>,
        command: Option<String>,
    ) -> JsResult<String> {
        let command = command.as_ref().map(String::as_bytes);
        let request = TableRequest { page, seat: seat.map(Seat), since: None, command };
        match answer(&*self.service, &self.people, &request) {
            TableAnswer::Json(text) | TableAnswer::Record(text) | TableAnswer::ReplayPage(text) => {
                Ok(text)
            }
            TableAnswer::Refusal(_, why) => Err(Error::input(why).into()),
        }
    }

    /// Lets the next bot play or the adviser think. Returns `false` if nobody has to.
    pub fn step(&self) -> bool {
        self.service.step()
    }

    /// Returns the unfinished hand, from which a table can be resumed.
    pub fn unfinished(&self) -> Option<String> {
        self.service.unfinished()
    }
}
