//! HTTP responses.

use std::io::{ErrorKind, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use serde_json::json;

/// The time limit for sending a whole response.
const SEND_LIMIT: Duration = Duration::from_secs(10);

/// The content security policy of the table's page: only its own files may be loaded.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The policy of a self-contained page, which cannot reach the table.
const SANDBOX_POLICY: &str = "sandbox allow-scripts allow-popups; default-src 'none'; \
style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
form-action 'none'; frame-ancestors 'none'";

/// The policy of the site's files, among them WebAssembly and self-contained reports: only this server
/// is asked.
const SITE_POLICY: &str = "default-src 'self' blob: data: 'unsafe-inline' 'wasm-unsafe-eval'; \
base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/// The headers of every response: nothing is cached or passed to other sites.
const HEADERS: &str = "Cache-Control: no-store\r\n\
Cross-Origin-Opener-Policy: same-origin\r\n\
Cross-Origin-Resource-Policy: same-origin\r\n\
Referrer-Policy: no-referrer\r\n\
X-Content-Type-Options: nosniff\r\n\
Connection: close\r\n";

/// A response.
#[derive(Debug)]
pub(super) struct Response {
    pub status: u16,
    /// The content security policy.
    policy: &'static str,
    /// Further header lines.
    headers: String,
    body: Vec<u8>,
}

impl Response {
    /// Creates a page or a part of one.
    pub fn page(kind: &str, text: &str) -> Response {
        Response::new(200, kind, text.as_bytes().to_vec())
    }

    /// Creates a file of the site.
    pub fn file(kind: &str, bytes: Vec<u8>) -> Response {
        Response { policy: SITE_POLICY, ..Response::new(200, kind, bytes) }
    }

    /// Creates a self-contained page.
    pub fn sandboxed_page(text: String) -> Response {
        Response { policy: SANDBOX_POLICY, ..Response::new(200, "text/html", text.into_bytes()) }
    }

    /// Creates a JSON response.
    pub fn json(status: u16, text: String) -> Response {
        Response::new(status, "application/json", text.into_bytes())
    }

    /// Creates a file to download.
    pub fn download(name: &str, text: String) -> Response {
        let mut response = Response::new(200, "application/jsonl", text.into_bytes());
        response.headers += &format!("Content-Disposition: attachment; filename=\"{name}\"\r\n");
        response
    }

    /// Creates an error response.
    pub fn error(status: u16, why: &str) -> Response {
        Response::json(status, json!({ "error": why }).to_string())
    }

    /// Creates a redirect.
    pub fn redirect(address: &str) -> Response {
        let mut response = Response::new(303, "text/plain", Vec::new());
        response.headers += &format!("Location: {address}\r\n");
        response
    }

    fn new(status: u16, kind: &str, body: Vec<u8>) -> Response {
        let is_text = kind.starts_with("text/") || kind.contains("json");
        let encoding = if is_text { "; charset=utf-8" } else { "" };
        let headers = format!("Content-Type: {kind}{encoding}\r\n");
        Response { status, policy: PAGE_POLICY, headers, body }
    }

    /// Sends the response. Gives up a connection that is closed, slow, or would block.
    pub fn send(&self, mut stream: &TcpStream) {
        let until = Instant::now() + SEND_LIMIT;
        let bytes = self.bytes();
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || stream.set_write_timeout(Some(left)).is_err() {
                return;
            }
            match stream.write(rest) {
                Ok(sent) if sent > 0 => rest = &rest[sent..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                _ => return,
            }
        }
        _ = stream.shutdown(Shutdown::Write);
    }

    fn bytes(&self) -> Vec<u8> {
        // The reason phrase after the status is optional.
        let (status, length) = (self.status, self.body.len());
        let head = format!(
            "HTTP/1.1 {status} \r\nContent-Security-Policy: {}\r\n{HEADERS}{}Content-Length: {length}\r\n\r\n",
            self.policy, self.headers
        );
        [head.as_bytes(), &self.body].concat()
    }
}
