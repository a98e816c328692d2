#pragma once
// Reductions of messages as MPICH has them (Rabenseifner's algorithms; Thakur, Rabenseifner, Gropp, 2005): the data are
// halved again and again between pairs of ranks that combine them, then the parts are brought together.
//
// Of n ranks the largest power of two p halve. Of the first 2 (n - p) every second one gives its data to its neighbour
// and waits: the odd ones of a reduce, so that rank 0 as the root stays, else the even ones.
//   reduce, allreduce   halve between ranks at distances 1, 2, ... p/2, whole elements; the parts come together in
//                       the same pairs, the other way round
//   reduce_scatter      halves at distances p/2 ... 2, 1, so that each rank ends with its own part

#include "algorithms/collectives/algorithms.h"
#include "algorithms/collectives/schedule_builder.h"

namespace weft::collectives {

/// Whether there is an element for each of the ranks that halve.
bool can_halve(const Collective& c);
/// automatic: up to 2 KiB, and where data cannot be halved, a binomial tree.
Schedule reduce(const Collective& c, const Wanted& wanted, ReduceBy by);
/// automatic: up to 2 KiB, and where data cannot be halved, all are exchanged at distances 1, 2, ... p/2.
Schedule allreduce(const Collective& c, const Wanted& wanted, AllreduceBy by);
Schedule halving_reduce_scatter(const Collective& c, const Wanted& wanted);

}  // namespace weft::collectives
