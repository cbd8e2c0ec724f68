//! The files of the site.

use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::request::Request;
use super::response::Response;
use parlour_base::error::{Error, Result};

/// Returns the folder of a site, with all links resolved.
///
/// # Errors
/// Bad input if no site is there.
pub(super) fn open(folder: &Path) -> Result<PathBuf> {
    let shown = folder.display();
    let folder = folder.canonicalize().ok().filter(|folder| folder.join("parlour_web.js").exists());
    folder.ok_or_else(|| {
        Error::input(format!(
            "{shown}: no site is here; `cargo xtask site` makes one in `target/site`"
        ))
    })
}

/// Returns a file of the folder. Links that lead out of it are not followed.
pub(super) fn respond(folder: &Path, request: &Request) -> Response {
    if request.is_post {
        return Response::error(405, "only GET is supported here");
    }
    let path = Path::new(request.path.trim_start_matches('/'));
    let is_plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    let mut file = folder.join(path);
    if is_plain && file.is_dir() {
        // Links in its page are relative to the folder.
        if !request.path.ends_with('/') {
            return Response::redirect(&format!("/{}/", path.display()));
        }
        file.push("index.html");
    }
    let file = file.canonicalize().ok().filter(|file| is_plain && file.starts_with(folder));
    match file.and_then(|file| Some((kind(&file), fs::read(&file).ok()?))) {
        Some((kind, bytes)) => Response::file(kind, bytes),
        None => Response::error(404, "there is no such file"),
    }
}

/// Returns the media type of a file.
fn kind(file: &Path) -> &'static str {
    match file.extension().and_then(OsStr::to_str).unwrap_or_default() {
        "html" => "text/html",
        "js" => "text/javascript",
        "css" => "text/css",
        "wasm" => "application/wasm",
        "json" => "application/json",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "csv" | "jsonl" | "md" | "txt" => "text/plain",
        _ => "application/octet-stream",
    }
}
