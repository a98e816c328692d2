#include "studies/slots/table1.h"

#include <algorithm>
#include <cmath>

#include "network/patterns.h"
#include "network/routing/routing_algorithms.h"
#include "network/topology/build_topology.h"
#include "network/topology/topologies.h"

namespace weft {
namespace {

Table1Network network(std::vector<std::uint32_t> dims, std::vector<std::uint32_t> order,
                      const std::array<std::uint32_t, kTable1Patterns>& published) {
  Table1Network n;
  n.topology = topology_config("mesh", {{"dims", std::move(dims)}});
  n.routing.order = std::move(order);
  n.published = published;
  return n;
}

Table1Cell make_cell(const Graph& graph, const CircuitRouting& routing, const std::string& pattern,
                     const Table1Options& options) {
  Table1Cell cell;
  cell.network = graph.name();
  cell.nodes = graph.nodes();
  cell.pattern = pattern;
  cell.random = is_random_pattern(pattern);
  const std::vector<Flow> flows = pattern_flows(graph, routing, pattern, options.seed, {});
  cell.minimum = minimum_slots(graph, flows).slots;
  if (cell.random) cell.by_seed = minimum_slots_by_seed(graph, routing, pattern, options.seed, options.seeds, {});
  for (const AllocatorResult& r :
       allocate_by_each(graph, flows, options.allocators, options.search_iterations, options.seed)) {
    cell.slots.push_back(r.allocation.slots_used);
  }
  return cell;
}

}  // namespace

bool Table1Cell::agrees() const {
  if (!random) return minimum == published;
  const auto [least, most] = std::minmax_element(by_seed.begin(), by_seed.end());
  return least != by_seed.end() && *least <= published && published <= *most;
}

DrawShare Table1Cell::drawn() const {
  const auto hits = std::count(by_seed.begin(), by_seed.end(), published);
  return draw_share(static_cast<std::uint64_t>(hits), by_seed.size());
}

DrawShare draw_share(std::uint64_t hits, std::uint64_t draws) {
  constexpr double kNormal = 1.959963984540054;  // 97.5 % of a normal distribution lie below
  const auto n = static_cast<double>(draws);
  const double share = static_cast<double>(hits) / n;
  const double square = kNormal * kNormal / n;
  const double middle = (share + square / 2) / (1 + square);
  const double half = std::sqrt(square * (share * (1 - share) + square / 4)) / (1 + square);
  // Rounding must not leave the ends, where the interval begins exactly.
  return {100 * share, hits == 0 ? 0 : 100 * (middle - half), hits == draws ? 100 : 100 * (middle + half)};
}

const std::vector<Table1Network>& table1_networks() {
  // uniform, bit reversal, matrix transpose, neighbor, perfect shuffle, butterfly, bit complement, tornado
  static const std::vector<Table1Network> list{
      network({4, 4}, {0, 1}, {4, 3, 3, 3, 2, 2, 2, 2}),
      network({8, 8}, {0, 1}, {6, 7, 7, 4, 4, 4, 4, 4}),
      network({16, 16}, {0, 1}, {11, 15, 15, 3, 8, 8, 8, 8}),
      network({32, 32}, {0, 1}, {14, 31, 31, 4, 16, 16, 16, 16}),
      network({64, 64}, {0, 1}, {28, 63, 63, 7, 32, 32, 32, 32}),
      network({16, 16, 16}, {2, 0, 1}, {13, 15, 48, 8, 8, 8, 8, 8}),
      network({8, 8, 8, 8}, {3, 2, 0, 1}, {9, 56, 56, 5, 4, 4, 4, 4}),
  };
  return list;
}

std::vector<Table1Cell> make_table1(const Table1Options& options) {
  std::vector<Table1Cell> cells;
  for (const Table1Network& n : table1_networks()) {
    const Graph graph = build_topology(n.topology);
    const auto routing = make_routing(n.routing, graph);
    for (std::size_t p = 0; p < kTable1Patterns; ++p) {
      cells.push_back(make_cell(graph, *routing, pattern_names()[p], options));
      cells.back().order = n.routing.order;
      cells.back().published = n.published[p];
    }
  }
  return cells;
}

}  // namespace weft
