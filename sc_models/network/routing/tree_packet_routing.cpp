#include "network/routing/tree_packet_routing.h"

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "base/divisor.h"
#include "network/routing/tree_detours.h"

namespace weft {
namespace {

class TreePacketRouting final : public PacketRouting {
 public:
  TreePacketRouting(const TreeShape& shape, bool always_to_root)
      : arity_(shape.arity), top_(shape.levels - 1), to_root_(always_to_root) {
    for (std::uint32_t l = 0, weight = 1; l < shape.levels; ++l, weight *= shape.arity) weight_.emplace_back(weight);
  }

  RouteStep step(const RoutePlace& place, NodeId to, std::uint32_t choice) const override {
    const std::uint32_t level = level_of(place.at);
    if (goes_up(place, level, to)) return up(arity_.remainder(weight_[level].quotient(choice)));
    const std::uint32_t branch = level == 0 ? to : weight_[level - 1].quotient(arity_.quotient(to));
    return {static_cast<PortId>(arity_.remainder(branch))};
  }

  void each_step(const RoutePlace& place, NodeId to,
                 const std::function<void(const RouteStep&)>& visit) const override {
    if (!goes_up(place, level_of(place.at), to)) {
      visit(step(place, to, 0));
      return;
    }
    for (std::uint32_t u = 0; u < arity_.value(); ++u) visit(up(u));
  }

  bool single_path() const override { return top_ == 0; }
  bool acyclic_by_form() const override { return true; }  // up, then down
  bool same_to_switch() const override { return true; }

 private:
  std::uint32_t level_of(SwitchId at) const { return weight_[top_].quotient(at); }
  RouteStep up(std::uint32_t digit) const { return {static_cast<PortId>(arity_.value() + digit)}; }

  bool goes_up(const RoutePlace& place, std::uint32_t level, NodeId to) const {
    if (place.in >= arity_.value() || level == top_) return false;  // has come down, or is at the top
    if (to_root_) return true;
    const std::uint32_t leaf = arity_.quotient(to);
    const std::uint32_t here = weight_[top_].remainder(place.at);
    return weight_[level].quotient(leaf) != weight_[level].quotient(here);  // not an ancestor of the destination
  }

  Divisor arity_;
  std::uint32_t top_;  // number of the highest level
  bool to_root_;
  std::vector<Divisor> weight_;  // arity^level
};

template <bool kToRoot>
std::unique_ptr<PacketRouting> make_tree_routing(const PacketRoutingOptions& options, const Graph& graph) {
  if (graph.tree().arity == 0) {
    throw InputError(options.routing.where, fmt::format("routing {} needs a tree, the network is a {}",
                                                        options.routing.algorithm->name, graph.name()));
  }
  return std::make_unique<TreePacketRouting>(graph.tree(), kToRoot);
}

template <bool kToRoot>
std::unique_ptr<FaultyRouting> tree_detours(const PacketRoutingOptions&, const Graph& graph, const LinkState& links) {
  return make_tree_detours(kToRoot, graph, links);
}

bool is_tree(NetworkForm form) { return form == NetworkForm::tree; }

}  // namespace

constinit const RoutingAlgorithm kValiant{
    .name = "valiant",
    .meaning = "up a tree to a random root, then down",
    .suits = is_tree,
    .needs = "a tree",
    .packets = make_tree_routing<true>,
    .detours = tree_detours<true>,
};

constinit const RoutingAlgorithm kNearestCommonAncestor{
    .name = "nearest_common_ancestor",
    .meaning = "up a tree as far as needed, on a random route, then down",
    .suits = is_tree,
    .needs = "a tree",
    .packets = make_tree_routing<false>,
    .detours = tree_detours<false>,
};

}  // namespace weft
