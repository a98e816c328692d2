#include "network/routing/tree_detours.h"

#include <vector>

namespace weft {
namespace {

// Numbers of switches and ports: network/topology/tree.h.
class TreeDetours final : public FaultyRouting {
 public:
  TreeDetours(bool to_root, const Graph& graph, const LinkState& links)
      : to_root_(to_root), graph_(graph), links_(links), shape_(graph.tree()), weight_{1} {
    for (std::uint32_t l = 1; l < shape_.levels; ++l) weight_.push_back(weight_.back() * shape_.arity);
    leaves_ = weight_.back();
    update();
  }

  RouteStep step(const RoutePlace& place, NodeId to, std::uint32_t choice) const override {
    const std::uint32_t leaf = to / shape_.arity;
    const std::uint32_t level = level_of(place.at);
    const bool came_down = place.in >= shape_.arity;
    const bool top = level + 1 == shape_.levels;
    const bool rather_up = !came_down && !top && (to_root_ || !ancestor(place.at, leaf));
    if (rather_up || (!came_down && !top && !down_[index(place.at, leaf)])) {
      const std::uint32_t drawn = choice / weight_[level] % shape_.arity;
      for (std::uint32_t i = 0; i < shape_.arity; ++i) {
        const auto port = static_cast<PortId>(shape_.arity + (drawn + i) % shape_.arity);
        if (leads_up(place.at, port, leaf)) return {port};
      }
    }
    if (!down_[index(place.at, leaf)]) return {0, 0};
    const PortId port = level == 0 ? static_cast<PortId>(to % shape_.arity) : down_port(level, leaf);
    return {port, static_cast<std::uint16_t>(links_.up(place.at, port) ? 1 : 0)};
  }

  void update() override {
    down_.assign(std::size_t{graph_.switches()} * leaves_, false);
    up_ = down_;
    for (SwitchId s = 0; s < graph_.switches(); ++s) {  // lower levels have lower numbers
      const std::uint32_t level = level_of(s);
      for (std::uint32_t leaf = 0; leaf < leaves_; ++leaf) {
        if (!ancestor(s, leaf)) continue;
        const PortId port = level == 0 ? PortId{0} : down_port(level, leaf);
        down_[index(s, leaf)] = level == 0 || (links_.up(s, port) && down_[index(graph_.peer(s, port).sw, leaf)]);
      }
    }
    for (SwitchId s = graph_.switches(); s-- > 0;) {
      for (std::uint32_t leaf = 0; leaf < leaves_; ++leaf) {
        bool way = down_[index(s, leaf)];
        for (std::uint32_t u = 0; !way && u < shape_.arity && level_of(s) + 1 < shape_.levels; ++u) {
          way = leads_up(s, static_cast<PortId>(shape_.arity + u), leaf);
        }
        up_[index(s, leaf)] = way;
      }
    }
  }

 private:
  std::uint32_t level_of(SwitchId s) const { return s / leaves_; }
  std::size_t index(SwitchId s, std::uint32_t leaf) const { return std::size_t{s} * leaves_ + leaf; }
  bool ancestor(SwitchId s, std::uint32_t leaf) const {
    const std::uint32_t w = weight_[level_of(s)];
    return s % leaves_ / w == leaf / w;
  }
  PortId down_port(std::uint32_t level, std::uint32_t leaf) const {
    return static_cast<PortId>(leaf / weight_[level - 1] % shape_.arity);
  }
  bool leads_up(SwitchId s, PortId port, std::uint32_t leaf) const {
    return links_.up(s, port) && up_[index(graph_.peer(s, port).sw, leaf)];
  }

  const bool to_root_;
  const Graph& graph_;
  const LinkState& links_;
  const TreeShape shape_;
  std::vector<std::uint32_t> weight_;  // k^l
  std::uint32_t leaves_ = 1;           // leaf switches, and switches of each level
  std::vector<bool> down_;             // [switch, leaf]: the way down to that leaf is whole
  std::vector<bool> up_;               // the leaf can be reached by going up, then down
};

}  // namespace

std::unique_ptr<FaultyRouting> make_tree_detours(bool to_root, const Graph& graph, const LinkState& links) {
  return std::make_unique<TreeDetours>(to_root, graph, links);
}

}  // namespace weft
