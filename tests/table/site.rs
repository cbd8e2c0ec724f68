//! `parlour serve` as a program: a folder of files on the loopback address.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Stdio;

use crate::cli::common::{fail, parlour};

/// Sends a request with this host; returns the response.
fn send(port: &str, method: &str, path: &str, host: &str) -> String {
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
    let request = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut response = Vec::new();
    stream.read_to_end(&mut response).unwrap();
    String::from_utf8_lossy(&response).into_owned()
}

#[test]
fn the_files_of_a_folder_are_served_and_no_others() {
    let here = tempfile::tempdir().unwrap();
    let site = here.path().join("site");
    fs::create_dir_all(site.join("results")).unwrap();
    fs::write(here.path().join("secret"), "secret").unwrap();
    fs::write(site.join("index.html"), "the page").unwrap();
    fs::write(site.join("results/index.html"), "the results").unwrap();
    fs::write(site.join("parlour_web.js"), "").unwrap();
    fs::write(site.join("module.wasm"), [0, 255]).unwrap();
    std::os::unix::fs::symlink("../secret", site.join("link")).unwrap();
    std::os::unix::fs::symlink("..", site.join("above")).unwrap();
    let mut command = parlour(here.path());
    command.args(["serve", "site", "--no-open"]).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let port = line.trim().strip_prefix("The site: http://127.0.0.1:").unwrap();
    let port = port.strip_suffix('/').unwrap();
    let own = format!("127.0.0.1:{port}");
    let get = |path: &str| send(port, "GET", path, &own);
    for (path, kind, body) in [
        ("/", "text/html", "the page"),
        ("/index.html?a=b", "text/html", "the page"),
        ("/results/", "text/html", "the results"),
        ("/module.wasm", "application/wasm\r\n", "\0\u{fffd}"),
    ] {
        let answer = get(path);
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
        assert!(answer.contains(&format!("Content-Type: {kind}")), "{path}: {answer}");
        assert!(answer.ends_with(&format!("\r\n\r\n{body}")), "{path}: {answer}");
    }
    for path in [
        "/none",
        "/../secret",
        "/link",
        "/above/secret",
        "//etc/passwd",
        "/results/../../secret",
        "/%2e%2e/secret",
    ] {
        let answer = get(path);
        assert!(answer.starts_with("HTTP/1.1 404"), "{path}: {answer}");
        assert!(answer.ends_with("{\"error\":\"there is no such file\"}"), "{path}: {answer}");
    }
    let led = get("/results");
    assert!(led.starts_with("HTTP/1.1 303") && led.contains("Location: /results/\r\n"), "{led}");
    // Another site's name may lead to this machine.
    assert!(send(port, "GET", "/", "evil.example").starts_with("HTTP/1.1 403"));
    assert!(send(port, "POST", "/", &own).starts_with("HTTP/1.1 405"));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_folder_without_a_site_is_refused() {
    let here = tempfile::tempdir().unwrap();
    fs::create_dir(here.path().join("empty")).unwrap();
    for arguments in [&["serve"][..], &["serve", "empty"], &["serve", "missing"]] {
        fail(here.path(), arguments, 2, &["no site is here", "cargo xtask site"]);
    }
}
