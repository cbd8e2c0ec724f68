//! HTTP requests, read within limits of size and time.

use std::io::Read;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::response::Response;

/// The maximum size of the first line and the headers, in bytes.
const MAX_HEAD: usize = 8 << 10;

/// The maximum number of headers.
const MAX_HEADERS: usize = 64;

/// The maximum size of a body, in bytes.
const MAX_BODY: usize = 64 << 10;

/// The time limit for a whole request.
const READ_LIMIT: Duration = Duration::from_secs(5);

/// A request.
#[derive(Debug, Default)]
pub(super) struct Request {
    /// `true` for POST, otherwise GET.
    pub is_post: bool,
    /// The path without the query.
    pub path: String,
    query: String,
    pub host: Option<String>,
    pub origin: Option<String>,
    /// The `Sec-Fetch-Site` header.
    pub site: Option<String>,
    pub is_json: bool,
    pub body: Vec<u8>,
}

impl Request {
    /// Returns a number of the query.
    pub fn number(&self, name: &str) -> Option<u64> {
        let parts = self.query.split('&').filter_map(|part| part.split_once('='));
        parts.filter(|(key, _)| *key == name).find_map(|(_, value)| value.parse().ok())
    }
}

/// Reads a request within the limits.
pub(super) fn read(stream: &TcpStream) -> Result<Request, Response> {
    let until = Instant::now() + READ_LIMIT;
    let mut bytes = Vec::with_capacity(1 << 10);
    loop {
        if let Some((request, head, length)) = parse(&bytes)? {
            while bytes.len() < head + length {
                read_more(stream, &mut bytes, until)?;
            }
            let body = bytes[head..head + length].to_vec();
            return Ok(Request { body, ..request });
        }
        if bytes.len() > MAX_HEAD {
            return Err(Response::error(431, "the request's head is too long"));
        }
        read_more(stream, &mut bytes, until)?;
    }
}

/// Reads the next bytes.
fn read_more(mut stream: &TcpStream, bytes: &mut Vec<u8>, until: Instant) -> Result<(), Response> {
    let slow = || Response::error(408, "the request did not arrive in time");
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
        return Err(slow());
    }
    let mut chunk = [0; 4 << 10];
    match stream.read(&mut chunk) {
        Ok(0) => Err(Response::error(400, "the request ended too early")),
        Ok(read) => {
            bytes.extend_from_slice(&chunk[..read]);
            Ok(())
        }
        Err(error) if error.kind() == std::io::ErrorKind::Interrupted => Ok(()),
        Err(_) => Err(slow()),
    }
}

/// Parses the head of a request. Returns the request without its body, and the lengths of head and
/// body; `None` while the head is incomplete.
fn parse(bytes: &[u8]) -> Result<Option<(Request, usize, usize)>, Response> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let head = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(head)) if head <= MAX_HEAD => head,
        Ok(httparse::Status::Complete(_)) | Err(httparse::Error::TooManyHeaders) => {
            return Err(Response::error(431, "the request's head is too long"));
        }
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(error) => return Err(Response::error(400, &format!("invalid request: {error}"))),
    };
    let is_post = match parsed.method {
        Some("GET") => false,
        Some("POST") => true,
        _ => return Err(Response::error(405, "only GET and POST are supported")),
    };
    let path = parsed.path.unwrap_or_default();
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let (path, query) = (path.to_owned(), query.to_owned());
    let mut request = Request { is_post, path, query, ..Request::default() };
    let mut length = None;
    for header in parsed.headers.iter() {
        let value = std::str::from_utf8(header.value).unwrap_or("\u{fffd}").trim();
        let is_duplicate = match header.name.to_ascii_lowercase().as_str() {
            "host" => request.host.replace(value.to_owned()).is_some(),
            "origin" => request.origin.replace(value.to_owned()).is_some(),
            "sec-fetch-site" => request.site.replace(value.to_owned()).is_some(),
            "content-type" => {
                let kind = value.split(';').next().unwrap_or_default().trim();
                std::mem::replace(&mut request.is_json, kind == "application/json")
            }
            "content-length" => length.replace(value.to_owned()).is_some(),
            "transfer-encoding" => {
                return Err(Response::error(411, "a body needs a Content-Length"));
            }
            _ => false,
        };
        if is_duplicate {
            let what = format!("duplicate header `{}`", header.name);
            return Err(Response::error(400, &what));
        }
    }
    let length = match length.as_deref().map(str::parse::<usize>) {
        None => 0,
        Some(Ok(length)) if length <= MAX_BODY => length,
        Some(Ok(_)) => return Err(Response::error(413, "the body is too long")),
        Some(Err(_)) => return Err(Response::error(400, "Content-Length is not a number")),
    };
    if length > 0 && !is_post {
        return Err(Response::error(400, "a GET request cannot have a body"));
    }
    Ok(Some((request, head, length)))
}
