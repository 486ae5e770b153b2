//! A wide word in two registers of SSE2, which every x86-64 has.

#![allow(unsafe_code)]
// SAFETY (all of this file): it is compiled only for x86-64, which has SSE2;
// nothing here touches memory.

use bytemuck::must_cast;
use std::arch::x86_64::*;

/// The lower eight ranks and the upper ones.
pub(in super::super) type Limbs = [__m128i; 2];

#[inline(always)]
pub(in super::super) fn and(a: Limbs, b: Limbs) -> Limbs {
    std::array::from_fn(|i| unsafe { _mm_and_si128(a[i], b[i]) })
}

#[inline(always)]
pub(in super::super) fn or(a: Limbs, b: Limbs) -> Limbs {
    std::array::from_fn(|i| unsafe { _mm_or_si128(a[i], b[i]) })
}

#[inline(always)]
pub(in super::super) fn xor(a: Limbs, b: Limbs) -> Limbs {
    std::array::from_fn(|i| unsafe { _mm_xor_si128(a[i], b[i]) })
}

/// Whether no bit is set.
#[inline(always)]
fn is_empty([low, high]: Limbs) -> bool {
    unsafe {
        let both = _mm_or_si128(low, high);
        _mm_movemask_epi8(_mm_cmpeq_epi8(both, _mm_setzero_si128())) == 0xffff
    }
}

/// Whether two sets have no bit in common.
#[inline(always)]
pub(in super::super) fn apart(a: Limbs, b: Limbs) -> bool {
    is_empty(and(a, b))
}

/// Whether the first set has every bit of the second.
#[inline(always)]
pub(in super::super) fn covers(a: Limbs, b: Limbs) -> bool {
    is_empty(std::array::from_fn(|i| unsafe {
        _mm_andnot_si128(a[i], b[i])
    }))
}

/// The bit with this number.
#[inline(always)]
pub(in super::super) fn bit(index: u32) -> Limbs {
    must_cast::<[u64; 4], _>(std::array::from_fn(|i| {
        u64::from(index / 64 == i as u32) << (index % 64)
    }))
}

/// Which limbs are zero, one bit each.
#[inline(always)]
pub(in super::super) fn vacant(set: Limbs) -> u32 {
    let limbs: [u64; 4] = must_cast(set);
    (0..4).fold(0, |bits, i| bits | u32::from(limbs[i] == 0) << i)
}

/// The lowest bit of each limb.
#[inline(always)]
pub(in super::super) fn lowest_each(set: Limbs) -> Limbs {
    set.map(|half| unsafe { _mm_and_si128(half, _mm_sub_epi64(_mm_setzero_si128(), half)) })
}

/// Every bit one up in its rank.
#[inline(always)]
pub(in super::super) fn east(set: Limbs) -> Limbs {
    set.map(|half| unsafe { _mm_add_epi16(half, half) })
}

/// Every bit one down in its rank.
#[inline(always)]
pub(in super::super) fn west(set: Limbs) -> Limbs {
    set.map(|half| unsafe { _mm_srli_epi16(half, 1) })
}

/// Every rank one up.
#[inline(always)]
pub(in super::super) fn north([low, high]: Limbs) -> Limbs {
    unsafe {
        let over = _mm_bsrli_si128(low, 14);
        [
            _mm_bslli_si128(low, 2),
            _mm_or_si128(_mm_bslli_si128(high, 2), over),
        ]
    }
}

/// Every rank one down.
#[inline(always)]
pub(in super::super) fn south([low, high]: Limbs) -> Limbs {
    unsafe {
        let over = _mm_bslli_si128(high, 14);
        [
            _mm_or_si128(_mm_bsrli_si128(low, 2), over),
            _mm_bsrli_si128(high, 2),
        ]
    }
}
