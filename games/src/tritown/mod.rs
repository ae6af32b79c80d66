//! Stand-in for the game while its engine is built.
#![allow(missing_docs, clippy::unimplemented, unused_variables, reason = "replaced by the engine")]
use crate::error::*;
use crate::*;
pub const STAND_INS: [(&str, &str); 0] = [];
#[derive(Clone, Debug)]
pub struct Marks;
impl Marks {
    pub fn parse(text: &str, source_name: &str) -> Result<Self, FormatError> {
        unimplemented!()
    }
}
#[derive(Debug)]
pub struct TritownGame;
impl TritownGame {
    pub fn parse(content: &str, source_name: &str) -> Result<Self, FormatError> {
        unimplemented!()
    }
    pub fn with_marks(&self, marks: Marks) -> Self {
        unimplemented!()
    }
}
impl Puzzle for TritownGame {
    fn game(&self) -> GameId {
        unimplemented!()
    }
    fn content(&self) -> &str {
        unimplemented!()
    }
    fn digest(&self) -> Digest {
        unimplemented!()
    }
    fn judge(&self, moves: &[u32]) -> Result<Judged, IllegalMove> {
        unimplemented!()
    }
    fn position(&self, moves: &[u32]) -> Result<Position, IllegalMove> {
        unimplemented!()
    }
    fn bounds(&self) -> Vec<Bound> {
        unimplemented!()
    }
    fn format(&self, moves: &[u32]) -> String {
        unimplemented!()
    }
    fn parse(&self, text: &str, source_name: &str) -> Result<Vec<u32>, FormatError> {
        unimplemented!()
    }
    fn check(&self, text: &str, source_name: &str, entry_bytes: u64) -> CheckReport {
        unimplemented!()
    }
    fn marks(&self, score: i64) -> Option<u8> {
        unimplemented!()
    }
}
impl Game for TritownGame {
    type State = u8;
    type Move = u32;
    const DIRECTION: Direction = Direction::Maximize;
    fn start(&self) -> u8 {
        unimplemented!()
    }
    fn moves(&self, state: &u8, moves: &mut Vec<u32>) {
        unimplemented!()
    }
    fn is_legal(&self, state: &u8, mv: u32) -> bool {
        unimplemented!()
    }
    fn apply(&self, state: &mut u8, mv: u32) {
        unimplemented!()
    }
    fn score(&self, state: &u8) -> i64 {
        unimplemented!()
    }
    fn is_complete(&self, state: &u8) -> bool {
        unimplemented!()
    }
    fn is_over(&self, state: &u8) -> bool {
        unimplemented!()
    }
    fn hash(&self, state: &u8) -> u64 {
        unimplemented!()
    }
    fn same_position(&self, left: &u8, right: &u8) -> bool {
        unimplemented!()
    }
    fn estimate(&self, state: &u8) -> i64 {
        unimplemented!()
    }
    fn estimate_unit(&self) -> i64 {
        unimplemented!()
    }
    fn layer(&self, state: &u8) -> u32 {
        unimplemented!()
    }
    fn bound(&self, state: &u8) -> i64 {
        unimplemented!()
    }
    fn move_code(&self, state: &u8, mv: u32) -> u64 {
        unimplemented!()
    }
    fn encode(&self, mv: u32) -> u32 {
        unimplemented!()
    }
    fn decode(&self, code: u32) -> Option<u32> {
        unimplemented!()
    }
}
