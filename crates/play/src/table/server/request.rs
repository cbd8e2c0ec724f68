//! HTTP requests within limits of size.

use super::response::Response;
use parlour_base::error::ensure;

/// The maximum size of the first line and the headers, in bytes.
const MAX_HEAD: usize = 8 << 10;

/// The maximum number of headers.
const MAX_HEADERS: usize = 64;

/// The maximum size of a body, in bytes.
const MAX_BODY: usize = 64 << 10;

/// A request.
#[derive(Debug, Default)]
pub(super) struct Request {
    /// `true` for POST, otherwise GET.
    pub is_post: bool,
    /// The path without the query.
    pub path: String,
    pub query: String,
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

/// Parses the bytes that have arrived; `None` while the request is incomplete.
pub(super) fn parse(bytes: &[u8]) -> Result<Option<Request>, Response> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let head = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(head)) if head <= MAX_HEAD => head,
        Ok(httparse::Status::Partial) if bytes.len() <= MAX_HEAD => return Ok(None),
        Ok(_) | Err(httparse::Error::TooManyHeaders) => {
            return Err(Response::error(431, "the request's head is too long"));
        }
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
        ensure(!is_duplicate, || {
            Response::error(400, &format!("duplicate header `{}`", header.name))
        })?;
    }
    let length = length.as_deref().unwrap_or("0");
    // `parse` would accept a sign.
    let length = Some(length).filter(|text| !text.starts_with('+')).map(str::parse::<usize>);
    let Some(Ok(length)) = length else {
        return Err(Response::error(400, "Content-Length is not a number"));
    };
    ensure(length <= MAX_BODY, || Response::error(413, "the body is too long"))?;
    ensure(length == 0 || is_post, || Response::error(400, "a GET request cannot have a body"))?;
    let body = bytes.get(head..head + length).map(<[u8]>::to_vec);
    Ok(body.map(|body| Request { body, ..request }))
}
