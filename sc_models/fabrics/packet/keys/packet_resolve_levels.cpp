// Levels, their virtual lanes and service channels, and the space of the lanes.

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/qos/egress_scheduler.h"
#include "base/text.h"
#include "fabrics/packet/keys/packet_resolver.h"

namespace weft {

std::uint32_t PacketResolver::lane_of_channel(std::uint32_t channel, const std::string& path, const Location& where) {
  const auto& map = raw_.qos.value.channel_lanes;
  if (!map.given || !map.valid || channel == kManagementLane) return channel;
  if (channel < map.value.size()) return map.value[channel].value;
  diagnostics_.error(where, fmt::format("{}: service channel {} has no VL, qos.channel_lanes names {}", path, channel,
                                        map.value.size()));
  return 0;
}

std::vector<std::uint32_t> PacketResolver::numbers(const Given<std::vector<Placed<std::uint32_t>>>& list,
                                                   const std::string& path, const std::string& what) {
  if (!list.valid) return {};  // reported already
  if (lanes_known_ && list.value.size() != out_.lane_classes) {
    diagnostics_.error(list.where, fmt::format("{}: expected {}, got {}", path, class_count(what), list.value.size()));
  }
  std::vector<std::uint32_t> out;
  for (const auto& n : list.value) {
    if (n.value == kManagementLane) {
      diagnostics_.error(n.where, fmt::format("{}: {} {} carries management traffic", path, what, n.value));
    }
    out.push_back(n.value);
  }
  return out;
}

std::vector<std::uint32_t> PacketResolver::default_numbers(std::uint32_t level, std::uint32_t count) const {
  const auto usable = [](std::uint32_t n) { return n < kManagementLane ? n : n + 1; };
  std::vector<std::uint32_t> out;
  for (std::uint32_t c = 0; c < out_.lane_classes; ++c) out.push_back(usable(c * count + level));
  return out;
}

std::string PacketResolver::class_count(const std::string& what) const {
  if (out_.lane_classes == 1) return "1 " + what;
  return fmt::format("{} {}s ({})", out_.lane_classes, what, out_.routing.algorithm->why_classes);
}

// Of a level whose messages have so many flits.
std::uint32_t PacketResolver::packet_flits(const Given<DataSize>& packet, std::uint32_t message,
                                           const std::string& path) {
  constexpr std::uint32_t kMostPackets = 1'000'000;
  const std::uint32_t size = std::max<std::uint32_t>(1, flits(packet.value));
  if (!packet.valid) return message;
  if (size > message) {
    diagnostics_.error(packet.where, fmt::format("{}.packet: {} flits, more than a message of the level has ({}); make "
                                                 "it smaller, or leave the key out",
                                                 path, size, message));
  } else if (message / size > kMostPackets) {
    diagnostics_.error(packet.where, fmt::format("{}.packet: a message of {} flits would be cut into more than {} "
                                                 "packets; make it larger",
                                                 path, message, kMostPackets));
  }
  return size;
}

void PacketResolver::levels() {
  const RawQos& r = raw_.qos.value;
  const std::size_t before = diagnostics_.errors();
  const auto count = static_cast<std::uint32_t>(r.levels.value.size());
  if (!raw_.qos.valid || !r.levels.valid) return;
  if (count == 0 || count > 32) {
    diagnostics_.error(r.levels.where, fmt::format("qos.levels: expected 1 to 32 levels, got {}", count));
    return;
  }
  const bool by_default = std::none_of(r.levels.value.begin(), r.levels.value.end(), [](const auto& level) {
    return level.value.lanes.given || level.value.channels.given;
  });
  if (constexpr std::uint32_t kLanes = 31; by_default && out_.lane_classes > 1 && count * out_.lane_classes > kLanes) {
    diagnostics_.error(r.levels.where,
                       fmt::format("qos.levels: {} levels with {} each need {} VLs; a port has {} besides VL {}, which "
                                   "carries management traffic",
                                   count, class_count("VL"), count * out_.lane_classes, kLanes, kManagementLane));
    return;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto& entry = r.levels.value[i];
    const RawLevel& l = entry.value;
    const std::string path = "qos.levels." + entry.name;
    LevelConfig level;
    level.where = entry.where;
    level.name = entry.name;
    if (const std::string problem = level_name_problem(entry.name, i); !problem.empty()) {
      diagnostics_.error(entry.where, path + ": " + problem);
    }
    level.traffic_class = l.traffic_class.given ? l.traffic_class.value : entry.name;
    level.message_size = l.message.value;
    level.message = std::max<std::uint32_t>(1, flits(l.message.value));
    level.packet = l.packet.given ? packet_flits(l.packet, level.message, path) : level.message;
    if (!has_channels() && l.channels.given) {
      diagnostics_.error(l.channels.key_where,
                         belong_to(path + ".channels: service channels belong", LaneVocabulary::channels));
    } else if (has_channels() && l.lanes.given) {
      diagnostics_.error(l.lanes.key_where,
                         fmt::format("{}.lanes: with architecture '{}' levels have channels, and qos.channel_lanes "
                                     "gives these their VLs",
                                     path, architecture().name));
    } else if (has_channels()) {
      level.channels =
          l.channels.given ? numbers(l.channels, path + ".channels", "service channel") : default_numbers(i, count);
      for (const std::uint32_t c : level.channels) level.lanes.push_back(lane_of_channel(c, path, entry.where));
    } else {
      level.lanes = l.lanes.given ? numbers(l.lanes, path + ".lanes", "VL") : default_numbers(i, count);
    }
    level.quantum = l.quantum.value;
    level.quantum_where = l.quantum.where;
    level.share = l.share.value;
    level.priority = l.priority.given ? l.priority.value : i;
    for (std::uint32_t& v : level.lanes) {
      if (v >= 32) {
        diagnostics_.error(entry.where, fmt::format("{}: VL {} is beyond the 32 there are; give {}", path, v,
                                                    has_channels() ? "channels" : "lanes"));
        v = 0;
      }
      out_.lanes = std::max(out_.lanes, v + 1);
    }
    out_.levels.push_back(std::move(level));
  }
  if (!has_channels() && r.channel_lanes.given) {
    diagnostics_.error(r.channel_lanes.key_where,
                       belong_to("qos.channel_lanes: service channels belong", LaneVocabulary::channels));
  }
  check_channel_lanes();
  if (diagnostics_.errors() == before) check_class_lanes();
}

// A channel other than that of management must not come upon its VL.
void PacketResolver::check_channel_lanes() {
  const auto& map = raw_.qos.value.channel_lanes;
  for (std::size_t c = 0; has_channels() && c < map.value.size(); ++c) {
    if (map.value[c].value != kManagementLane || c == kManagementLane) continue;
    diagnostics_.error(map.value[c].where,
                       fmt::format("qos.channel_lanes.{}: VL {} carries management traffic", c, kManagementLane));
  }
}

// The lane classes of the routing prevent deadlocks as long as no VL belongs to two of them.
void PacketResolver::check_class_lanes() {
  for (const LevelConfig& a : out_.levels) {
    for (const LevelConfig& b : out_.levels) {
      for (std::uint32_t low = 0; low < out_.lane_classes; ++low) {
        for (std::uint32_t high = low + 1; high < out_.lane_classes; ++high) {
          if (a.lanes.size() <= low || b.lanes.size() <= high || a.lanes[low] != b.lanes[high]) continue;
          diagnostics_.error(
              a.where, rings() ? fmt::format("qos.levels: VL {} is used before the dateline (by {}) and "
                                             "behind it (by {}), which allows a deadlock",
                                             a.lanes[low], a.name, b.name)
                               : fmt::format("qos.levels: VL {} is number {} of {} and number {} of {}, "
                                             "which allows a deadlock: routing {} needs a VL {}",
                                             a.lanes[low], low, a.name, high, b.name, out_.routing.algorithm->name,
                                             out_.routing.algorithm->why_classes));
        }
      }
    }
  }
}

void PacketResolver::lanes() {
  out_.lane_space.resize(out_.lanes);
  if (out_.levels.empty()) return;          // nothing is known about the VLs
  if (architecture().flit_by_flit) return;  // told that it has no effect
  std::vector<bool> used(out_.lanes);
  for (const LevelConfig& level : out_.levels) {
    for (const std::uint32_t v : level.lanes) used[v] = true;
  }
  const auto use = [&](std::uint32_t v) {
    if (v < used.size()) used[v] = true;  // others have been reported
  };
  for (const LaneException& map : out_.lane_maps) {
    for (const LaneException::Level& l : map.lanes) {
      for (const std::uint32_t v : l.numbers) use(v);
    }
    for (const LaneException::Level& l : map.channels) {
      for (const std::uint32_t c : l.numbers) use(lane_of_channel(c, "qos.lane_maps", map.at.where));
    }
    for (const auto& [channel, lane] : map.channel_lanes) use(lane);
  }
  std::vector<bool> seen(out_.lanes);
  const auto& list = raw_.qos.value.lane_space;
  for (std::size_t i = 0; i < list.value.size(); ++i) {
    const RawLaneSpace& r = list.value[i].value;
    const std::string path = fmt::format("qos.lane_space.{}", i);
    if (!r.lane.valid) continue;
    if (r.lane.value >= out_.lanes || !used[r.lane.value]) {
      diagnostics_.error(r.lane.where, fmt::format("{}.lane: no level uses VL {}", path, r.lane.value));
      continue;
    }
    if (seen[r.lane.value]) {
      diagnostics_.error(r.lane.where, fmt::format("{}.lane: VL {} is named twice", path, r.lane.value));
      continue;
    }
    seen[r.lane.value] = true;
    if (!r.minimum.given && !r.maximum.given) {
      diagnostics_.warning(list.value[i].where, path + " has no effect without the key 'minimum' or 'maximum'");
    }
    LaneConfig& space = out_.lane_space[r.lane.value];
    space.key = path;
    space.minimum_where = r.minimum.where;
    space.maximum_where = r.maximum.where;
    if (r.minimum.valid) space.minimum = flits(r.minimum.value);
    if (r.maximum.valid) space.maximum = whole_flits(r.maximum.value);
    if (space.minimum && space.maximum && *space.minimum > *space.maximum) {
      diagnostics_.error(r.minimum.where, fmt::format("{}: minimum {} is above maximum {}", path,
                                                      to_string(r.minimum.value), to_string(r.maximum.value)));
    }
  }
}

}  // namespace weft
