//! A web server on the loopback address only: for one table, whose addresses contain a secret, or for
//! the site.
//!
//! `httparse` parses requests. The server around it is written here because its limits matter. One thread
//! reads all connections without waiting for any. `request` bounds sizes, and `auth` decides in one place
//! which request has access. Only a request with access gets a thread.

mod auth;
mod folder;
mod request;
mod response;

use std::collections::VecDeque;
use std::io::{ErrorKind, Read};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::actor::TableService;
use super::request::{TableAnswer, TableRequest, answer};
use parlour_base::error::{Error, Result};
use parlour_game::Seat;
use request::Request;
use response::Response;

pub use auth::Auth;

/// The maximum number of connections that are read at once; a further one closes the oldest. Also the
/// maximum number of requests that are answered at once.
const MAX_CONNECTIONS: usize = 32;

/// The time limit for a whole request.
const READ_LIMIT: Duration = Duration::from_secs(5);

/// The time for which the rest of a refused request is read; otherwise the system may drop the response.
const LINGER: Duration = Duration::from_millis(200);

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

    fn number(&self) -> Result<u16> {
        self.0.local_addr().map(|at| at.port()).map_err(|error| cannot_listen(&error))
    }
}

fn cannot_listen(error: &std::io::Error) -> Error {
    Error::failed(format!("cannot listen on 127.0.0.1: {error}"))
}

/// A server at a port of the loopback address.
pub struct Server {
    listener: TcpListener,
    port: u16,
    content: Content,
}

/// The content of a server.
enum Content {
    /// A table, and its addresses.
    Table(Arc<Auth>, Arc<dyn TableService>),
    /// The folder of a site.
    Folder(PathBuf),
}

impl Server {
    /// Creates a server for a table, with new secrets in its addresses, which are returned too.
    ///
    /// # Errors
    /// If the system provides no random numbers.
    pub fn of_table(port: Port, service: Arc<dyn TableService>) -> Result<(Server, Arc<Auth>)> {
        let auth = Arc::new(Auth::new(port.number()?, &service.people())?);
        Ok((Server::new(port, Content::Table(auth.clone(), service))?, auth))
    }

    /// Creates a server for the site in a folder.
    ///
    /// # Errors
    /// Bad input if no site is there.
    pub fn of_folder(port: Port, folder: &Path) -> Result<Server> {
        Server::new(port, Content::Folder(folder::open(folder)?))
    }

    fn new(port: Port, content: Content) -> Result<Server> {
        Ok(Server { port: port.number()?, listener: port.0, content })
    }

