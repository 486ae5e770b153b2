//! A wide word in one register of AVX2.

#![allow(unsafe_code)]
// SAFETY (all of this file): it is compiled only where the build's target has
// AVX2; nothing here touches memory.

use std::arch::x86_64::*;

pub(in super::super) type Limbs = __m256i;

#[inline(always)]
pub(in super::super) fn and(a: Limbs, b: Limbs) -> Limbs {
    unsafe { _mm256_and_si256(a, b) }
}

#[inline(always)]
pub(in super::super) fn or(a: Limbs, b: Limbs) -> Limbs {
    unsafe { _mm256_or_si256(a, b) }
}

#[inline(always)]
pub(in super::super) fn xor(a: Limbs, b: Limbs) -> Limbs {
    unsafe { _mm256_xor_si256(a, b) }
}

/// Whether two sets have no bit in common.
#[inline(always)]
pub(in super::super) fn apart(a: Limbs, b: Limbs) -> bool {
    unsafe { _mm256_testz_si256(a, b) == 1 }
}

/// The bit with this number.
#[inline(always)]
pub(in super::super) fn bit(index: u32) -> Limbs {
    unsafe {
        let index = _mm256_set1_epi64x(i64::from(index));
        let within = _mm256_sub_epi64(index, _mm256_set_epi64x(192, 128, 64, 0));
        // A limb that the bit isn't in has a shift beyond 63: nothing is left.
        _mm256_sllv_epi64(_mm256_set1_epi64x(1), within)
    }
}

/// Whether the first set has every bit of the second.
#[inline(always)]
pub(in super::super) fn covers(a: Limbs, b: Limbs) -> bool {
    unsafe { _mm256_testc_si256(a, b) == 1 }
}

/// Which limbs are zero, one bit each.
#[inline(always)]
pub(in super::super) fn vacant(set: Limbs) -> u32 {
    unsafe {
        let none = _mm256_cmpeq_epi64(set, _mm256_setzero_si256());
        _mm256_movemask_pd(_mm256_castsi256_pd(none)) as u32
    }
}

/// The lowest bit of each limb.
#[inline(always)]
pub(in super::super) fn lowest_each(set: Limbs) -> Limbs {
    unsafe { _mm256_and_si256(set, _mm256_sub_epi64(_mm256_setzero_si256(), set)) }
}

/// Every bit one up in its rank.
#[inline(always)]
pub(in super::super) fn east(set: Limbs) -> Limbs {
    unsafe { _mm256_add_epi16(set, set) }
}

/// Every bit one down in its rank.
#[inline(always)]
pub(in super::super) fn west(set: Limbs) -> Limbs {
    unsafe { _mm256_srli_epi16(set, 1) }
}

/// Every rank one up.
#[inline(always)]
pub(in super::super) fn north(set: Limbs) -> Limbs {
    unsafe { _mm256_alignr_epi8(set, halves_swapped(set), 14) }
}

/// Every rank one down.
#[inline(always)]
pub(in super::super) fn south(set: Limbs) -> Limbs {
    unsafe { _mm256_alignr_epi8(halves_swapped(set), set, 2) }
}

#[inline(always)]
fn halves_swapped(set: Limbs) -> Limbs {
    unsafe { _mm256_permute4x64_epi64(set, 0b01_00_11_10) }
}
