//! Two fields found at once, side by side in vector registers.
//!
//! [`BoardSize::two_fields`](super::geometry::BoardSize::two_fields) has the
//! portable twin of both functions, and a test holds them equal. A flood
//! waits for its own steps, so that two in step take little longer than one;
//! measured on 10×10 with 5 farmers, see tuning/EXPERIMENTS.md.

#![allow(unsafe_code)]
// SAFETY (all of this module): it is compiled only where the build's target has
// AVX2. Intrinsics but the loads and stores touch no memory, and those are of
// whole arrays.

use super::crops::Farmers;
use super::geometry::Found;
use super::places::Places;
use super::wide::Wide;
use std::arch::x86_64::*;

/// The first set's farmers in the low half, the second's in the high one:
/// those at whose place `found` has a byte that isn't zero.
#[inline(always)]
fn beside(found: __m256i) -> [Farmers; 2] {
    let bits = unsafe {
        let none = _mm256_cmpeq_epi8(found, _mm256_setzero_si256());
        !_mm256_movemask_epi8(none).cast_unsigned()
    };
    [bits & 0xffff, bits >> 16]
}

/// One of the arrays of [`Places`] in both halves of a register.
#[inline(always)]
fn twice(bytes: &[u8; 16]) -> __m256i {
    unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast())) }
}

/// The lower eight ranks of two sets in one register, the upper ones in
/// another: only a shift of bytes then moves a set up or down, and no half has
/// to be exchanged with the other.
#[derive(Clone, Copy)]
struct Halves {
    low: __m256i,
    high: __m256i,
}

impl Halves {
    #[inline(always)]
    fn of([a, b]: [Wide; 2]) -> Halves {
        unsafe {
            Halves {
                low: _mm256_permute2x128_si256(a.0, b.0, 0x20),
                high: _mm256_permute2x128_si256(a.0, b.0, 0x31),
            }
        }
    }

    #[inline(always)]
    fn sets(self) -> [Wide; 2] {
        let Halves { low, high } = Halves::of([Wide(self.low), Wide(self.high)]);
        [Wide(low), Wide(high)]
    }

    #[inline(always)]
    fn and(self, other: Halves) -> Halves {
        unsafe {
            Halves {
                low: _mm256_and_si256(self.low, other.low),
                high: _mm256_and_si256(self.high, other.high),
            }
        }
    }

    #[inline(always)]
    fn covers(self, other: Halves) -> bool {
        unsafe {
            _mm256_testc_si256(self.low, other.low) == 1
                && _mm256_testc_si256(self.high, other.high) == 1
        }
    }

    /// The sets with their neighbours, those of the cells within `within`
    /// beside them too.
    #[inline(always)]
    fn rimmed(self, within: Halves) -> Halves {
        let sideways = |set| unsafe {
            let both = _mm256_or_si256(_mm256_add_epi16(set, set), _mm256_srli_epi16(set, 1));
            _mm256_or_si256(set, both)
        };
        let beside = Halves {
            low: sideways(self.low),
            high: sideways(self.high),
        };
        let Halves { low, high } = beside.and(within);
        unsafe {
            let above = _mm256_or_si256(
                _mm256_bslli_epi128(low, 2),
                _mm256_alignr_epi8(high, low, 2),
            );
            let below = _mm256_or_si256(
                _mm256_bsrli_epi128(high, 2),
                _mm256_alignr_epi8(high, low, 14),
            );
            Halves {
                low: _mm256_or_si256(beside.low, above),
                high: _mm256_or_si256(beside.high, below),
            }
        }
    }

    /// The number of cells of each set (Muła, Kurz, Lemire, Faster Population
    /// Counts Using AVX2 Instructions, 2018: a look-up for each half byte).
    #[inline(always)]
    fn counts(self) -> [u32; 2] {
        unsafe {
            let bits = _mm256_broadcastsi128_si256(_mm_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
            ));
            let half = _mm256_set1_epi8(15);
            let of_bytes = |set| {
                let low = _mm256_shuffle_epi8(bits, _mm256_and_si256(set, half));
                let high = _mm256_and_si256(_mm256_srli_epi16(set, 4), half);
                _mm256_add_epi8(low, _mm256_shuffle_epi8(bits, high))
            };
            let bytes = _mm256_add_epi8(of_bytes(self.low), of_bytes(self.high));
            let sums = _mm256_sad_epu8(bytes, _mm256_setzero_si256());
            let sums = _mm256_add_epi64(sums, _mm256_unpackhi_epi64(sums, sums));
            let second = _mm256_extracti128_si256(sums, 1);
            [_mm256_castsi256_si128(sums), second]
                .map(|count| _mm_cvtsi128_si32(count).cast_unsigned())
        }
    }

    /// The farmers on each set's cells.
    #[inline(always)]
    fn standing(self, places: &Places) -> [Farmers; 2] {
        unsafe {
            let byte = twice(&places.byte);
            // A byte number with its top bit set finds 0.
            let in_low = _mm256_add_epi8(byte, _mm256_set1_epi8(0x70));
            let in_high = _mm256_sub_epi8(byte, _mm256_set1_epi8(0x10));
            let found = _mm256_or_si256(
                _mm256_shuffle_epi8(self.low, in_low),
                _mm256_shuffle_epi8(self.high, in_high),
            );
            beside(_mm256_and_si256(found, twice(&places.bit)))
        }
    }
}

