#pragma once
// Choice of the algorithms by which collectives become messages: MPICH's by size (schedule.h), one of these whatever
// the size, or those of a torus (torus_rounds.h).

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/collectives/program.h"
#include "base/words.h"

namespace weft::collectives {

enum class BroadcastBy { automatic, binomial, scatter_doubling, scatter_ring, torus };
enum class AllgatherBy { automatic, doubling, bruck, ring, torus };
enum class AlltoallBy { automatic, bruck, linear, pairwise, torus };
enum class ReduceBy { automatic, binomial, halving };
enum class AllreduceBy { automatic, doubling, halving, torus };
enum class ReduceScatterBy { automatic, halving, pairwise, torus };

struct CollectiveAlgorithms {
  BroadcastBy broadcast = BroadcastBy::automatic;
  AllgatherBy allgather = AllgatherBy::automatic;
  AlltoallBy alltoall = AlltoallBy::automatic;
  ReduceBy reduce = ReduceBy::automatic;
  AllreduceBy allreduce = AllreduceBy::automatic;
  ReduceScatterBy reduce_scatter = ReduceScatterBy::automatic;
  std::uint64_t torus_from = 12 << 10;  ///< bytes of all ranks together; smaller ones are automatic
  std::uint64_t chunk = 128 << 10;      ///< bytes of a piece in the pipelines of a torus broadcast
  std::vector<std::uint32_t> torus{};   ///< dimensions, the first one changes from node to node; empty: no torus
};

/// What keeps an instruction from being lowered as chosen: nodes that are no torus, ranks that are no power of two,
/// data too few to be halved. Empty: nothing.
std::string algorithm_fault(const CollectiveAlgorithms& algorithms, const ProgramInstruction& instruction);

}  // namespace weft::collectives

namespace weft {

template <>
inline constexpr auto kWords<collectives::BroadcastBy> = words("automatic", "binomial", "scatter_doubling",
                                                               "scatter_ring", "torus");
template <>
inline constexpr auto kWords<collectives::AllgatherBy> = words("automatic", "doubling", "bruck", "ring", "torus");
template <>
inline constexpr auto kWords<collectives::AlltoallBy> = words("automatic", "bruck", "linear", "pairwise", "torus");
template <>
inline constexpr auto kWords<collectives::ReduceBy> = words("automatic", "binomial", "halving");
template <>
inline constexpr auto kWords<collectives::AllreduceBy> = words("automatic", "doubling", "halving", "torus");
template <>
inline constexpr auto kWords<collectives::ReduceScatterBy> = words("automatic", "halving", "pairwise", "torus");

}  // namespace weft
