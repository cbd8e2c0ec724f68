//! The web server: access, responses, and robustness against malformed requests.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use parlour::Strategic;
use parlour::arena::Variant;
use parlour::chance::Seed;
use parlour::table::server::{Port, Server};
use parlour::table::{HandFiles, Participant, Table, TableActor, TableService};
use serde_json::{Value, json};

/// A served table and its paths: `/secret/` for all people, then for each person.
struct Hosted {
    port: u16,
    paths: Vec<String>,
    one_time_path: String,
    service: Arc<dyn TableService>,
    server: Option<JoinHandle<()>>,
    _folder: tempfile::TempDir,
}

fn host<G: Strategic>(variant: &str, participants: &[&str]) -> Hosted {
    let variant: Variant<G> = Variant::named(variant).unwrap();
    let participants = participants.iter().map(|name| Participant::load(name).unwrap()).collect();
    let table = Table::new(variant, participants, 6).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let files = HandFiles::open(&folder.path().join("r.jsonl"), None).unwrap();
    let (service, _) = TableActor::start(table, files).unwrap();
    let (server, auth) = Server::of_table(Port::bind(None).unwrap(), service.clone()).unwrap();
    let path = |address: &String| format!("/{}", address.splitn(4, '/').nth(3).unwrap());
    let addresses: Vec<String> = auth.addresses().into_iter().map(|(_, all)| all).collect();
    let port = addresses[0].split(['/', ':']).nth(4).unwrap().parse().unwrap();
    let (paths, one_time_path) =
        (addresses.iter().map(path).collect(), path(&auth.one_time_link()));
    let server = Some(thread::spawn(move || server.run().unwrap()));
    Hosted { port, paths, one_time_path, service, server, _folder: folder }
}

impl Drop for Hosted {
    fn drop(&mut self) {
        self.service.close();
        self.server.take().unwrap().join().unwrap();
    }
}

impl Hosted {
    /// Sends bytes; returns the whole response.
    fn send(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        _ = stream.read_to_end(&mut answer);
        String::from_utf8(answer).unwrap()
    }

    fn get(&self, path: &str) -> String {
        let port = self.port;
        self.send(format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n").as_bytes())
    }

    fn post(&self, path: &str, body: &str, headers: &str) -> String {
        let (port, length) = (self.port, body.len());
        let head = format!(
            "POST {path}do HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Length: {length}\r\n{headers}\r\n"
        );
        self.send(format!("{head}{body}").as_bytes())
    }

    /// Sends a command as the page does.
    fn ask(&self, path: &str, body: &Value) -> (u16, Value, String) {
        let port = self.port;
        let own = format!(
            "Origin: http://127.0.0.1:{port}\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\n"
        );
        let answer = self.post(path, &body.to_string(), &own);
        (status(&answer), json_of(&answer), answer)
    }

    fn state(&self, path: &str, seat: u8) -> (Value, String) {
        let answer = self.get(&format!("{path}state?seat={seat}"));
        assert_eq!(status(&answer), 200, "{answer}");
        (json_of(&answer), answer)
    }
}

fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}

fn json_of(answer: &str) -> Value {
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    serde_json::from_str(body).unwrap_or(Value::Null)
}

/// The only fields of a snapshot before the end.
const FIELDS: [&str; 24] = [
    "version",
    "game",
    "variant",
    "rules",
    "deal",
    "after",
    "hand",
    "hands",
    "totals",
    "seat",
    "mine",
    "seats",
    "turn",
    "asks_dealer",
    "view",
    "legal",
    "to_do",
    "past",
    "open",
    "may_take_back",
    "asks_back",
    "advising",
    "advice",
    "notice",
];