/// Two fields on a board of 16-bit ranks.
#[inline(always)]
pub(super) fn wide(seeds: [Wide; 2], within: Wide, places: &Places) -> [Found<Wide>; 2] {
    let within = Halves::of([within; 2]);
    let mut filled = Halves::of(seeds);
    let (cells, rims) = loop {
        let rims = filled.rimmed(within);
        let once = rims.and(within);
        if filled.covers(once) {
            break (filled, rims);
        }
        // Twice the same, which spares copies of registers.
        let rims = once.rimmed(within);
        filled = rims.and(within);
        if once.covers(filled) {
            break (once, rims);
        }
    };
    let (sets, counts, beside) = (cells.sets(), cells.counts(), rims.standing(places));
    std::array::from_fn(|i| Found {
        cells: sets[i],
        count: counts[i],
        beside: beside[i],
    })
}

/// Two fields on a board of 8-bit ranks.
#[inline(always)]
pub(super) fn narrow(seeds: [u64; 2], within: u64, places: &Places) -> [Found<u64>; 2] {
    unsafe {
        let [a, b] = seeds.map(u64::cast_signed);
        let within = _mm_set1_epi64x(within.cast_signed());
        let rimmed = |filled| {
            let east = _mm_add_epi8(filled, filled);
            let west = _mm_and_si128(_mm_srli_epi64(filled, 1), _mm_set1_epi8(0x7f));
            let beside = _mm_or_si128(filled, _mm_or_si128(east, west));
            let wider = _mm_and_si128(beside, within);
            let above = _mm_or_si128(_mm_slli_epi64(wider, 8), _mm_srli_epi64(wider, 8));
            _mm_or_si128(beside, above)
        };
        let mut filled = _mm_set_epi64x(b, a);
        let (cells, rims) = loop {
            let rims = rimmed(filled);
            let once = _mm_and_si128(rims, within);
            if _mm_testc_si128(filled, once) == 1 {
                break (filled, rims);
            }
            let rims = rimmed(once);
            filled = _mm_and_si128(rims, within);
            if _mm_testc_si128(once, filled) == 1 {
                break (once, rims);
            }
        };
        // The second set's bytes come after the first's.
        let second = _mm256_set_epi64x(0x0808_0808_0808_0808, 0x0808_0808_0808_0808, 0, 0);
        let byte = _mm256_add_epi8(twice(&places.byte), second);
        let found = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(rims), byte);
        let beside = beside(_mm256_and_si256(found, twice(&places.bit)));
        let sets = [_mm_cvtsi128_si64(cells), _mm_extract_epi64(cells, 1)];
        std::array::from_fn(|i| {
            let cells = sets[i].cast_unsigned();
            Found {
                cells,
                count: cells.count_ones(),
                beside: beside[i],
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::geometry::*;
    use super::super::word::Word;
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// On random boards the fast way finds what the plain one does.
    fn check<S: BoardSize>() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut next = || rng.next_u64() >> 20;
        let mut different = 0;
        for round in 0..2000 {
            let mut random = |of: u64| {
                let cells = (0..144).filter_map(|i| Cell::new(i % 12, i / 12));
                let cells = cells.filter(|cell| cell.is_on(S::SIZE) && next() % 8 < of);
                cells.fold(S::Word::EMPTY, |set, cell| set | S::bit(cell))
            };
            let within = random(2 + round % 5);
            let touched = within & random(4);
            if touched.is_empty() {
                continue;
            }
            let farmers = std::array::from_fn(|_| {
                let cell = Cell::new((next() % 12) as u8, (next() % 12) as u8);
                cell.filter(|cell| cell.is_on(S::SIZE))
                    .map_or(255, |cell| cell.0)
            });
            let places = Places::of(farmers, S::RANKS);
            let seeds = touched.ends();
            let plain = seeds.map(|seed| {
                let [cells, rim] = S::flood_rimmed(seed, within);
                Found {
                    cells,
                    count: cells.count(),
                    beside: rim.standing(&places),
                }
            });
            assert_eq!(S::two_fields(seeds, within, &places), plain);
            different += u32::from(plain[0] != plain[1]);
        }
        assert!(different > 300, "{different}");
    }

    #[test]
    fn two_fields_are_those_of_two_floods() {
        check::<Size5>();
        check::<Size7>();
        check::<Size8>();
        check::<Size9>();
        check::<Size10>();
        check::<Size12>();
    }
}
