//! Reading a request, within bounds.

use std::io::Read;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::answer::Answer;

/// A request's first line and headers take at most so many bytes.
const HEAD: usize = 8 << 10;

/// So many headers at most.
const HEADERS: usize = 64;

/// A body takes at most so many bytes.
const BODY: usize = 64 << 10;

/// How long a request may take to arrive whole.
const ARRIVES: Duration = Duration::from_secs(5);

/// What it asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Asks {
    Get,
    Post,
}

/// A request.
#[derive(Debug)]
pub(super) struct Request {
    pub asks: Asks,
    /// The way to the page, without what stands after `?`.
    pub path: String,
    query: String,
    pub host: Option<String>,
    pub origin: Option<String>,
    /// How the page that asks stands to this one, as browsers say it.
    pub site: Option<String>,
    pub is_json: bool,
    pub body: Vec<u8>,
}

impl Request {
    /// A number of the query.
    pub fn number(&self, name: &str) -> Option<u64> {
        let parts = self.query.split('&').filter_map(|part| part.split_once('='));
        parts.filter(|(key, _)| *key == name).find_map(|(_, value)| value.parse().ok())
    }
}

/// Reads a request; whatever it is, at most so many bytes and for so long.
pub(super) fn read(stream: &TcpStream) -> Result<Request, Answer> {
    let until = Instant::now() + ARRIVES;
    let mut bytes = Vec::with_capacity(1 << 10);
    loop {
        if let Some((request, head, length)) = parse(&bytes)? {
            while bytes.len() < head + length {
                more(stream, &mut bytes, until)?;
            }
            let body = bytes[head..head + length].to_vec();
            return Ok(Request { body, ..request });
        }
        if bytes.len() > HEAD {
            return Err(Answer::refusal(431, "the request's head is too long"));
        }
        more(stream, &mut bytes, until)?;
    }
}

/// Reads what there is.
fn more(mut stream: &TcpStream, bytes: &mut Vec<u8>, until: Instant) -> Result<(), Answer> {
    let slow = || Answer::refusal(408, "the request did not arrive in time");
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
        return Err(slow());
    }
    let mut chunk = [0; 4 << 10];
    match stream.read(&mut chunk) {
        Ok(0) => Err(Answer::refusal(400, "the request ended too early")),
        Ok(read) => {
            bytes.extend_from_slice(&chunk[..read]);
            Ok(())
        }
        Err(error) if error.kind() == std::io::ErrorKind::Interrupted => Ok(()),
        Err(_) => Err(slow()),
    }
}

/// A request without its body, how long its head is and its body; nothing while the head is not
/// whole.
fn parse(bytes: &[u8]) -> Result<Option<(Request, usize, usize)>, Answer> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let head = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(head)) if head <= HEAD => head,
        Ok(httparse::Status::Complete(_)) | Err(httparse::Error::TooManyHeaders) => {
            return Err(Answer::refusal(431, "the request's head is too long"));
        }
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(error) => return Err(Answer::refusal(400, &format!("no request: {error}"))),
    };
    let asks = match parsed.method {
        Some("GET") => Asks::Get,
        Some("POST") => Asks::Post,
        _ => return Err(Answer::refusal(405, "only GET and POST are answered")),
    };
    let (path, query) = parsed.path.unwrap_or_default().split_once('?').unwrap_or_else(|| {
        let path = parsed.path.unwrap_or_default();
        (path, "")
    });
    let mut request = Request {
        asks,
        path: path.to_owned(),
        query: query.to_owned(),
        host: None,
        origin: None,
        site: None,
        is_json: false,
        body: Vec::new(),
    };
    let mut length = None;
    for header in parsed.headers.iter() {
        let value = std::str::from_utf8(header.value).unwrap_or("\u{fffd}").trim();
        let twice = match header.name.to_ascii_lowercase().as_str() {
            "host" => request.host.replace(value.to_owned()).is_some(),
            "origin" => request.origin.replace(value.to_owned()).is_some(),
            "sec-fetch-site" => request.site.replace(value.to_owned()).is_some(),
            "content-type" => {
                let kind = value.split(';').next().unwrap_or_default().trim();
                std::mem::replace(&mut request.is_json, kind == "application/json")
            }
            "content-length" => length.replace(value.to_owned()).is_some(),
            "transfer-encoding" => {
                return Err(Answer::refusal(411, "a body must come with its length"));
            }
            _ => false,
        };
        if twice {
            let what = format!("the header `{}` stands there twice", header.name);
            return Err(Answer::refusal(400, &what));
        }
    }
    let length = match length.as_deref().map(str::parse::<usize>) {
        None => 0,
        Some(Ok(length)) if length <= BODY => length,
        Some(Ok(_)) => return Err(Answer::refusal(413, "the body is too long")),
        Some(Err(_)) => return Err(Answer::refusal(400, "the length of the body is no number")),
    };
    if length > 0 && asks == Asks::Get {
        return Err(Answer::refusal(400, "a GET has no body"));
    }
    Ok(Some((request, head, length)))
}
