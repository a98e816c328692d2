#include "network/routing/route_lengths.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace weft {
namespace {

constexpr std::uint32_t kMostPlaces = 1024;
constexpr std::uint64_t kMostLooks = 20'000'000;  // where messages have a choice
constexpr std::uint8_t kLongest = 254;

class LengthFinder {
 public:
  LengthFinder(const PacketRouting& routing, const Graph& graph) : routing_(routing), graph_(graph) {}

  /// Nothing when routes differ in length.
  std::optional<std::uint8_t> find(RoutePlace from, NodeId to) {
    return routing_.single_path() ? follow(from, to) : spread(from, to);
  }

 private:
  std::optional<std::uint8_t> follow(RoutePlace at, NodeId to) const {
    for (std::uint8_t hops = 0; hops <= kLongest; ++hops) {
      const RouteStep step = routing_.step(at, to, 0);
      if (step.count == 0) return RouteLengths::kUnknown;
      const PortRef next = graph_.peer(at.at, step.first);
      if (next.sw == kNoId) return hops;
      at = {next.sw, next.port, step.lane_class};
    }
    return std::nullopt;
  }

  // All places after so many hops, until all of them are the goal.
  std::optional<std::uint8_t> spread(const RoutePlace& from, NodeId to) {
    std::vector<RoutePlace> now{from};
    for (std::uint8_t hops = 0; hops <= kLongest; ++hops) {
      std::vector<RoutePlace> next;
      bool arrived = false;
      for (const RoutePlace& place : now) {
        routing_.each_step(place, to, [&](const RouteStep& step) {
          for (PortId p = step.first; p < step.first + step.count; ++p) {
            const PortRef peer = graph_.peer(place.at, p);
            arrived = arrived || peer.sw == kNoId;
            if (peer.sw != kNoId) next.push_back({peer.sw, peer.port, step.lane_class});
          }
        });
      }
      looks_ += now.size() + next.size();
      if (looks_ > kMostLooks) return std::nullopt;
      if (next.empty()) return arrived ? hops : RouteLengths::kUnknown;
      if (arrived) return std::nullopt;
      const auto order = [](const RoutePlace& p) { return std::tuple(p.at, p.in, p.lane_class); };
      std::sort(next.begin(), next.end(), [&](const auto& a, const auto& b) { return order(a) < order(b); });
      next.erase(
          std::unique(next.begin(), next.end(), [&](const auto& a, const auto& b) { return order(a) == order(b); }),
          next.end());
      now = std::move(next);
    }
    return std::nullopt;
  }

  const PacketRouting& routing_;
  const Graph& graph_;
  std::uint64_t looks_ = 0;
};

}  // namespace

RouteLengths route_lengths(const PacketRouting& routing, const Graph& graph) {
  RouteLengths out;
  std::vector<NodeId> first;  // of the nodes at a place
  std::vector<std::uint32_t> place_of(graph.switches(), kNoId);
  for (NodeId n = 0; n < graph.nodes(); ++n) {
    const SwitchId sw = graph.attachment(n).sw;
    if (place_of[sw] == kNoId || !routing.same_to_switch()) {
      place_of[sw] = static_cast<std::uint32_t>(first.size());
      first.push_back(n);
    }
    out.place.push_back(place_of[sw]);
  }
  const auto places = static_cast<std::uint32_t>(first.size());
  if (places > kMostPlaces) return {};
  LengthFinder finder(routing, graph);
  for (const NodeId from : first) {
    const PortRef at = graph.attachment(from);
    for (const NodeId to : first) {
      const auto hops = finder.find({at.sw, at.port, 0}, to);
      if (!hops) return {};
      out.hops.push_back(*hops);
    }
  }
  out.places = places;
  return out;
}

}  // namespace weft
