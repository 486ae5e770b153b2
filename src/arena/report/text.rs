//! The report as text.

use std::fmt;

use super::table::Table;
use super::{PairingLine, PlayerLine, Report};
use crate::arena::limit::Span;
use crate::arena::statistics::{FEWEST_PAIRS, Strength};

/// Up to so many pairings are shown one by one.
const MOST_PAIRINGS: usize = 28;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.settings(f)?;
        writeln!(f)?;
        write!(f, "{}", self.results())?;
        self.rating_table(f)?;
        self.cross_table(f)?;
        self.pairing_lines(f)?;
        self.sequential_test(f)?;
        self.repeats(f)?;
        self.faults(f)?;
        self.times(f)
    }
}

impl Report {
    fn settings(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings = &self.header.settings;
        writeln!(
            f,
            "{}, {}×{} with {} farmers a side, openings: {}, seed {}",
            settings.format,
            settings.size,
            settings.size,
            settings.farmers,
            settings.openings,
            settings.seed
        )?;
        let specs = settings.specs().unwrap_or_default();
        let limit = if specs.iter().all(|spec| spec.limit.is_some()) {
            "each player with its own limit".into()
        } else {
            format!("limit {}", settings.limit)
        };
        writeln!(
            f,
            "{limit} (margin {}, watchdog {}), {} thread{} and {} MiB a player",
            Span(settings.margin()),
            Span(settings.watchdog()),
            settings.threads,
            if settings.threads == 1 { "" } else { "s" },
            settings.hash
        )?;
        writeln!(f, "{} of {} games", self.games, self.scheduled)
    }

    fn name(&self, player: usize) -> &str {
        self.players.get(player).map_or("?", |line| &line.name)
    }

    fn results(&self) -> Table {
        let heads = [
            "player", "games", "won", "drawn", "lost", "points", "%", "% Light", "% Dark", "margin",
        ];
        let mut rows = vec![heads.map(String::from).to_vec()];
        rows.extend(self.players.iter().map(|line| {
            let share = |colour: usize| {
                percent(
                    line.half_points_by_colour[colour],
                    line.games_by_colour[colour],
                )
            };
            vec![
                line.name.clone(),
                line.games.to_string(),
                line.results[0].to_string(),
                line.results[1].to_string(),
                line.results[2].to_string(),
                points(line.half_points()),
                percent(line.half_points(), line.games),
                share(0),
                share(1),
                line.mean_margin().map_or("-".into(), signed),
            ]
        }));
        Table(rows)
    }

