//! Transcendental functions that give the same bits on every machine.
//!
//! The platform's `exp` and `ln` differ in their last bits from one C library
//! to the next; a search would then play differently. These use nothing but
//! IEEE additions, multiplications, divisions and bit patterns.

/// 2 to the power of `x`, relative error below 1e-6; `x` is held within ±126.
pub fn exp2(x: f32) -> f32 {
    /// Adding this rounds to a whole number, held in the low bits.
    const ROUND: f32 = 12_582_912.0;
    let x = x.clamp(-126.0, 126.0);
    let rounded = x + ROUND;
    let t = (x - (rounded - ROUND)) * std::f32::consts::LN_2;
    let series = 1.0
        + t * (1.0
            + t * (0.5
                + t * (1.0 / 6.0 + t * (1.0 / 24.0 + t * (1.0 / 120.0 + t * (1.0 / 720.0))))));
    let exponent = rounded
        .to_bits()
        .wrapping_sub(ROUND.to_bits())
        .wrapping_add(127);
    f32::from_bits(exponent << 23) * series
}

/// e to the power of `x`.
pub fn exp(x: f32) -> f32 {
    exp2(x * std::f32::consts::LOG2_E)
}

/// The logistic function: a probability from its log odds.
pub fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// The logarithm to base 2 of a positive normal number, error below 1e-4.
pub fn log2(x: f32) -> f32 {
    let bits = x.max(f32::MIN_POSITIVE).to_bits();
    let exponent = (bits >> 23) as i32 - 127;
    let mantissa = f32::from_bits((bits & 0x007f_ffff) | 0x3f80_0000);
    // atanh series: ln m = 2 (s + s^3/3 + s^5/5 + ...), s = (m - 1) / (m + 1).
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let q = s * s;
    let series = 2.0 * s * (1.0 + q * (1.0 / 3.0 + q * (0.2 + q * (1.0 / 7.0 + q / 9.0))));
    exponent as f32 + series * std::f32::consts::LOG2_E
}

/// The greater of two numbers, neither of which is NaN: one instruction, while
/// [`f32::max`] minds NaN and takes three, each of which waits for the one before.
pub fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The greatest of some numbers times `factor`, in lanes; negative infinity if there is none.
pub fn greatest(numbers: &[f32], factor: f32) -> f32 {
    let mut lanes = [f32::NEG_INFINITY; 8];
    let (eights, rest) = numbers.as_chunks::<8>();
    for eight in eights {
        for (most, number) in lanes.iter_mut().zip(eight) {
            *most = greater(factor * number, *most);
        }
    }
    for (most, number) in lanes.iter_mut().zip(rest) {
        *most = greater(factor * number, *most);
    }
    lanes.into_iter().fold(f32::NEG_INFINITY, greater)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_to_the_platform() {
        for i in -2000..2000 {
            let x = i as f32 / 100.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 5e-6, "exp {x}");
            let y = x.abs() + 0.001;
            assert!((log2(y) - y.log2()).abs() < 1e-4, "log2 {y}");
            assert!((logistic(x) - 1.0 / (1.0 + (-x).exp())).abs() < 1e-6);
        }
    }

    #[test]
    fn greatest_is_that_of_all() {
        let numbers: Vec<f32> = (0..40).map(|i| ((i * 29 + 7) % 41 - 20) as f32).collect();
        for len in 0..numbers.len() {
            for factor in [1.0, -1.0] {
                let some = &numbers[..len];
                let all = some.iter().map(|number| factor * number);
                let greatest = all.fold(f32::NEG_INFINITY, f32::max);
                assert_eq!(super::greatest(some, factor), greatest);
            }
        }
    }

    #[test]
    fn never_leaves_the_finite() {
        for x in [f32::INFINITY, f32::NEG_INFINITY, 1e30, -1e30, 0.0] {
            assert!(exp(x).is_finite() && logistic(x).is_finite() && log2(x.abs()).is_finite());
        }
    }
}
