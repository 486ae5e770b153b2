//! The referee plays one game: it owns the rules, the clocks and the watchdog.
//!
//! Players only say moves. A move counts when the referee's own rules allow it
//! and its own clock had time for it; the score is the referee's.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::journal::{Ending, Record, Result as GameResult};
use super::limit::Clock;
use super::players::{Answer, Fault, Player, Turn};
use crate::rules::{Move, Position, Side};

/// What the referee has to know about a game.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    /// Where the game starts.
    pub opening: &'a Position,
    /// The clocks of Light and Dark at the start.
    pub clocks: [Clock; 2],
    /// What a move may take longer than allowed before it loses.
    pub margin: Duration,
    /// How much longer than allowed to wait for an answer.
    pub watchdog: Duration,
    /// The seeds of Light and Dark.
    pub seeds: [u64; 2],
    /// Set when nobody wants the game any more.
    pub abandoned: &'a AtomicBool,
}

/// A game that was played to its end, whatever that was.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// The moves.
    pub moves: Vec<Move>,
    /// Microseconds for each answer.
    pub time_us: Vec<u64>,
    /// Simulations for each answer, where told.
    pub nodes: Vec<Option<u64>>,
    /// Who won.
    pub result: GameResult,
    /// Points of Light and Dark, if the game ended by the rules.
    pub points: Option<(f64, f64)>,
    /// How it ended.
    pub ending: Ending,
    /// What went wrong, if something did.
    pub detail: Option<String>,
}

/// Plays a game; `None` when it was abandoned.
#[must_use]
pub fn play(terms: &Terms<'_>, players: [&mut dyn Player; 2]) -> Option<Game> {
    let mut table = Table {
        terms,
        position: *terms.opening,
        clocks: terms.clocks,
        game: Game {
            moves: Vec::new(),
            time_us: Vec::new(),
            nodes: Vec::new(),
            result: GameResult::Draw,
            points: None,
            ending: Ending::Rules,
            detail: None,
        },
    };
    let [light, dark] = players;
    for (side, player) in [(Side::Light, &mut *light), (Side::Dark, &mut *dark)] {
        let seed = terms.seeds[side.index()];
        if let Err(fault) = player.new_game(seed, terms.abandoned) {
            return table.fail(side, fault);
        }
    }
    while !table.position.is_over() {
        let side = table.position.side();
        let player = match side {
            Side::Light => &mut *light,
            Side::Dark => &mut *dark,
        };
        match player.choose(&table.turn()) {
            Err(fault) => return table.fail(side, fault),
            Ok(answer) => {
                if let Err((ending, detail)) = table.accept(side, &answer) {
                    return Some(table.lose(side, ending, detail));
                }
            }
        }
    }
    Some(table.finish())
}

/// A game in progress.
struct Table<'a> {
    terms: &'a Terms<'a>,
    position: Position,
    clocks: [Clock; 2],
    game: Game,
}

