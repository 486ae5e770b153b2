//! Logistic regression of results, and linear regression of margins, on the
//! features of positions; weights are interpolated between the stages. What
//! moves are likely is fitted in [`policy`].

use std::collections::BTreeSet;
use std::path::PathBuf;

use agros::evaluation::features::{FEATURES, Features};
use agros::evaluation::features_of;
use agros::evaluation::weights::{STAGES, Weights, between, stage};
use agros::on_size;
use agros::rules::word::Word;
use agros::rules::{BoardSize, Position, State};

use super::games::{Game, read};
use super::linear::Normal;
use super::{output, policy};

const SIZE: usize = STAGES.len() * FEATURES;
/// Games held back for the test: one in so many.
const HELD_BACK: usize = 10;

/// What to fit to, and where the result goes.
#[derive(clap::Args, Clone)]
pub(crate) struct Settings {
    /// Files of games
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Where the fitted table goes, if not to the engine's for their farmers
    #[arg(long)]
    table: Option<PathBuf>,
    /// Files of games to fit the policy to instead of all: the best searches
    #[arg(long)]
    policy: Vec<PathBuf>,
    /// Share of the search's own opinion in the target, against the result
    #[arg(long, default_value_t = 0.3)]
    opinion: f64,
    /// A fitted table towards which the weights are pulled, instead of zero: that of
    /// another board or number of farmers, where games are few
    #[arg(long)]
    base: Option<PathBuf>,
    /// Strength of that pull
    #[arg(long, default_value_t = 3.0)]
    ridge: f64,
    /// Strength of the pull of neighbouring stages towards each other
    #[arg(long, default_value_t = 20.0)]
    smooth: f64,
}

/// How weights are held near what is known: to a base, and to their neighbours in
/// what they differ from it.
pub(crate) struct Pull {
    base: Vec<f64>,
    ridge: f64,
    smooth: f64,
}

impl Settings {
    /// Fits values to all games and the policy to those of the last file.
    pub(crate) fn new(games: Vec<PathBuf>, table: Option<PathBuf>) -> Settings {
        Settings {
            policy: games.last().cloned().into_iter().collect(),
            games,
            table,
            base: None,
            opinion: 0.3,
            ridge: 3.0,
            smooth: 20.0,
        }
    }
}

/// A position with what became of it.
struct Sample {
    features: Features,
    knot: usize,
    share: f32,
    result: f64,
    target: f64,
    margin: f64,
    stage: f32,
}

impl Sample {
    /// The features spread over the two stages around the position.
    fn sparse(&self, x: &mut Vec<(usize, f64)>) {
        spread(&self.features, self.knot, self.share, x);
    }
}

/// Features spread over the stage `knot` and the next one, of which the
/// position has `share`.
pub(crate) fn spread(features: &Features, knot: usize, share: f32, x: &mut Vec<(usize, f64)>) {
    x.clear();
    for (knot, share) in [(knot, 1.0 - share), (knot + 1, share)] {
        let start = knot * FEATURES;
        x.extend(features.iter().enumerate().filter_map(|(i, &f)| {
            let value = f64::from(f) * f64::from(share);
            (value != 0.0).then_some((start + i, value))
        }));
    }
}

/// Where a position stands between the stages.
pub(crate) fn stage_of<S: BoardSize>(state: &State<S>) -> f32 {
    stage::<S>(
        state.empty_cells().count(),
        state.farmers(),
        state.is_placing(),
    )
}

/// Fits and writes the table.
pub(crate) fn run(settings: &Settings) -> Result<(), String> {
    let (mut train, mut test) = (Vec::new(), Vec::new());
    let (mut choices, mut held_choices) = (Vec::new(), Vec::new());
    let stray = settings
        .policy
        .iter()
        .find(|path| !settings.games.contains(path));
    if let Some(path) = stray {
        return Err(format!("{}: not among the games to fit to", path.display()));
    }
    let mut farmers = BTreeSet::new();
    for path in &settings.games {
        for (number, game) in read(path)?.iter().enumerate() {
            let (samples, choices) = if number % HELD_BACK == 0 {
                (&mut test, &mut held_choices)
            } else {
                (&mut train, &mut choices)
            };
            farmers.insert(game.start.farmers());
            samples_of(game, settings.opinion, samples)?;
            if settings.policy.is_empty() || settings.policy.contains(path) {
                policy::choices_of(game, number, choices)?;
            }
        }
    }
    let path = match &settings.table {
        Some(path) => path.clone(),
        None => engines_table(&farmers)?,
    };
    eprintln!(
        "{} positions to fit to, {} held back",
        train.len(),
        test.len()
    );
    let base = settings.base.as_deref().map(output::read).transpose()?;
    let pull = |column: fn(&Weights) -> &Features| Pull {
        base: match &base {
            Some(table) => table
                .iter()
                .flat_map(column)
                .copied()
                .map(f64::from)
                .collect(),
            None => vec![0.0; SIZE],
        },
        ridge: settings.ridge,
        smooth: settings.smooth,
    };
    let winning = fit_winning(&train, &pull(|weights| &weights.winning));
    let margin = fit_margin(&train, &pull(|weights| &weights.margin));
    tell_losses(&winning, &test);
    let policy = policy::fit(&choices, &pull(|weights| &weights.policy));
    policy::tell_loss(&policy, &held_choices);
    let row = |weights: &[f64], stage: usize| -> Features {
        std::array::from_fn(|i| weights[stage * FEATURES + i] as f32)
    };
    let table: Vec<Weights> = (0..STAGES.len())
        .map(|stage| Weights {
            winning: row(&winning, stage),
            margin: row(&margin, stage),
            policy: row(&policy, stage),
        })
        .collect();
    output::write(&path, &table)
}

