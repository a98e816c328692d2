#pragma once
// Collective operations as rounds of messages between ranks: what one rank sends and receives, round after round. A
// round is over when all its messages have left and all that it waits for are there. Algorithms and, unless one is
// chosen (algorithms.h), the sizes at which they change are those of MPICH:
//
//   barrier    dissemination
//   broadcast  below 12 KiB, or with fewer than 8 ranks, a binomial tree; else a binomial scatter followed by an
//              allgather, by recursive doubling below 512 KiB with a power of two of ranks, else around a ring
//   scatter, gather   binomial tree
//   allgather  by the bytes of all ranks together: below 512 KiB with a power of two of ranks recursive doubling,
//              below 80 KiB Bruck, else ring
//   alltoall   by the bytes between two ranks: up to 256 B with 8 ranks or more Bruck, up to 32 KiB everything at
//              once, else pairwise exchange
//   reduce     above 2 KiB recursive halving and a gather in the same pairs, else a binomial tree
//   allreduce  up to 2 KiB recursive doubling, else recursive halving and an allgather in the same pairs
//   reduce_scatter   by the bytes of all ranks together: below 512 KiB recursive halving, else pairwise exchange
// Halving, and what becomes of ranks beyond a power of two: algorithms/collectives/reductions.h.
//
// Source: Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations in MPICH", Int. J. High
// Performance Computing Applications 19(1), 2005.

#include "algorithms/collectives/algorithms.h"
#include "algorithms/collectives/rounds.h"
#include "algorithms/collectives/torus_rounds.h"

namespace weft::collectives {

/// Takes time and memory for the rounds in the window, and hardly any for the others; without blocks the same for each
/// message, whatever its size. `torus`: that of the ranks, for algorithms that ask for one; null: automatic instead.
/// Precondition: algorithm_fault() finds nothing.
Schedule schedule_of(const Collective& collective, RoundWindow window = {}, Detail detail = Detail::sizes,
                     const CollectiveAlgorithms& algorithms = {}, const TorusShape* torus = nullptr);
/// Whether a collective is lowered by the algorithms of a torus.
bool uses_torus(const Collective& collective, const CollectiveAlgorithms& algorithms);

}  // namespace weft::collectives
