//! The search on small games whose results are known: tic-tac-toe, and taking
//! numbers from the ends of a row, where the same player may move again.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use agros::search::{
    Actor, Bounds, Child, Children, Clock, Evaluator, Game, Limits, Params, Report, Searcher,
    Settings, StopReason,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn other(actor: Actor) -> Actor {
    if actor == Actor::First {
        Actor::Second
    } else {
        Actor::First
    }
}

/// A key for a game's state, by the standard library's hash.
fn hashed(state: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    state.hash(&mut hasher);
    hasher.finish()
}

/// Players take a number from either end of a row. Whoever takes an even one
/// moves again. The margin is the difference of the sums.
#[derive(Clone, PartialEq, Hash, Debug)]
struct Row {
    numbers: Vec<i16>,
    taken: i16,
    actor: Actor,
}

impl Row {
    fn random(length: usize, seed: u64) -> Row {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        Row {
            numbers: (0..length).map(|_| rng.random_range(0..12)).collect(),
            taken: 0,
            actor: Actor::First,
        }
    }

    /// The margin under best play, by plain recursion.
    fn solve(&self) -> i16 {
        self.outcome().unwrap_or_else(|| {
            let values = [0, 1]
                .into_iter()
                .filter(|&end| end == 0 || self.numbers.len() > 1);
            let values = values.map(|end| self.after(end).solve());
            match self.actor {
                Actor::First => values.max().unwrap(),
                Actor::Second => values.min().unwrap(),
            }
        })
    }

    fn after(&self, end: u16) -> Row {
        let mut next = self.clone();
        next.play(end);
        next
    }
}

impl Game for Row {
    type Move = u16;
    fn actor(&self) -> Actor {
        self.actor
    }
    fn outcome(&self) -> Option<i16> {
        self.numbers.is_empty().then_some(self.taken)
    }
    fn play(&mut self, end: u16) {
        let number = if end == 0 {
            self.numbers.remove(0)
        } else {
            self.numbers.pop().unwrap()
        };
        self.taken += number * self.actor.sign() as i16;
        if number % 2 != 0 {
            self.actor = other(self.actor);
        }
    }
    fn key(&self) -> u64 {
        hashed(self)
    }
    fn pack(mv: u16) -> u16 {
        mv
    }
    fn unpack(&self, bits: u16) -> u16 {
        bits
    }
}

/// Judges a row by what has been taken so far.
struct Greedy;

impl Evaluator<Row> for Greedy {
    fn judge(&self, state: &Row, children: &mut Children<Row>) {
        for end in 0..(state.numbers.len().min(2) as u16) {
            let next = state.after(end);
            let taken = f32::from(next.taken);
            let bounds = next.outcome().map_or(Bounds::OPEN, Bounds::exact);
            let likely = state.actor.sign() * taken * 0.2;
            children.push(Child {
                mv: end,
                logit: taken * 0.2,
                margin: taken,
                policy: likely,
                bounds,
            });
        }
    }
}

/// Tic-tac-toe: the cells of both players as bits.
#[derive(Clone, PartialEq, Hash, Debug, Default)]
struct Noughts {
    cells: [u16; 2],
}

impl Noughts {
    fn won(&self, player: usize) -> bool {
        [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124]
            .into_iter()
            .any(|line| self.cells[player] & line == line)
    }
}

impl Game for Noughts {
    type Move = u16;
    fn actor(&self) -> Actor {
        let count = (self.cells[0] | self.cells[1]).count_ones();
        if count.is_multiple_of(2) {
            Actor::First
        } else {
            Actor::Second
        }
    }
    fn outcome(&self) -> Option<i16> {
        match (self.won(0), self.won(1), self.cells[0] | self.cells[1]) {
            (true, _, _) => Some(1),
            (_, true, _) => Some(-1),
            (_, _, 0o777) => Some(0),
            _ => None,
        }
    }
    fn play(&mut self, cell: u16) {
        let player = usize::from(self.actor() == Actor::Second);
        self.cells[player] |= 1 << cell;
    }
    fn key(&self) -> u64 {
        hashed(self)
    }
    fn pack(mv: u16) -> u16 {
        mv
    }
    fn unpack(&self, bits: u16) -> u16 {
        bits
    }
}

/// Knows nothing but finished games.
struct Ignorant;

impl Evaluator<Noughts> for Ignorant {
    fn judge(&self, state: &Noughts, children: &mut Children<Noughts>) {
        for cell in (0..9).filter(|cell| (state.cells[0] | state.cells[1]) >> cell & 1 == 0) {
            let mut next = state.clone();
            next.play(cell);
            let bounds = next.outcome().map_or(Bounds::OPEN, Bounds::exact);
            children.push(Child::unjudged(cell, bounds));
        }
    }
}

