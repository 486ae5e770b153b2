//! Every tunable number of the search: one row, one parameter.
//!
//! From the rows come the field, its name for `--param name=value` and for
//! `setoption`, its range, and the tuner's step.

/// A row of the table, as shown to users and tuners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Param {
    /// The name, lower case with underscores.
    pub name: &'static str,
    /// The value in play unless set.
    pub default: f32,
    /// The least value allowed.
    pub min: f32,
    /// The greatest value allowed.
    pub max: f32,
    /// A step that a tuner may try.
    pub step: f32,
    /// What it does, in one line.
    pub about: &'static str,
}

/// Why a parameter was not set.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamError {
    /// No row has this name.
    Unknown(String),
    /// The value is no number or out of the row's range.
    Value {
        /// The row.
        param: Param,
        /// What was given.
        given: String,
    },
}

impl std::fmt::Display for ParamError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ParamError::Unknown(text) => {
                write!(f, "no parameter {text:?}; known:")?;
                Params::TABLE
                    .iter()
                    .try_for_each(|row| write!(f, " {}", row.name))
            }
            ParamError::Value { param, given } => write!(
                f,
                "parameter {}: {given:?} is not a number from {} to {}",
                param.name, param.min, param.max
            ),
        }
    }
}

impl std::error::Error for ParamError {}

macro_rules! params {
    ($($name:ident = $default:literal, $min:literal ..= $max:literal, $step:literal, $about:literal;)*) => {
        /// The values of all parameters.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Params {
            $(#[doc = $about] pub $name: f32,)*
        }

        impl Default for Params {
            fn default() -> Self {
                Params { $($name: $default,)* }
            }
        }

        impl Params {
            /// All rows.
            pub const TABLE: &'static [Param] = &[$(Param {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
                step: $step,
                about: $about,
            },)*];

            fn field(&mut self, name: &str) -> Option<&mut f32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

params! {
    exploration = 0.7, 0.0..=10.0, 0.1, "weight of the prior against the value";
    exploration_growth = 0.1, 0.0..=5.0, 0.05, "added to the exploration for each doubling of visits beyond the base";
    exploration_base = 500.0, 1.0..=1000000.0, 200.0, "visits from which the exploration grows";
    temperature = 2.0, 0.05..=20.0, 0.2, "softmax temperature of the priors";
    minimax = 0.5, 0.0..=1.0, 0.1, "share of the best child's value against the mean of all visits";
    lookahead = 1.0, 0.0..=1.0, 0.25, "a new leaf's value: its own judgement (0) or its best child's (1)";
    urgency_loss = 0.0, 0.0..=1.0, 0.05, "taken from the judgement of a move not yet tried";
    margin_share = 0.05, 0.0..=0.5, 0.02, "share of the margin in the value of a result";
    margin_scale = 60.0, 1.0..=2000.0, 10.0, "half points at which the margin counts half of its share";
    lean = 0.001, 0.0..=0.5, 0.001, "what a thread that isn't alone adds to the moves it leans towards, others than the rest do";
    jitter = 0.02, 0.0..=1.0, 0.01, "seeded relative noise on the root's priors, which tells games apart";
}

impl Params {
    /// Sets one parameter from its name and the text of its value.
    ///
    /// ```
    /// use agros::search::Params;
    /// let mut params = Params::default();
    /// params.set("minimax", "0.25").unwrap();
    /// assert_eq!(params.minimax, 0.25);
    /// assert!(params.set("minimax", "7").is_err());
    /// ```
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
        let row = *Params::TABLE
            .iter()
            .find(|row| row.name == name)
            .ok_or_else(|| ParamError::Unknown(name.to_owned()))?;
        let number = value
            .trim()
            .parse::<f32>()
            .ok()
            .filter(|number| (row.min..=row.max).contains(number))
            .ok_or_else(|| ParamError::Value {
                param: row,
                given: value.to_owned(),
            })?;
        if let Some(field) = self.field(name) {
            *field = number;
        }
        Ok(())
    }

    /// Sets one parameter from `name=value`.
    pub fn set_pair(&mut self, pair: &str) -> Result<(), ParamError> {
        let (name, value) = pair
            .split_once('=')
            .ok_or_else(|| ParamError::Unknown(pair.to_owned()))?;
        self.set(name.trim(), value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_sound_and_settable() {
        for row in Params::TABLE {
            assert!((row.min..=row.max).contains(&row.default), "{}", row.name);
            let mut params = Params::default();
            assert_eq!(params.field(row.name).copied(), Some(row.default));
            params.set(row.name, &row.max.to_string()).unwrap();
            assert_eq!(params.field(row.name).copied(), Some(row.max));
            assert!(
                params
                    .set(row.name, &(row.max * 2.0 + 1.0).to_string())
                    .is_err()
            );
        }
    }

    #[test]
    fn refusals_name_the_reason() {
        let mut params = Params::default();
        for bad in [
            "",
            "x=1",
            "minimax",
            "minimax=",
            "minimax=NaN",
            "minimax=inf",
            "minimax=-1",
        ] {
            assert!(
                !params.set_pair(bad).unwrap_err().to_string().is_empty(),
                "{bad}"
            );
        }
        assert_eq!(params, Params::default());
    }
}
