//! A wide word in four limbs, without intrinsics.

pub(in super::super) type Limbs = [u64; 4];

#[inline(always)]
pub(in super::super) fn and(a: Limbs, b: Limbs) -> Limbs {
    std::array::from_fn(|i| a[i] & b[i])
}

#[inline(always)]
pub(in super::super) fn or(a: Limbs, b: Limbs) -> Limbs {
    std::array::from_fn(|i| a[i] | b[i])
}

#[inline(always)]
pub(in super::super) fn xor(a: Limbs, b: Limbs) -> Limbs {
    std::array::from_fn(|i| a[i] ^ b[i])
}

#[inline(always)]
pub(in super::super) fn apart(a: Limbs, b: Limbs) -> bool {
    and(a, b) == [0; 4]
}

#[inline(always)]
pub(in super::super) fn bit(index: u32) -> Limbs {
    std::array::from_fn(|i| u64::from(index / 64 == i as u32) << (index % 64))
}

#[inline(always)]
pub(in super::super) fn covers(a: Limbs, b: Limbs) -> bool {
    and(a, b) == b
}

#[inline(always)]
pub(in super::super) fn vacant(set: Limbs) -> u32 {
    (0..4).fold(0, |bits, i| bits | u32::from(set[i] == 0) << i)
}

#[inline(always)]
pub(in super::super) fn lowest_each(set: Limbs) -> Limbs {
    set.map(|limb| limb & limb.wrapping_neg())
}

#[inline(always)]
pub(in super::super) fn east(set: Limbs) -> Limbs {
    set.map(|limb| limb << 1)
}

#[inline(always)]
pub(in super::super) fn west(set: Limbs) -> Limbs {
    set.map(|limb| limb >> 1)
}

#[inline(always)]
pub(in super::super) fn north(set: Limbs) -> Limbs {
    let [a, b, c, d] = set;
    [
        a << 16,
        b << 16 | a >> 48,
        c << 16 | b >> 48,
        d << 16 | c >> 48,
    ]
}

#[inline(always)]
pub(in super::super) fn south(set: Limbs) -> Limbs {
    let [a, b, c, d] = set;
    [
        a >> 16 | b << 48,
        b >> 16 | c << 48,
        c >> 16 | d << 48,
        d >> 16,
    ]
}