impl Table<'_> {
    fn turn(&self) -> Turn<'_> {
        let clock = self.clocks[self.position.side().index()];
        Turn {
            opening: self.terms.opening,
            moves: &self.game.moves,
            position: &self.position,
            clocks: self.clocks,
            patience: clock.allowed().unwrap_or(Duration::ZERO)
                + self.terms.margin
                + self.terms.watchdog,
            abandoned: self.terms.abandoned,
        }
    }

    /// Judges an answer: the clock first, then the rules.
    fn accept(&mut self, side: Side, answer: &Answer) -> Result<(), (Ending, String)> {
        let micros = u64::try_from(answer.taken.as_micros()).unwrap_or(u64::MAX);
        self.game.time_us.push(micros);
        self.game.nodes.push(answer.nodes);
        let over = self.clocks[side.index()].spend(answer.taken);
        if over > self.terms.margin {
            let over = over.as_secs_f64() * 1000.0;
            return Err((Ending::Time, format!("{over:.1} ms over the limit")));
        }
        let illegal = |reason: String| {
            let said: String = answer
                .text
                .chars()
                .filter(|c| !c.is_control())
                .take(40)
                .collect();
            (Ending::Illegal, format!("'{said}': {reason}"))
        };
        let mv: Move = answer
            .text
            .parse()
            .map_err(|error| illegal(format!("{error}")))?;
        self.position
            .play(mv)
            .map_err(|error| illegal(error.to_string()))?;
        self.game.moves.push(mv);
        Ok(())
    }

    fn fail(self, side: Side, fault: Fault) -> Option<Game> {
        match fault {
            Fault::Abandoned => None,
            Fault::Crash(detail) => Some(self.lose(side, Ending::Crash, detail)),
            Fault::Stall(detail) => Some(self.lose(side, Ending::Stall, detail)),
        }
    }

    fn lose(mut self, side: Side, ending: Ending, detail: String) -> Game {
        self.game.result = match side {
            Side::Light => GameResult::Dark,
            Side::Dark => GameResult::Light,
        };
        self.game.ending = ending;
        self.game.detail = Some(format!("{side}: {detail}"));
        self.game
    }

    fn finish(mut self) -> Game {
        let score = self.position.score();
        self.game.result = match score.light.cmp(&score.dark) {
            std::cmp::Ordering::Greater => GameResult::Light,
            std::cmp::Ordering::Less => GameResult::Dark,
            std::cmp::Ordering::Equal => GameResult::Draw,
        };
        self.game.points = Some(Record::points_of(score.light, score.dark));
        self.game
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Limit;

    /// Says prepared answers, each after a prepared time.
    struct Script(Vec<Result<(&'static str, u64), Fault>>);

    impl Player for Script {
        fn new_game(&mut self, _: u64, _: &AtomicBool) -> Result<(), Fault> {
            Ok(())
        }

        fn choose(&mut self, _: &Turn<'_>) -> Result<Answer, Fault> {
            if self.0.is_empty() {
                return Ok(answer("pass", 0));
            }
            self.0.remove(0).map(|(text, ms)| answer(text, ms))
        }
    }

    fn answer(text: &str, ms: u64) -> Answer {
        Answer {
            text: text.into(),
            taken: Duration::from_millis(ms),
            nodes: None,
        }
    }

    fn game(limit: Limit, light: Script, dark: Script) -> Option<Game> {
        let opening = "x3/x1,D1,x1/L1,x2 L 1 0".parse().unwrap();
        let terms = Terms {
            opening: &opening,
            clocks: [Clock::new(limit); 2],
            margin: Duration::from_millis(5),
            watchdog: Duration::from_millis(1000),
            seeds: [1, 2],
            abandoned: &AtomicBool::new(false),
        };
        let (mut light, mut dark) = (light, dark);
        play(&terms, [&mut light, &mut dark])
    }

    fn says(answers: &[(&'static str, u64)]) -> Script {
        Script(answers.iter().map(|&a| Ok(a)).collect())
    }

    #[test]
    fn two_passes_end_a_game_by_the_rules() {
        let game = game(Limit::Nodes(1), says(&[("A1A2", 3)]), says(&[])).unwrap();
        assert_eq!(game.ending, Ending::Rules);
        let moves: Vec<String> = game.moves.iter().map(ToString::to_string).collect();
        assert_eq!(moves, ["a1a2", "pass", "pass"]);
        assert_eq!(game.time_us, [3000, 0, 0]);
        let (light, dark) = game.points.unwrap();
        assert_eq!(game.result == GameResult::Light, light > dark);
    }

    #[test]
    fn what_no_rule_allows_loses_at_once() {
        for (said, reason) in [
            ("b2b3", "'b2b3'"), // the opponent's farmer
            ("a1a3", "'a1a3'"), // too far
            ("", "''"),
            ("none", "'none'"),
            ("e5", "'e5'"),
        ] {
            let game = game(Limit::Nodes(1), says(&[(said, 0)]), says(&[])).unwrap();
            assert_eq!(
                (game.ending, game.result),
                (Ending::Illegal, GameResult::Dark)
            );
            assert!(
                game.detail
                    .unwrap()
                    .starts_with(&format!("Light: {reason}"))
            );
            assert_eq!(game.points, None);
        }
    }

    #[test]
    fn the_margin_forgives_and_beyond_it_time_is_lost() {
        let limit = Limit::Time(Duration::from_millis(50));
        let late = |ms| {
            game(limit, says(&[("a1a2", ms)]), says(&[]))
                .unwrap()
                .ending
        };
        assert_eq!(late(50), Ending::Rules);
        assert_eq!(late(55), Ending::Rules);
        assert_eq!(late(56), Ending::Time);
    }

    #[test]
    fn a_clock_runs_over_the_whole_game() {
        let limit = "clock=100ms+0ms".parse().unwrap();
        let dark = says(&[("b2b3", 60), ("b3b1", 60)]);
        let game = game(limit, says(&[("a1a2", 90), ("a2c2", 9)]), dark).unwrap();
        assert_eq!(
            (game.ending, game.result),
            (Ending::Time, GameResult::Light)
        );
        assert_eq!(game.detail.unwrap(), "Dark: 20.0 ms over the limit");
        assert_eq!(game.time_us.len(), 4);
        assert_eq!(game.moves.len(), 3);
    }

    #[test]
    fn crash_and_stall_are_told_apart_and_abandoned_games_are_no_games() {
        let fault = |fault| game(Limit::Nodes(1), Script(vec![Err(fault)]), says(&[]));
        assert_eq!(
            fault(Fault::Crash("x".into())).unwrap().ending,
            Ending::Crash
        );
        assert_eq!(
            fault(Fault::Stall("x".into())).unwrap().ending,
            Ending::Stall
        );
        assert_eq!(fault(Fault::Abandoned), None);
    }
}