/// The engine's table for the number of farmers in these games.
fn engines_table(farmers: &BTreeSet<u8>) -> Result<PathBuf, String> {
    let farmers: Vec<u8> = farmers.iter().copied().collect();
    let [one] = farmers[..] else {
        return Err(format!("games with {farmers:?} farmers: say --table"));
    };
    let path = PathBuf::from(format!("src/evaluation/table/farmers{one}.rs"));
    if path.exists() {
        Ok(path)
    } else {
        Err(format!("no {}: say --table", path.display()))
    }
}

fn samples_of(game: &Game, opinion: f64, samples: &mut Vec<Sample>) -> Result<(), String> {
    game.each_searched(|_, position, _, value| {
        samples.push(sample(position, game.margin, f64::from(value), opinion));
    })
}

fn sample(position: &Position, margin: i32, value: f64, opinion: f64) -> Sample {
    let stage = on_size!(position.state(), s => stage_of(s));
    let (knot, share) = between(stage);
    let result = (1.0 + f64::from(margin.signum())) / 2.0;
    Sample {
        features: on_size!(position.state(), s => features_of(s)),
        knot,
        share,
        result,
        target: result * (1.0 - opinion) + value * opinion,
        margin: f64::from(margin) / 2.0,
        stage,
    }
}

fn dot(x: &[(usize, f64)], weights: &[f64]) -> f64 {
    x.iter().map(|&(i, a)| a * weights[i]).sum()
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

impl Pull {
    /// Pulls weights towards their base and what they differ from it towards that of
    /// the next stage. Placement and moving stages have nothing to do with each other.
    fn add_to(&self, normal: &mut Normal, weights: &[f64]) {
        let apart: Vec<f64> = weights.iter().zip(&self.base).map(|(w, b)| w - b).collect();
        for i in 0..SIZE {
            normal.ridge(i, self.ridge, -self.ridge * apart[i]);
            let stage = i / FEATURES;
            if stage + 1 < STAGES.len() && STAGES[stage] != 1.0 {
                normal.tie(i, i + FEATURES, self.smooth, &apart);
            }
        }
    }
}

/// Newton's method from the base in so many steps: `add` sums up the slope and the
/// curvature of the loss at the weights it is given.
pub(crate) fn newton(
    steps: usize,
    pull: &Pull,
    mut add: impl FnMut(&mut Normal, &[f64]),
) -> Vec<f64> {
    let mut weights = pull.base.clone();
    for _ in 0..steps {
        let mut normal = Normal::new(SIZE);
        add(&mut normal, &weights);
        pull.add_to(&mut normal, &weights);
        for (weight, step) in weights.iter_mut().zip(normal.solve()) {
            *weight += step;
        }
    }
    weights
}

/// The log odds of winning, by the log loss.
fn fit_winning(samples: &[Sample], pull: &Pull) -> Vec<f64> {
    let mut x = Vec::new();
    newton(12, pull, |normal, weights| {
        for sample in samples {
            sample.sparse(&mut x);
            let p = logistic(dot(&x, weights));
            normal.add(&x, (p * (1.0 - p)).max(1e-4), sample.target - p);
        }
    })
}

/// Least squares; margins are held within what is usual so that a few routs
/// don't decide.
fn fit_margin(samples: &[Sample], pull: &Pull) -> Vec<f64> {
    let mut x = Vec::new();
    newton(1, pull, |normal, weights| {
        for sample in samples {
            sample.sparse(&mut x);
            let margin = sample.margin.clamp(-150.0, 150.0);
            normal.add(&x, 1.0, margin - dot(&x, weights));
        }
    })
}

/// Prints the log loss on held-back games by stage; 0.693 is no information.
fn tell_losses(weights: &[f64], samples: &[Sample]) {
    let mut sums = [(0.0, 0u32); STAGES.len() + 1];
    let mut x = Vec::new();
    for sample in samples {
        sample.sparse(&mut x);
        let p = logistic(dot(&x, weights)).clamp(1e-6, 1.0 - 1e-6);
        let loss = -(sample.result * p.ln() + (1.0 - sample.result) * (1.0 - p).ln());
        let bucket = STAGES
            .iter()
            .position(|&knot| sample.stage <= knot)
            .unwrap_or(0);
        for place in [bucket, STAGES.len()] {
            sums[place].0 += loss;
            sums[place].1 += 1;
        }
    }
    for (place, (loss, count)) in sums.into_iter().enumerate().filter(|(_, (_, n))| *n > 0) {
        let name = STAGES
            .get(place)
            .map_or("all".to_owned(), |knot| format!("<= {knot}"));
        println!(
            "stage {name:>7}: {count:>7} positions, log loss {:.4}",
            loss / f64::from(count)
        );
    }
}
