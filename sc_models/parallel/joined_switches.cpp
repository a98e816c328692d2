#include "parallel/joined_switches.h"

#include <algorithm>
#include <numeric>

namespace weft {

std::vector<SwitchId> joined_switches(const Graph& graph, std::uint32_t nics) {
  std::vector<SwitchId> first(graph.switches());
  std::iota(first.begin(), first.end(), 0);
  const auto find = [&](SwitchId s) {
    while (first[s] != s) s = first[s] = first[first[s]];
    return s;
  };
  for (NodeId n = 0; n < graph.nodes(); ++n) {
    const SwitchId a = find(graph.attachment(n).sw);
    const SwitchId b = find(graph.attachment(n / nics * nics).sw);
    first[std::max(a, b)] = std::min(a, b);
  }
  for (SwitchId s = 0; s < first.size(); ++s) first[s] = find(s);
  return first;
}

RankId most_parts(const std::vector<SwitchId>& joined) {
  RankId parts = 0;
  for (SwitchId s = 0; s < joined.size(); ++s) parts += joined[s] == s ? 1 : 0;
  return parts;
}

}  // namespace weft
