#include "routing/tree_packet_routing.h"

#include <fmt/format.h>

#include "base/diagnostics.h"

namespace weft {
namespace {

class TreePacketRouting final : public PacketRouting {
 public:
  TreePacketRouting(const TreeShape& shape, bool always_to_root) : shape_(shape), to_root_(always_to_root) {
    weight_.push_back(1);
    for (std::uint32_t l = 1; l < shape.levels; ++l) weight_.push_back(weight_.back() * shape.arity);
  }

  RouteStep step(const RoutePlace& place, NodeId to, std::uint32_t choice) const override {
    const std::uint32_t level = level_of(place.at);
    if (goes_up(place, level, to)) return up(choice / weight_[level] % shape_.arity);
    const std::uint32_t down = level == 0 ? to % shape_.arity : to / shape_.arity / weight_[level - 1] % shape_.arity;
    return {static_cast<PortId>(down)};
  }

  void each_step(const RoutePlace& place, NodeId to, const std::function<void(const RouteStep&)>& visit) const override {
    if (!goes_up(place, level_of(place.at), to)) {
      visit(step(place, to, 0));
      return;
    }
    for (std::uint32_t u = 0; u < shape_.arity; ++u) visit(up(u));
  }

  bool single_path() const override { return shape_.levels == 1; }

 private:
  std::uint32_t level_of(SwitchId at) const { return at / weight_.back(); }
  RouteStep up(std::uint32_t digit) const { return {static_cast<PortId>(shape_.arity + digit)}; }

  bool goes_up(const RoutePlace& place, std::uint32_t level, NodeId to) const {
    if (place.in >= shape_.arity || level + 1 == shape_.levels) return false;  // has come down, or is at the top
    if (to_root_) return true;
    const std::uint32_t leaf = to / shape_.arity;
    const std::uint32_t here = place.at % weight_.back();
    return leaf / weight_[level] != here / weight_[level];  // not an ancestor of the destination
  }

  TreeShape shape_;
  bool to_root_;
  std::vector<std::uint32_t> weight_;  // k^l
};

}  // namespace

std::unique_ptr<PacketRouting> make_tree_packet_routing(const PacketRoutingOptions& options, const Graph& graph) {
  if (graph.tree().arity == 0) {
    throw InputError(options.routing.where, fmt::format("routing {} needs a tree, the network is a {}",
                                                        to_string(options.routing.algorithm), graph.name()));
  }
  return std::make_unique<TreePacketRouting>(graph.tree(), options.routing.algorithm == RoutingAlgorithm::valiant);
}

}  // namespace weft
