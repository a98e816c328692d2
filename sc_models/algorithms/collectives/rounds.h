#pragma once
// Schedule of a collective operation: rounds, in each of which one rank sends and receives
// messages.

#include <cstdint>
#include <limits>
#include <vector>

#include "algorithms/collectives/program.h"

namespace weft::collectives {

using Rank = std::uint32_t;

/// A message, as a round of one of its two ranks has it.
///
/// Blocks are the pieces of data it consists of, so that a schedule can be checked without a network. Scatter, gather,
/// allgather: block r is what belongs to rank r; alltoall: s * ranks + d goes from s to d; broadcast, reduce,
/// allreduce: part b of the data (the whole is part 0 of one), counted from the root; reduce_scatter: block r is the
/// result of rank r; barrier: none.
struct Part {
  Rank peer = 0;
  std::uint64_t bytes = 0;
  std::vector<std::uint32_t> blocks;  ///< only with Detail::blocks
  bool combine = false;               ///< received: combined with what the rank has
};

struct Round {
  std::vector<Part> sends;
  std::vector<Part> receives;
};

/// Rounds first .. first + count - 1, as far as there are any. A ring among n ranks has n rounds for each of them:
/// whoever plays the schedule of all ranks at once takes them piece by piece.
struct RoundWindow {
  std::uint32_t first = 0;
  std::uint32_t count = std::numeric_limits<std::uint32_t>::max();
  bool has(std::uint32_t round) const { return round >= first && round - first < count; }
};

/// How messages are described: by their sizes, or by their blocks as well. Among n ranks, each may send n/2 * log2(n)
/// blocks (alltoall), too many for the schedules of a large network.
enum class Detail { sizes, blocks };

struct Schedule {
  const char* algorithm = "";
  std::vector<Round> rounds;        ///< of the window; both ranks of a message count alike, with rounds of nothing
  std::uint32_t rounds_in_all = 0;  ///< those outside of it included
};

/// Preconditions: rank and root are below ranks; bytes * ranks is below 2^64, as the limits of programs ensure
/// (workload/program_schema.cpp).
struct Collective {
  ProgramOp op = ProgramOp::barrier;  ///< neither between two ranks nor fence or compute
  std::uint32_t ranks = 1;
  Rank rank = 0;
  Rank root = 0;            ///< broadcast, scatter, gather, reduce
  std::uint64_t bytes = 0;  ///< from a rank to another; of broadcast, reduce and allreduce the whole
};

}  // namespace weft::collectives
