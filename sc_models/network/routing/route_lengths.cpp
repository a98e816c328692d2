#include "network/routing/route_lengths.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace weft {
namespace {

constexpr std::uint32_t kMostPlaces = 1024;
constexpr std::uint64_t kMostLooks = 20'000'000;  // at places and ports, where messages have a choice
constexpr std::uint8_t kLongest = 254;

// Routes to one goal join on their way: how far it is from a place where messages may stand is found once, for all
// routes that lead through it.
class LengthFinder {
 public:
  LengthFinder(const PacketRouting& routing, const Graph& graph)
      : routing_(routing),
        graph_(graph),
        classes_(routing.lane_classes()),
        single_(routing.single_path()),
        lengths_(std::size_t{graph.total_ports()} * classes_) {}

  void aim_at(NodeId goal) {
    goal_ = goal;
    std::fill(lengths_.begin(), lengths_.end(), kFresh);
  }

  /// Of the routes to the goal from a place `hops` behind a node. Nothing when they differ in length or go round in
  /// circles, and when there are too many.
  std::optional<std::uint8_t> find(const RoutePlace& from, std::uint32_t hops = 0) {
    std::uint16_t& known = lengths_[std::size_t{graph_.out_link(from.at, from.in)} * classes_ + from.lane_class];
    if (known == kUnderWay || hops > kLongest) return std::nullopt;
    if (known != kFresh) return static_cast<std::uint8_t>(known);
    known = kUnderWay;
    std::uint8_t length = RouteLengths::kUnknown;
    bool one_length = true;
    const auto visit_port = [&](PortId port, std::uint8_t lane_class) {
      if (!one_length) return;
      const std::optional<std::uint8_t> by_port = find_by(from.at, port, lane_class, hops);
      one_length =
          by_port && (length == RouteLengths::kUnknown || *by_port == RouteLengths::kUnknown || *by_port == length);
      if (one_length) length = std::min(length, *by_port);
    };
    if (single_) {
      const RouteStep step = routing_.step(from, goal_, 0);
      if (step.count > 0) visit_port(step.first, step.lane_class);
    } else {
      const auto visit = [&](const RouteStep& step) {
        looks_ += 1U + step.count;
        for (PortId p = step.first; p < step.first + step.count; ++p) visit_port(p, step.lane_class);
      };
      routing_.each_step(from, goal_, std::ref(visit));
    }
    if (!one_length || looks_ > kMostLooks) return std::nullopt;
    known = length;
    return length;
  }

 private:
  static constexpr std::uint16_t kFresh = 0xffff;
  static constexpr std::uint16_t kUnderWay = 0xfffe;

  /// By one port of a switch; kUnknown where the routes from there do not arrive.
  std::optional<std::uint8_t> find_by(SwitchId sw, PortId port, std::uint8_t lane_class, std::uint32_t hops) {
    const PortRef next = graph_.peer(sw, port);
    if (next.sw == kNoId) return 0;
    const std::optional<std::uint8_t> rest = find({next.sw, next.port, lane_class}, hops + 1);
    if (!rest || *rest == RouteLengths::kUnknown) return rest;
    if (*rest == kLongest) return std::nullopt;
    return static_cast<std::uint8_t>(*rest + 1);
  }

  const PacketRouting& routing_;
  const Graph& graph_;
  const std::uint32_t classes_;
  const bool single_;
  std::vector<std::uint16_t> lengths_;  // to the goal, by input and lane class
  NodeId goal_ = 0;
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
  out.hops.resize(std::size_t{places} * places);
  LengthFinder finder(routing, graph);
  for (std::uint32_t to = 0; to < places; ++to) {
    finder.aim_at(first[to]);
    for (std::uint32_t from = 0; from < places; ++from) {
      const PortRef at = graph.attachment(first[from]);
      const auto hops = finder.find({at.sw, at.port, 0});
      if (!hops) return {};
      out.hops[std::size_t{from} * places + to] = *hops;
    }
  }
  out.places = places;
  return out;
}

}  // namespace weft
