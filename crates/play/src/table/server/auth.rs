//! Authentication of requests: the secret in the address, and the origin of the request.

use std::sync::{Mutex, PoisonError};

use super::request::Request;
use super::response::Response;
use crate::table::table::random_bytes;
use parlour_base::error::{Result, ensure};
use parlour_game::Seat;

/// The secret of an address, and its seats.
struct AccessKey {
    secret: String,
    seats: Vec<Seat>,
}

/// The addresses of a table, and the checks of each request.
pub struct Auth {
    port: u16,
    /// The first key is for all people.
    keys: Vec<AccessKey>,
    /// The secret of the one-time link, until it is used.
    one_time_secret: Mutex<Option<String>>,
}

impl Auth {
    /// Creates secrets for people at these seats.
    pub(super) fn new(port: u16, people: &[Seat]) -> Result<Auth> {
        let mut keys = vec![AccessKey { secret: new_secret()?, seats: people.to_vec() }];
        if people.len() > 1 {
            for seat in people {
                keys.push(AccessKey { secret: new_secret()?, seats: vec![*seat] });
            }
        }
        Ok(Auth { port, keys, one_time_secret: Mutex::new(Some(new_secret()?)) })
    }

    /// Returns the address for all people; with several people also the address of each seat.
    pub fn addresses(&self) -> Vec<(Vec<Seat>, String)> {
        let address = |key: &AccessKey| (key.seats.clone(), self.address(&key.secret));
        self.keys.iter().map(address).collect()
    }

    fn address(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}/{path}/", self.port)
    }

    /// Returns a link that works once and leads to the table's first address. Other users of the machine
    /// may see the arguments of a started browser, but the link is useless to them afterwards.
    pub fn one_time_link(&self) -> String {
        let secret = self.one_time_secret.lock().unwrap_or_else(PoisonError::into_inner);
        self.address(&format!("open/{}", secret.as_deref().unwrap_or_default()))
    }

    /// Checks a request. Returns the seats of its address, and the page that it asks for.
    ///
    /// # Errors
    /// The response to a request without access; a redirect from the one-time link to the table's
    /// address.
    pub(super) fn check<'a>(
        &'a self,
        request: &'a Request,
    ) -> std::result::Result<(&'a [Seat], &'a str), Response> {
        let hosts = check_host(self.port, request)?;
        let own = |origin: &String| hosts.iter().any(|host| *origin == format!("http://{host}"));
        let foreign = || Response::error(403, "only the table's own page may send requests");
        ensure(request.origin.as_ref().is_none_or(own), foreign)?;
        if request.is_post {
            let site = request.site.as_deref();
            let is_own = request.origin.is_some() && site.is_none_or(|site| site == "same-origin");
            ensure(is_own, foreign)?;
            ensure(request.is_json, || Response::error(415, "the body must be application/json"))?;
        }
        let unknown = || {
            Response::error(
                404,
                "there is no table at this address; it may be out of date. \
                 Use the address that the program printed",
            )
        };
        let path = request.path.strip_prefix('/').ok_or_else(unknown)?;
        let (first, rest) = path.split_once('/').ok_or_else(unknown)?;
        if first == "open" {
            let mut secret = self.one_time_secret.lock().unwrap_or_else(PoisonError::into_inner);
            let given = rest.trim_end_matches('/');
            ensure(secret.as_ref().is_some_and(|secret| is_same(secret, given)), || {
                let why = "this link works only once; use the address that the program printed";
                Response::error(410, why)
            })?;
            *secret = None;
            return Err(Response::redirect(&format!("/{}/", self.keys[0].secret)));
        }
        let key = self.keys.iter().find(|key| is_same(&key.secret, first)).ok_or_else(unknown)?;
        Ok((&key.seats, rest))
    }
}

/// Checks the host of a request, and returns the names of this server. Protects against DNS rebinding: a
/// foreign page sends its own host name.
///
/// # Errors
/// The response to a request for another host.
pub(super) fn check_host(
    port: u16,
    request: &Request,
) -> std::result::Result<Vec<String>, Response> {
    let mut hosts = vec![format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    if port == 80 {
        // Browsers omit the usual port.
        hosts.extend(["127.0.0.1".to_owned(), "localhost".to_owned()]);
    }
    ensure(request.host.as_ref().is_some_and(|host| hosts.contains(host)), || {
        Response::error(403, "this server answers only as 127.0.0.1 or localhost")
    })?;
    Ok(hosts)
}

/// Returns `true` if two secrets are equal; takes constant time.
fn is_same(one: &str, other: &str) -> bool {
    let differ = one.bytes().zip(other.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    one.len() == other.len() && differ == 0
}

/// Returns 128 random bits of the operating system.
fn new_secret() -> Result<String> {
    Ok(format!("{:032x}", u128::from_le_bytes(random_bytes()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the status of a request with this `Host`, or 200.
    fn status_at(port: u16, host: &str) -> u16 {
        let auth = Auth::new(port, &[Seat(0)]).unwrap();
        let path = format!("/{}/", auth.keys[0].secret);
        let request = Request { path, host: Some(host.to_owned()), ..Request::default() };
        auth.check(&request).map_or_else(|response| response.status, |_| 200)
    }

    #[test]
    fn browsers_omit_port_80() {
        assert_eq!(status_at(80, "127.0.0.1"), 200);
        assert_eq!(status_at(80, "localhost"), 200);
        assert_eq!(status_at(80, "127.0.0.1:80"), 200);
        assert_eq!(status_at(80, "127.0.0.1:8080"), 403);
        assert_eq!(status_at(8080, "127.0.0.1:8080"), 200);
        assert_eq!(status_at(8080, "127.0.0.1"), 403);
    }
}
