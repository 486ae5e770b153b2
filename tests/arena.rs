//! Tournaments of built-in players: repeatable, exchangeable, resumable, and
//! the same whole when played in parts.

use agros::arena::journal::{FORMAT, Header, Journal, Record, read};
use agros::arena::record;
use agros::arena::report::{Report, merge};
use agros::arena::settings::Settings;
use agros::arena::tournament::{Close, Listener, Tournament};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Sets `stop` after so many games.
struct StopAfter<'a>(usize, &'a AtomicBool);

impl Listener for StopAfter<'_> {
    fn game_over(&mut self, _: &Record) {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 {
            self.1.store(true, Ordering::Relaxed);
        }
    }
}

fn settings(players: &[&str], rounds: usize) -> Settings {
    serde_json::from_value(serde_json::json!({
        "format": if players.len() == 2 { "match" } else { "round-robin" },
        "players": players, "rounds": rounds, "size": 5, "farmers": 2,
        "openings": "random", "seed": 11, "limit": "nodes=30",
        "margin_ms": 20, "watchdog_ms": 20_000, "threads": 1, "hash": 1,
    }))
    .unwrap()
}

fn header(settings: &Settings, shard: Option<&str>) -> Header {
    Header {
        agros_journal: FORMAT,
        version: "test".into(),
        players: Vec::new(),
        settings: settings.clone(),
        shard: shard.map(|text| text.parse().unwrap()),
    }
}

/// Plays into a new journal, and stops after some games.
fn play(settings: &Settings, shard: Option<&str>, path: &Path, games: usize) -> Close {
    let header = header(settings, shard);
    let tournament = Tournament::new(settings.clone(), header.shard).unwrap();
    let mut journal = Journal::create(path, &header).unwrap();
    let stop = AtomicBool::new(false);
    let mut listener = StopAfter(games, &stop);
    tournament
        .run(&mut journal, &[], 2, &stop, &mut listener)
        .unwrap()
}

fn resume(path: &Path) -> Close {
    let contents = read(path).unwrap();
    let tournament = Tournament::new(contents.header.settings.clone(), contents.header.shard);
    let mut journal = Journal::resume(path, &contents).unwrap();
    let stop = AtomicBool::new(false);
    let mut listener = StopAfter(usize::MAX, &stop);
    tournament
        .unwrap()
        .run(&mut journal, &contents.records, 2, &stop, &mut listener)
        .unwrap()
}

/// The games without what differs from run to run: the time.
fn games(path: &Path) -> Vec<Record> {
    let mut records = read(path).unwrap().records;
    records.sort_by_key(|record| record.game);
    for record in &mut records {
        record.time_us.clear();
    }
    records
}

fn report(paths: &[&Path]) -> String {
    let journals = paths.iter().map(|path| read(path).unwrap()).collect();
    let all = merge(journals).unwrap();
    Report::of(&all.header, &all.records).to_string()
}

#[test]
fn one_seed_gives_the_same_games() {
    let directory = tempfile::tempdir().unwrap();
    let settings = settings(&["mcts", "rollouts", "greedy"], 2);
    let paths = ["a", "b"].map(|name| directory.path().join(name));
    for path in &paths {
        assert_eq!(play(&settings, None, path, usize::MAX), Close::Complete);
    }
    assert_eq!(games(&paths[0]).len(), 12);
    assert_eq!(games(&paths[0]), games(&paths[1]));
    assert_eq!(report(&[&paths[0]]), report(&[&paths[1]]));
    let other = Settings {
        seed: 12,
        ..settings
    };
    let path = directory.path().join("c");
    play(&other, None, &path, usize::MAX);
    assert_ne!(games(&paths[0]), games(&path));
}

#[test]
fn engines_and_colours_exchanged_give_exactly_exchanged_games() {
    let directory = tempfile::tempdir().unwrap();
    let [one, two] = ["a", "b"].map(|name| directory.path().join(name));
    play(&settings(&["mcts", "rollouts"], 5), None, &one, usize::MAX);
    play(&settings(&["rollouts", "mcts"], 5), None, &two, usize::MAX);
    let (one, two) = (games(&one), games(&two));
    for game in &one {
        // The second game of a pair here is the first one there.
        let twin = &two[game.game ^ 1];
        assert_eq!(
            (
                &game.light,
                &game.dark,
                &game.opening,
                &game.moves,
                game.points
            ),
            (
                &twin.light,
                &twin.dark,
                &twin.opening,
                &twin.moves,
                twin.points
            )
        );
    }
    let first = |games: &[Record], name: &str| -> usize {
        games.iter().map(|game| game.half_points_of(name)).sum()
    };
    assert_eq!(first(&one, "mcts"), first(&two, "mcts"));
    assert_eq!(first(&one, "mcts") + first(&two, "rollouts"), 20);
}

#[test]
fn shards_together_are_the_whole() {
    let directory = tempfile::tempdir().unwrap();
    let settings = settings(&["random", "greedy", "rollouts"], 4);
    let whole = directory.path().join("whole");
    play(&settings, None, &whole, usize::MAX);
    let shards = ["1/3", "2/3", "3/3"];
    let paths = shards.map(|shard| directory.path().join(shard.replace('/', "-")));
    for (shard, path) in shards.iter().zip(&paths) {
        play(&settings, Some(shard), path, usize::MAX);
    }
    let paths: Vec<&Path> = paths.iter().map(|path| path.as_path()).collect();
    assert_eq!(report(&[&whole]), report(&paths));
    assert_eq!(report(&[&whole]), report(&[paths[2], paths[0], paths[1]]));
}

