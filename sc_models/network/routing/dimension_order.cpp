#include "network/routing/dimension_order.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "network/routing/grid_packet_routing.h"

namespace weft {
namespace {

struct Dimension {
  std::uint32_t stride = 1;
  std::uint32_t size = 1;
  PortId plus = kNoPort;  // the first of the trunk
  PortId minus = kNoPort;
};

class DimensionOrder final : public CircuitRouting {
 public:
  DimensionOrder(const Graph& graph, std::vector<Dimension> dimensions)
      : graph_(graph), dimensions_(std::move(dimensions)), torus_(graph.grid().torus), trunk_(graph.grid().trunk) {}

  PortId next(SwitchId at, NodeId to) const override { return straight(at, to).port; }

  Straight straight(SwitchId at, NodeId to) const override {
    const PortRef goal = graph_.attachment(to);
    if (at == goal.sw) return {goal.port, 1};
    for (const Dimension& d : dimensions_) {
      const std::uint32_t here = at / d.stride % d.size;
      const std::uint32_t there = goal.sw / d.stride % d.size;
      if (here == there) continue;
      const auto link = static_cast<PortId>(to % trunk_);  // of the parallel ones
      const auto plus = static_cast<PortId>(d.plus + link);
      const auto minus = static_cast<PortId>(d.minus + link);
      if (!torus_) return there > here ? Straight{plus, there - here} : Straight{minus, here - there};
      const std::uint32_t ahead = (there + d.size - here) % d.size;
      return 2 * ahead <= d.size ? Straight{plus, ahead} : Straight{minus, d.size - ahead};
    }
    return {};  // unreachable: two switches of a grid differ in some coordinate
  }

 private:
  const Graph& graph_;
  std::vector<Dimension> dimensions_;  // in the order of correction
  bool torus_;
  std::uint32_t trunk_;
};

std::vector<std::uint32_t> checked_order(const RoutingConfig& config, std::size_t dims) {
  std::vector<std::uint32_t> order = config.order;
  if (order.empty()) {
    for (std::uint32_t d = 0; d < dims; ++d) order.push_back(d);
  }
  std::vector<std::uint32_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  bool permutation = sorted.size() == dims;
  for (std::uint32_t d = 0; permutation && d < dims; ++d) permutation = sorted[d] == d;
  if (!permutation) {
    throw InputError(config.where,
                     fmt::format("routing order [{}] must name each of the network's {} dimensions (0..{}) "
                                 "exactly once",
                                 fmt::join(order, ", "), dims, dims - 1));
  }
  return order;
}

std::uint32_t dateline_classes(const PacketRoutingOptions& options, NetworkForm form) {
  return form == NetworkForm::torus && options.ring == RingControl::dateline ? 2 : 1;
}

}  // namespace

constinit const RoutingAlgorithm kDimensionOrder{
    .name = "dimension_order",
    .meaning = "one dimension after the other, on a torus the shorter way round",
    .suits = [](NetworkForm form) { return form == NetworkForm::mesh || form == NetworkForm::torus; },
    .needs = "a mesh or torus",
    .takes_order = true,
    .takes_rings = true,
    .takes_trunks = true,
    .circuits = make_dimension_order,
    .packets = make_grid_packet_routing,
    .lane_classes = dateline_classes,
    .why_classes = "datelines",
};

std::unique_ptr<CircuitRouting> make_dimension_order(const RoutingConfig& config, const Graph& graph) {
  const std::vector<std::uint32_t>& dims = graph.grid().dims;
  if (dims.empty()) {
    throw InputError(config.where,
                     fmt::format("dimension-order routing needs a mesh or torus, the network is a {}; use "
                                 "shortest_path",
                                 graph.name()));
  }
  std::vector<Dimension> all(dims.size());
  std::uint32_t stride = 1;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    all[d] = {stride, dims[d], graph.grid().plus(d), graph.grid().minus(d)};
    stride *= dims[d];
  }
  std::vector<Dimension> ordered;
  for (const std::uint32_t d : checked_order(config, dims.size())) ordered.push_back(all[d]);
  return std::make_unique<DimensionOrder>(graph, std::move(ordered));
}

}  // namespace weft
