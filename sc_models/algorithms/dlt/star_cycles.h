#pragma once
// Single-level tree of star.h in whole cycles: the messages of a divisible load over the interface of the root, as
// programs of nodes send them over a network that has nothing but interfaces and latencies.
//
// Timing. The processor of a node does one thing at a time: an overhead for each message it sends or has received, and
// computations. The root hands its messages over one after the other and then computes. Its interface sends one message
// after the other, a flit per cycle; a message is there `latency` cycles after its last flit has left. A result takes
// the same steps back; the interface of the root receives one message at a time, in the order in which they begin to
// arrive, in one cycle in that of the nodes.

#include <cstdint>
#include <vector>

#include "algorithms/dlt/star.h"
#include "base/units.h"

namespace weft::dlt {

/// Network as a node sees it.
struct StarNetwork {
  Duration period{};
  std::int64_t flit_bits = 0;
  Cycle send_overhead = 0;
  Cycle receive_overhead = 0;
  std::vector<Cycle> there{};  ///< latency from the root to each node; empty: none
  std::vector<Cycle> back{};   ///< and from each node to the root

  Cycle flits(std::uint64_t bytes) const;
};

/// Shares in whole bytes; messages without a byte are not sent.
struct StarMessageSizes {
  std::uint64_t root = 0;
  std::vector<std::vector<std::uint64_t>> messages;  ///< [round][node]
  std::vector<std::uint64_t> results;                ///< by node; empty: nothing is returned
  std::uint64_t of(std::size_t node) const;
};

/// Time that nodes need to compute.
struct StarSpeeds {
  double root = 0;            ///< ps per byte
  std::vector<double> nodes;  ///< likewise
  /// Whole picoseconds, rounded up.
  static std::int64_t time(double per_byte, std::uint64_t bytes);
};

/// Shares of a load of `load` bytes: rounded so that their sum is the load.
StarMessageSizes bytes_of(const StarShares& shares, std::uint64_t load, double results);

/// Cycle in which the load is computed and all results have come.
Cycle star_cycles(const StarNetwork& network, const StarMessageSizes& bytes, const StarSpeeds& speeds);

}  // namespace weft::dlt
