//! HTTP responses.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use serde_json::json;

/// The time limit for sending a response.
const SEND_LIMIT: Duration = Duration::from_secs(10);

/// The content security policy of the table's page: only its own files may be loaded.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The policy of a self-contained page, which cannot reach the table.
const SANDBOX_POLICY: &str = "sandbox allow-scripts allow-popups; default-src 'none'; \
style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
form-action 'none'; frame-ancestors 'none'";

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
    status: u16,
    /// The content security policy.
    policy: &'static str,
    /// Further header lines.
    headers: String,
    body: Vec<u8>,
    /// `true` if the request may not have been read to its end.
    is_early: bool,
}

impl Response {
    /// Creates a page or a part of one.
    pub fn page(kind: &str, text: &str) -> Response {
        Response::new(200, kind, text.as_bytes().to_vec())
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
        let json = json!({ "error": why }).to_string();
        Response { is_early: true, ..Response::json(status, json) }
    }

    /// Creates a redirect.
    pub fn redirect(address: &str) -> Response {
        let mut response = Response::new(303, "text/plain", Vec::new());
        response.headers += &format!("Location: {address}\r\n");
        response
    }

    fn new(status: u16, kind: &str, body: Vec<u8>) -> Response {
        let headers = format!("Content-Type: {kind}; charset=utf-8\r\n");
        Response { status, policy: PAGE_POLICY, headers, body, is_early: false }
    }

    /// Sends the response. A closed connection is ignored.
    pub fn send(&self, mut stream: &TcpStream) {
        // The reason phrase after the status is optional.
        let (status, length) = (self.status, self.body.len());
        let head = format!(
            "HTTP/1.1 {status} \r\nContent-Security-Policy: {}\r\n{HEADERS}{}Content-Length: {length}\r\n\r\n",
            self.policy, self.headers
        );
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(&self.body);
        _ = stream.set_write_timeout(Some(SEND_LIMIT));
        if stream.write_all(&bytes).is_err() {
            return;
        }
        _ = stream.shutdown(Shutdown::Write);
        if self.is_early {
            // The rest of the request is read for a moment; otherwise the system may drop the response.
            _ = stream.set_read_timeout(Some(Duration::from_millis(200)));
            _ = std::io::copy(&mut stream.take(1 << 20), &mut std::io::sink());
        }
    }
}
