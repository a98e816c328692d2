// The channel dependency graph and its cycles.

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/depth_first_search.hpp>
#include <unordered_set>
#include <utility>
#include <vector>

#include "network/routing/deadlock_check.h"

namespace weft {
namespace {

using Dependencies = boost::compressed_sparse_row_graph<boost::directedS>;
using Channel = Dependencies::vertex_descriptor;

// Keeps the channels of the first cycle it sees.
class CycleFinder : public boost::dfs_visitor<> {
 public:
  CycleFinder(std::vector<Channel>& path, std::vector<Channel>& cycle) : path_(path), cycle_(cycle) {}
  void discover_vertex(Channel c, const Dependencies&) { path_.push_back(c); }
  void finish_vertex(Channel, const Dependencies&) { path_.pop_back(); }
  void back_edge(Dependencies::edge_descriptor e, const Dependencies& g) {
    if (!cycle_.empty()) return;
    cycle_.assign(std::find(path_.begin(), path_.end(), target(e, g)), path_.end());
  }

 private:
  std::vector<Channel>& path_;
  std::vector<Channel>& cycle_;
};

// Every lane class is a lane.
class ClassLanes final : public LaneChoice {
 public:
  std::uint32_t levels() const override { return 1; }
  Lane inject(NodeId, std::uint32_t) const override { return {}; }
  Lane next(const RoutePlace&, const RouteStep& step, std::uint32_t, const Lane&) const override {
    return {step.lane_class, 0};
  }
};

constexpr std::size_t kLanes = 32;

// The ports of a trunk count as one channel, since a message may take any of them.
class Builder {
 public:
  Builder(const PacketRouting& routing, const Graph& graph, const LaneChoice& lanes)
      : routing_(routing), graph_(graph), lanes_(lanes), next_(graph.total_ports() * kLanes), met_(next_.size()) {}

  /// A ring whose bubbles do not hold, since messages change their VL inside it; empty: none.
  const std::string& broken_ring() const { return broken_ring_; }

  Dependencies build() {
    std::vector<bool> done(graph_.switches());
    for (NodeId to = 0; to < graph_.nodes(); ++to) {
      const SwitchId goal = graph_.attachment(to).sw;
      if (done[goal] && routing_.same_to_switch()) continue;
      done[goal] = true;
      for (std::uint32_t level = 0; level < lanes_.levels(); ++level) explore(to, level);
    }
    return {boost::edges_are_unsorted, edges_.begin(), edges_.end(), next_.size()};
  }

 private:
  struct State {
    RoutePlace place;
    Channel by;
    LaneChoice::Lane lane;
  };

  void explore(NodeId to, std::uint32_t level) {
    seen_.clear();
    ++round_;
    std::vector<State> open;
    for (NodeId from = 0; from < graph_.nodes(); ++from) {
      const PortRef at = graph_.attachment(from);
      if (at.sw != graph_.attachment(to).sw) {
        open.push_back({{at.sw, at.port, 0}, kNone, lanes_.inject(from, level)});
      }
    }
    while (!open.empty()) {
      const State s = open.back();
      open.pop_back();
      routing_.each_step(s.place, to, [&](const RouteStep& step) { follow(s, step, level, open); });
    }
  }

  // Whether the state has not been met for this destination and level.
  bool is_new(Channel out, const LaneChoice::Lane& lane, const RouteStep& step) {
    if (lanes_.levels() > 1) return seen_.insert((out * kLanes + lane.channel) * kLanes + step.lane_class).second;
    return std::exchange(met_[out], round_) != round_;  // the lane is the class, and there is nothing else
  }

  void follow(const State& s, const RouteStep& step, std::uint32_t level, std::vector<State>& open) {
    const PortRef peer = graph_.peer(s.place.at, step.first);
    if (peer.sw == kNoId) return;  // arrived
    const LaneChoice::Lane lane = lanes_.next(s.place, step, level, s.lane);
    const Channel out = graph_.out_link(s.place.at, step.first) * kLanes + lane.lane;
    // Inside a ring that bubbles keep open nobody waits for ever.
    const bool open_ring = step.bubble_ring && !step.enters_ring;
    if (open_ring && lane.lane != s.lane.lane && broken_ring_.empty()) {
      broken_ring_ = fmt::format("{} takes messages of its ring from VL {} to VL {}", graph_.link_name(out / kLanes),
                                 s.lane.lane, lane.lane);
    }
    if (s.by != kNone && !open_ring) remember(s.by, out);
    if (!is_new(out, lane, step)) return;
    open.push_back({{peer.sw, peer.port, step.lane_class}, out, lane});
  }

  void remember(Channel from, Channel to) {
    std::vector<Channel>& known = next_[from];
    if (std::find(known.begin(), known.end(), to) != known.end()) return;
    known.push_back(to);
    edges_.emplace_back(from, to);
  }

  static constexpr Channel kNone = static_cast<Channel>(-1);
  const PacketRouting& routing_;
  const Graph& graph_;
  const LaneChoice& lanes_;
  std::vector<std::vector<Channel>> next_;  // per channel: those waited for from it
  std::vector<std::pair<Channel, Channel>> edges_;
  std::vector<std::uint32_t> met_;  // per channel: round in which it was met last
  std::uint32_t round_ = 0;
  std::unordered_set<std::uint64_t> seen_;
  std::string broken_ring_;
};

}  // namespace

std::string find_deadlock(const PacketRouting& routing, const Graph& graph) {
  return routing.acyclic_by_form() ? std::string() : search_deadlock(routing, graph);
}

std::string search_deadlock(const PacketRouting& routing, const Graph& graph) {
  return find_deadlock(routing, graph, ClassLanes());
}

std::string find_deadlock(const PacketRouting& routing, const Graph& graph, const LaneChoice& lanes) {
  const bool one_class = lanes.levels() == 1;
  Builder builder(routing, graph, lanes);
  const Dependencies dependencies = builder.build();
  if (!builder.broken_ring().empty()) return builder.broken_ring();
  std::vector<Channel> path;
  std::vector<Channel> cycle;
  boost::depth_first_search(dependencies, boost::visitor(CycleFinder(path, cycle)));
  std::string out;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    if (i == 6 && cycle.size() > 8) {
      out += fmt::format(", ... ({} links in all)", cycle.size());
      break;
    }
    out += (i == 0 ? "" : ", ") + graph.link_name(static_cast<LinkId>(cycle[i] / kLanes));
    if (!one_class) out += fmt::format(" on VL {}", cycle[i] % kLanes);
  }
  return out;
}

double deadlock_check_seconds(const PacketRouting& routing, const Graph& graph, std::uint32_t levels) {
  constexpr double kLook = 0.03e-6;
  if (levels == 0 && routing.acyclic_by_form()) return 0;
  double goals = graph.nodes();
  if (routing.same_to_switch()) goals = std::min<double>(graph.nodes(), graph.switches());
  return static_cast<double>(graph.total_ports()) * goals * routing.lane_classes() * std::max(1U, levels) * kLook;
}

}  // namespace weft
