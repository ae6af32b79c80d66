//! Chooses, at run time, the lanes that suit the processor: one binary is right and fast on all of them.

use super::lanes::{Lanes, PortableLanes};

/// Work on lanes, written once for all of them. Its `run` must be inlined, to be compiled for the processor's features.
pub(super) trait Kernel {
    /// What comes of it.
    type Output;
    /// Does the work.
    fn run<L: Lanes>(self) -> Self::Output;
}

/// Runs `kernel` on the fastest lanes that this processor has.
#[inline]
pub(super) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if super::avx2::is_available() {
        // SAFETY: the processor has the features that `run` is compiled for.
        return unsafe { super::avx2::run(kernel) };
    }
    kernel.run::<PortableLanes>()
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::super::avx2;
    use super::*;
    use crate::mix::mix2;

    /// Everything that lanes can do, of two sets.
    struct Everything([u64; 4], [u64; 4]);

    impl Kernel for Everything {
        type Output = (Vec<[u64; 4]>, [i64; 5], [u64; 2]);

        #[inline(always)]
        fn run<L: Lanes>(self) -> Self::Output {
            let (a, b) = (L::load(self.0), L::load(self.1));
            let sets = [
                a.and(b),
                a.without(b),
                a.or(b),
                a.xor(b),
                a.rise(),
                a.sink(),
                a.rightward(),
                a.leftward(),
                a.below_lowest(),
                a.without_lowest(),
            ];
            let empty = [a.is_empty(), a.without(a).is_empty()].map(i64::from);
            let numbers = [a.columns().into(), a.count().into(), a.tallest().into(), empty[0], empty[1]];
            (sets.map(L::store).to_vec(), numbers, a.column_counts())
        }
    }

    #[test]
    #[allow(unsafe_code, reason = "calls the vector path")]
    fn vector_lanes_do_what_portable_lanes_do() {
        if !avx2::is_available() {
            eprintln!("this processor has no AVX2: nothing to compare");
            return;
        }
        for seed in 0..20_000 {
            // From nearly empty sets to nearly full ones.
            let word = |salt: u64| {
                let drawn = |part| mix2(seed, salt * 8 + part);
                match seed % 4 {
                    0 => drawn(0) & drawn(1) & drawn(2) & drawn(3),
                    1 => drawn(0) & drawn(1),
                    2 => drawn(0) | drawn(1),
                    _ => drawn(0) & [0, 0xffff, 0xffff_0000_ffff, u64::MAX][drawn(1) as usize % 4],
                }
            };
            let (a, b) = ([0, 1, 2, 3].map(word), [4, 5, 6, 7].map(word));
            // SAFETY: the processor has what it takes.
            let vector = unsafe { avx2::run(Everything(a, b)) };
            assert_eq!(vector, Everything(a, b).run::<PortableLanes>(), "seed {seed}");
        }
    }

    #[test]
    fn lanes_move_columns_and_heights() {
        let corner = PortableLanes::load([1, 0, 0, 0]);
        assert!(corner.sink().is_empty() && corner.leftward().is_empty());
        assert_eq!(corner.rise().rightward().store(), [2 << 16, 0, 0, 0]);
        let top = PortableLanes::load([0, 0, 0, 1 << 63]);
        assert!(top.rise().is_empty() && top.rightward().is_empty());
        assert_eq!(top.leftward().sink().store(), [0, 0, 0, 1 << 46]);
        assert_eq!((top.columns(), top.tallest(), top.column_counts()), (1 << 15, 16, [0, 1 << 56]));
    }
}