/// Plays a hand over HTTP with random legal moves. Returns all bytes sent before its end, and the
/// last snapshot.
fn hand<G: Strategic>(variant: &str, participants: &[&str], seat: u8) -> (String, Value) {
    let hosted = host::<G>(variant, participants);
    let path = &hosted.paths[0];
    let mut bytes = String::new();
    for page in ["", "local.js", "table.js", "table.css", "board.js", "board.css"] {
        let answer = hosted.get(&format!("{path}{page}"));
        assert_eq!(status(&answer), 200, "{page}");
        assert!(answer.contains("Content-Security-Policy: default-src 'none'"));
    }
    bytes += &hosted.get(&format!("{path}rules"));
    let mut chance = Seed::new(8).stream();
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        assert!(Instant::now() < until, "{variant} does not end");
        let (seen, answer) = hosted.state(path, seat);
        if !seen["end"].is_null() {
            assert_eq!(status(&hosted.get(&format!("{path}record"))), 200);
            let page = hosted.get(&format!("{path}hand"));
            assert!(status(&page) == 200 && page.contains("Content-Security-Policy: sandbox"));
            return (bytes, seen);
        }
        bytes += &answer;
        let mut fields: Vec<&String> = seen.as_object().unwrap().keys().collect();
        fields.retain(|key| *key != "end");
        assert_eq!(fields, FIELDS);
        let view: G::View = serde_json::from_value(seen["view"].clone()).unwrap();
        assert_eq!(serde_json::to_value(&view).unwrap()["seat"], json!(seat));
        let legal: Vec<&str> =
            seen["legal"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let legal: Vec<&&str> = legal.iter().filter(|mv| !mv.starts_with("guess")).collect();
        if legal.is_empty() {
            thread::sleep(Duration::from_millis(1));
            continue;
        }
        assert_eq!(status(&hosted.get(&format!("{path}record"))), 404);
        assert_eq!(status(&hosted.get(&format!("{path}hand"))), 404);
        let mv = legal[chance.below(legal.len() as u32) as usize];
        let (deal, after) = (&seen["deal"], &seen["after"]);
        let asked =
            json!({ "act": "play", "seat": seat, "deal": deal, "after": after, "moves": [mv] });
        let (status, said, answer) = hosted.ask(path, &asked);
        assert_eq!(status, 200, "{said}");
        bytes += &answer;
    }
}

#[test]
fn no_response_before_the_end_contains_hidden_information() {
    use parlour::{Eleusis, Leapfrog, Leopard};
    let (bytes, end) = hand::<Leopard>("revised", &["person", "greedy"], 0);
    let theirs = end["end"]["views"][1]["hand"].to_string();
    assert!(!bytes.contains(&format!("\"hand\":{theirs}")) && !bytes.contains("views"));
    assert!(!bytes.contains("seed") && end["end"]["seed"] == 6);
    let seats = ["random", "person", "random", "random", "random"];
    let (bytes, end) = hand::<Eleusis>("eleusis", &seats, 1);
    let rule = end["end"]["views"][0]["rule"].to_string();
    assert!(rule.len() > 4 && !bytes.contains(&rule), "{rule}");
    assert!(bytes.contains("\"rule\":null") && !bytes.contains("\"rule\":\""));
    let (bytes, _) = hand::<Leapfrog>("murray-mini-4x4", &["person", "greedy"], 0);
    assert!(!bytes.contains("seed"));
}

#[test]
fn only_requests_with_access_are_answered() {
    let hosted = host::<parlour::Leopard>("revised", &["person", "person"]);
    let (port, all, one) = (hosted.port, hosted.paths[0].clone(), hosted.paths[1].clone());
    let own = format!("Origin: http://127.0.0.1:{port}\r\nContent-Type: application/json\r\n");
    let asks = json!({ "act": "advise", "seat": 0 }).to_string();
    let plain = "Content-Type: application/json\r\n";
    let refused = |answer: &str, right: u16, why: &str| {
        assert_eq!(status(answer), right, "{why}: {answer}");
        assert!(json_of(answer)["error"].is_string(), "{why}: {answer}");
    };
    refused(&hosted.get("/"), 404, "no secret");
    refused(&hosted.get("/0123456789abcdef0123456789abcdef/"), 404, "a stale address");
    refused(&hosted.get(&all[..all.len() - 2]), 404, "half a secret");
    refused(&hosted.get(&format!("{all}../../etc/passwd")), 404, "a path outside");
    refused(&hosted.get(&format!("{all}do")), 405, "GET for an act");
    refused(&hosted.post(&all, &asks, plain), 403, "no origin");
    for origin in ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"] {
        let headers = format!("Origin: {origin}\r\n{plain}");
        refused(&hosted.post(&all, &asks, &headers), 403, origin);
    }
    let cross = format!("{own}Sec-Fetch-Site: cross-site\r\n");
    refused(&hosted.post(&all, &asks, &cross), 403, "another site's page");
    let text = format!("Origin: http://localhost:{port}\r\nContent-Type: text/plain\r\n");
    refused(&hosted.post(&all, &asks, &text), 415, "a form's body");
    for host in ["evil.example", "127.0.0.1", "127.0.0.1:1", ""] {
        let request = format!("GET {all} HTTP/1.1\r\nHost: {host}\r\n\r\n");
        refused(&hosted.send(request.as_bytes()), 403, "another host's name");
    }
    refused(&hosted.send(format!("GET {all} HTTP/1.1\r\n\r\n").as_bytes()), 403, "no host");
    // The address of a seat gives access to that seat only.
    let (seen, _) = hosted.state(&one, 1);
    assert!(seen["seat"].is_null() && seen["view"].is_null(), "{seen}");
    let (status_, said, _) = hosted.ask(&one, &json!({ "act": "advise", "seat": 1 }));
    assert_eq!(
        (status_, said["error"].as_str()),
        (409, Some("this address does not belong to that seat"))
    );
    // The one-time link works once.
    let led = hosted.get(&hosted.one_time_path);
    assert!(status(&led) == 303 && led.contains(&format!("Location: {all}")), "{led}");
    refused(&hosted.get(&hosted.one_time_path), 410, "a one-time link used twice");
    assert_eq!(status(&hosted.get(&all)), 200);
}

