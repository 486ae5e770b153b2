//! Whether this machine has what the program was built for.

/// Why the program can't run here, if it can't, as a line to print.
///
/// What is done before this is known, and what prints it, must keep to what
/// every machine has: no lists, no formatting. (Tried by
/// `qemu-x86_64 -cpu Nehalem target/release/agros moves start:3`.)
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
#[inline(never)]
pub(super) fn objection() -> Option<&'static str> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    // Not `is_x86_feature_detected`: of a feature that the build takes for
    // granted it says yes without asking the processor.
    // SAFETY: every x86-64 has this instruction.
    #[allow(unsafe_code, unused_unsafe)]
    let [highest, first, seventh] = unsafe {
        [
            __cpuid(0).eax,
            __cpuid(1).ecx,
            // Beyond the highest leaf this is of another leaf.
            __cpuid_count(7, 0).ebx,
        ]
    };
    (!suffices(highest, first, seventh)).then_some(
        "agros: this program was built for processors with AVX2, which this one lacks; \
         build it with RUSTFLAGS='-C target-cpu=x86-64'\n",
    )
}

/// Whether a processor will do whose highest leaf this is and which says this of
/// itself in ECX of leaf 1 and EBX of leaf 7.
#[cfg(any(test, all(target_arch = "x86_64", target_feature = "avx2")))]
#[inline(always)]
const fn suffices(highest: u32, first: u32, seventh: u32) -> bool {
    // OSXSAVE (the system keeps the wide registers), FMA, MOVBE; BMI1, AVX2, BMI2.
    const FIRST: u32 = 1 << 27 | 1 << 12 | 1 << 22;
    const SEVENTH: u32 = 1 << 3 | 1 << 5 | 1 << 8;
    highest >= 7 && first & FIRST == FIRST && seventh & SEVENTH == SEVENTH
}

/// The build asks for nothing special.
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(super) fn objection() -> Option<&'static str> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_that_is_needed_is_asked_for() {
        assert_eq!(objection(), None, "these tests run");
        assert!(suffices(7, u32::MAX, u32::MAX) && !suffices(6, u32::MAX, u32::MAX));
        let needed = |bits: [u32; 2]| !suffices(13, !bits[0], !bits[1]);
        let first: Vec<u32> = (0..32).filter(|bit| needed([1 << bit, 0])).collect();
        let seventh: Vec<u32> = (0..32).filter(|bit| needed([0, 1 << bit])).collect();
        assert_eq!((first, seventh), (vec![12, 22, 27], vec![3, 5, 8]));
    }
}
