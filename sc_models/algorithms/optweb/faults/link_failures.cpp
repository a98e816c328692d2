#include "algorithms/optweb/faults/link_failures.h"

#include <algorithm>

#include "network/graph.h"

namespace weft::optweb {

std::vector<NodePair> links_at(const PortRange& place, const Graph& graph) {
  std::vector<NodePair> out;
  for (const LinkId cable : cables_of(place, graph)) {
    const PortRef at = graph.driver(cable);
    if (graph.node_at(at.sw, at.port) != kNoId) continue;  // a node's own link in the graph, which it has not here
    out.push_back({at.sw, graph.peer(at.sw, at.port).sw});
  }
  return out;
}

LinkTiming link_timing(const OptwebConfig& config, const WordRate& rate, Cycle adapter) {
  LinkTiming out;
  out.transmit = config.latencies.transmit;
  out.wire = config.latencies.link_ip + config.link.propagation + adapter;
  out.turnaround = config.link.turnaround;
  out.frame = config.link.frame;
  out.rate = rate;
  if (config.link.errors) {
    const std::uint64_t bits = std::uint64_t{config.word_bytes} * 8 * config.link.frame;
    out.frame_errors = frame_error_probability(config.link.errors->rate, bits);
  }
  return out;
}

std::vector<std::vector<Outage>> outages_of(const OptwebConfig& config) {
  std::vector<std::vector<Outage>> out;
  if (config.faults.empty()) return out;
  const Neighbours& links = *config.neighbours;
  const Graph graph = network_graph(config.levels);
  out.resize(std::size_t{config.nodes} * links.dmacs());
  for (std::uint32_t i = 0; i < config.faults.size(); ++i) {
    const FaultConfig& f = config.faults[i];
    const Outage outage{f.down, f.up.value_or(kNever), i};
    for (const NodePair& pair : links_at(f.place, graph)) {
      out[std::size_t{pair.a} * links.dmacs() + links.dmac(pair.a, pair.b).value()].push_back(outage);
      out[std::size_t{pair.b} * links.dmacs() + links.dmac(pair.b, pair.a).value()].push_back(outage);
    }
  }
  for (std::vector<Outage>& all : out) {
    std::stable_sort(all.begin(), all.end(), [](const Outage& a, const Outage& b) { return a.down < b.down; });
    std::vector<Outage> disjoint;
    for (const Outage& o : all) {
      if (!disjoint.empty() && o.down <= disjoint.back().up) {
        disjoint.back().up = std::max(disjoint.back().up, o.up);
      } else {
        disjoint.push_back(o);
      }
    }
    all = std::move(disjoint);
  }
  return out;
}

}  // namespace weft::optweb
