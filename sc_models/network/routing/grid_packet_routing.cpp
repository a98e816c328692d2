// Dimension order with trunks on meshes and tori.

#include "network/routing/grid_packet_routing.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/diagnostics.h"
#include "base/divisor.h"

namespace weft {
namespace {

class GridPacketRouting final : public PacketRouting {
 public:
  GridPacketRouting(const Graph& graph, std::vector<std::uint32_t> order, RingControl ring, RouteTies ties)
      : shape_(graph.grid()),
        order_(std::move(order)),
        ring_(ring),
        random_ties_(ties == RouteTies::random),
        nodes_(shape_.nodes_per_switch) {
    const std::size_t dims = shape_.dims.size();
    std::uint32_t stride = 1;
    for (const std::uint32_t size : shape_.dims) {
      axes_.push_back({Divisor(stride), Divisor(size)});
      stride *= size;
    }
    coordinates_.resize(graph.switches() * dims);
    for (SwitchId s = 0; s < graph.switches(); ++s) {
      for (std::size_t d = 0; d < dims; ++d) {
        coordinates_[s * dims + d] = static_cast<std::uint16_t>(axes_[d].coordinate(s));
      }
    }
    make_table();
  }

  RouteStep step(const RoutePlace& place, NodeId to, std::uint32_t choice) const override {
    const SwitchId goal = nodes_.quotient(to);
    const Way way = ways_.empty() ? far_way(place.at, goal) : ways_[middle_ + position_[goal] - position_[place.at]];
    if (way.direction == Direction::none) return {static_cast<PortId>(nodes_.remainder(to))};
    const bool up = (choice >> way.dimension & 1U) == 0;
    const bool plus = way.direction == Direction::either ? up : way.direction == Direction::plus;
    return along(place, way.dimension, plus);
  }

  void each_step(const RoutePlace& place, NodeId to,
                 const std::function<void(const RouteStep&)>& visit) const override {
    const RouteStep one = step(place, to, 0);
    visit(one);
    const RouteStep other = step(place, to, ~std::uint32_t{0});
    if (other.first != one.first) visit(other);
  }

  std::uint32_t lane_classes() const override { return rings() && ring_ == RingControl::dateline ? 2 : 1; }
  bool same_to_switch() const override { return true; }
  // Minimal ways along a ring of up to three switches are one hop long and never wait for each other in a cycle.
  bool rings_without_classes() const override {
    return rings() && lane_classes() == 1 &&
           std::any_of(shape_.dims.begin(), shape_.dims.end(), [](std::uint32_t k) { return k > 3; });
  }
  // Dimensions in order; inside a ring bubbles count as open, and behind the dateline a minimal route does not come to
  // it again.
  bool acyclic_by_form() const override { return !rings() || ring_ != RingControl::none; }
  bool single_path() const override {
    const bool ties = shape_.torus && random_ties_ &&
                      std::any_of(shape_.dims.begin(), shape_.dims.end(), [](std::uint32_t k) { return k % 2 == 0; });
    return shape_.trunk == 1 && !ties;
  }

 private:
  enum class Direction : std::uint8_t { minus, plus, either, none };
  struct Way {
    std::uint8_t dimension = 0;
    Direction direction = Direction::none;
  };

  struct Axis {
    Divisor stride, size;
    std::uint32_t coordinate(SwitchId s) const { return size.remainder(stride.quotient(s)); }
  };

