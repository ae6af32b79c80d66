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
