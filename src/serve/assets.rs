//! The page: a few small files in the binary itself, so that neither a network
//! nor Node is needed.

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

/// A file of the page.
struct Asset {
    name: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

macro_rules! assets {
    ($($name:literal: $kind:expr),* $(,)?) => {
        &[$(Asset {
            name: $name,
            kind: $kind,
            bytes: include_bytes!(concat!("page/", $name)),
        }),*]
    };
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

const ASSETS: &[Asset] = assets! {
    "index.html": HTML,
    "style.css": CSS,
    "icon.svg": "image/svg+xml",
    "main.js": SCRIPT,
    "api.js": SCRIPT,
    "board.js": SCRIPT,
    "clock.js": SCRIPT,
    "controls.js": SCRIPT,
    "game.js": SCRIPT,
    "graph.js": SCRIPT,
    "panels.js": SCRIPT,
    "text.js": SCRIPT,
};

/// `GET /`
pub(super) async fn index() -> Response {
    find("index.html")
}

/// `GET /page/NAME`
pub(super) async fn file(Path(name): Path<String>) -> Response {
    find(&name)
}

fn find(name: &str) -> Response {
    match ASSETS.iter().find(|asset| asset.name == name) {
        Some(asset) => ([(header::CONTENT_TYPE, asset.kind)], asset.bytes).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_page_stays_under_100_kilobytes() {
        let bytes: usize = ASSETS.iter().map(|asset| asset.bytes.len()).sum();
        assert!(bytes < 100_000, "{bytes} bytes");
    }
}
