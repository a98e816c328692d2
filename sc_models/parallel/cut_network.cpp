#include <metis.h>

#include <array>

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "parallel/part.h"

namespace weft {

std::vector<RankId> cut_network(const Graph& graph, RankId ranks) {
  if (ranks > graph.switches()) {
    throw RunError(fmt::format("a network of {} switches cannot be cut over {} ranks", graph.switches(), ranks));
  }
  auto switches = static_cast<idx_t>(graph.switches());
  std::vector<idx_t> first{0};
  std::vector<idx_t> neighbours;
  std::vector<idx_t> work;
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    for (PortId p = 0; p < graph.ports(s); ++p) {
      if (const SwitchId other = graph.peer(s, p).sw; other != kNoId && other != s) {
        neighbours.push_back(static_cast<idx_t>(other));
      }
    }
    first.push_back(static_cast<idx_t>(neighbours.size()));
    work.push_back(graph.ports(s));
  }
  std::vector<idx_t> part(graph.switches());
  std::array<idx_t, METIS_NOPTIONS> options{};
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_CONTIG] = 0;
  idx_t constraints = 1;
  auto parts = static_cast<idx_t>(ranks);
  idx_t cut = 0;
  if (METIS_PartGraphRecursive(&switches, &constraints, first.data(), neighbours.data(), work.data(), nullptr, nullptr,
                               &parts, nullptr, nullptr, options.data(), &cut, part.data()) != METIS_OK) {
    throw RunError(fmt::format("the network cannot be cut over {} ranks", ranks));
  }
  return {part.begin(), part.end()};
}

}  // namespace weft
