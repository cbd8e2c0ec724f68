//! Who may ask for what: the secret in the address, and where the request comes from.

use std::sync::{Mutex, PoisonError};

use super::answer::Answer;
use super::request::{Asks, Request};
use crate::error::{Error, Result};
use crate::game::Seat;

/// An address's secret, and the seats that it is of.
struct Key {
    secret: String,
    seats: Vec<Seat>,
}

/// The addresses of a table, and what is asked of a request.
pub(super) struct Gate {
    port: u16,
    /// The first is that of all people.
    keys: Vec<Key>,
    /// The ticket that nobody has used yet.
    ticket: Mutex<Option<String>>,
}

/// Where a request leads to.
pub(super) enum Entry<'a> {
    /// To a table, by the seats of these people, and there to this page.
    Table(&'a [Seat], &'a str),
    /// To this address.
    Ticket(String),
}

impl Gate {
    /// New secrets for people at these seats.
    pub fn new(port: u16, people: &[Seat]) -> Result<Gate> {
        let mut keys = vec![Key { secret: secret()?, seats: people.to_vec() }];
        if people.len() > 1 {
            for seat in people {
                keys.push(Key { secret: secret()?, seats: vec![*seat] });
            }
        }
        Ok(Gate { port, keys, ticket: Mutex::new(Some(secret()?)) })
    }

    /// The addresses, with the seats that each is of.
    pub fn addresses(&self) -> Vec<(Vec<Seat>, String)> {
        let address = |key: &Key| (key.seats.clone(), self.address(&key.secret));
        self.keys.iter().map(address).collect()
    }

    fn address(&self, way: &str) -> String {
        format!("http://127.0.0.1:{}/{way}/", self.port)
    }

    /// The address that leads to the first one once.
    pub fn ticket(&self) -> String {
        let ticket = self.ticket.lock().unwrap_or_else(PoisonError::into_inner);
        self.address(&format!("open/{}", ticket.as_deref().unwrap_or_default()))
    }

    /// Lets a request in.
    ///
    /// # Errors
    /// The answer to one that may not.
    pub fn enter<'a>(&'a self, request: &'a Request) -> std::result::Result<Entry<'a>, Answer> {
        let hosts = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        // A page of elsewhere whose name was made to lead here names itself.
        if !request.host.as_ref().is_some_and(|host| hosts.contains(host)) {
            return Err(Answer::refusal(403, "this server is 127.0.0.1 and nothing else"));
        }
        let own = |origin: &String| hosts.iter().any(|host| *origin == format!("http://{host}"));
        let elsewhere = || Answer::refusal(403, "only the table's own page may ask");
        if request.origin.as_ref().is_some_and(|origin| !own(origin)) {
            return Err(elsewhere());
        }
        if request.asks == Asks::Post {
            let site = request.site.as_deref();
            if request.origin.is_none() || site.is_some_and(|site| site != "same-origin") {
                return Err(elsewhere());
            }
            if !request.is_json {
                return Err(Answer::refusal(415, "the body must be application/json"));
            }
        }
        let unknown = || {
            Answer::refusal(
                404,
                "there is no table at this address; it may be one of an earlier start. \
                 The program has printed the present one",
            )
        };
        let way = request.path.strip_prefix('/').ok_or_else(unknown)?;
        let (first, rest) = way.split_once('/').ok_or_else(unknown)?;
        if first == "open" {
            let mut ticket = self.ticket.lock().unwrap_or_else(PoisonError::into_inner);
            let given = rest.trim_end_matches('/');
            if ticket.as_ref().is_none_or(|ticket| !same(ticket, given)) {
                return Err(Answer::refusal(
                    410,
                    "this address opens the table once; use the one that the program has printed",
                ));
            }
            *ticket = None;
            return Ok(Entry::Ticket(format!("/{}/", self.keys[0].secret)));
        }
        let key = self.keys.iter().find(|key| same(&key.secret, first)).ok_or_else(unknown)?;
        Ok(Entry::Table(&key.seats, rest))
    }
}

/// Whether two secrets are the same, in a time that does not tell how far.
fn same(one: &str, other: &str) -> bool {
    let differ = one.bytes().zip(other.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    one.len() == other.len() && differ == 0
}

/// 128 random bits of the system's.
fn secret() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::failed(format!("the system gives no random numbers: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