  // Ways depend on nothing but how far away the goal is in each dimension. A look at a table by that is faster than the
  // branches of the rule, which cannot be predicted, as long as the table is in the cache next to the processor.
  static constexpr std::size_t kMostWays = 1 << 14;
  void make_table() {
    const std::size_t dims = shape_.dims.size();
    std::vector<std::uint32_t> stride;
    std::size_t size = 1;
    for (std::size_t d = 0; d < dims && size <= kMostWays; ++d) {
      stride.push_back(static_cast<std::uint32_t>(size));
      size *= 2 * std::size_t{shape_.dims[d]} - 1;
    }
    if (size > kMostWays) return;
    for (std::size_t s = 0; s < coordinates_.size() / dims; ++s) {
      const std::uint16_t* const at = &coordinates_[s * dims];
      position_.push_back(std::inner_product(stride.begin(), stride.end(), at, 0U));
    }
    for (std::size_t d = 0; d < dims; ++d) middle_ += stride[d] * (shape_.dims[d] - 1);
    for (std::size_t i = 0; i < size; ++i) {
      ways_.push_back(find_way([&](std::uint32_t d) {
        const std::size_t digit = i / stride[d] % (2 * std::size_t{shape_.dims[d]} - 1);
        return static_cast<std::int32_t>(digit) - static_cast<std::int32_t>(shape_.dims[d] - 1);
      }));
    }
  }

  // In grids without a table, which are large. The goal's coordinates are computed, since a table of them would be in
  // no cache either; switches that are asked one after the other are close together.
  Way far_way(SwitchId at, SwitchId goal) const {
    const std::uint16_t* const here = &coordinates_[at * axes_.size()];
    return find_way(
        [&](std::uint32_t d) { return static_cast<std::int32_t>(axes_[d].coordinate(goal)) - std::int32_t{here[d]}; });
  }

  /// `away(d)`: coordinate of the goal less that of the switch.
  template <class Away>
  Way find_way(Away&& away) const {
    for (const std::uint32_t d : order_) {
      if (away(d) != 0) return {static_cast<std::uint8_t>(d), direction(away(d), shape_.dims[d])};
    }
    return {};
  }

  Direction direction(std::int32_t away, std::uint32_t size) const {
    if (!rings()) return away > 0 ? Direction::plus : Direction::minus;
    const std::uint32_t ahead = away > 0 ? static_cast<std::uint32_t>(away) : size - static_cast<std::uint32_t>(-away);
    if (2 * ahead == size && random_ties_) return Direction::either;
    return 2 * ahead <= size ? Direction::plus : Direction::minus;
  }

  bool rings() const { return shape_.torus; }

  RouteStep along(const RoutePlace& place, std::uint32_t d, bool plus) const {
    const PortId out = plus ? shape_.plus(d) : shape_.minus(d);
    const PortId from = plus ? shape_.minus(d) : shape_.plus(d);  // where messages of this ring come in
    RouteStep s{out, static_cast<std::uint16_t>(shape_.trunk)};
    if (!rings()) return s;
    const bool in_ring = static_cast<std::uint32_t>(place.in - from) < shape_.trunk;
    if (ring_ == RingControl::bubble) {
      s.bubble_ring = true;
      s.enters_ring = !in_ring;
    } else if (ring_ == RingControl::dateline) {
      const std::uint32_t here = coordinates_[place.at * shape_.dims.size() + d];
      const bool wraps = plus ? here + 1 == shape_.dims[d] : here == 0;
      s.lane_class = wraps || (in_ring && place.lane_class == 1) ? 1 : 0;
    }
    return s;
  }

  const GridShape& shape_;
  std::vector<std::uint32_t> order_;
  RingControl ring_;
  bool random_ties_;
  Divisor nodes_;                           // per switch
  std::vector<Axis> axes_;                  // of the dimensions
  std::vector<std::uint16_t> coordinates_;  // [switch * dims + d]
  // The way to a goal: ways_[middle_ + position_[goal] - position_[switch]].
  std::vector<std::uint32_t> position_;
  std::vector<Way> ways_;
  std::uint32_t middle_ = 0;
};

}  // namespace

std::unique_ptr<PacketRouting> make_grid_packet_routing(const PacketRoutingOptions& options, const Graph& graph) {
  if (graph.grid().dims.empty()) {
    throw InputError(options.routing.where,
                     fmt::format("dimension-order routing needs a mesh or torus, the network is a {}", graph.name()));
  }
  std::vector<std::uint32_t> order = options.routing.order;
  for (std::uint32_t d = 0; order.size() < graph.grid().dims.size(); ++d) order.push_back(d);
  return std::make_unique<GridPacketRouting>(graph, std::move(order), options.ring, options.ties);
}

}  // namespace weft