#[test]
fn malformed_requests_are_refused() {
    let hosted = host::<parlour::Leopard>("revised", &["person", "greedy"]);
    let (port, all) = (hosted.port, hosted.paths[0].clone());
    let head = format!("GET {all} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n");
    let long = format!("{head}X: {}\r\n\r\n", "x".repeat(100_000));
    assert_eq!(status(&hosted.send(long.as_bytes())), 431);
    let many = format!("{head}{}\r\n", "X: y\r\n".repeat(200));
    assert_eq!(status(&hosted.send(many.as_bytes())), 431);
    let path = format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "x".repeat(100_000));
    assert_eq!(status(&hosted.send(path.as_bytes())), 431);
    for (bytes, right) in [
        (&b"\xff\xfe\x00\r\n\r\n"[..], 400),
        (b"GET\r\n\r\n", 400),
        (b"GET / HTTP/9.9\r\n\r\n", 400),
        (b"DELETE / HTTP/1.1\r\n\r\n", 405),
        (b"HEAD / HTTP/1.1\r\n\r\n", 405),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411),
        (b"POST / HTTP/1.1\r\nContent-Length: 100000000\r\n\r\n", 413),
        (b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\nx", 400),
        (b"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello", 400),
    ] {
        let answer = hosted.send(bytes);
        assert_eq!(status(&answer), right, "{}: {answer}", String::from_utf8_lossy(bytes));
    }
    let place = json!({ "act": "play", "seat": 0, "deal": 0, "after": 0 });
    let with = |key: &str, value: Value| {
        let mut asked = place.clone();
        asked["moves"] = json!(["AS o1"]);
        asked[key] = value;
        asked
    };
    for (asked, right) in [
        (json!(null), 400),
        (json!([]), 400),
        (json!({}), 400),
        (json!({ "act": "fly" }), 400),
        (place.clone(), 400),
        (with("moves", json!([])), 409),
        (with("moves", json!(["KC o10"])), 409),
        (with("moves", json!(["\u{0}".repeat(1000)])), 409),
        (with("moves", json!(vec!["knock"; 5000])), 409),
        (with("seat", json!(1)), 409),
        (with("seat", json!(255)), 409),
        (with("seat", json!(-1)), 400),
        (with("seat", json!(1e99)), 400),
        (with("after", json!(7)), 409),
        (with("deal", json!(u64::MAX)), 409),
        (with("more", json!(1)), 400),
        (json!({ "act": "preview", "seat": 0, "deal": 0, "after": 0, "moves": ["AS o1"] }), 409),
        (json!({ "act": "take_back", "seat": 0 }), 409),
        (json!({ "act": "answer_take_back", "agree": true }), 409),
        (json!({ "act": "next_hand", "deal": 0 }), 409),
    ] {
        let (status, said, _) = hosted.ask(&all, &asked);
        assert_eq!(status, right, "{asked}: {said}");
        assert!(said["error"].is_string(), "{asked}");
    }
    // Deep nesting, invalid numbers.
    let port = hosted.port;
    let own = format!("Origin: http://127.0.0.1:{port}\r\nContent-Type: application/json\r\n");
    assert_eq!(status(&hosted.post(&all, &"[".repeat(60_000), &own)), 400);
    for query in ["seat=99999999999999999999&since=x", "&&&=", "seat=0&since=18446744073709551615"]
    {
        assert_eq!(status(&hosted.get(&format!("{all}state?{query}"))), 200, "{query}");
    }
    // Incomplete requests do not block others.
    let mut silent = Vec::new();
    for bytes in [&b"GET / HT"[..], b"", b"POST /x HTTP/1.1\r\nContent-Length: 10\r\n\r\nabc"] {
        let mut stream = TcpStream::connect(("127.0.0.1", hosted.port)).unwrap();
        stream.write_all(bytes).unwrap();
        silent.push(stream);
    }
    let (seen, _) = hosted.state(&all, 0);
    assert_eq!((&seen["after"], &seen["turn"]), (&json!(0), &json!(0)));
    drop(silent);
    assert_eq!(status(&hosted.get(&all)), 200);
}

