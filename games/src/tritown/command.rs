//! The player's commands and their numbers.

/// One step of a play. The end of a play is no step: a play may end anywhere.
///
/// Squares are numbered row by row from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Command {
    /// Builds the next building of the sequence on an empty square.
    Put(u16),
    /// Plays a star on an empty square.
    Star(u16),
    /// Empties a square that holds a building.
    Bomber(u16),
}

/// Bits of an encoded command that hold the square; the kind stands above them.
const SQUARE_BITS: u32 = 16;

impl Command {
    /// The square it is played on.
    #[must_use]
    pub const fn square(self) -> usize {
        match self {
            Self::Put(square) | Self::Star(square) | Self::Bomber(square) => square as usize,
        }
    }

    /// The word that stands for it in a play's text.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Put(_) => "PUT",
            Self::Star(_) => "STAR",
            Self::Bomber(_) => "BOMBER",
        }
    }

    /// The command as a number.
    #[must_use]
    pub const fn encode(self) -> u32 {
        let kind = match self {
            Self::Put(_) => 0,
            Self::Star(_) => 1,
            Self::Bomber(_) => 2,
        };
        kind << SQUARE_BITS | self.square() as u32
    }

    /// The command that `code` stands for on a map of `squares` squares, if any.
    #[must_use]
    pub const fn decode(code: u32, squares: usize) -> Option<Self> {
        let square = code as u16;
        if square as usize >= squares {
            return None;
        }
        match code >> SQUARE_BITS {
            0 => Some(Self::Put(square)),
            1 => Some(Self::Star(square)),
            2 => Some(Self::Bomber(square)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_back_and_others_name_nothing() {
        for square in [0, 1, 223, 224] {
            for command in [Command::Put(square), Command::Star(square), Command::Bomber(square)] {
                assert_eq!(Command::decode(command.encode(), 225), Some(command));
            }
        }
        for code in [225, 3 << 16, 1 << 16 | 225, u32::MAX] {
            assert_eq!(Command::decode(code, 225), None);
        }
    }
}
