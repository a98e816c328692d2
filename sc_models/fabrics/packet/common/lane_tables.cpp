#include "fabrics/packet/common/lane_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace weft {

LaneTables::LaneTables(LaneParameters parameters, const Graph& graph, Diagnostics& diagnostics)
    : parameters_(std::move(parameters)),
      lanes_(parameters_.levels.size() * parameters_.classes),
      channels_(lanes_.size()) {
  const std::size_t classes = parameters_.classes;
  for (std::size_t l = 0; l < parameters_.levels.size(); ++l) {
    const LaneParameters::Level& level = parameters_.levels[l];
    for (std::size_t c = 0; c < level.lanes.size(); ++c) {
      lanes_[l * classes + c] = static_cast<VirtualLane>(level.lanes[c]);
    }
    for (std::size_t c = 0; c < level.channels.size(); ++c) {
      channels_[l * classes + c] = static_cast<std::uint8_t>(level.channels[c]);
    }
  }
  for (const LaneException& e : parameters_.exceptions) check_place(e, graph, diagnostics);
}

void LaneTables::check_place(const LaneException& exception, const Graph& graph, Diagnostics& diagnostics) const {
  if (const std::string problem = range_problem(exception.at, graph); !problem.empty()) {
    diagnostics.error(exception.at.where, "qos.lane_maps: " + problem);
    return;
  }
  for (SwitchId s = exception.at.first; exception.input && s <= exception.at.last; ++s) {
    if (*exception.input < graph.ports(s) && !graph.is_free({s, static_cast<PortId>(*exception.input)})) continue;
    diagnostics.error(exception.at.where,
                      fmt::format("qos.lane_maps: sw[{}] has nothing connected at port {}", s, *exception.input));
    break;
  }
  check_output(exception, graph, diagnostics);
}

// A message takes any link of a trunk, so these need the same tables.
void LaneTables::check_output(const LaneException& exception, const Graph& graph, Diagnostics& diagnostics) const {
  if (!exception.at.port) return;
  for (SwitchId s = exception.at.first; s <= exception.at.last; ++s) {
    const SwitchId neighbour = graph.peer(s, static_cast<PortId>(*exception.at.port)).sw;
    std::uint32_t parallel = 0;
    for (PortId p = 0; p < graph.ports(s); ++p) parallel += graph.peer(s, p).sw == neighbour ? 1 : 0;
    if (neighbour == kNoId || parallel < 2 || graph.grid().trunk < 2) continue;
    diagnostics.error(exception.at.where,
                      fmt::format("qos.lane_maps: sw[{}].port{} is one of {} links of a trunk, which "
                                  "need the same tables; leave the port out",
                                  s, *exception.at.port, graph.grid().trunk));
    return;
  }
}

VirtualLane LaneTables::lane_of_channel(std::uint32_t channel) const {
  return static_cast<VirtualLane>(channel < parameters_.channel_lanes.size() ? parameters_.channel_lanes[channel]
                                                                             : channel);
}

std::vector<std::uint32_t> LaneTables::lanes_of(ServiceLevel level) const {
  std::set<std::uint32_t> lanes(parameters_.levels[level].lanes.begin(), parameters_.levels[level].lanes.end());
  std::set<std::uint32_t> channels(parameters_.levels[level].channels.begin(),
                                   parameters_.levels[level].channels.end());
  for (const LaneException& map : parameters_.exceptions) {
    for (const LaneException::Level& l : map.lanes) {
      if (l.sl == level) lanes.insert(l.numbers.begin(), l.numbers.end());
    }
    for (const LaneException::Level& l : map.channels) {
      if (l.sl == level) channels.insert(l.numbers.begin(), l.numbers.end());
    }
  }
  for (const std::uint32_t c : channels) lanes.insert(lane_of_channel(c));
  for (const LaneException& map : parameters_.exceptions) {
    for (const auto& [channel, lane] : map.channel_lanes) {
      if (channels.contains(channel)) lanes.insert(lane);
    }
  }
  return {lanes.begin(), lanes.end()};
}

template <class Matches>
LaneChoice::Lane LaneTables::choose(ServiceLevel level, std::uint32_t lane_class, std::uint8_t channel,
                                    Matches&& matches) const {
  const auto number = [&](const std::vector<LaneException::Level>& list) -> const std::uint32_t* {
    for (const LaneException::Level& l : list) {
      if (l.sl == level) return &l.numbers[std::min<std::size_t>(lane_class, l.numbers.size() - 1)];
    }
    return nullptr;
  };
  Lane out{usual_lane(level, lane_class), channel};
  if (!parameters_.channels) {
    for (const LaneException& map : parameters_.exceptions) {
      const std::uint32_t* lane = matches(map) ? number(map.lanes) : nullptr;
      if (lane != nullptr) out.lane = static_cast<std::uint8_t>(*lane);
    }
    return out;
  }
  for (const LaneException& map : parameters_.exceptions) {
    const std::uint32_t* sc = matches(map) ? number(map.channels) : nullptr;
    if (sc != nullptr) out.channel = static_cast<std::uint8_t>(*sc);
  }
  out.lane = lane_of_channel(out.channel);
  for (const LaneException& map : parameters_.exceptions) {
    if (!matches(map)) continue;
    for (const auto& [sc, lane] : map.channel_lanes) {
      if (sc == out.channel) out.lane = static_cast<std::uint8_t>(lane);
    }
  }
  return out;
}

LaneChoice::Lane LaneTables::at_nic(NodeId nic, ServiceLevel level) const {
  return choose(level, 0, usual_channel(level, 0),
                [&](const LaneException& m) { return m.at.nic && nic >= m.at.first && nic <= m.at.last; });
}

// A channel stays as it is unless the routing changes the lane class or a table changes the channel.
LaneChoice::Lane LaneTables::at_switch(SwitchId sw, PortId in, PortId out, ServiceLevel level, std::uint8_t lane_class,
                                       std::uint8_t came_class, std::uint8_t came_channel) const {
  const std::uint8_t channel = lane_class == came_class ? came_channel : usual_channel(level, lane_class);
  return choose(level, lane_class, channel, [&](const LaneException& m) {
    return !m.at.nic && sw >= m.at.first && sw <= m.at.last && (!m.at.port || *m.at.port == out) &&
           (!m.input || *m.input == in);
  });
}

}  // namespace weft
