//! How the command line and the journal name a player.
//!
//! `KIND[:NAME=VALUE,...]` is a player of this program, `cmd:"PROGRAM ARGS"`
//! (optionally with `,NAME=VALUE,...` after the closing quote) any program that
//! speaks UGI.

use std::fmt;
use std::str::FromStr;

use crate::arena::Limit;

/// The longest text of a specification, in bytes.
const LONGEST: usize = 4096;

/// What plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The engine: Monte Carlo tree search.
    Mcts,
    /// Takes the best immediate score; ties are broken by the seed.
    Greedy,
    /// Plays uniformly at random; passes only where nothing else is legal.
    Random,
    /// Flat Monte Carlo: random games from each move, no tree.
    Rollouts,
    /// A program that speaks UGI, as words; the first is the program.
    Command(Vec<String>),
}

/// The built-in players: name, kind, what it is.
pub const BUILT_IN: [(&str, Kind, &str); 4] = [
    ("mcts", Kind::Mcts, "the engine"),
    ("greedy", Kind::Greedy, "takes the best immediate score"),
    ("random", Kind::Random, "moves uniformly at random"),
    (
        "rollouts",
        Kind::Rollouts,
        "random games from each move, no tree",
    ),
];

/// A player as specified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// The text that it was read from.
    pub text: String,
    /// What plays.
    pub kind: Kind,
    /// The name in tables, if one was given.
    pub name: Option<String>,
    /// Its own limit instead of the tournament's.
    pub limit: Option<Limit>,
    /// Its own number of threads.
    pub threads: Option<usize>,
    /// Its own memory in MiB.
    pub hash: Option<usize>,
    /// What else it is to be told: tunable numbers of `mcts`, UGI options of a
    /// program.
    pub options: Vec<(String, String)>,
}

impl Spec {
    /// The name in tables before it is made unique.
    #[must_use]
    pub fn label(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.text)
    }

    /// Whether it is a program of its own.
    #[must_use]
    pub const fn is_external(&self) -> bool {
        matches!(self.kind, Kind::Command(_))
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "name" => {
                let printable = value.chars().all(|c| !c.is_control() && c != '"');
                if value.is_empty() || value.chars().count() > 60 || !printable {
                    return Err("name: 1 to 60 characters without quotes".into());
                }
                self.name = Some(value.to_owned());
            }
            "nodes" | "time" | "clock" => {
                if self.limit.is_some() {
                    return Err(format!("{name}: a player has one limit"));
                }
                self.limit = Some(format!("{name}={value}").parse()?);
            }
            "threads" => self.threads = Some(number(name, value, 256)?),
            "hash" => self.hash = Some(number(name, value, 1 << 16)?),
            _ => self.set_other(name, value)?,
        }
        Ok(())
    }

    fn set_other(&mut self, name: &str, value: &str) -> Result<(), String> {
        if !matches!(self.kind, Kind::Mcts | Kind::Command(_)) {
            return Err(format!(
                "'{name}' is unknown here (known: name, nodes, time, clock, threads, hash)"
            ));
        }
        if self.options.iter().any(|(known, _)| known == name) {
            return Err(format!("{name} is given twice"));
        }
        self.options.push((name.to_owned(), value.to_owned()));
        Ok(())
    }
}

fn number(name: &str, value: &str, most: usize) -> Result<usize, String> {
    match value.parse() {
        Ok(number) if (1..=most).contains(&number) => Ok(number),
        _ => Err(format!(
            "{name}: '{value}' is not a number from 1 to {most}"
        )),
    }
}

impl FromStr for Spec {
    type Err = String;

    fn from_str(text: &str) -> Result<Spec, String> {
        let refuse = |reason: String| format!("player '{}': {reason}", shorten(text));
        if text.len() > LONGEST || text.contains(char::is_control) {
            return Err(refuse(format!(
                "more than {LONGEST} bytes, or a control character"
            )));
        }
        let (kind, settings) = match text.strip_prefix("cmd:") {
            Some(command) => read_command(command).map_err(refuse)?,
            None => {
                let (name, settings) = text.split_once(':').unwrap_or((text, ""));
                let known = BUILT_IN.iter().find(|(known, ..)| *known == name);
                let (_, kind, _) = known.ok_or_else(|| refuse(unknown(name)))?;
                (kind.clone(), settings)
            }
        };
        let mut spec = Spec {
            text: text.to_owned(),
            kind,
            name: None,
            limit: None,
            threads: None,
            hash: None,
            options: Vec::new(),
        };
        for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
            let (name, value) = setting
                .split_once('=')
                .ok_or_else(|| refuse(format!("'{setting}' is not NAME=VALUE")))?;
            spec.set(name.trim(), value.trim()).map_err(refuse)?;
        }
        Ok(spec)
    }
}

fn unknown(name: &str) -> String {
    let known: Vec<&str> = BUILT_IN.iter().map(|(known, ..)| *known).collect();
    format!(
        "no such player '{}' (known: {}, cmd:\"PROGRAM ARGS\")",
        shorten(name),
        known.join(", ")
    )
}

