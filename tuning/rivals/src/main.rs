//! Other searches on the engine's own board, each a UGI engine:
//! `agros-rivals pvs|minimax|minimax-mcts|treant`. They speak no more of the
//! protocol than the referee of `agros tournament` asks for.

mod library;
mod pvs;
mod rollouts;

use std::io::{BufRead, Write};
use std::time::Duration;

use agros::on_size;
use agros::rules::{BoardSize, Move, Position, State};
use clap::{Parser, ValueEnum};

#[derive(Parser)]
#[command(about = "Other searches on the Agros board, as UGI engines")]
struct Cli {
    /// Which search
    rival: Rival,
    /// Share of the time of a move that is used, for searches that overrun it
    #[arg(long, default_value_t = 1.0)]
    share: f32,
}

#[derive(Clone, Copy, ValueEnum)]
enum Rival {
    /// Principal variation search with the engine's own judgement
    Pvs,
    /// Iterative alpha-beta of crate minimax on the present margin
    Minimax,
    /// Rollout tree search of crate minimax
    MinimaxMcts,
    /// Rollout tree search of crate treant
    Treant,
}

impl Rival {
    fn choose(self, position: &Position, time: Duration, memory: &mut pvs::Memory) -> Option<Move> {
        fn on<S: BoardSize>(
            rival: Rival,
            state: &State<S>,
            time: Duration,
            memory: &mut pvs::Memory,
        ) -> Option<Move> {
            if state.is_over() {
                return None;
            }
            match rival {
                Rival::Pvs => pvs::choose(state, time, memory),
                Rival::Minimax => library::alpha_beta(state, time),
                Rival::MinimaxMcts => library::rollouts(state, time),
                Rival::Treant => rollouts::choose(state, time),
            }
        }
        on_size!(position.state(), state => on(self, state, time, memory))
    }
}

fn main() {
    let cli = Cli::parse();
    let mut position: Position = "start".parse().expect("the start is a position");
    let mut memory = pvs::Memory::default();
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = match words.first() {
            Some(&"ugi") => "id name rival\nid author Agros\nugiok".to_owned(),
            Some(&"isready") => "readyok".to_owned(),
            Some(&"position") => match read_position(&words[1..]) {
                Some(read) => {
                    position = read;
                    continue;
                }
                None => "info string not a position".to_owned(),
            },
            Some(&"go") => {
                let time = move_time(&words[1..]).mul_f32(cli.share.clamp(0.01, 1.0));
                let best = cli.rival.choose(&position, time, &mut memory);
                format!(
                    "bestmove {}",
                    best.map_or("none".to_owned(), |mv| mv.to_string())
                )
            }
            Some(&"quit") => break,
            _ => continue,
        };
        let mut out = std::io::stdout().lock();
        if writeln!(out, "{answer}")
            .and_then(|()| out.flush())
            .is_err()
        {
            break;
        }
    }
}

fn read_position(words: &[&str]) -> Option<Position> {
    let moves = words
        .iter()
        .position(|&word| word == "moves")
        .unwrap_or(words.len());
    let mut position: Position = match *words.first()? {
        "startpos" => "start".parse().ok()?,
        "fen" => words[1..moves].join(" ").parse().ok()?,
        _ => return None,
    };
    for word in words.get(moves + 1..).unwrap_or_default() {
        position.play(word.parse().ok()?).ok()?;
    }
    Some(position)
}

/// `movetime MS`, or a tenth of a second.
fn move_time(words: &[&str]) -> Duration {
    let millis = words.iter().position(|&word| word == "movetime");
    let millis = millis.and_then(|at| words.get(at + 1)?.parse().ok());
    Duration::from_millis(millis.unwrap_or(100))
}
