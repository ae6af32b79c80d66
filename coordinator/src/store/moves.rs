//! Sequences of moves as they stand in the store: LEB128 numbers one after the other, as on the wire.

/// The bytes of `moves`.
pub(crate) fn encode(moves: &[u32]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(moves.len() * 2);
    for &mv in moves {
        let mut rest = mv;
        while rest >= 0x80 {
            bytes.push((rest & 0x7f) as u8 | 0x80);
            rest >>= 7;
        }
        bytes.push(rest as u8);
    }
    bytes
}

/// The moves of `bytes`, or `None` when they are no sequence of 32-bit numbers.
pub(crate) fn decode(bytes: &[u8]) -> Option<Vec<u32>> {
    let mut moves = Vec::with_capacity(bytes.len());
    let (mut value, mut shift) = (0_u64, 0);
    for &byte in bytes {
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            moves.push(u32::try_from(value).ok()?);
            (value, shift) = (0, 0);
        } else if shift >= 28 {
            return None;
        } else {
            shift += 7;
        }
    }
    (shift == 0).then_some(moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn moves_are_read_back(moves in prop::collection::vec(any::<u32>(), 0..50)) {
            prop_assert_eq!(decode(&encode(&moves)), Some(moves));
        }

        #[test]
        fn no_bytes_bring_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..50)) {
            if let Some(moves) = decode(&bytes) {
                prop_assert!(moves.len() <= bytes.len());
            }
        }
    }

    #[test]
    fn cut_and_oversized_numbers_are_refused() {
        assert_eq!(decode(&[0x80]), None);
        assert_eq!(decode(&[0xff, 0xff, 0xff, 0xff, 0x7f]), None);
        assert_eq!(decode(&[0xff, 0xff, 0xff, 0xff, 0xff, 0x01]), None);
    }
}
