#pragma once
// Runs the message-level model of packet switches on a case made for the flit-by-flit reference.

#include <optional>
#include <vector>

#include "support/random_packet_case.h"

namespace weft::test {

struct ModelRun {
  std::vector<Cycle> delivered;  ///< per message of the case; -1: not within max_cycles
  std::vector<std::vector<packet_oracle::OracleDecision>> decisions;  ///< as the reference reports them
  std::uint64_t allocations = 0;
};

struct ModelOptions {
  std::optional<std::uint64_t> shuffle;  ///< seed for the order of modules within a cycle
  bool fetches = false;                  ///< as a large network does
};

/// One simulation per process.
ModelRun run_packet_model(const RandomPacketCase& c, Cycle max_cycles, const ModelOptions& options = {});

}  // namespace weft::test
