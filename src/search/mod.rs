//! A Monte Carlo tree search that knows no Agros.
