//! Where all workers meet when the slab is full, so that one of them can
//! recycle it alone. Nothing else in the search takes a lock.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

struct Count {
    running: usize,
    parked: usize,
    round: u64,
}

/// The meeting point of a fixed number of workers.
pub(super) struct Rendezvous {
    wanted: AtomicBool,
    count: Mutex<Count>,
    changed: Condvar,
}

impl Rendezvous {
    pub(super) fn new(workers: usize) -> Rendezvous {
        Rendezvous {
            wanted: AtomicBool::new(false),
            count: Mutex::new(Count {
                running: workers,
                parked: 0,
                round: 0,
            }),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Count> {
        self.count.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks all workers to meet.
    pub(super) fn call(&self) {
        self.wanted.store(true, Relaxed);
    }

    /// Whether a meeting was called; to be asked between simulations.
    pub(super) fn wanted(&self) -> bool {
        self.wanted.load(Relaxed)
    }

    /// Waits for the others; the last to come runs `alone` while all wait.
    pub(super) fn meet(&self, alone: impl FnOnce()) {
        let mut count = self.lock();
        if !self.wanted() {
            return;
        }
        let round = count.round;
        count.parked += 1;
        while count.round == round {
            if count.parked == count.running {
                alone();
                self.wanted.store(false, Relaxed);
                count.parked = 0;
                count.round += 1;
                self.changed.notify_all();
                return;
            }
            count = self
                .changed
                .wait(count)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// For a worker to hold as long as it works.
    pub(super) fn enter(&self) -> Presence<'_> {
        Presence(self)
    }
}

/// A worker's presence: once dropped, even by a panic, nobody waits for it.
pub(super) struct Presence<'r>(&'r Rendezvous);

impl Drop for Presence<'_> {
    fn drop(&mut self) {
        self.0.lock().running -= 1;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    #[test]
    fn meetings_are_exclusive_and_never_hang() {
        let place = Rendezvous::new(4);
        let (busy, meetings) = (AtomicU32::new(0), AtomicU32::new(0));
        std::thread::scope(|scope| {
            for worker in 0..4 {
                let (place, busy, meetings) = (&place, &busy, &meetings);
                scope.spawn(move || {
                    let _presence = place.enter();
                    for step in 0..1000 + 300 * worker {
                        if place.wanted() {
                            place.meet(|| {
                                assert_eq!(busy.load(Relaxed), 0);
                                meetings.fetch_add(1, Relaxed);
                            });
                        }
                        busy.fetch_add(1, Relaxed);
                        if step % 100 == 7 {
                            place.call();
                        }
                        busy.fetch_sub(1, Relaxed);
                    }
                });
            }
        });
        assert!(meetings.load(Relaxed) > 0);
    }

    #[test]
    fn nobody_waits_for_a_worker_that_panicked() {
        let place = Rendezvous::new(2);
        let ended = std::thread::scope(|scope| {
            let other = scope.spawn(|| {
                let _presence = place.enter();
                panic!("on purpose");
            });
            let _presence = place.enter();
            place.call();
            place.meet(|| ());
            other.join()
        });
        assert!(ended.is_err());
    }
}
