// Dimension order with trunks on meshes and tori.

#include "routing/grid_packet_routing.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"
#include "base/divisor.h"

namespace weft {
namespace {

class GridPacketRouting final : public PacketRouting {
 public:
  GridPacketRouting(const Graph& graph, std::vector<std::uint32_t> order, RingRule ring, bool random_ties)
      : graph_(graph),
        shape_(graph.grid()),
        order_(std::move(order)),
        ring_(ring),
        random_ties_(random_ties),
        nodes_(shape_.nodes_per_switch) {
    const std::size_t dims = shape_.dims.size();
    coordinates_.resize(graph.switches() * dims);
    for (SwitchId s = 0; s < graph.switches(); ++s) {
      SwitchId rest = s;
      for (std::size_t d = 0; d < dims; ++d) {
        coordinates_[s * dims + d] = static_cast<std::uint16_t>(rest % shape_.dims[d]);
        rest /= shape_.dims[d];
      }
    }
    if (!rings() && graph.switches() <= kTableSwitches) make_table();
  }

  RouteStep step(const RoutePlace& place, NodeId to, std::uint32_t choice) const override {
    const SwitchId goal = nodes_.quotient(to);
    if (!ports_.empty() && place.at != goal) {
      return {ports_[place.at * graph_.switches() + goal], static_cast<std::uint16_t>(shape_.trunk)};
    }
    const std::size_t dims = shape_.dims.size();
    const std::uint16_t* here = &coordinates_[place.at * dims];
    const std::uint16_t* there = &coordinates_[goal * dims];
    for (const std::uint32_t d : order_) {
      if (here[d] == there[d]) continue;
      return along(place, d, goes_plus(here[d], there[d], d, choice), here[d]);
    }
    return {static_cast<PortId>(nodes_.remainder(to))};
  }

  void each_step(const RoutePlace& place, NodeId to,
                 const std::function<void(const RouteStep&)>& visit) const override {
    const RouteStep one = step(place, to, 0);
    visit(one);
    const RouteStep other = step(place, to, ~std::uint32_t{0});
    if (other.first != one.first) visit(other);
  }

  std::uint32_t lane_classes() const override { return rings() && ring_ == RingRule::dateline ? 2 : 1; }
  bool same_to_switch() const override { return true; }
  bool single_path() const override {
    const bool ties = shape_.torus && random_ties_ &&
                      std::any_of(shape_.dims.begin(), shape_.dims.end(), [](std::uint32_t k) { return k % 2 == 0; });
    return shape_.trunk == 1 && !ties;
  }

 private:
  // The ways in a mesh depend on nothing but both ends; in a small one a look at a table is faster than the branches of
  // the rule, which cannot be predicted.
  static constexpr SwitchId kTableSwitches = 256;
  void make_table() {
    std::vector<PortId> ports;
    for (SwitchId s = 0; s < graph_.switches(); ++s) {
      for (SwitchId goal = 0; goal < graph_.switches(); ++goal) {
        ports.push_back(step({s}, goal * nodes_.value(), 0).first);
      }
    }
    ports_ = std::move(ports);
  }

  bool rings() const { return shape_.torus; }

  bool goes_plus(std::uint32_t here, std::uint32_t there, std::uint32_t d, std::uint32_t choice) const {
    if (!shape_.torus) return there > here;
    const std::uint32_t size = shape_.dims[d];
    const std::uint32_t ahead = there >= here ? there - here : there + size - here;
    if (2 * ahead == size && random_ties_) return (choice >> d & 1U) == 0;
    return 2 * ahead <= size;
  }

  RouteStep along(const RoutePlace& place, std::uint32_t d, bool plus, std::uint32_t here) const {
    const PortId out = plus ? shape_.plus(d) : shape_.minus(d);
    const PortId from = plus ? shape_.minus(d) : shape_.plus(d);  // where messages of this ring come in
    RouteStep s{out, static_cast<std::uint16_t>(shape_.trunk)};
    if (!rings()) return s;
    const bool in_ring = place.in >= from && place.in < from + shape_.trunk;
    if (ring_ == RingRule::bubble) {
      s.bubble_ring = true;
      s.enters_ring = !in_ring;
    } else if (ring_ == RingRule::dateline) {
      const bool wraps = plus ? here + 1 == shape_.dims[d] : here == 0;
      s.lane_class = wraps || (in_ring && place.lane_class == 1) ? 1 : 0;
    }
    return s;
  }

  const Graph& graph_;
  const GridShape& shape_;
  std::vector<std::uint32_t> order_;
  RingRule ring_;
  bool random_ties_;
  Divisor nodes_;                           // per switch
  std::vector<std::uint16_t> coordinates_;  // [switch * dims + d]
  std::vector<PortId> ports_;               // small meshes: [switch * switches + goal]
};

}  // namespace

std::unique_ptr<PacketRouting> make_grid_packet_routing(const PacketRoutingOptions& options, const Graph& graph) {
  if (graph.grid().dims.empty()) {
    throw InputError(options.routing.where,
                     fmt::format("dimension-order routing needs a mesh or torus, the network is a {}", graph.name()));
  }
  std::vector<std::uint32_t> order = options.routing.order;
  for (std::uint32_t d = 0; order.size() < graph.grid().dims.size(); ++d) order.push_back(d);
  return std::make_unique<GridPacketRouting>(graph, std::move(order), options.ring, options.random_ties);
}

}  // namespace weft