    fn rating_table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(ratings) = &self.ratings else {
            return Ok(());
        };
        let mut order: Vec<_> = ratings.iter().collect();
        order.sort_by(|a, b| b.elo.total_cmp(&a.elo).then(a.player.cmp(&b.player)));
        let mut rows = vec![["rating", "Elo", "95 %"].map(String::from).to_vec()];
        rows.extend(order.into_iter().map(|line| {
            let half = line.half_interval;
            vec![
                self.name(line.player).to_owned(),
                signed(line.elo),
                half.map_or("too few games".into(), |half| format!("± {half:.1}")),
            ]
        }));
        writeln!(
            f,
            "\n{}Bradley-Terry, maximum likelihood, mean 0, errors from pairs",
            Table(rows)
        )?;
        if self.ratings_with_prior {
            writeln!(
                f,
                "(someone won or lost everything: each player is given a drawn game against an \
                 average one)"
            )?;
        }
        Ok(())
    }

    fn cross_table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.players.len() < 3 || self.players.len() > 20 {
            return Ok(());
        }
        let mut rows = vec![vec!["points against".to_owned()]];
        rows[0].extend((1..=self.players.len()).map(|number| number.to_string()));
        for (player, line) in self.players.iter().enumerate() {
            let mut row = vec![format!("{} {}", player + 1, line.name)];
            row.extend((0..self.players.len()).map(|other| self.score_between(player, other)));
            rows.push(row);
        }
        write!(f, "\n{}", Table(rows))
    }

    fn score_between(&self, player: usize, other: usize) -> String {
        let met = self.pairings.iter().find_map(|line| {
            let (first, second) = (line.first, line.second);
            if (first, second) == (player, other) {
                Some((line.half_points, line.games))
            } else if (first, second) == (other, player) {
                Some((2 * line.games - line.half_points, line.games))
            } else {
                None
            }
        });
        match met {
            Some((half_points, games)) if games > 0 => {
                format!("{}/{games}", points(half_points))
            }
            _ => "-".into(),
        }
    }

    fn pairing_lines(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.pairings.iter().filter(|line| line.games > 0);
        for line in shown.take(MOST_PAIRINGS) {
            let (first, second) = (self.name(line.first), self.name(line.second));
            let [a, b, c, d, e] = line.pairs.0;
            writeln!(f, "\n{first} against {second}")?;
            writeln!(
                f,
                "  pairs      {} (0, ½, 1, 1½, 2 points: {a}, {b}, {c}, {d}, {e})",
                line.pairs.pairs()
            )?;
            match &line.strength {
                Some(strength) => write!(f, "{}", Shown(strength, line))?,
                None => writeln!(
                    f,
                    "  Elo        too few games ({} different pairs, {FEWEST_PAIRS} needed)",
                    line.different_pairs.pairs()
                )?,
            }
        }
        let left_out = self.pairings.len().saturating_sub(MOST_PAIRINGS);
        if left_out > 0 {
            writeln!(f, "\n{left_out} more pairings: see the cross table")?;
        }
        Ok(())
    }

    fn sequential_test(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(line) = &self.sprt else {
            return Ok(());
        };
        let (low, high) = line.test.bounds();
        let state = match line.accepted {
            Some(hypothesis) => format!("{hypothesis} accepted"),
            None => "undecided".into(),
        };
        writeln!(
            f,
            "\nSPRT, normalised Elo from pairs (GSPRT, pentanomial): {}\n  LLR {:.2} in [{low:.2}, \
             {high:.2}] after {} pairs ({} games): {state}",
            line.test,
            line.log_likelihood_ratio + 0.0,
            line.pairs,
            2 * line.pairs
        )
    }

    fn repeats(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.repeated_games {
            0 => writeln!(f, "\nrepeated games: none"),
            count => {
                writeln!(
                    f,
                    "\nrepeated games: {count} of {} are move by move an earlier one with the same players",
                    self.games
                )?;
                writeln!(
                    f,
                    "and colours; the Elo, the ratings and the test count different pairs only"
                )
            }
        }
    }

    fn faults(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.has_faults() {
            return writeln!(f, "endings: all games by the rules");
        }
        let heads = ["games lost by", "time", "illegal move", "crash", "stall"];
        let mut rows = vec![heads.map(String::from).to_vec()];
        rows.extend(self.players.iter().map(|line| {
            let mut row = vec![line.name.clone()];
            row.extend(line.faults.map(|count| count.to_string()));
            row
        }));
        write!(f, "{}", Table(rows))?;
        for line in &self.players {
            if let Some(fault) = &line.first_fault {
                writeln!(f, "  {}, game {}: {}", line.name, fault.game, fault.detail)?;
            }
        }
        Ok(())
    }

    fn times(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.players.iter().any(|line| line.is_timed) {
            return Ok(());
        }
        let heads = [
            "time",
            "moves",
            "mean ms",
            "longest ms",
            "worst overrun ms",
            "nodes/s",
        ];
        let mut rows = vec![heads.map(String::from).to_vec()];
        let timed = self.players.iter().filter(|line| line.is_timed);
        rows.extend(timed.map(time_row));
        write!(f, "\n{}", Table(rows))
    }
}

fn time_row(line: &PlayerLine) -> Vec<String> {
    let ms = |micros: u64| format!("{:.1}", micros as f64 / 1000.0);
    let mean = line.time_us.checked_div(line.timed_moves as u64);
    let (nodes, micros) = line.nodes;
    let rate = (nodes.saturating_mul(1_000_000)).checked_div(micros);
    vec![
        line.name.clone(),
        line.timed_moves.to_string(),
        mean.map_or("-".into(), ms),
        ms(line.longest_us),
        ms(line.worst_overrun_us),
        rate.map_or("-".into(), |rate| rate.to_string()),
    ]
}

/// The lines of a strength.
struct Shown<'a>(&'a Strength, &'a PairingLine);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shown(strength, line) = self;
        let end = |value: Option<f64>| value.map_or("none".into(), signed);
        let interval = match (strength.low, strength.high) {
            (Some(low), None) => format!("at least {} (95 %)", signed(low)),
            (None, Some(high)) => format!("at most {} (95 %)", signed(high)),
            (low, high) => format!("95 % [{}, {}]", end(low), end(high)),
        };
        match strength.elo {
            Some(elo) => writeln!(f, "  Elo        {}, {interval}", signed(elo))?,
            None => writeln!(f, "  Elo        all points to one side: {interval}")?,
        }
        if let Some(normalised) = strength.normalised {
            writeln!(f, "  normalised {}", signed(normalised))?;
        } else {
            writeln!(
                f,
                "  (all {} pairs ended alike: the interval is that of a thing never seen)",
                line.different_pairs.pairs()
            )?;
        }
        writeln!(f, "  LOS        {:.2} %", strength.superiority * 100.0)
    }
}

fn points(half_points: usize) -> String {
    format!("{:.1}", half_points as f64 / 2.0)
}

fn percent(half_points: usize, games: usize) -> String {
    if games == 0 {
        return "-".into();
    }
    format!("{:.1}", half_points as f64 / (2 * games) as f64 * 100.0)
}

/// One decimal with its sign; what rounds to zero is `+0.0`.
fn signed(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0 + 0.0;
    format!("{rounded:+.1}")
}
