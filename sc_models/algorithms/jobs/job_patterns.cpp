#include "algorithms/jobs/job.h"

namespace weft::jobs {
namespace {

using Pairs = std::vector<LogicalPair>;

Pairs none(std::uint32_t) { return {}; }

Pairs ring(std::uint32_t n) {
  Pairs pairs;
  for (std::uint32_t i = 0; n > 1 && i < n; ++i) pairs.emplace_back(i, (i + 1) % n);
  return pairs;
}

Pairs exchange(std::uint32_t n) {
  Pairs pairs;
  for (std::uint32_t i = 0; i < n; ++i) {
    if ((i ^ 1u) < n) pairs.emplace_back(i, i ^ 1u);
  }
  return pairs;
}

Pairs one_to_all(std::uint32_t n) {
  Pairs pairs;
  for (std::uint32_t i = 1; i < n; ++i) pairs.emplace_back(0, i);
  return pairs;
}

Pairs all_to_one(std::uint32_t n) {
  Pairs pairs;
  for (std::uint32_t i = 1; i < n; ++i) pairs.emplace_back(i, 0);
  return pairs;
}

Pairs all_to_all(std::uint32_t n) {
  Pairs pairs;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t k = 1; k < n; ++k) pairs.emplace_back(i, (i + k) % n);
  }
  return pairs;
}

}  // namespace

const std::vector<JobPatternEntry>& job_patterns() {
  static const std::vector<JobPatternEntry> list{
      {"none", "no communication", none, false},
      {"ring", "node i sends to node i + 1, the last to the first", ring, false},
      {"exchange", "nodes 2i and 2i + 1 send to each other", exchange, false},
      {"one_to_all", "node 0 sends to all others, one multicast flow", one_to_all, true},
      {"all_to_one", "all others send to node 0", all_to_one, false},
      {"all_to_all", "every node sends to every other", all_to_all, false},
  };
  return list;
}

std::vector<JobFlow> flows_of(const std::vector<LogicalPair>& pairs, bool one_flow) {
  std::vector<JobFlow> flows;
  for (const LogicalPair& pair : pairs) {
    if (flows.empty() || !one_flow) flows.push_back({std::to_string(flows.size()), {}, 0});
    flows.back().pairs.push_back(pair);
  }
  return flows;
}

}  // namespace weft::jobs