fn searcher<G: Game>(threads: usize, hash_mib: usize, seed: u64) -> Searcher<G> {
    Searcher::new(Settings {
        threads,
        hash_mib,
        seed,
        ..Settings::default()
    })
}

fn run<G: Game, E: Evaluator<G>>(
    searcher: &mut Searcher<G>,
    root: &G,
    evaluator: &E,
    limits: &Limits,
) -> Report<G::Move> {
    searcher.search(
        root,
        evaluator,
        limits,
        &AtomicBool::new(false),
        &mut |_| (),
    )
}

#[test]
fn proves_the_margins_of_rows() {
    for threads in [1, 3] {
        for seed in 0..60 {
            let root = Row::random(4 + seed as usize % 9, seed);
            let best = root.solve();
            let mut searcher = searcher(threads, 4, seed);
            let limits = Limits {
                keep_going: true,
                ..Limits::nodes(200_000)
            };
            let report = run(&mut searcher, &root, &Greedy, &limits);
            assert_eq!(
                report.stop,
                Some(StopReason::Proven),
                "seed {seed}: {report:?}"
            );
            assert_eq!(report.bounds, Bounds::exact(best), "seed {seed}");
            assert_eq!(
                root.after(report.best().unwrap()).solve(),
                best,
                "seed {seed}"
            );
            assert_eq!(report.margin, f32::from(best));
        }
    }
}

#[test]
fn bounds_never_contradict_the_solution() {
    for seed in 100..160 {
        let root = Row::random(14, seed);
        let mut searcher = searcher(1, 1, seed);
        let report = run(&mut searcher, &root, &Greedy, &Limits::nodes(40 + seed));
        for line in &report.lines {
            let exact = root.after(line.mv).solve();
            assert!(
                (line.bounds.lo..=line.bounds.hi).contains(&exact),
                "{line:?} is {exact}"
            );
        }
    }
}

#[test]
fn tic_tac_toe_is_a_draw_and_mistakes_lose() {
    let report = run(
        &mut searcher(1, 8, 0),
        &Noughts::default(),
        &Ignorant,
        &Limits::nodes(1 << 20),
    );
    assert_eq!(
        (report.stop, report.bounds),
        (Some(StopReason::Proven), Bounds::exact(0))
    );
    let threat = Noughts { cells: [0o3, 0o20] };
    let report = run(
        &mut searcher(1, 8, 0),
        &threat,
        &Ignorant,
        &Limits::nodes(1 << 20),
    );
    assert_eq!(report.best(), Some(2), "the first row must be blocked");
}

#[test]
fn nodes_are_exact() {
    let root = Row::random(60, 5);
    for threads in [1, 2, 4] {
        for nodes in [1, 2, 3, 1000, 30_001] {
            let report = run(
                &mut searcher(threads, 16, 1),
                &root,
                &Greedy,
                &Limits::nodes(nodes),
            );
            assert_eq!(report.nodes, nodes);
            assert_eq!(u64::from(report.visits), nodes);
            assert_eq!(report.stop, Some(StopReason::Nodes));
            let below: u64 = report.lines.iter().map(|line| u64::from(line.visits)).sum();
            assert_eq!(
                below,
                nodes - 1,
                "every simulation but the first went through a move"
            );
        }
    }
}

#[test]
fn a_full_tree_is_recycled_and_goes_on() {
    for threads in [1, 3] {
        let root = Row::random(200, 9);
        let report = run(
            &mut searcher(threads, 1, 1),
            &root,
            &Greedy,
            &Limits::nodes(300_000),
        );
        assert_eq!(report.nodes, 300_000);
        assert_eq!(report.visits, 300_000, "the root's statistics stay");
        assert!(report.hashfull <= 1000);
    }
}

#[test]
fn one_thread_repeats_itself_and_seeds_differ() {
    let root = Row::random(40, 3);
    let play = |seed| {
        let report = run(
            &mut searcher(1, 1, seed),
            &root,
            &Greedy,
            &Limits::nodes(60_000),
        );
        (report.lines, report.winrate)
    };
    assert_eq!(play(1), play(1));
    assert_ne!(play(1).0, play(2).0);
}

#[test]
fn the_tree_is_reused_after_a_move_and_a_reply() {
    let mut root = Row::random(60, 11);
    let mut searcher = searcher(1, 1, 0);
    for _ in 0..10 {
        let report = run(&mut searcher, &root, &Greedy, &Limits::nodes(5_000));
        let line = &report.lines[0];
        root = root.after(line.pv[0]);
        let next = run(&mut searcher, &root, &Greedy, &Limits::nodes(1));
        assert!(
            next.visits >= line.visits,
            "{} after {}",
            next.visits,
            line.visits
        );
        assert!(next.lines.iter().map(|line| line.visits).sum::<u32>() <= next.visits);
    }
    let unrelated = Row::random(61, 12);
    assert_eq!(
        run(&mut searcher, &unrelated, &Greedy, &Limits::nodes(10)).visits,
        10
    );
}

