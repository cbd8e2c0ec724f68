//! The default browser.

use std::process::{Command, Stdio};

/// Opens an address in the default browser where there is a screen for one. Whether it was started.
pub fn open_browser(address: &str) -> bool {
    let has_screen =
        ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    let opener = match std::env::consts::OS {
        "macos" => "open",
        _ if has_screen => "xdg-open",
        _ => return false,
    };
    let started = Command::new(opener)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = started else { return false };
    // It ends when it has told the browser; nobody waits for it.
    _ = std::thread::Builder::new().spawn(move || child.wait());
    true
}