    /// Returns the address of the server.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    fn is_closed(&self) -> bool {
        matches!(&self.content, Content::Table(_, service) if service.is_closed())
    }

    /// Serves a table until it is closed, and a site until the program ends.
    ///
    /// # Errors
    /// If the system closes the port.
    pub fn run(&self) -> Result<()> {
        let mut connections: VecDeque<Connection> = VecDeque::new();
        // Every request that is being answered holds a copy.
        let answering = Arc::new(());
        while !self.is_closed() {
            let listener = PollFd::new(self.listener.as_fd(), PollFlags::POLLIN);
            let streams = connections.iter().map(|one| one.stream.as_fd());
            let streams = streams.map(|stream| PollFd::new(stream, PollFlags::POLLIN));
            let mut waits: Vec<PollFd<'_>> = std::iter::once(listener).chain(streams).collect();
            _ = poll(&mut waits, PollTimeout::from(POLL_INTERVAL));
            connections.retain_mut(|one| self.advance(one, &answering));
            loop {
                match self.listener.accept() {
                    Ok((stream, _)) if stream.set_nonblocking(true).is_ok() => {
                        let until = Instant::now() + READ_LIMIT;
                        let bytes = Some(Vec::new());
                        let mut connection = Connection { stream, bytes, until };
                        if self.advance(&mut connection, &answering) {
                            connections.push_back(connection);
                        }
                        if connections.len() > MAX_CONNECTIONS {
                            connections.pop_front();
                        }
                    }
                    Ok(_) => {}
                    Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                    // The connection is already closed, or too many files are open.
                    Err(_) => {
                        connections.pop_front();
                        thread::sleep(Duration::from_millis(10));
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Reads once from a connection, without waiting, and answers a complete request. Returns `false` if
    /// the connection is to be closed.
    fn advance(&self, connection: &mut Connection, answering: &Arc<()>) -> bool {
        let Connection { stream, bytes, until } = connection;
        let mut chunk = [0; 16 << 10];
        let read = match stream.read(&mut chunk) {
            _ if Instant::now() >= *until => {
                Err(Response::error(408, "the request did not arrive in time"))
            }
            Ok(read) if read > 0 => Ok(read),
            Err(error) if error.kind() == ErrorKind::WouldBlock => return true,
            _ => Err(Response::error(400, "the request ended too early")),
        };
        // The rest of a refused request is ignored.
        let Some(bytes) = bytes else { return read.is_ok() };
        let request = read.and_then(|read| {
            bytes.extend_from_slice(&chunk[..read]);
            request::parse(bytes)
        });
        let answered = match request {
            Ok(None) => return true,
            Ok(Some(request)) => self.answer(stream, request, answering),
            Err(refusal) => Err(refusal),
        };
        let Err(refusal) = answered else { return false };
        refusal.send(stream);
        connection.bytes = None;
        connection.until = Instant::now() + LINGER;
        true
    }

    /// Answers a request in a thread of its own if it has access.
    fn answer(
        &self,
        stream: &TcpStream,
        request: Request,
        answering: &Arc<()>,
    ) -> std::result::Result<(), Response> {
        let respond: Box<dyn FnOnce() -> Response + Send> = match &self.content {
            Content::Table(auth, service) => {
                let (people, page) = auth.check(&request)?;
                let (people, page, service) = (people.to_vec(), page.to_owned(), service.clone());
                Box::new(move || respond(&*service, &people, &page, &request))
            }
            Content::Folder(folder) => {
                auth::check_host(self.port, &request)?;
                let folder = folder.clone();
                Box::new(move || folder::respond(&folder, &request))
            }
        };
        let busy = || Response::error(503, "too many connections at once");
        let slot = answering.clone();
        let is_free = Arc::strong_count(answering) <= MAX_CONNECTIONS + 1;
        let stream = stream.try_clone().ok().filter(|_| is_free).ok_or_else(busy)?;
        let answer = move || {
            let _slot = slot;
            // Only here: a refused request is still read without waiting.
            _ = stream.set_nonblocking(false);
            respond().send(&stream);
        };
        thread::Builder::new().spawn(answer).map(drop).map_err(|_| busy())
    }
}

/// A connection whose request has not arrived.
struct Connection {
    stream: TcpStream,
    /// The bytes so far; `None` once the request is refused.
    bytes: Option<Vec<u8>>,
    /// The time at which the connection is closed.
    until: Instant,
}

/// Returns the response to a request with access.
fn respond(service: &dyn TableService, people: &[Seat], page: &str, request: &Request) -> Response {
    match page {
        _ if request.is_post => {}
        "" => return Response::page("text/html", include_str!("../page/table.html")),
        "local.js" => {
            return Response::page("text/javascript", include_str!("../page/local.js"));
        }
        "table.js" => {
            return Response::page("text/javascript", include_str!("../page/table.js"));
        }
        "board.js" => return Response::page("text/javascript", parlour_board::BOARD_JS),
        "table.css" => return Response::page("text/css", include_str!("../page/table.css")),
        "board.css" => return Response::page("text/css", parlour_board::BOARD_CSS),
        _ => {}
    }
    let seat = request.number("seat").and_then(|seat| u8::try_from(seat).ok()).map(Seat);
    let command = request.is_post.then_some(&*request.body);
    let since = request.number("since");
    match answer(service, people, &TableRequest { page, seat, since, command }) {
        TableAnswer::Json(text) => Response::json(200, text),
        TableAnswer::Record(record) => Response::download("hand.jsonl", record + "\n"),
        TableAnswer::ReplayPage(page) => Response::sandboxed_page(page),
        TableAnswer::Refusal(status, why) => Response::error(status, &why),
    }
}

/// Opens an address in the default browser. Returns `false` if there is no screen or no browser.
pub fn open_browser(address: &str) -> bool {
    let is_set = |name: &&str| std::env::var_os(name).is_some();
    let has_screen = cfg!(target_os = "macos") || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(is_set);
    // The browser is in a session of its own, which Ctrl-C in the terminal does not reach.
    has_screen && open::that_detached(address).is_ok()
}
