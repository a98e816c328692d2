#include "workload/node_lists.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft {

std::vector<NodeRange> resolve_node_ranges(const std::vector<Placed<NodeRange>>& list, const std::string& path,
                                           Diagnostics& diagnostics) {
  std::vector<NodeRange> out;
  for (const auto& entry : list) out.push_back(entry.value);
  std::stable_sort(out.begin(), out.end(), [](const NodeRange& a, const NodeRange& b) { return a.first < b.first; });
  for (std::size_t i = 1; i < out.size(); ++i) {
    if (out[i].first > out[i - 1].last) continue;
    diagnostics.error(out[i].where, fmt::format("{}: names node {} twice", path, out[i].first));
    return {};
  }
  return out;
}

void check_node_ranges(const std::vector<NodeRange>& ranges, std::uint32_t nodes, const std::string& path,
                       const std::string& node, Diagnostics& diagnostics) {
  if (ranges.empty() || ranges.back().last < nodes) return;
  diagnostics.error(ranges.back().where, fmt::format("{}: there is no {} {}: the network has {}s 0 to {}", path, node,
                                                     ranges.back().last, node, nodes - 1));
}

std::vector<NodeId> nodes_of(const std::vector<NodeRange>& ranges) {
  std::vector<NodeId> out;
  for (const NodeRange& r : ranges) {
    for (std::uint64_t n = r.first; n <= r.last; ++n) out.push_back(static_cast<NodeId>(n));
  }
  return out;
}

}  // namespace weft
