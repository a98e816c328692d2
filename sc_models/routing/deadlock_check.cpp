// The channel dependency graph and its cycles.

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/depth_first_search.hpp>
#include <vector>

#include "routing/packet_routing.h"

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

// The ports of a trunk count as one channel, since a message may take any of them.
class Builder {
 public:
  Builder(const PacketRouting& routing, const Graph& graph)
      : routing_(routing), graph_(graph), classes_(routing.lane_classes()), next_(graph.total_ports() * classes_) {}

  Dependencies build() {
    std::vector<bool> done(graph_.switches());
    for (NodeId to = 0; to < graph_.nodes(); ++to) {
      const SwitchId goal = graph_.attachment(to).sw;
      if (done[goal]) continue;  // ways differ by destination switch only
      done[goal] = true;
      explore(to);
    }
    return {boost::edges_are_unsorted, edges_.begin(), edges_.end(), next_.size()};
  }

 private:
  struct State {
    RoutePlace place;
    Channel by;
  };

  void explore(NodeId to) {
    std::vector<bool> seen(graph_.total_ports() * classes_);
    std::vector<State> open;
    for (NodeId from = 0; from < graph_.nodes(); ++from) {
      const PortRef at = graph_.attachment(from);
      if (at.sw != graph_.attachment(to).sw) open.push_back({{at.sw, at.port, 0}, kNone});
    }
    while (!open.empty()) {
      const State s = open.back();
      open.pop_back();
      routing_.each_step(s.place, to, [&](const RouteStep& step) { follow(s, step, seen, open); });
    }
  }

  void follow(const State& s, const RouteStep& step, std::vector<bool>& seen, std::vector<State>& open) {
    const PortRef peer = graph_.peer(s.place.at, step.first);
    if (peer.sw == kNoId) return;  // arrived
    const Channel out = graph_.out_link(s.place.at, step.first) * classes_ + step.lane_class;
    // Inside a ring that bubbles keep open nobody waits for ever.
    const bool open_ring = step.bubble_ring && !step.enters_ring;
    if (s.by != kNone && !open_ring) remember(s.by, out);
    if (seen[out]) return;
    seen[out] = true;
    open.push_back({{peer.sw, peer.port, step.lane_class}, out});
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
  const std::uint32_t classes_;
  std::vector<std::vector<Channel>> next_;  // per channel: those waited for from it
  std::vector<std::pair<Channel, Channel>> edges_;
};

}  // namespace

std::string find_deadlock(const PacketRouting& routing, const Graph& graph) {
  const std::uint32_t classes = routing.lane_classes();
  const Dependencies dependencies = Builder(routing, graph).build();
  std::vector<Channel> path;
  std::vector<Channel> cycle;
  boost::depth_first_search(dependencies, boost::visitor(CycleFinder(path, cycle)));
  std::string out;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    if (i == 6 && cycle.size() > 8) {
      out += fmt::format(", ... ({} links in all)", cycle.size());
      break;
    }
    out += (i == 0 ? "" : ", ") + graph.link_name(static_cast<LinkId>(cycle[i] / classes));
  }
  return out;
}

}  // namespace weft
