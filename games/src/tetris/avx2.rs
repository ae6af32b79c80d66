//! The lanes as one AVX2 register.
#![allow(unsafe_code, reason = "vector instructions")]

use super::dispatch::Kernel;
use super::lanes::Lanes;
use std::arch::x86_64::*;

/// Whether this processor has what [`run`] needs. The answer is remembered by the standard library.
#[inline]
pub(super) fn is_available() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") && is_x86_feature_detected!("bmi1")
}

/// Runs `kernel`, compiled for AVX2.
///
/// # Safety
/// [`is_available`] holds.
#[target_feature(enable = "avx2,popcnt,bmi1")]
pub(super) unsafe fn run<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Avx2Lanes>()
}

/// Sixteen lanes in one register. Only [`run`] hands this type to a kernel: that is why its methods are sound.
#[derive(Clone, Copy)]
pub(super) struct Avx2Lanes(__m256i);

impl Lanes for Avx2Lanes {
    #[inline(always)]
    fn load(words: [u64; 4]) -> Self {
        // SAFETY: the array has 32 bytes, and the load asks for no alignment.
        Self(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self) -> [u64; 4] {
        let mut words = [0; 4];
        // SAFETY: the array has 32 bytes, and the store asks for no alignment.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) };
        words
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: the processor has AVX2; so below.
        Self(unsafe { _mm256_and_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_andnot_si256(other.0, self.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_or_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_xor_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn rise(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_slli_epi16::<1>(self.0) })
    }

    #[inline(always)]
    fn sink(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_srli_epi16::<1>(self.0) })
    }

    #[inline(always)]
    fn rightward(self) -> Self {
        // SAFETY: as above. The lower half, moved up, gives the upper half its first column.
        Self(unsafe {
            let lower_half_up = _mm256_permute2x128_si256::<0x08>(self.0, self.0);
            _mm256_alignr_epi8::<14>(self.0, lower_half_up)
        })
    }

    #[inline(always)]
    fn leftward(self) -> Self {
        // SAFETY: as above. The upper half, moved down, gives the lower half its last column.
        Self(unsafe {
            let upper_half_down = _mm256_permute2x128_si256::<0x81>(self.0, self.0);
            _mm256_alignr_epi8::<2>(upper_half_down, self.0)
        })
    }

    #[inline(always)]
    fn below_lowest(self) -> Self {
        // SAFETY: as above. One less flips the lowest bit and all below it.
        Self(unsafe { _mm256_andnot_si256(self.0, _mm256_sub_epi16(self.0, _mm256_set1_epi16(1))) })
    }

    #[inline(always)]
    fn without_lowest(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_and_si256(self.0, _mm256_sub_epi16(self.0, _mm256_set1_epi16(1))) })
    }

    #[inline(always)]
    fn columns(self) -> u32 {
        // SAFETY: as above. Packing works in halves: columns 0 to 7 end in bytes 0 to 7, columns 8 to 15 in bytes 16 to 23.
        unsafe {
            let none = _mm256_cmpeq_epi16(self.0, _mm256_setzero_si256());
            let bytes = _mm256_packs_epi16(none, none);
            let mask = !(_mm256_movemask_epi8(bytes) as u32);
            mask & 0xff | mask >> 8 & 0xff00
        }
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        // SAFETY: as above.
        unsafe { _mm256_testz_si256(self.0, self.0) == 1 }
    }

    #[inline(always)]
    fn column_counts(self) -> [u64; 2] {
        // SAFETY: as above. Half bytes look up their bits, bytes add up to lanes, and lanes are packed in halves.
        unsafe {
            let bits = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
            let half = _mm256_set1_epi8(0x0f);
            let low = _mm256_shuffle_epi8(bits, _mm256_and_si256(self.0, half));
            let high = _mm256_shuffle_epi8(bits, _mm256_and_si256(_mm256_srli_epi16::<4>(self.0), half));
            let lanes = _mm256_maddubs_epi16(_mm256_add_epi8(low, high), _mm256_set1_epi8(1));
            let bytes = _mm256_packus_epi16(lanes, lanes);
            [_mm256_extract_epi64::<0>(bytes) as u64, _mm256_extract_epi64::<2>(bytes) as u64]
        }
    }
}
