//! What every request must be, and what every answer has.
//!
//! A server on this machine can be reached by every site that a reader visits: the browser sends the
//! requests. A site can give its own name to the address of this machine, and then read the answers.
//! So the guard refuses names that are not names of this machine, and everything that a page of
//! another site changes or asks with a script.

use crate::refusal::Refusal;
use crate::site::Shared;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderName, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;

/// A longer body is refused.
pub(crate) const LONGEST_BODY: usize = 64 << 10;

/// A page names its own script and styles in its head. This policy adds what only a header can say.
const POLICY_OF_PAGES: &str = "frame-ancestors 'none'; base-uri 'none'; object-src 'none'";
const POLICY_OF_DATA: &str = "default-src 'none'; frame-ancestors 'none'";

/// The routes, behind the guard.
pub(crate) fn protect(router: Router, shared: Shared) -> Router {
    router.layer(DefaultBodyLimit::max(LONGEST_BODY)).layer(from_fn_with_state(shared, guard))
}

async fn guard(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let mut response = match check(&request) {
        Err(refusal) => refusal.render(&shared, &path),
        Ok(()) => {
            let response = next.run(request).await;
            let status = response.status();
            let known = response.extensions().get::<Refusal>().cloned();
            let unknown =
                || (status.is_client_error() || status.is_server_error()).then(|| Refusal::of_status(status));
            match known.or_else(unknown) {
                None => response,
                Some(refusal) => {
                    let mut page = refusal.render(&shared, &path);
                    if let Some(methods) = response.headers().get(ALLOW) {
                        page.headers_mut().insert(ALLOW, methods.clone());
                    }
                    page
                }
            }
        }
    };
    add_headers(response.headers_mut());
    response
}

/// Is this a request of a reader of this server?
fn check(request: &Request) -> Result<(), Refusal> {
    let foreign = |what: String| Err(Refusal::new(StatusCode::FORBIDDEN, what));
    let headers = request.headers();
    let host = only(headers, &HOST);
    let Some(host) = host.filter(|host| is_this_machine(host)) else {
        let name = host.unwrap_or("no name, or several");
        return foreign(format!(
            "this server answers only to the names 127.0.0.1 and localhost, and the request was for {name}"
        ));
    };
    if request.uri().authority().is_some_and(|authority| authority.as_str() != host) {
        return foreign("the address and the header `Host` of the request name different servers".to_owned());
    }
    if let Some(origin) = headers.get(ORIGIN)
        && origin.as_bytes() != format!("http://{host}").as_bytes()
    {
        let origin = String::from_utf8_lossy(origin.as_bytes());
        return foreign(format!(
            "pages of other sites may not use this server, and the request came from {origin}"
        ));
    }
    let reads = [Method::GET, Method::HEAD].contains(request.method());
    let site = headers.get("sec-fetch-site").map_or("", |site| site.to_str().unwrap_or("cross-site"));
    if !reads && ["cross-site", "same-site"].contains(&site) {
        return foreign("pages of other sites may not use this server".to_owned());
    }
    Ok(())
}

/// The value of a header that must be there once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// A name of this machine, with any port: somebody may reach the server through a tunnel.
fn is_this_machine(host: &str) -> bool {
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let name = host.rsplit_once(':').filter(|(_, port)| is_port(port)).map_or(host, |(name, _)| name);
    ["127.0.0.1", "[::1]"].contains(&name) || name.eq_ignore_ascii_case("localhost")
}

fn add_headers(headers: &mut HeaderMap) {
    let is_page = headers.get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    let policy = if is_page { POLICY_OF_PAGES } else { POLICY_OF_DATA };
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, policy),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        // Results change while they are looked at, and a table is nobody else's.
        (CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    fn request(method: &str, headers: &[(&str, &str)]) -> Result<(), String> {
        let mut request = axum::http::Request::builder().method(method).uri("/");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        check(&request.body(Body::empty()).unwrap()).map_err(|refusal| refusal.to_string())
    }

    #[test]
    fn only_names_of_this_machine_are_answered() {
        for host in ["127.0.0.1:7777", "localhost", "LOCALHOST:80", "[::1]:7777"] {
            assert_eq!(request("GET", &[("host", host)]), Ok(()), "{host}");
        }
        for host in [
            "evil.example",
            "127.0.0.1.evil.example:7777",
            "localhost:7777:80",
            "localhost:",
            "",
            "[::1",
            "0",
        ] {
            let told = request("GET", &[("host", host)]).unwrap_err();
            assert!(told.contains("localhost"), "{host}: {told}");
        }
        assert!(request("GET", &[]).is_err());
        assert!(request("GET", &[("host", "localhost"), ("host", "evil.example")]).is_err());
    }

    #[test]
    fn pages_of_other_sites_may_not_use_the_server() {
        let host = ("host", "127.0.0.1:7777");
        let from = |method, origin| request(method, &[host, ("origin", origin)]);
        assert_eq!(from("POST", "http://127.0.0.1:7777"), Ok(()));
        for origin in ["null", "http://evil.example", "http://127.0.0.1:8000", "https://127.0.0.1:7777", ""] {
            assert!(from("POST", origin).is_err(), "{origin}");
            assert!(from("GET", origin).is_err(), "{origin}");
        }
        // A link on another site may lead here. A form may not.
        let site = ("sec-fetch-site", "cross-site");
        assert_eq!(request("GET", &[host, site]), Ok(()));
        assert!(request("POST", &[host, site]).is_err());
        assert_eq!(request("POST", &[host, ("sec-fetch-site", "same-origin")]), Ok(()));
    }
}
