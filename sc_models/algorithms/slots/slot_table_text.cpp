// Text forms of the slot tables: CSV for programs, the paper's form (FiC paper, Fig. 13) for people.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

#include "algorithms/slots/circuit_hops.h"
#include "algorithms/slots/slot_table.h"
#include "base/text.h"

namespace weft {
namespace {

/// Per edge of a tree: indices of the destinations reached through it, in the order given.
std::vector<std::vector<std::uint32_t>> destinations_per_edge(const CircuitTree& tree) {
  std::vector<std::vector<std::uint32_t>> through(tree.edges.size());
  for (std::uint32_t d = 0; d < tree.destinations.size(); ++d) {
    for (auto e = static_cast<std::int32_t>(tree.ejection_edge[d]); e >= 0;
         e = tree.edges[static_cast<std::size_t>(e)].parent) {
      through[static_cast<std::size_t>(e)].push_back(d);
    }
  }
  return through;
}

/// A used table entry and whom it serves.
struct UsedEntry {
  CircuitHop hop;
  std::vector<std::uint32_t> destinations;  // indices into the tree's destinations
};

/// All used entries, ordered by switch, output port, slot.
std::vector<UsedEntry> used_entries(const Graph& graph, const std::vector<Flow>& flows, const Allocation& allocation) {
  std::vector<UsedEntry> entries;
  const CircuitTree* current = nullptr;
  std::vector<std::vector<std::uint32_t>> through;
  for_each_hop(graph, flows, allocation, [&](const CircuitHop& hop) {
    const CircuitTree& tree = flows[hop.flow].trees[hop.tree];
    if (current != &tree) through = destinations_per_edge(tree);
    current = &tree;
    entries.push_back({hop, through[hop.edge]});
  });
  std::sort(entries.begin(), entries.end(), [](const UsedEntry& a, const UsedEntry& b) {
    return std::tie(a.hop.sw, a.hop.out_port, a.hop.out_slot) < std::tie(b.hop.sw, b.hop.out_port, b.hop.out_slot);
  });
  return entries;
}

/// Number of the first pair of each tree, [flow][tree]; without `first_pair_ids` pairs are numbered through, in the
/// order of the flows.
std::vector<std::vector<std::size_t>> first_pairs(const std::vector<Flow>& flows,
                                                  const std::vector<std::uint64_t>& first_pair_ids) {
  std::vector<std::vector<std::size_t>> first(flows.size());
  std::size_t pair = 0;
  for (std::size_t f = 0; f < flows.size(); ++f) {
    if (!first_pair_ids.empty()) pair = first_pair_ids[f];
    for (const CircuitTree& tree : flows[f].trees) {
      first[f].push_back(pair);
      pair += tree.destinations.size();
    }
  }
  return first;
}

std::string pair_text(const Flow& flow, std::size_t pair) {
  return fmt::format("Pair ID {}, Flow ID {}{}", pair, printable(flow.name),
                     flow.job.empty() ? "" : ", Job " + printable(flow.job));
}

std::string lane_slots(const std::vector<Slot>& lanes) {
  return fmt::format("[{} {}]", lanes.size() == 1 ? "slot" : "slots", fmt::join(lanes, " "));
}

/// Ports of the lanes, each once: "1", "1,2".
std::string ports_text(std::vector<PortId> ports) {
  std::sort(ports.begin(), ports.end());
  ports.erase(std::unique(ports.begin(), ports.end()), ports.end());
  return fmt::format("{}", fmt::join(ports, ","));
}

/// "SW 0 (port 0->1) - [slot 0] -> SW 1 (port 2->0)": the switches of a pair's path and the slots between them.
std::string path_text(const Graph& graph, const CircuitTree& tree, std::size_t tree_index, std::uint32_t destination,
                      const FlowSlots& slots) {
  std::vector<std::size_t> path;  // edges from the injection link to the ejection link
  for (auto e = static_cast<std::int32_t>(tree.ejection_edge[destination]); e >= 0;
       e = tree.edges[static_cast<std::size_t>(e)].parent) {
    path.push_back(static_cast<std::size_t>(e));
  }
  std::reverse(path.begin(), path.end());
  std::string text;
  std::vector<PortId> in;
  for (std::size_t k = 0; k < slots.lanes(tree_index, 0).size(); ++k) {
    in.push_back(graph.entry(slots.link(tree_index, 0, k, tree.edges[0].link)).port);
  }
  for (std::size_t i = 1; i < path.size(); ++i) {
    const LinkId own = tree.edges[path[i]].link;
    const std::vector<Slot>& lanes = slots.lanes(tree_index, path[i]);
    const SwitchId sw = graph.driver(own).sw;
    std::vector<PortId> out;
    std::vector<PortId> next;
    for (std::size_t k = 0; k < lanes.size(); ++k) {
      out.push_back(graph.driver(slots.link(tree_index, path[i], k, own)).port);
      next.push_back(graph.peer(sw, out.back()).port);
    }
    text += fmt::format("SW {} (port {}->{})", sw, ports_text(std::move(in)), ports_text(std::move(out)));
    if (i + 1 < path.size()) text += fmt::format(" - {} -> ", lane_slots(lanes));
    in = std::move(next);
  }
  return text;
}

}  // namespace

std::string slot_tables_csv(const Graph& graph, const std::vector<Flow>& flows, const Allocation& allocation,
                            std::uint32_t slots) {
  make_slot_tables(graph, flows, allocation, slots);  // refuses an allocation that claims an entry twice
  std::string csv = "switch,out_port,out_slot,in_port,in_slot,source,destinations,flow,job\n";
  for (const auto& [hop, destinations] : used_entries(graph, flows, allocation)) {
    const Flow& flow = flows[hop.flow];
    const CircuitTree& tree = flow.trees[hop.tree];
    std::vector<NodeId> nodes;
    nodes.reserve(destinations.size());
    for (const std::uint32_t d : destinations) nodes.push_back(tree.destinations[d]);
    csv += fmt::format("{},{},{},{},{},{},{},{},{}\n", hop.sw, hop.out_port, hop.out_slot, hop.in_port, hop.in_slot,
                       tree.source, fmt::join(nodes, " "), csv_field(flow.name), csv_field(flow.job));
  }
  return csv;
}

std::string slot_tables_text(const Graph& graph, const std::vector<Flow>& flows, const Allocation& allocation,
                             std::uint32_t slots, const std::vector<std::uint64_t>& first_pair_ids) {
  make_slot_tables(graph, flows, allocation, slots);  // refuses an allocation that claims an entry twice
  const std::vector<std::vector<std::size_t>> first_pair = first_pairs(flows, first_pair_ids);
  std::string text = "=== Path of each pair ===\n";
  for (std::size_t f = 0; f < flows.size(); ++f) {
    for (std::size_t t = 0; t < flows[f].trees.size(); ++t) {
      const CircuitTree& tree = flows[f].trees[t];
      for (std::uint32_t d = 0; d < tree.destinations.size(); ++d) {
        text += fmt::format("Pair ID {} (Flow ID {}{}):\n{}\n", first_pair[f][t] + d, printable(flows[f].name),
                            flows[f].job.empty() ? "" : ", Job " + printable(flows[f].job),
                            path_text(graph, tree, t, d, allocation.flows[f]));
      }
    }
  }
  text += "\n=== Port information for each switch ===\n";
  SwitchId last = kNoId;
  for (const auto& [hop, destinations] : used_entries(graph, flows, allocation)) {
    if (hop.sw != last) text += fmt::format("SW {}:\n", hop.sw);
    last = hop.sw;
    const Flow& flow = flows[hop.flow];
    const CircuitTree& tree = flow.trees[hop.tree];
    for (const std::uint32_t d : destinations) {
      text += fmt::format("Port {} (Slot {}) --> Port {} (Slot {}), from node {} to node {} ({})\n", hop.in_port,
                          hop.in_slot, hop.out_port, hop.out_slot, tree.source, tree.destinations[d],
                          pair_text(flow, first_pair[hop.flow][hop.tree] + d));
    }
  }
  return text;
}

}  // namespace weft