#[test]
fn forced_and_finished_games_stop_at_once() {
    let one = Row {
        numbers: vec![4],
        taken: 1,
        actor: Actor::Second,
    };
    let report = run(
        &mut searcher(2, 1, 0),
        &one,
        &Greedy,
        &Limits::time(Duration::from_secs(9)),
    );
    assert_eq!(
        (report.best(), report.stop),
        (Some(0), Some(StopReason::Proven))
    );
    let none = Row {
        numbers: vec![],
        taken: -3,
        actor: Actor::First,
    };
    let report = run(&mut searcher(2, 1, 0), &none, &Greedy, &Limits::default());
    assert_eq!(
        (report.best(), report.stop),
        (None, Some(StopReason::GameOver))
    );
    assert_eq!((report.winrate, report.margin), (0.0, -3.0));
}

#[test]
fn time_is_kept() {
    let root = Row::random(150, 2);
    for threads in [1, 2] {
        for millis in [0, 1, 20, 100] {
            let start = Instant::now();
            let limits = Limits::time(Duration::from_millis(millis));
            let report = run(&mut searcher(threads, 4, 0), &root, &Greedy, &limits);
            assert!(report.nodes >= 1 && report.best().is_some());
            assert_eq!(report.stop, Some(StopReason::Time));
            assert!(start.elapsed() < Duration::from_millis(millis + 150));
        }
        let clock = Clock {
            remaining: Duration::from_millis(400),
            increment: Duration::ZERO,
            moves_to_go: 10,
        };
        let limits = Limits {
            clock: Some(clock),
            ..Limits::default()
        };
        let report = run(&mut searcher(threads, 4, 0), &root, &Greedy, &limits);
        assert!(
            report.time < Duration::from_millis(280),
            "{:?}",
            report.time
        );
        assert!(matches!(
            report.stop,
            Some(StopReason::Time | StopReason::Settled)
        ));
    }
}

#[test]
fn the_stop_flag_and_progress() {
    let root = Row::random(150, 2);
    let stop = AtomicBool::new(false);
    let mut reports = 0;
    let limits = Limits {
        report_every: Some(Duration::from_millis(5)),
        ..Limits::default()
    };
    let report = searcher(2, 4, 0).search(&root, &Greedy, &limits, &stop, &mut |report| {
        reports += 1;
        assert!(report.stop.is_none() && report.best().is_some());
        stop.store(reports == 4, std::sync::atomic::Ordering::Relaxed);
    });
    assert_eq!((report.stop, reports), (Some(StopReason::Stopped), 4));
}

#[test]
fn any_parameters_give_sound_numbers() {
    let root = Row::random(30, 8);
    for row in Params::TABLE {
        for value in [row.min, row.max] {
            let mut params = Params::default();
            params.set(row.name, &value.to_string()).unwrap();
            let settings = Settings {
                params,
                hash_mib: 2,
                ..Settings::default()
            };
            let report = run(
                &mut Searcher::new(settings),
                &root,
                &Greedy,
                &Limits::nodes(3000),
            );
            for line in &report.lines {
                assert!(
                    (0.0..=1.0).contains(&line.winrate),
                    "{} = {value}: {line:?}",
                    row.name
                );
                assert!(line.margin.is_finite());
            }
        }
    }
}

/// Knows nothing but finished games, and how often it has judged each state.
struct Counting(Mutex<HashMap<[u16; 2], u32>>);

impl Evaluator<Noughts> for Counting {
    fn judge(&self, state: &Noughts, children: &mut Children<Noughts>) {
        *self.0.lock().unwrap().entry(state.cells).or_default() += 1;
        Ignorant.judge(state, children);
    }
}

#[test]
fn a_state_met_again_is_not_judged_again() {
    for threads in [1, 3] {
        let judge = Counting(Mutex::default());
        let mut searcher = searcher(threads, 64, 0);
        let limits = Limits::nodes(1 << 20);
        let report = run(&mut searcher, &Noughts::default(), &judge, &limits);
        assert_eq!(report.stop, Some(StopReason::Proven));
        let judged = judge.0.into_inner().unwrap();
        let times: u32 = judged.values().sum();
        // Two states may want the same place, two threads the same state.
        let again = times - judged.len() as u32;
        assert!(judged.len() > 500, "{} states", judged.len());
        assert!(again * 20 < times, "{again} of {times} again");
    }
}
