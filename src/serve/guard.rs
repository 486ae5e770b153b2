//! Who may talk to the server.
//!
//! A page of some other site could send requests here from the browser of
//! whoever runs the server, and a name that its owner points at 127.0.0.1
//! ("DNS rebinding") would make the browser show it the answers. So a request
//! must name a host that we know, and one that a page sent must come from a
//! page of ours. An address in digits can't be rebound, so that any will do
//! where the server listens beyond loopback.

use super::App;
use super::api::Refusal;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

/// The hosts that requests may name.
pub(super) struct Hosts {
    port: u16,
    only_loopback: bool,
    names: Vec<String>,
}

impl Hosts {
    pub(super) fn new(address: SocketAddr, names: Vec<String>) -> Hosts {
        Hosts {
            port: address.port(),
            only_loopback: address.ip().is_loopback(),
            names,
        }
    }

    /// Whether a Host header names us.
    fn knows(&self, host: &str) -> bool {
        let (name, port) = split_port(host);
        if port.is_some_and(|port| port != self.port.to_string()) {
            return false;
        }
        if name.eq_ignore_ascii_case("localhost") {
            return true;
        }
        match name
            .trim_start_matches('[')
            .trim_end_matches(']')
            .parse::<IpAddr>()
        {
            Ok(ip) => ip.is_loopback() || !self.only_loopback,
            Err(_) => self
                .names
                .iter()
                .any(|known| known.eq_ignore_ascii_case(name)),
        }
    }

    /// Why a request is refused, if it is.
    fn refusal(&self, headers: &HeaderMap) -> Option<&'static str> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = match (hosts.next().map(HeaderValue::to_str), hosts.next()) {
            (Some(Ok(host)), None) if self.knows(host) => host,
            _ => return Some("this server does not answer to that host"),
        };
        let origin = headers.get(header::ORIGIN)?;
        let same = origin
            .to_str()
            .is_ok_and(|origin| origin.strip_prefix("http://") == Some(host));
        (!same).then_some("this server does not answer pages of another origin")
    }
}

/// Splits `host:port` and `[v6]:port`.
fn split_port(host: &str) -> (&str, Option<&str>) {
    match host.rsplit_once(':') {
        Some((name, port)) if !name.contains(':') || name.ends_with(']') => (name, Some(port)),
        _ => (host, None),
    }
}

/// Refuses foreign requests, and tells browsers to run nothing foreign here.
pub(super) async fn check(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let mut response = match app.hosts.refusal(request.headers()) {
        Some(reason) => Refusal(StatusCode::FORBIDDEN, reason.into()).into_response(),
        None => next.run(request).await,
    };
    for (name, value) in [
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
             connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
    ] {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(address: &str, names: &[&str]) -> Hosts {
        let names = names.iter().map(ToString::to_string).collect();
        Hosts::new(address.parse().unwrap(), names)
    }

    #[test]
    fn only_our_own_hosts_are_known() {
        let loopback = hosts("127.0.0.1:7878", &[]);
        for host in [
            "localhost:7878",
            "127.0.0.1:7878",
            "[::1]:7878",
            "LOCALHOST:7878",
            "localhost",
        ] {
            assert!(loopback.knows(host), "{host}");
        }
        for host in [
            "evil.example",
            "evil.example:7878",
            "localhost:80",
            "localhost.evil.example:7878",
            "192.168.1.5:7878",
            "",
            ":7878",
            "[::1]x",
            "a:b:c",
        ] {
            assert!(!loopback.knows(host), "{host}");
        }
        let lan = hosts("0.0.0.0:7878", &["board.example"]);
        assert!(lan.knows("192.168.1.5:7878") && lan.knows("board.example:7878"));
        assert!(!lan.knows("evil.example:7878"));
    }

    #[test]
    fn a_page_of_another_origin_is_refused() {
        let hosts = hosts("127.0.0.1:7878", &[]);
        let headers = |origin: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, "localhost:7878".parse().unwrap());
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, origin.parse().unwrap());
            }
            headers
        };
        assert_eq!(hosts.refusal(&headers(None)), None);
        assert_eq!(hosts.refusal(&headers(Some("http://localhost:7878"))), None);
        for origin in [
            "http://evil.example",
            "null",
            "https://localhost:7878",
            "http://localhost:7879",
            "http://127.0.0.1:7878",
        ] {
            assert!(hosts.refusal(&headers(Some(origin))).is_some(), "{origin}");
        }
        assert!(hosts.refusal(&HeaderMap::new()).is_some());
    }
}
