//! The checksum at the end of a file.

use std::hash::Hasher as _;

use rayon::prelude::*;
use twox_hash::XxHash3_64;
use twox_hash::xxhash3_64::Hasher;

/// The number of bytes of a piece of a file that is hashed on its own, so that several threads can hash one file.
pub(crate) const PIECE: usize = 1 << 20;

/// Computes the checksum of a file while it is written or read.
pub(crate) enum Checksum {
    /// The XXH3 hash (64 bits, seed 0) of all bytes.
    Whole(Box<Hasher>),
    /// The same hash of the hashes of all pieces of [`PIECE`] bytes; the last piece may be shorter.
    OfPieces(Box<PieceHashes>),
}

/// The hashes of the pieces so far.
pub(crate) struct PieceHashes {
    /// The hash of the current piece.
    piece: Hasher,
    /// The number of bytes in the current piece.
    filled: usize,
    /// The hash of the hashes of all complete pieces.
    all: Hasher,
}

impl Checksum {
    pub(crate) fn whole() -> Self {
        Self::Whole(Box::new(Hasher::new()))
    }

    pub(crate) fn of_pieces() -> Self {
        Self::OfPieces(Box::new(PieceHashes {
            piece: Hasher::new(),
            filled: 0,
            all: Hasher::new(),
        }))
    }

    pub(crate) fn write(&mut self, mut bytes: &[u8]) {
        match self {
            Self::Whole(hash) => hash.write(bytes),
            Self::OfPieces(pieces) => {
                while !bytes.is_empty() {
                    let (now, later) = bytes.split_at(bytes.len().min(PIECE - pieces.filled));
                    pieces.piece.write(now);
                    pieces.filled += now.len();
                    if pieces.filled == PIECE {
                        pieces.finish_piece();
                    }
                    bytes = later;
                }
            }
        }
    }

    pub(crate) fn finish(self) -> u64 {
        match self {
            Self::Whole(hash) => hash.finish(),
            Self::OfPieces(mut pieces) => {
                if pieces.filled > 0 {
                    pieces.finish_piece();
                }
                pieces.all.finish()
            }
        }
    }
}

impl PieceHashes {
    fn finish_piece(&mut self) {
        self.all.write(&self.piece.finish().to_le_bytes());
        (self.piece, self.filled) = (Hasher::new(), 0);
    }
}

/// Returns the checksum [of pieces](Checksum::OfPieces) of these bytes, with all threads of the current rayon pool.
pub(crate) fn checksum_of_pieces(bytes: &[u8]) -> u64 {
    let pieces = bytes.par_chunks(PIECE);
    let hashes: Vec<u8> = pieces
        .flat_map_iter(|piece| XxHash3_64::oneshot(piece).to_le_bytes())
        .collect();
    XxHash3_64::oneshot(&hashes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_does_not_depend_on_how_bytes_arrive() {
        let bytes: Vec<u8> = (0..2 * PIECE + 77).map(|i| (i % 251) as u8).collect();
        for length in [0, 1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE + 77] {
            let mut hash = Checksum::of_pieces();
            bytes[..length]
                .chunks(100_003)
                .for_each(|part| hash.write(part));
            assert_eq!(
                hash.finish(),
                checksum_of_pieces(&bytes[..length]),
                "{length}"
            );
        }
    }
}