#[test]
fn a_stopped_tournament_is_resumed_with_each_game_once() {
    let directory = tempfile::tempdir().unwrap();
    let settings = settings(&["mcts", "greedy"], 6);
    let [whole, broken] = ["whole", "broken"].map(|name| directory.path().join(name));
    play(&settings, None, &whole, usize::MAX);
    assert_eq!(play(&settings, None, &broken, 3), Close::Stopped);
    let before = games(&broken).len();
    assert!((3..12).contains(&before), "{before}");
    // As if the process had died while it wrote.
    let mut file = OpenOptions::new().append(true).open(&broken).unwrap();
    file.write_all(b"{\"game\":11,\"pair\":5,\"round\"")
        .unwrap();
    assert_eq!(read(&broken).unwrap().notes.len(), 1);
    assert_eq!(resume(&broken), Close::Complete);
    assert_eq!(read(&broken).unwrap().notes.len(), 0);
    assert_eq!(games(&broken), games(&whole));
    assert_eq!(report(&[&broken]), report(&[&whole]));
    // Once more there is nothing left to do.
    assert_eq!(resume(&broken), Close::Complete);
    assert_eq!(games(&broken), games(&whole));
}

#[test]
fn a_decided_test_stops_the_match_and_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    let settings = Settings {
        sprt: Some("elo0=0 elo1=100".parse().unwrap()),
        ..settings(&["mcts", "random"], 1000)
    };
    let close = play(&settings, None, &path, usize::MAX);
    assert!(matches!(close, Close::Decided(_)), "{close:?}");
    let text = report(&[&path]);
    assert!(text.contains("H1 accepted"), "{text}");
    assert!(games(&path).len() < 500);
    // The decision is the journal's: resuming adds nothing.
    let before = games(&path).len();
    assert!(matches!(resume(&path), Close::Decided(_)));
    assert_eq!(games(&path).len(), before);
}

#[test]
fn a_match_that_replays_one_game_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    // Two players without chance on the empty board.
    let settings = Settings {
        openings: serde_json::from_str("\"none\"").unwrap(),
        size: 3,
        farmers: 1,
        ..settings(
            &[
                "mcts:nodes=200,jitter=0",
                "mcts:nodes=200,jitter=0,name=twin",
            ],
            12,
        )
    };
    play(&settings, None, &path, usize::MAX);
    let text = report(&[&path]);
    assert!(text.contains("too few games (1 different pairs"), "{text}");
    assert!(text.contains("repeated games: 22 of 24"), "{text}");
}

#[test]
fn exported_games_are_legal_to_the_last_move() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    let settings = Settings {
        openings: serde_json::from_str("\"none\"").unwrap(),
        ..settings(&["greedy", "rollouts"], 3)
    };
    play(&settings, None, &path, usize::MAX);
    let contents = read(&path).unwrap();
    let text: String = contents
        .records
        .iter()
        .map(|game| record::write(&contents.header, game))
        .collect();
    let games = record::read(&text).unwrap();
    assert_eq!(games.len(), 6);
    for (game, played) in games.iter().zip(&contents.records) {
        let moves = played.moves.split_whitespace().count();
        assert_eq!(record::check(game), Ok(moves));
        assert_eq!(game.tag("Light"), Some(played.light.as_str()));
    }
}

#[test]
fn journals_that_are_none_are_refused_with_their_line() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    play(&settings(&["random", "greedy"], 1), None, &path, usize::MAX);
    let good = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = good.lines().collect();
    assert!(Journal::create(&path, &read(&path).unwrap().header).is_err());
    let cases = [
        (String::new(), "no header"),
        ("hello\n".into(), "line 1:"),
        (
            good.replace("\"agros_journal\":1", "\"agros_journal\":9"),
            "journal format 9",
        ),
        (
            good.replace("\"greedy\"]", "\"nobody\"]"),
            "no such player 'nobody'",
        ),
        (good.replace("\"rounds\":1", "\"rounds\":0"), "are not 1 to"),
        (format!("{}\n{}\n[1]\n", lines[0], lines[1]), "line 3:"),
        (
            good.replace("\"game\":1", "\"game\":7"),
            "game 7 is not in the schedule",
        ),
        (
            good.replace("\"dark\":\"greedy\"", "\"dark\":\"random\""),
            "not in the schedule",
        ),
    ];
    for (text, reason) in cases {
        std::fs::write(&path, text).unwrap();
        let error = read(&path).unwrap_err();
        assert!(error.contains(reason), "{error}");
    }
    // A game given twice counts once.
    std::fs::write(&path, format!("{good}{}\n", lines[1])).unwrap();
    let contents = read(&path).unwrap();
    assert_eq!((contents.records.len(), contents.notes.len()), (2, 1));
}

#[test]
fn one_journal_has_one_writer() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    let settings = settings(&["random", "greedy"], 1);
    let writer = Journal::create(&path, &header(&settings, None)).unwrap();
    let contents = read(&path).unwrap();
    let error = Journal::resume(&path, &contents).unwrap_err();
    assert!(
        error.ends_with("another tournament is writing to it"),
        "{error}"
    );
    drop(writer);
    Journal::resume(&path, &contents).unwrap();
}
