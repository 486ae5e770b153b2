//! Small dense symmetric systems.

/// A symmetric matrix that sums outer products, with its right-hand side.
pub(crate) struct Normal {
    size: usize,
    matrix: Vec<f64>,
    right: Vec<f64>,
}

impl Normal {
    pub(crate) fn new(size: usize) -> Normal {
        Normal {
            size,
            matrix: vec![0.0; size * size],
            right: vec![0.0; size],
        }
    }

    /// Adds `weight` × x xᵀ to the matrix and `force` × x to the right-hand side,
    /// for a sparse x with ascending indices.
    pub(crate) fn add(&mut self, x: &[(usize, f64)], weight: f64, force: f64) {
        for (n, &(i, a)) in x.iter().enumerate() {
            self.right[i] += force * a;
            for &(j, b) in &x[..=n] {
                self.matrix[i * self.size + j] += weight * a * b;
            }
        }
    }

    /// Adds `weight` to the diagonal at `i` and `force` to the right-hand side.
    pub(crate) fn ridge(&mut self, i: usize, weight: f64, force: f64) {
        self.matrix[i * self.size + i] += weight;
        self.right[i] += force;
    }

    /// Adds `weight` × (x_i − x_j)² to what is minimised, around the given values.
    pub(crate) fn tie(&mut self, i: usize, j: usize, weight: f64, values: &[f64]) {
        let (low, high) = (i.min(j), i.max(j));
        self.matrix[i * self.size + i] += weight;
        self.matrix[j * self.size + j] += weight;
        self.matrix[high * self.size + low] -= weight;
        let difference = values[i] - values[j];
        self.right[i] -= weight * difference;
        self.right[j] += weight * difference;
    }

    /// The solution by Cholesky's decomposition of the lower triangle.
    pub(crate) fn solve(mut self) -> Vec<f64> {
        let n = self.size;
        let m = &mut self.matrix;
        for j in 0..n {
            for i in j..n {
                let dot: f64 = (0..j).map(|k| m[i * n + k] * m[j * n + k]).sum();
                let rest = m[i * n + j] - dot;
                m[i * n + j] = if i == j {
                    rest.max(1e-12).sqrt()
                } else {
                    rest / m[j * n + j]
                };
            }
        }
        let mut x = self.right;
        for i in 0..n {
            let dot: f64 = (0..i).map(|k| m[i * n + k] * x[k]).sum();
            x[i] = (x[i] - dot) / m[i * n + i];
        }
        for i in (0..n).rev() {
            let dot: f64 = (i + 1..n).map(|k| m[k * n + i] * x[k]).sum();
            x[i] = (x[i] - dot) / m[i * n + i];
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_a_small_system() {
        let mut normal = Normal::new(3);
        for x in [
            [1.0, 2.0, 3.0],
            [2.0, -1.0, 0.5],
            [0.0, 1.0, 1.0],
            [1.0, 1.0, -4.0],
        ] {
            let target = 2.0 * x[0] - x[1] + 0.5 * x[2];
            let sparse: Vec<_> = x.into_iter().enumerate().collect();
            normal.add(&sparse, 1.0, target);
        }
        for (got, wanted) in normal.solve().into_iter().zip([2.0, -1.0, 0.5]) {
            assert!((got - wanted).abs() < 1e-9);
        }
    }
}
