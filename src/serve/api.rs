//! The JSON API: the table of routes and what each takes.
//!
//! | route | takes | answers |
//! |---|---|---|
//! | `GET /api/info` | | version, sizes, levels, bounds, searches running |
//! | `POST /api/view` | a game | all that a board shows of its last position |
//! | `POST /api/game` | a game | its start, moves, text, and scores at each ply |
//! | `POST /api/picture` | a game | its last position as SVG |
//! | `POST /api/think` | a game, a limit | server-sent events: `thinking` ..., `done` |
//!
//! A game is `{"start": POSITION, "moves": [MOVE, ...]}` or `{"text": RECORD}`;
//! `think` takes `nodes`, `time_ms`, `lines` and `level` beside it. A refusal
//! is `{"error": REASON}` with a status that fits.

use super::thinking::Question;
use super::views::{GameView, View};
use super::{App, assets, guard};
use crate::drawing::svg;
use crate::play::{Budget, LEVELS, Level, Record};
use crate::rules::{MAX_FARMERS, MAX_SIZE, MIN_SIZE, Move, Position};
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, FromRequest, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// The largest request, in bytes.
const LARGEST: usize = 64 * 1024;
/// How long a request's body may take to arrive.
const BODY: Duration = Duration::from_secs(5);
/// The most moves of a game; no game has as many.
const MOST_MOVES: usize = 4000;
/// The most lines told of a search.
const MOST_LINES: usize = 20;

/// All routes, behind the guard.
pub(super) fn routes(app: Arc<App>) -> Router {
    Router::new()
        .route("/", get(assets::index))
        .route("/page/{name}", get(assets::file))
        .route("/api/info", get(info))
        .route("/api/view", post(view))
        .route("/api/game", post(game))
        .route("/api/picture", post(picture))
        .route("/api/think", post(think))
        .fallback(async || Refusal(StatusCode::NOT_FOUND, "there is nothing here".into()))
        .method_not_allowed_fallback(async || {
            Refusal(
                StatusCode::METHOD_NOT_ALLOWED,
                "not with this method".into(),
            )
        })
        .layer(DefaultBodyLimit::max(LARGEST))
        .layer(middleware::from_fn_with_state(
            Arc::clone(&app),
            guard::check,
        ))
        .with_state(app)
}

/// A request that isn't answered, and why.
#[derive(Debug)]
pub(super) struct Refusal(pub(super) StatusCode, pub(super) String);

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.0, Json(json!({ "error": self.1 }))).into_response()
    }
}

fn bad(reason: impl ToString) -> Refusal {
    Refusal(StatusCode::BAD_REQUEST, reason.to_string())
}

/// A JSON body of bounded size that arrives in bounded time.
struct Asked<T>(T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        // A page of another site can't send this type without being asked.
        if !is_json(request.headers()) {
            return Err(Refusal(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "the body must be application/json".into(),
            ));
        }
        let body = tokio::time::timeout(BODY, Bytes::from_request(request, state))
            .await
            .map_err(|_| Refusal(StatusCode::REQUEST_TIMEOUT, "the body is too slow".into()))?
            .map_err(|e| Refusal(e.status(), e.body_text()))?;
        serde_json::from_slice(&body).map(Asked).map_err(bad)
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .and_then(|kind| kind.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// A game as a request tells it.
#[derive(Deserialize)]
struct GameAsked {
    start: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    text: Option<String>,
}

impl GameAsked {
    fn read(&self) -> Result<Record, Refusal> {
        if let Some(text) = &self.text {
            return text.parse().map_err(bad);
        }
        if self.moves.len() > MOST_MOVES {
            return Err(bad(format!("more than {MOST_MOVES} moves")));
        }
        let start = self.start.as_deref().unwrap_or("start");
        let start: Position = start.parse().map_err(|e| bad(format!("start: {e}")))?;
        let mut record = Record::new(start);
        for (i, text) in self.moves.iter().enumerate() {
            let at = i + 1;
            let mv: Move = text.parse().map_err(|e| bad(format!("move {at}: {e}")))?;
            record
                .play(mv)
                .map_err(|e| bad(format!("move {at}, {mv}: {e}")))?;
        }
        Ok(record)
    }
}

async fn info(State(app): State<Arc<App>>) -> Response {
    let sizes: Vec<_> = (MIN_SIZE..=MAX_SIZE)
        .map(|size| json!({ "size": size, "farmers": Position::usual_farmers(size) }))
        .collect();
    let levels: Vec<_> = LEVELS
        .iter()
        .map(|level| json!({ "level": level.number, "name": level.name }))
        .collect();
    Json(json!({
        "name": "agros",
        "version": env!("CARGO_PKG_VERSION"),
        "sizes": sizes,
        "most_farmers": MAX_FARMERS,
        "levels": levels,
        "searches": app.searches.most(),
        "running": app.searches.running(),
        "longest_ms": millis(app.searches.longest()),
    }))
    .into_response()
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

async fn view(Asked(game): Asked<GameAsked>) -> Result<Response, Refusal> {
    Ok(Json(View::of(game.read()?.position())).into_response())
}

async fn game(Asked(game): Asked<GameAsked>) -> Result<Response, Refusal> {
    Ok(Json(GameView::of(&game.read()?)).into_response())
}

async fn picture(Asked(game): Asked<GameAsked>) -> Result<Response, Refusal> {
    let record = game.read()?;
    let picture = svg::draw(record.position(), record.moves().last().copied());
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], picture).into_response())
}

/// What to think about, and for how long.
#[derive(Deserialize)]
struct ThinkAsked {
    #[serde(flatten)]
    game: GameAsked,
    nodes: Option<u64>,
    time_ms: Option<u64>,
    lines: Option<usize>,
    level: Option<u8>,
}

async fn think(
    State(app): State<Arc<App>>,
    Asked(asked): Asked<ThinkAsked>,
) -> Result<Response, Refusal> {
    let level = match asked.level {
        None => None,
        Some(number) => {
            let most = LEVELS.len();
            let level = Level::of(number);
            Some(level.ok_or_else(|| bad(format!("level {number} is not 1 to {most}")))?)
        }
    };
    if asked.nodes == Some(0) || asked.time_ms == Some(0) {
        return Err(bad("a limit of 0 leaves nothing to think"));
    }
    let position = *asked.game.read()?.position();
    let time = asked.time_ms.map(Duration::from_millis);
    let budget = match level {
        Some(level) => level.budget(time.unwrap_or(Duration::from_secs(3))),
        None => Budget {
            nodes: asked.nodes,
            time,
            keep_going: true,
            fresh: false,
        },
    };
    let question = Question {
        position,
        budget,
        lines: asked.lines.unwrap_or(5).clamp(1, MOST_LINES),
        level,
    };
    let events = app.searches.ask(question).await?;
    Ok((
        [(header::CONTENT_TYPE, "text/event-stream")],
        Body::from_stream(events),
    )
        .into_response())
}
