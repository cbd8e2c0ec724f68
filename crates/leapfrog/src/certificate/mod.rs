//! Certificates: proofs of the exact value of a board, for readers who do not trust the solver.
//!
//! A certificate names one move wherever the proof needs a single move, and nothing where it needs
//! all moves. The checker follows the proof by the rules of the game alone. It has its own board and
//! moves, and shares no code with the solver.
//!
//! **The proof.** `v(P)` is the future points of the seat to leap in `P` minus the other's. A proof
//! of `v(P) ≥ t` is one chain of `g` points after which `v ≤ g − t`. A proof of `v(P) ≤ t` needs
//! `v ≥ g − t` after every chain. The checker visits these claims from the first captures on, always
//! in the same order. Wherever one move is needed it reads the next number of the proof, the index
//! of the move in the order below. Where a first capture has one reply only, no number is read. It
//! proves each claim once, and plays out positions of a few pieces itself. Nothing is read for claims
//! that hold anyway: no position is worth more than its points less one, nor less than minus that.
//! By lot, a hand is worth the gain of its first captures, because a position is worth the same to
//! either seat; nothing is read. If the seat that removed last chooses, its claims need one choice, read
//! as the number of the seat that leaps first; those of the other seat are proved for both choices.
//!
//! **The order.** Cells are counted row by row from the top left. First captures are ordered by
//! cell. Chains are ordered by start cell, then by first leap: up, left, right, down, up left, up
//! right, down left, down right. A chain comes before its extensions. Boards of plain pieces are first
//! turned or mirrored so that the number with bit `i` for cell `i` is smallest. Claims: for
//! `v ≥ value`, the proof's first capture and every reply; for `v ≤ value`, every first capture and
//! the proof's reply.

mod checker;
mod file;

pub use checker::CheckedCertificate;
pub use file::Certificate;
