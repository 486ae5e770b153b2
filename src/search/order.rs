//! The order of a node's moves by their priors.

/// Lanes of a block of keys, so that the compiler makes vectors of them.
const LANES: usize = 8;

/// Scratch for [`Order::places`].
#[derive(Default)]
pub(super) struct Order {
    keys: Vec<[i32; LANES]>,
    places: Vec<[i32; LANES]>,
}

impl Order {
    /// The place of each prior, 0 to 1, among all of them, the greatest first; of
    /// equals the first comes first.
    ///
    /// Each is compared with every other: for the few dozen moves of a node
    /// that takes a quarter of the instructions of a sort, and no branch depends
    /// on a prior.
    pub(super) fn places(&mut self, priors: &[f32]) -> &[u32] {
        let Order { keys, places } = self;
        keys.clear();
        for block in priors.chunks(LANES) {
            // Floats from 0 on compare as their bits do; what pads the last
            // block comes after all.
            let bits = |lane: usize| block.get(lane).map_or(-1, |p| p.to_bits().cast_signed());
            keys.push(std::array::from_fn(bits));
        }
        places.resize(keys.len(), [0; LANES]);
        count(keys, places);
        let places: &[u32] = bytemuck::cast_slice(places.as_flattened());
        &places[..priors.len()]
    }
}

/// How many keys come before each.
#[inline(never)]
fn count(keys: &[[i32; LANES]], places: &mut [[i32; LANES]]) {
    for (block, places) in places.iter_mut().enumerate() {
        let mine = keys[block];
        let mut before = [0; LANES];
        // Of equals, those in earlier blocks come before.
        let least = mine.map(|key| key - 1);
        for other in &keys[..block] {
            add(&mut before, other, &least);
        }
        for other in &keys[block + 1..] {
            add(&mut before, other, &mine);
        }
        for (at, &key) in mine.iter().enumerate() {
            for lane in 0..LANES {
                before[lane] += i32::from(key > mine[lane] - i32::from(at < lane));
            }
        }
        *places = before;
    }
}

/// Adds, in each lane, how many of `keys` are greater than the lane's limit.
#[inline(always)]
fn add(counts: &mut [i32; LANES], keys: &[i32; LANES], limits: &[i32; LANES]) {
    for &key in keys {
        for lane in 0..LANES {
            counts[lane] += i32::from(key > limits[lane]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_a_stable_sort() {
        let mut order = Order::default();
        let mut seed = 1u32;
        for len in 0..150 {
            let priors: Vec<f32> = (0..len)
                .map(|_| {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    // Few enough values that many are equal, 0 among them.
                    (seed >> 28) as f32 / 16.0
                })
                .collect();
            let mut sorted: Vec<usize> = (0..len).collect();
            sorted.sort_by(|&a, &b| priors[b].total_cmp(&priors[a]));
            let places = order.places(&priors);
            assert_eq!(places.len(), len);
            for (place, &which) in sorted.iter().enumerate() {
                assert_eq!(places[which] as usize, place, "{priors:?}");
            }
        }
    }
}
