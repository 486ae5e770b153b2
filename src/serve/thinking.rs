//! Searches for those who ask: a bounded number at once, each on a thinker of
//! its own that is used again, each ended when nobody listens any more.

use super::MakeThinker;
use super::api::Refusal;
use super::views::ThoughtView;
use crate::play::{Budget, Level, Thinker};
use crate::rules::Position;
use axum::http::StatusCode;
use futures_util::stream::{Stream, unfold};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

/// How long to wait for a place: a search that was just told to stop leaves
/// its place within milliseconds.
const PATIENCE: Duration = Duration::from_secs(2);

/// The searches that run, and the thinkers that rest.
pub(super) struct Searches {
    places: Arc<Semaphore>,
    most: usize,
    longest: Duration,
    resting: Arc<Mutex<Vec<Box<dyn Thinker>>>>,
    make: Arc<MakeThinker>,
    /// Gives each choice among good moves a seed of its own.
    asked: AtomicU64,
}

/// What to think about, and how.
pub(super) struct Question {
    pub(super) position: Position,
    pub(super) budget: Budget,
    /// So many of the best moves are told.
    pub(super) lines: usize,
    /// The level that chooses a move at the end.
    pub(super) level: Option<Level>,
}

/// The latest of a search: its text, and whether it is the last.
#[derive(Clone, Default)]
struct News {
    text: Arc<str>,
    is_last: bool,
}

/// Stops the search when whoever asked goes away.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Searches {
    pub(super) fn new(most: usize, longest: Duration, make: MakeThinker) -> Searches {
        let most = most.clamp(1, 64);
        Searches {
            places: Arc::new(Semaphore::new(most)),
            most,
            longest,
            resting: Arc::default(),
            make: Arc::new(make),
            asked: AtomicU64::new(0),
        }
    }

    /// Searches that may run at once.
    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// The longest that a search may take.
    pub(super) fn longest(&self) -> Duration {
        self.longest
    }

    /// Searches that run now.
    pub(super) fn running(&self) -> usize {
        self.most - self.places.available_permits()
    }

    /// Begins a search. The stream tells the latest of it as server-sent
    /// events; a reader who is slow misses some, never the last.
    pub(super) async fn ask(
        &self,
        mut question: Question,
    ) -> Result<impl Stream<Item = Result<String, Infallible>> + use<>, Refusal> {
        let place = tokio::time::timeout(PATIENCE, Arc::clone(&self.places).acquire_owned())
            .await
            .ok()
            .and_then(Result::ok)
            .ok_or_else(|| {
                let reason = format!("{} searches run already; try again", self.most);
                Refusal(StatusCode::SERVICE_UNAVAILABLE, reason)
            })?;
        let time = question.budget.time.unwrap_or(self.longest);
        question.budget.time = Some(time.min(self.longest));
        let seed = self.asked.fetch_add(1, Ordering::Relaxed);
        let stop = Arc::new(AtomicBool::new(false));
        let (tell, hear) = watch::channel(News::default());
        let search = Search {
            question,
            seed,
            stop: Arc::clone(&stop),
            tell,
            resting: Arc::clone(&self.resting),
            make: Arc::clone(&self.make),
            _place: place,
        };
        tokio::task::spawn_blocking(move || search.run());
        Ok(listen(hear, StopOnDrop(stop)))
    }
}

/// A search on a thread of its own.
struct Search {
    question: Question,
    seed: u64,
    stop: Arc<AtomicBool>,
    tell: watch::Sender<News>,
    resting: Arc<Mutex<Vec<Box<dyn Thinker>>>>,
    make: Arc<MakeThinker>,
    /// Given back when the search has ended, and its thinker rests.
    _place: OwnedSemaphorePermit,
}

impl Search {
    fn run(self) {
        let rested = lock(&self.resting).pop();
        let mut thinker = rested.unwrap_or_else(|| (self.make)());
        let Question {
            position,
            budget,
            lines,
            level,
        } = &self.question;
        let thought = thinker.think(position, budget, &self.stop, &mut |thought| {
            self.send("thinking", &ThoughtView::of(thought, *lines));
        });
        let mut view = ThoughtView::of(&thought, *lines);
        if let Some(level) = level {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
            let choice = level.choose(&thought, position.side(), &mut rng);
            view.choice = choice.map(|mv| mv.to_string());
        }
        lock(&self.resting).push(thinker);
        self.send("done", &view);
    }

    fn send(&self, event: &str, view: &ThoughtView) {
        // A view is numbers and strings; making JSON of it can't fail.
        let Ok(data) = serde_json::to_string(view) else {
            return;
        };
        self.tell.send_replace(News {
            text: format!("event: {event}\ndata: {data}\n\n").into(),
            is_last: event == "done",
        });
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The news of a search, until the last.
fn listen(
    hear: watch::Receiver<News>,
    stop: StopOnDrop,
) -> impl Stream<Item = Result<String, Infallible>> {
    unfold(Some((hear, stop)), |state| async move {
        let (mut hear, stop) = state?;
        if hear.changed().await.is_err() {
            let text = "event: failed\ndata: {\"error\":\"the search failed\"}\n\n";
            return Some((Ok(text.to_owned()), None));
        }
        let news = hear.borrow_and_update().clone();
        let rest = (!news.is_last).then_some((hear, stop));
        Some((Ok(news.text.to_string()), rest))
    })
}
