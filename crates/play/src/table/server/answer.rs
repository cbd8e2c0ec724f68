//! What is sent back.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use serde_json::json;

/// How long a browser may take to read an answer.
const READS: Duration = Duration::from_secs(10);

/// What a page of the table may load: its own files and nothing else.
const OWN: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The same for a page that has all in itself, and no way to the table.
const ALONE: &str = "sandbox allow-scripts allow-popups; default-src 'none'; \
style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
form-action 'none'; frame-ancestors 'none'";

/// Stands in every answer: nothing is stored, or told to others.
const HEADERS: &str = "Cache-Control: no-store\r\n\
Cross-Origin-Opener-Policy: same-origin\r\n\
Cross-Origin-Resource-Policy: same-origin\r\n\
Referrer-Policy: no-referrer\r\n\
X-Content-Type-Options: nosniff\r\n\
Connection: close\r\n";

/// An answer.
#[derive(Debug)]
pub(super) struct Answer {
    status: u16,
    /// What it may load.
    policy: &'static str,
    /// The header lines of its own.
    headers: String,
    body: Vec<u8>,
    /// Whether the request may not have been read to its end.
    early: bool,
}

impl Answer {
    /// A page, or a part of one.
    pub fn page(kind: &str, text: &str) -> Answer {
        Answer::of(200, kind, text.as_bytes().to_vec())
    }

    /// A page of a hand, which has all in itself.
    pub fn alone(text: String) -> Answer {
        Answer { policy: ALONE, ..Answer::of(200, "text/html", text.into_bytes()) }
    }

    /// JSON.
    pub fn json(status: u16, text: String) -> Answer {
        Answer::of(status, "application/json", text.into_bytes())
    }

    /// A file to be kept.
    pub fn download(name: &str, text: String) -> Answer {
        let mut answer = Answer::of(200, "application/jsonl", text.into_bytes());
        answer.headers += &format!("Content-Disposition: attachment; filename=\"{name}\"\r\n");
        answer
    }

    /// Why a request is refused.
    pub fn refusal(status: u16, why: &str) -> Answer {
        let json = json!({ "error": why }).to_string();
        Answer { early: true, ..Answer::json(status, json) }
    }

    /// Another address.
    pub fn see_other(address: &str) -> Answer {
        let mut answer = Answer::of(303, "text/plain", Vec::new());
        answer.headers += &format!("Location: {address}\r\n");
        answer
    }

    fn of(status: u16, kind: &str, body: Vec<u8>) -> Answer {
        let headers = format!("Content-Type: {kind}; charset=utf-8\r\n");
        Answer { status, policy: OWN, headers, body, early: false }
    }

    /// Sends it; whoever is gone does not get it.
    pub fn send(&self, mut stream: &TcpStream) {
        let reason = match self.status {
            200 => "OK",
            303 => "See Other",
            400 => "Bad Request",
            403 => "Forbidden",
            404 => "Not Found",
            405 => "Method Not Allowed",
            408 => "Request Timeout",
            409 => "Conflict",
            410 => "Gone",
            411 => "Length Required",
            413 => "Content Too Large",
            415 => "Unsupported Media Type",
            431 => "Request Header Fields Too Large",
            _ => "Service Unavailable",
        };
        let (status, length) = (self.status, self.body.len());
        let head = format!(
            "HTTP/1.1 {status} {reason}\r\nContent-Security-Policy: {}\r\n{HEADERS}{}Content-Length: {length}\r\n\r\n",
            self.policy, self.headers
        );
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(&self.body);
        _ = stream.set_write_timeout(Some(READS));
        if stream.write_all(&bytes).is_err() {
            return;
        }
        _ = stream.shutdown(Shutdown::Write);
        if self.early {
            // What still comes is read for a moment, or the system throws the answer away.
            _ = stream.set_read_timeout(Some(Duration::from_millis(200)));
            _ = std::io::copy(&mut stream.take(1 << 20), &mut std::io::sink());
        }
    }
}
