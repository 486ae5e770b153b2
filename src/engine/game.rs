//! A state as the search's game, and the judgement as its evaluator.
//! Light is the first player; margins are half points.

use crate::evaluation::Judge;
use crate::evaluation::survey::Surveys;
use crate::rules::{BoardSize, Cell, Move, Side, State};
use crate::search::{Actor, Bounds, Child, Children, Evaluator, Game};

const PASS: u16 = u16::MAX;

fn pack_cell(cell: Cell) -> u16 {
    u16::from(cell.rank()) << 4 | u16::from(cell.file())
}

fn unpack_cell(bits: u16) -> Cell {
    Cell::new((bits & 15) as u8, (bits >> 4 & 15) as u8).unwrap_or_default()
}

impl<S: BoardSize> Game for State<S> {
    type Move = Move;

    #[inline(always)]
    fn actor(&self) -> Actor {
        match self.side() {
            Side::Light => Actor::First,
            Side::Dark => Actor::Second,
        }
    }

    fn outcome(&self) -> Option<i16> {
        self.is_over().then(|| self.score().margin().0 as i16)
    }

    #[inline(always)]
    fn play(&mut self, mv: Move) {
        self.make(mv);
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        State::key(self)
    }

    #[inline(always)]
    fn pack(mv: Move) -> u16 {
        match mv {
            Move::Pass => PASS,
            Move::Place(cell) => pack_cell(cell) << 8 | pack_cell(cell),
            Move::Step { from, to } => pack_cell(from) << 8 | pack_cell(to),
        }
    }

    #[inline(always)]
    fn unpack(&self, bits: u16) -> Move {
        let (from, to) = (bits >> 8, bits & 0xff);
        if bits == PASS {
            Move::Pass
        } else if from == to {
            Move::Place(unpack_cell(to))
        } else {
            Move::Step {
                from: unpack_cell(from),
                to: unpack_cell(to),
            }
        }
    }
}

/// What is known of the final margin after a pass that leaves this one.
#[cold]
#[inline(never)]
fn bounds_of_pass<S: BoardSize>(state: &State<S>, margin: i16) -> Bounds {
    if state.may_end() {
        return Bounds::exact(margin);
    }
    // The opponent may end the game at this margin by passing too.
    match state.side() {
        Side::Light => Bounds {
            hi: margin,
            ..Bounds::OPEN
        },
        Side::Dark => Bounds {
            lo: margin,
            ..Bounds::OPEN
        },
    }
}

impl<S: BoardSize> Evaluator<State<S>> for Judge {
    fn judge(&self, state: &State<S>, children: &mut Children<State<S>>) {
        let sign = state.actor().sign();
        let mut surveys = Surveys::new();
        children.extend(self.children(state, &mut surveys).map(|(mv, judged)| {
            let bounds = match mv {
                Move::Pass => bounds_of_pass(state, judged.margin as i16),
                _ => Bounds::OPEN,
            };
            Child {
                mv,
                logit: judged.logit,
                margin: judged.expected,
                policy: sign * judged.policy,
                bounds,
            }
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::on_size;
    use crate::rules::Position;

    #[test]
    fn every_move_survives_packing() {
        for spec in ["start:12", "start:3", "x4/x2,L2,x1/x1,D4,x2/x4 L 1 0"] {
            let position: Position = spec.parse().unwrap();
            let check = |mv: Move| {
                on_size!(position.state(), s => {
                    fn same<S: BoardSize>(state: &State<S>, mv: Move) {
                        assert_eq!(state.unpack(State::<S>::pack(mv)), mv);
                    }
                    same(s, mv);
                });
            };
            position.legal_moves().into_iter().for_each(check);
        }
    }
}
