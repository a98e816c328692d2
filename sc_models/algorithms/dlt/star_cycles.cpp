#include "algorithms/dlt/star_cycles.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace weft::dlt {
namespace {

struct Result {
  Cycle at;  // its first flit reaches the root
  std::size_t node;
};

}  // namespace

Cycle StarNetwork::flits(std::uint64_t bytes) const {
  return (static_cast<std::int64_t>(bytes) * 8 + flit_bits - 1) / flit_bits;
}

std::uint64_t StarMessageSizes::of(std::size_t node) const {
  std::uint64_t sum = 0;
  for (const auto& round : messages) sum += round[node];
  return sum;
}

std::int64_t StarSpeeds::time(double per_byte, std::uint64_t bytes) {
  return std::llround(std::ceil(per_byte * static_cast<double>(bytes)));
}

StarMessageSizes bytes_of(const StarShares& shares, std::uint64_t load, double results) {
  StarMessageSizes out;
  double sum = 0;
  std::uint64_t given = 0;
  const auto take = [&](double share) {
    sum += share;
    const auto until = static_cast<std::uint64_t>(std::llround(std::min(sum, 1.0) * static_cast<double>(load)));
    const std::uint64_t bytes = until - std::min(until, given);
    given += bytes;
    return bytes;
  };
  for (const auto& round : shares.messages) {
    out.messages.emplace_back();
    for (const double share : round) out.messages.back().push_back(take(share));
  }
  out.root = load - given;
  if (results > 0) {
    for (std::size_t i = 0; i < out.messages.front().size(); ++i) {
      out.results.push_back(static_cast<std::uint64_t>(std::ceil(results * static_cast<double>(out.of(i)))));
    }
  }
  return out;
}

Cycle star_cycles(const StarNetwork& network, const StarMessageSizes& bytes, const StarSpeeds& speeds) {
  const auto cycles = [&](double per_byte, std::uint64_t n) {
    return CycleSpan{false, StarSpeeds::time(per_byte, n)}.cycles(network.period);
  };
  const std::size_t nodes = speeds.nodes.size();
  const auto latency = [](const std::vector<Cycle>& of, std::size_t node) { return of.empty() ? 0 : of[node]; };
  Cycle root = 0;  // its processor is free
  Cycle sent = 0;
  std::vector<Cycle> free(nodes, 0);
  for (const auto& round : bytes.messages) {
    for (std::size_t i = 0; i < nodes; ++i) {
      if (round[i] == 0) continue;
      root += network.send_overhead;
      sent = std::max(sent, root) + network.flits(round[i]);
      free[i] = std::max(free[i], sent + latency(network.there, i)) + network.receive_overhead +
                cycles(speeds.nodes[i], round[i]);
    }
  }
  if (bytes.root > 0) root += cycles(speeds.root, bytes.root);
  std::vector<Result> results;
  for (std::size_t i = 0; i < nodes && !bytes.results.empty(); ++i) {
    if (bytes.results[i] == 0) continue;
    free[i] += network.send_overhead;
    results.push_back({free[i] + latency(network.back, i), i});
  }
  std::sort(results.begin(), results.end(),
            [](const Result& a, const Result& b) { return std::tie(a.at, a.node) < std::tie(b.at, b.node); });
  std::vector<Cycle> arrived(nodes, 0);
  Cycle port = 0;
  for (const Result& r : results) port = arrived[r.node] = std::max(port, r.at) + network.flits(bytes.results[r.node]);
  for (std::size_t i = 0; i < nodes; ++i) {
    if (arrived[i] > 0) root = std::max(root, arrived[i]) + network.receive_overhead;
  }
  return std::max(root, *std::max_element(free.begin(), free.end()));
}

}  // namespace weft::dlt