/// Splits `"PROGRAM ARGS",NAME=VALUE,...` or a bare `PROGRAM ARGS`.
fn read_command(text: &str) -> Result<(Kind, &str), String> {
    let (command, settings) = match text.strip_prefix('"') {
        None if has_setting(text) => {
            return Err(
                "settings follow a quoted command, and a shell takes quotes away: \
                        'cmd:\"PROGRAM ARGS\",NAME=VALUE'"
                    .into(),
            );
        }
        None => (text.to_owned(), ""),
        Some(quoted) => {
            let end = closing_quote(quoted).ok_or("the closing quote is missing")?;
            let settings = &quoted[end + 1..];
            if !settings.is_empty() && !settings.starts_with(',') {
                return Err("a comma must follow the closing quote".into());
            }
            (quoted[..end].replace("\\\"", "\""), settings)
        }
    };
    let words = shlex::split(&command).ok_or("a quote inside the command is not closed")?;
    if words.first().is_none_or(String::is_empty) {
        return Err("the command is empty".into());
    }
    Ok((Kind::Command(words), settings))
}

/// Whether a bare command seems to end with settings, `,NAME=VALUE`.
fn has_setting(command: &str) -> bool {
    let mut after_commas = command.split(',').skip(1);
    after_commas.any(|rest| {
        let name = rest.split_once('=').map_or("", |(name, _)| name);
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric())
    })
}

/// The offset of the first `"` without a backslash before it.
fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.char_indices().find_map(|(at, c)| {
        let closes = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        closes.then_some(at)
    })
}

fn shorten(text: &str) -> String {
    let short: String = text.chars().take(60).filter(|c| !c.is_control()).collect();
    if short.len() < text.len() {
        short + "..."
    } else {
        short
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// One name a player, all different: a label that stands before gets ` #2`.
#[must_use]
pub fn unique_names(specs: &[Spec]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for spec in specs {
        let label = spec.label();
        let mut name = label.to_owned();
        let mut count = 1;
        while names.contains(&name) {
            count += 1;
            name = format!("{label} #{count}");
        }
        names.push(name);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn players_are_read() {
        let spec: Spec = "mcts:nodes=200,threads=2,exploration=0.7,name=weak"
            .parse()
            .unwrap();
        assert_eq!(spec.kind, Kind::Mcts);
        assert_eq!(spec.limit, Some(Limit::Nodes(200)));
        assert_eq!((spec.threads, spec.hash), (Some(2), None));
        assert_eq!(spec.options, [("exploration".into(), "0.7".into())]);
        assert_eq!(spec.label(), "weak");
        assert_eq!("random".parse::<Spec>().unwrap().kind, Kind::Random);
    }

    #[test]
    fn commands_are_read_with_and_without_quotes() {
        let words = |text: &str| match text.parse::<Spec>().unwrap().kind {
            Kind::Command(words) => words,
            kind => panic!("{kind:?}"),
        };
        assert_eq!(words("cmd:./other ugi"), ["./other", "ugi"]);
        assert_eq!(words("cmd:\"./other ugi\""), ["./other", "ugi"]);
        assert_eq!(words("cmd:o a,b --c=d,e"), ["o", "a,b", "--c=d,e"]);
        assert_eq!(
            words("cmd:\"'my engine' -x \\\"a b\\\"\",name=E"),
            ["my engine", "-x", "a b"]
        );
        let spec: Spec = "cmd:\"other\",name=Other,time=50ms,MultiPV=3"
            .parse()
            .unwrap();
        assert_eq!(spec.label(), "Other");
        assert_eq!(spec.options, [("MultiPV".into(), "3".into())]);
    }

    #[test]
    fn bad_players_are_refused_with_a_reason() {
        for (text, reason) in [
            ("", "no such player ''"),
            ("stockfish", "known: mcts, greedy, random, rollouts, cmd:"),
            ("mcts:nodes", "'nodes' is not NAME=VALUE"),
            ("mcts:nodes=0", "not a positive number"),
            ("mcts:nodes=1,time=1s", "one limit"),
            ("mcts:threads=0", "1 to 256"),
            ("greedy:exploration=1", "'exploration' is unknown here"),
            ("mcts:a=1,a=2", "given twice"),
            ("mcts:name=", "1 to 60 characters"),
            ("cmd:", "the command is empty"),
            ("cmd:\"x", "closing quote is missing"),
            ("cmd:\"x\"y", "a comma must follow"),
            ("cmd:'x", "not closed"),
            (
                "cmd:./other ugi,name=Other",
                "'cmd:\"PROGRAM ARGS\",NAME=VALUE'",
            ),
            ("cmd:other,MultiPV=3", "a shell takes quotes away"),
            ("random\n", "control character"),
        ] {
            let error = text.parse::<Spec>().unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn equal_players_get_different_names() {
        let specs: Vec<Spec> = ["random", "mcts", "random", "random"]
            .iter()
            .map(|text| text.parse().unwrap())
            .collect();
        assert_eq!(
            unique_names(&specs),
            ["random", "mcts", "random #2", "random #3"]
        );
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "(mcts:|cmd:\"?)?[a-z\"',=\\\\ é0-9]{0,20}") {
            let _ = text.parse::<Spec>();
        }
    }
}
