#include "fabrics/packet/plan/lane_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "network/places/port_ranges.h"

namespace weft {

LaneTables::LaneTables(const PacketConfig& config, const Graph& graph, Diagnostics& diagnostics)
    : config_(config),
      opa_(config.packet_switch.architecture == PacketArchitecture::opa),
      lanes_(config.levels.size() * 2),
      channels_(config.levels.size() * 2) {
  for (std::size_t l = 0; l < config.levels.size(); ++l) {
    const LevelConfig& level = config.levels[l];
    for (std::size_t c = 0; c < level.lanes.size(); ++c) lanes_[l * 2 + c] = static_cast<VirtualLane>(level.lanes[c]);
    for (std::size_t c = 0; c < level.channels.size(); ++c) {
      channels_[l * 2 + c] = static_cast<std::uint8_t>(level.channels[c]);
    }
  }
  for (const LaneMapConfig& map : config.lane_maps) check_place(map, graph, diagnostics);
}

void LaneTables::check_place(const LaneMapConfig& map, const Graph& graph, Diagnostics& diagnostics) const {
  if (const std::string problem = range_problem(map.at, graph); !problem.empty()) {
    diagnostics.error(map.at.where, "qos.lane_maps: " + problem);
    return;
  }
  for (SwitchId s = map.at.first; map.input && s <= map.at.last; ++s) {
    if (*map.input < graph.ports(s) && !graph.is_free({s, static_cast<PortId>(*map.input)})) continue;
    diagnostics.error(map.at.where,
                      fmt::format("qos.lane_maps: sw[{}] has nothing connected at port {}", s, *map.input));
    break;
  }
  check_output(map, graph, diagnostics);
}

// A message takes any link of a trunk, so these need the same tables.
void LaneTables::check_output(const LaneMapConfig& map, const Graph& graph, Diagnostics& diagnostics) const {
  if (!map.at.port) return;
  for (SwitchId s = map.at.first; s <= map.at.last; ++s) {
    const SwitchId neighbour = graph.peer(s, static_cast<PortId>(*map.at.port)).sw;
    std::uint32_t parallel = 0;
    for (PortId p = 0; p < graph.ports(s); ++p) parallel += graph.peer(s, p).sw == neighbour ? 1 : 0;
    if (neighbour == kNoId || parallel < 2 || graph.grid().trunk < 2) continue;
    diagnostics.error(map.at.where, fmt::format("qos.lane_maps: sw[{}].port{} is one of {} links of a trunk, which "
                                                "need the same tables; leave the port out",
                                                s, *map.at.port, graph.grid().trunk));
    return;
  }
}

VirtualLane LaneTables::lane_of_channel(std::uint32_t channel) const {
  return static_cast<VirtualLane>(channel < config_.channel_lanes.size() ? config_.channel_lanes[channel] : channel);
}

std::vector<std::uint32_t> LaneTables::lanes_of(ServiceLevel level) const {
  std::set<std::uint32_t> lanes(config_.levels[level].lanes.begin(), config_.levels[level].lanes.end());
  std::set<std::uint32_t> channels(config_.levels[level].channels.begin(), config_.levels[level].channels.end());
  for (const LaneMapConfig& map : config_.lane_maps) {
    for (const LaneMapConfig::Level& l : map.lanes) {
      if (l.sl == level) lanes.insert(l.numbers.begin(), l.numbers.end());
    }
    for (const LaneMapConfig::Level& l : map.channels) {
      if (l.sl == level) channels.insert(l.numbers.begin(), l.numbers.end());
    }
  }
  for (const std::uint32_t c : channels) lanes.insert(lane_of_channel(c));
  for (const LaneMapConfig& map : config_.lane_maps) {
    for (const auto& [channel, lane] : map.channel_lanes) {
      if (channels.contains(channel)) lanes.insert(lane);
    }
  }
  return {lanes.begin(), lanes.end()};
}

template <class Matches>
LaneChoice::Lane LaneTables::choose(ServiceLevel level, std::uint32_t lane_class, std::uint8_t channel,
                                    Matches&& matches) const {
  const auto number = [&](const std::vector<LaneMapConfig::Level>& list) -> const std::uint32_t* {
    for (const LaneMapConfig::Level& l : list) {
      if (l.sl == level) return &l.numbers[std::min<std::size_t>(lane_class, l.numbers.size() - 1)];
    }
    return nullptr;
  };
  Lane out{usual_lane(level, lane_class), channel};
  if (!opa_) {
    for (const LaneMapConfig& map : config_.lane_maps) {
      const std::uint32_t* lane = matches(map) ? number(map.lanes) : nullptr;
      if (lane != nullptr) out.lane = static_cast<std::uint8_t>(*lane);
    }
    return out;
  }
  for (const LaneMapConfig& map : config_.lane_maps) {
    const std::uint32_t* sc = matches(map) ? number(map.channels) : nullptr;
    if (sc != nullptr) out.channel = static_cast<std::uint8_t>(*sc);
  }
  out.lane = lane_of_channel(out.channel);
  for (const LaneMapConfig& map : config_.lane_maps) {
    if (!matches(map)) continue;
    for (const auto& [sc, lane] : map.channel_lanes) {
      if (sc == out.channel) out.lane = static_cast<std::uint8_t>(lane);
    }
  }
  return out;
}

LaneChoice::Lane LaneTables::at_nic(NodeId nic, ServiceLevel level) const {
  return choose(level, 0, usual_channel(level, 0),
                [&](const LaneMapConfig& m) { return m.at.nic && nic >= m.at.first && nic <= m.at.last; });
}

// A channel stays as it is unless the routing changes the lane class or a table changes the channel.
LaneChoice::Lane LaneTables::at_switch(SwitchId sw, PortId in, PortId out, ServiceLevel level, std::uint8_t lane_class,
                                       std::uint8_t came_class, std::uint8_t came_channel) const {
  const std::uint8_t channel = lane_class == came_class ? came_channel : usual_channel(level, lane_class);
  return choose(level, lane_class, channel, [&](const LaneMapConfig& m) {
    return !m.at.nic && sw >= m.at.first && sw <= m.at.last && (!m.at.port || *m.at.port == out) &&
           (!m.input || *m.input == in);
  });
}

}  // namespace weft
