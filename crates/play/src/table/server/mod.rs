//! A web server for one table, on the loopback address only. Addresses contain a secret.
//!
//! `httparse` parses requests. The server around it is written here because its limits matter:
//! `request` bounds sizes and times, and `auth` decides in one place which request has access.

mod auth;
mod request;
mod response;

use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::fd::AsFd;
use std::process::Stdio;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::actor::{Commander, TableService};
use auth::Auth;
use parlour_base::error::{Error, Result};
use parlour_game::Seat;
use request::Request;
use response::Response;

/// The maximum number of connections at once.
const MAX_CONNECTIONS: usize = 32;

/// The interval in milliseconds at which an idle server checks whether it is closed.
const POLL_INTERVAL: u16 = 200;

/// A bound port of the loopback address.
pub struct Port(TcpListener);

impl Port {
    /// Binds a port, or any free one.
    ///
    /// # Errors
    /// If the port is in use.
    pub fn bind(port: Option<u16>) -> Result<Port> {
        let at = (Ipv4Addr::LOCALHOST, port.unwrap_or(0));
        let listener = TcpListener::bind(at).map_err(|error| match (error.kind(), port) {
            (ErrorKind::AddrInUse, Some(port)) => Error::input(format!(
                "`--port`: {port} is in use; choose another port, or omit it for any free port"
            )),
            (ErrorKind::PermissionDenied, Some(port)) => Error::input(format!(
                "`--port`: {port} needs special rights; choose a port from 1024"
            )),
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
    auth: Arc<Auth>,
    service: Arc<dyn TableService>,
}

impl Server {
    /// Creates a server for a table, with new secrets in its addresses.
    ///
    /// # Errors
    /// If the system provides no random numbers.
    pub fn new(Port(listener): Port, service: Arc<dyn TableService>) -> Result<Server> {
        let port = listener.local_addr().map_err(|error| cannot_listen(&error))?.port();
        let auth = Arc::new(Auth::new(port, &service.people())?);
        Ok(Server { listener, auth, service })
    }

    /// Returns the address for all people; with several people also the address of each seat.
    pub fn addresses(&self) -> Vec<(Vec<Seat>, String)> {
        self.auth.addresses()
    }

    /// Returns a link that opens the table once. Other users of the machine may see the arguments of a
    /// started browser, but the link is useless to them afterwards.
    pub fn one_time_link(&self) -> String {
        self.auth.one_time_link()
    }

    /// Serves until the table is closed.
    ///
    /// # Errors
    /// If the system closes the port.
    pub fn run(&self) -> Result<()> {
        // Every connection holds a copy.
        let open = Arc::new(());
        while !self.service.is_closed() {
            let mut waits = [PollFd::new(self.listener.as_fd(), PollFlags::POLLIN)];
            _ = poll(&mut waits, PollTimeout::from(POLL_INTERVAL));
            loop {
                match self.listener.accept() {
                    Ok((stream, _)) => self.serve(stream, &open),
                    Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                    // The connection is already closed, or too many files are open.
                    Err(_) => {
                        thread::sleep(Duration::from_millis(10));
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Serves a connection in its own thread.
    fn serve(&self, stream: TcpStream, open: &Arc<()>) {
        if stream.set_nonblocking(false).is_err() {
            return;
        }
        let slot = open.clone();
        if Arc::strong_count(open) > MAX_CONNECTIONS + 1 {
            Response::error(503, "too many connections at once").send(&stream);
            return;
        }
        let (auth, service) = (self.auth.clone(), self.service.clone());
        // If no thread can be started, the connection is closed.
        _ = thread::Builder::new().spawn(move || {
            let _slot = slot;
            match request::read(&stream) {
                Ok(request) => respond(&auth, &*service, &request).send(&stream),
                Err(error) => error.send(&stream),
            }
        });
    }
}

/// Returns the response to a request.
fn respond(auth: &Auth, service: &dyn TableService, request: &Request) -> Response {
    let (mine, page) = match auth.check(request) {
        Ok(access) => access,
        Err(response) => return response,
    };
    if request.is_post {
        return match page {
            "do" => execute(service, mine, &request.body),
            _ => Response::error(405, "only GET is supported here"),
        };
    }
    match page {
        "" => Response::page("text/html", include_str!("../page/table.html")),
        "table.js" => Response::page("text/javascript", include_str!("../page/table.js")),
        "board.js" => Response::page("text/javascript", parlour_board::BOARD_JS),
        "table.css" => Response::page("text/css", include_str!("../page/table.css")),
        "board.css" => Response::page("text/css", parlour_board::BOARD_CSS),
        "state" => {
            let seat = request.number("seat").and_then(|seat| u8::try_from(seat).ok()).map(Seat);
            Response::json(200, service.snapshot(mine, seat, request.number("since")))
        }
        "record" => match service.record() {
            Some(record) => Response::download("hand.jsonl", record + "\n"),
            None => Response::error(404, "there is no record before the end of the hand"),
        },
        "hand" => match service.replay_page() {
            Some(page) => Response::sandboxed_page(page),
            None => Response::error(404, "there is no record before the end of the hand"),
        },
        "do" => Response::error(405, "only POST is supported here"),
        _ => Response::error(404, "there is no such page"),
    }
}

/// Executes the command in a body.
fn execute(service: &dyn TableService, mine: &[Seat], body: &[u8]) -> Response {
    let read = || Ok((serde_json::from_slice(body)?, serde_json::from_slice(body)?));
    let (Commander { seat }, command) = match read() {
        Ok(both) => both,
        Err::<_, serde_json::Error>(error) => {
            return Response::error(400, &format!("invalid command: {error}"));
        }
    };
    if seat.is_some_and(|seat| !mine.contains(&seat)) {
        return Response::error(409, "this address does not belong to that seat");
    }
    match service.execute(mine, command) {
        Ok(answer) => Response::json(200, answer),
        Err(error) => Response::error(409, &error.to_string()),
    }
}

/// Opens an address in the default browser. Returns `false` if there is no screen or no browser.
pub fn open_browser(address: &str) -> bool {
    let has_screen =
        ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    let opener = match std::env::consts::OS {
        "macos" => "open",
        _ if has_screen => "xdg-open",
        _ => return false,
    };
    let started = std::process::Command::new(opener)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = started else { return false };
    // The opener ends on its own; a thread waits for it, so that it leaves no zombie.
    _ = thread::Builder::new().spawn(move || child.wait());
    true
}
