#include <metis.h>

#include <array>

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "parallel/joined_switches.h"
#include "parallel/part.h"

namespace weft {

std::vector<RankId> cut_network(const Graph& graph, RankId ranks) {
  return cut_network(graph, ranks, joined_switches(graph, 1));
}

// METIS sees what is joined as one vertex.
std::vector<RankId> cut_network(const Graph& graph, RankId ranks, const std::vector<SwitchId>& joined) {
  const RankId most = most_parts(joined);
  if (ranks > most) {
    throw RunError(fmt::format("a network of {} switches, {} of which can be parted, cannot be cut over {} ranks",
                               graph.switches(), most, ranks));
  }
  auto vertices = static_cast<idx_t>(most);
  std::vector<idx_t> vertex(graph.switches());  // of each switch
  std::vector<std::vector<SwitchId>> switches;  // of each vertex
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    if (joined[s] == s) switches.emplace_back();
    vertex[s] = joined[s] == s ? static_cast<idx_t>(switches.size()) - 1 : vertex[joined[s]];
    switches[static_cast<std::size_t>(vertex[s])].push_back(s);
  }
  std::vector<idx_t> first{0};
  std::vector<idx_t> neighbours;
  std::vector<idx_t> work;
  for (const std::vector<SwitchId>& own : switches) {
    work.push_back(0);
    for (const SwitchId s : own) {
      for (PortId p = 0; p < graph.ports(s); ++p) {
        const SwitchId other = graph.peer(s, p).sw;
        if (other != kNoId && vertex[other] != vertex[s]) neighbours.push_back(vertex[other]);
      }
      work.back() += graph.ports(s);
    }
    first.push_back(static_cast<idx_t>(neighbours.size()));
  }
  std::vector<idx_t> part(switches.size());
  std::array<idx_t, METIS_NOPTIONS> options{};
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_CONTIG] = 0;
  idx_t constraints = 1;
  auto parts = static_cast<idx_t>(ranks);
  idx_t cut = 0;
  if (METIS_PartGraphRecursive(&vertices, &constraints, first.data(), neighbours.data(), work.data(), nullptr, nullptr,
                               &parts, nullptr, nullptr, options.data(), &cut, part.data()) != METIS_OK) {
    throw RunError(fmt::format("the network cannot be cut over {} ranks", ranks));
  }
  std::vector<RankId> owners(graph.switches());
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    owners[s] = static_cast<RankId>(part[static_cast<std::size_t>(vertex[s])]);
  }
  return owners;
}

}  // namespace weft
