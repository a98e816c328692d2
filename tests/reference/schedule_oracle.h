#pragma once
// Brute-force model of circuit-switched job scheduling on a mesh of w x h switches with one node each and `trunk` links
// between neighbours: time goes on one unit at a time, every question is answered by looking at all running jobs again,
// links are text, and a slot of a bundle is taken when it has been given out as often as there are links. Nodes first
// fit, slots first fit in the order of the flows, x before y. It shares no code with the models. Tables that change
// take `reconfiguration`, one set of them after the other; with a queue per slot a job joins the shortest queue and its
// flows ask for that slot first.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weft::test {

struct OracleJob {
  std::int64_t submit = 0;
  std::int64_t run = 1;
  int nodes = 1;
  std::vector<std::vector<std::pair<int, int>>> flows;
};

struct OracleResult {
  bool rejected = false;
  std::int64_t start = -1;
  std::int64_t sends = -1;
  std::vector<int> nodes;
  std::vector<int> slots;                ///< per flow
  std::optional<std::int64_t> promised;  ///< easy: start at the latest
  bool backfilled = false;
};

struct OracleNetwork {
  int width = 1;
  int height = 1;
  int slots = 1;
  std::int64_t reconfiguration = 0;
  bool queue_per_slot = false;
  int trunk = 1;
};

/// `policy`: fcfs, easy or lff. `jobs` in the order of their submit times.
std::vector<OracleResult> schedule_oracle(const OracleNetwork& network, const std::string& policy,
                                          const std::vector<OracleJob>& jobs);

}  // namespace weft::test