#[test]
fn strangers_cannot_hold_the_places_of_the_server() {
    let hosted = host::<parlour::Leopard>("revised", &["person", "greedy"]);
    let all = hosted.paths[0].clone();
    let connect = || TcpStream::connect(("127.0.0.1", hosted.port)).unwrap();
    let silent: Vec<TcpStream> = (0..100).map(|_| connect()).collect();
    // Refused requests and incomplete ones, each followed by a byte every 50 ms.
    let mut drips: Vec<TcpStream> = (0..40).map(|_| connect()).collect();
    for (number, drip) in drips.iter_mut().enumerate() {
        let head = if number < 20 {
            "GET / HTTP/1.1\r\nHost: evil\r\n\r\n"
        } else {
            "GET / HTTP/1.1\r\nX: "
        };
        _ = drip.write_all(head.as_bytes());
    }
    let start = Instant::now();
    let mut slowest = Duration::ZERO;
    while !drips.is_empty() && start.elapsed() < Duration::from_secs(20) {
        thread::sleep(Duration::from_millis(50));
        drips.retain_mut(|drip| drip.write_all(b"x").is_ok());
        let asked = Instant::now();
        assert_eq!(status(&hosted.get(&all)), 200);
        slowest = slowest.max(asked.elapsed());
    }
    // A request that waits for an incomplete one takes 5 s.
    assert!(slowest < Duration::from_secs(4), "{slowest:?}");
    assert_eq!(drips.len(), 0, "every connection ends within its time limit");
    drop(silent);
}

#[test]
fn waiting_requests_do_not_block_others() {
    let hosted = host::<parlour::Leopard>("revised", &["person", "person"]);
    let all = hosted.paths[0].clone();
    let version = hosted.state(&all, 0).0["version"].as_u64().unwrap();
    let waits = || hosted.get(&format!("{all}state?seat=0&since={version}"));
    let start = Instant::now();
    thread::scope(|scope| {
        let waiting: Vec<_> = (0..8).map(|_| scope.spawn(waits)).collect();
        // At most three of eight tabs wait, because a browser opens six connections.
        let left = || waiting.iter().filter(|one| !one.is_finished()).count();
        while left() > 3 && start.elapsed() < Duration::from_secs(10) {
            thread::sleep(Duration::from_millis(10));
        }
        thread::sleep(Duration::from_millis(300));
        assert_eq!(left(), 3);
        let (seen, _) = hosted.state(&all, 0);
        let mv = &seen["legal"][0];
        let asked = json!({ "act": "play", "seat": 0, "deal": 0, "after": 0, "moves": [mv] });
        assert_eq!(hosted.ask(&all, &asked).0, 200);
        for one in waiting {
            one.join().unwrap();
        }
    });
    // Without a change they would wait for 20 s.
    assert!(start.elapsed() < Duration::from_secs(18), "changes arrive at once");
}

#[test]
fn a_dealer_chooses_a_secret_rule() {
    let hosted = host::<parlour::Eleusis>("express", &["person", "person", "random", "random"]);
    let (dealer, player) = (hosted.paths[1].clone(), hosted.paths[2].clone());
    let (seen, _) = hosted.state(&player, 1);
    assert!(seen["asks_dealer"] == true && seen["view"].is_null(), "{seen}");
    let laid =
        |seat: u8, text: &str| json!({ "act": "preview_secret", "seat": seat, "text": text });
    let lay = |seat: u8, text: &str| json!({ "act": "set_secret", "seat": seat, "text": text });
    let (status, meant, _) = hosted.ask(&dealer, &laid(0, "same-suit"));
    assert_eq!(status, 200, "{meant}");
    assert_eq!(meant["right"].as_array().unwrap().len(), 52);
    let (_, meant, _) = hosted.ask(&dealer, &laid(0, "colour != last"));
    assert!(meant["fault"].as_str().unwrap().starts_with("not a rule: line 1"), "{meant}");
    assert_eq!(hosted.ask(&dealer, &lay(0, "true")).0, 409);
    assert_eq!(hosted.ask(&player, &lay(1, "same-suit")).0, 409);
    assert_eq!(hosted.ask(&dealer, &lay(0, "color != last.color")).0, 200);
    assert_eq!(hosted.ask(&dealer, &lay(0, "color != last.color")).0, 409, "it is dealt");
    let (seen, bytes) = hosted.state(&player, 1);
    assert!(seen["view"]["rule"].is_null() && seen["rules"]["secret"].is_null(), "{seen}");
    assert!(!bytes.contains("last.color"), "{bytes}");
    let (seen, _) = hosted.state(&dealer, 0);
    assert_eq!(seen["view"]["rule"], json!("color != last.color"));
    let starter = seen["view"]["public"]["mainline"][0].as_str().unwrap().to_owned();
    let (_, meant, _) = hosted.ask(&dealer, &laid(0, "color != last.color"));
    let right = meant["right"].as_array().unwrap();
    let black = |card: &str| card.ends_with(['S', 'C']);
    assert!(
        right.len() == 26 && right.iter().all(|c| black(c.as_str().unwrap()) != black(&starter))
    );
}
