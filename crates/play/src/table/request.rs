//! Requests of people to a table, and their answers, whatever transports them: a web server, or the
//! messages of a browser tab.

use serde::Deserialize;

use super::actor::TableService;
use parlour_base::error::Error;
use parlour_game::Seat;

/// A request of people who have access to a table.
#[derive(Clone, Copy, Debug, Default)]
pub struct TableRequest<'a> {
    /// The subject: `state`, `rules`, `record`, `hand` or `do`.
    pub page: &'a str,
    /// The seat that asks for a `state`.
    pub seat: Option<Seat>,
    /// The version of the `state` that it has seen.
    pub since: Option<u64>,
    /// The command to `do`, in JSON.
    pub command: Option<&'a [u8]>,
}

/// The answer to a request.
#[derive(Debug)]
pub enum TableAnswer {
    /// JSON.
    Json(String),
    /// The record of the hand, a line of JSON.
    Record(String),
    /// A self-contained page that replays the hand.
    ReplayPage(String),
    /// A refusal: the status that HTTP has for it, and the reason.
    Refusal(u16, String),
}

/// The part of a command that names the seat that gives it, if it needs one.
#[derive(Deserialize)]
struct Commander {
    seat: Option<Seat>,
}

/// Answers a request of people at these seats.
pub fn answer(
    service: &dyn TableService,
    people: &[Seat],
    request: &TableRequest<'_>,
) -> TableAnswer {
    let refuse = |status, why: &str| TableAnswer::Refusal(status, why.to_owned());
    let no_record = || refuse(404, "there is no record before the end of the hand");
    match (request.page, request.command) {
        ("do", Some(command)) => execute(service, people, command),
        ("do", None) => refuse(405, "only POST is supported here"),
        (_, Some(_)) => refuse(405, "only GET is supported here"),
        ("state", _) => TableAnswer::Json(service.snapshot(people, request.seat, request.since)),
        ("rules", _) => TableAnswer::Json(service.rules()),
        ("record", _) => service.record().map_or_else(no_record, TableAnswer::Record),
        ("hand", _) => service.replay_page().map_or_else(no_record, TableAnswer::ReplayPage),
        _ => refuse(404, "there is no such page"),
    }
}

/// Executes a command.
fn execute(service: &dyn TableService, people: &[Seat], command: &[u8]) -> TableAnswer {
    let read = || Ok((serde_json::from_slice(command)?, serde_json::from_slice(command)?));
    let (Commander { seat }, command) = match read() {
        Ok(both) => both,
        Err::<_, serde_json::Error>(error) => {
            return TableAnswer::Refusal(400, format!("invalid command: {error}"));
        }
    };
    let refuse = |error: Error| TableAnswer::Refusal(409, error.to_string());
    service.execute(people, seat, command).map_or_else(refuse, TableAnswer::Json)
}
