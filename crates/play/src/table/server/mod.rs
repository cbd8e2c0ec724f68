//! A table on pages: served on the loopback address only, to who knows the secret in the address.
//!
//! Requests are parsed by `httparse`; what stands around it is written here, because its limits are
//! what counts: sizes, times and connections are bounded (`request`), and what may be asked by
//! whom is decided in one place (`gate`).

mod answer;
mod gate;
mod open;
mod request;

use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::room::{Asked, Served};
use crate::error::{Error, Result};
use crate::game::Seat;
use answer::Answer;
use gate::{Entry, Gate};
pub use open::open_browser;
use request::{Asks, Request};

/// So many connections are served at once.
const CONNECTIONS: usize = 32;

/// How long a page waits for news before it asks again.
const WAIT: Duration = Duration::from_secs(20);

/// How often an idle server looks whether it is closed.
const LOOK: u16 = 200;

/// A port of the loopback address, taken.
pub struct Port(TcpListener);

impl Port {
    /// Takes a port, any free one where none is named.
    ///
    /// # Errors
    /// When it is in use.
    pub fn take(port: Option<u16>) -> Result<Port> {
        let at = (Ipv4Addr::LOCALHOST, port.unwrap_or(0));
        let listener = TcpListener::bind(at).map_err(|error| match (error.kind(), port) {
            (ErrorKind::AddrInUse, Some(port)) => Error::input(format!(
                "`--port`: {port} is in use; name another one, or none for any free one"
            )),
            (ErrorKind::PermissionDenied, Some(port)) => {
                Error::input(format!("`--port`: {port} may not be used; name one from 1024 on"))
            }
            _ => cannot_listen(&error),
        })?;
        listener.set_nonblocking(true).map_err(|error| cannot_listen(&error))?;
        Ok(Port(listener))
    }
}

fn cannot_listen(error: &std::io::Error) -> Error {
    Error::failed(format!("cannot listen on 127.0.0.1: {error}"))
}

/// A server at a port of the loopback address.
pub struct Server {
    listener: TcpListener,
    gate: Arc<Gate>,
    served: Arc<dyn Served>,
}

impl Server {
    /// A server for a table; makes the secrets of its addresses.
    ///
    /// # Errors
    /// When the system gives no random numbers.
    pub fn new(Port(listener): Port, served: Arc<dyn Served>) -> Result<Server> {
        let port = listener.local_addr().map_err(|error| cannot_listen(&error))?.port();
        let gate = Arc::new(Gate::new(port, &served.people())?);
        Ok(Server { listener, gate, served })
    }

    /// The address of the table, and of each person's seat where there are several.
    pub fn addresses(&self) -> Vec<(Vec<Seat>, String)> {
        self.gate.addresses()
    }

    /// An address that leads to the table once: where others may read which programs are started
    /// with what, they learn nothing from it afterwards.
    pub fn ticket(&self) -> String {
        self.gate.ticket()
    }

    /// Serves until the table is closed.
    ///
    /// # Errors
    /// When the system takes the port away.
    pub fn run(&self) -> Result<()> {
        let busy = Arc::new(AtomicUsize::new(0));
        while !self.served.is_closed() {
            let mut waits = [PollFd::new(self.listener.as_fd(), PollFlags::POLLIN)];
            _ = poll(&mut waits, PollTimeout::from(LOOK));
            loop {
                match self.listener.accept() {
                    Ok((stream, _)) => self.serve(stream, &busy),
                    Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                    // Of one that is gone already; or too many files are open just now.
                    Err(_) => {
                        thread::sleep(Duration::from_millis(10));
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Answers a connection in a thread of its own.
    fn serve(&self, stream: TcpStream, busy: &Arc<AtomicUsize>) {
        if stream.set_nonblocking(false).is_err() {
            return;
        }
        let place = Place(busy.clone());
        if busy.fetch_add(1, Ordering::Relaxed) >= CONNECTIONS {
            Answer::refusal(503, "too many connections at once").send(&stream);
            return;
        }
        let (gate, served) = (self.gate.clone(), self.served.clone());
        // Without a thread the connection is closed.
        _ = thread::Builder::new().spawn(move || {
            let _place = place;
            match request::read(&stream) {
                Ok(request) => answer(&gate, &*served, &request).send(&stream),
                Err(refusal) => refusal.send(&stream),
            }
        });
    }
}

/// One of the connections that are served at once.
struct Place(Arc<AtomicUsize>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What a request is answered.
fn answer(gate: &Gate, served: &dyn Served, request: &Request) -> Answer {
    let (mine, what) = match gate.enter(request) {
        Ok(Entry::Table(mine, what)) => (mine, what),
        Ok(Entry::Ticket(address)) => return Answer::see_other(&address),
        Err(refusal) => return refusal,
    };
    if request.asks == Asks::Post {
        return match what {
            "do" => done(served, mine, &request.body),
            _ => Answer::refusal(405, "only GET is answered here"),
        };
    }
    match what {
        "" => Answer::page("text/html", include_str!("../page/table.html")),
        "table.js" => Answer::page("text/javascript", include_str!("../page/table.js")),
        "board.js" => Answer::page("text/javascript", crate::viewer::BOARD_JS),
        "table.css" => Answer::page("text/css", include_str!("../page/table.css")),
        "board.css" => Answer::page("text/css", crate::viewer::BOARD_CSS),
        "state" => {
            let seat = request.number("seat").and_then(|seat| u8::try_from(seat).ok()).map(Seat);
            Answer::json(200, served.seen(mine, seat, request.number("since"), WAIT))
        }
        "record" => match served.record() {
            Some(record) => Answer::download("hand.jsonl", record + "\n"),
            None => Answer::refusal(404, "there is no record before the end of the hand"),
        },
        "hand" => match served.hand() {
            Some(page) => Answer::alone(page),
            None => Answer::refusal(404, "there is no record before the end of the hand"),
        },
        "do" => Answer::refusal(405, "only POST is answered here"),
        _ => Answer::refusal(404, "there is no such page"),
    }
}

/// Does what is asked for.
fn done(served: &dyn Served, mine: &[Seat], body: &[u8]) -> Answer {
    let asked: Asked = match serde_json::from_slice(body) {
        Ok(asked) => asked,
        Err(error) => return Answer::refusal(400, &format!("not understood: {error}")),
    };
    match served.ask(mine, &asked) {
        Ok(answer) => Answer::json(200, answer),
        Err(error) => Answer::refusal(409, &error.to_string()),
    }
}
