// Exceptions to the tables of levels, service channels and lanes, and virtual fabrics.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "base/text.h"
#include "fabrics/packet/keys/packet_resolver.h"
#include "network/keys/port_range.h"

namespace weft {

// VLs a table may name: below qos.lanes if that is given.
void PacketResolver::check_lane(std::uint32_t& lane, const Location& where, const std::string& path) {
  const auto& count = raw_.qos.value.lanes;
  if (lane == kManagementLane) {
    diagnostics_.error(where, fmt::format("{}: VL {} carries management traffic", path, lane));
  } else if (count.given && count.valid && lane >= count.value) {
    diagnostics_.error(where,
                       fmt::format("{}: there is no VL {}, the ports have {} (qos.lanes)", path, lane, count.value));
  } else if (lane < 32) {
    out_.lanes = std::max(out_.lanes, lane + 1);
    return;
  }
  lane = 0;
}

std::vector<LaneException::Level> PacketResolver::level_numbers(const Given<std::vector<Named<RawNumbers>>>& map,
                                                                const std::string& path, const std::string& what) {
  std::vector<LaneException::Level> out;
  for (const auto& entry : map.value) {
    const std::string own = path + "." + entry.name;
    const auto sl = level_of(entry.name, entry.where, path);
    if (!sl) continue;
    const auto same = [&](const LaneException::Level& l) { return l.sl == *sl; };
    if (std::any_of(out.begin(), out.end(), same)) {
      diagnostics_.error(entry.where, fmt::format("{}: level {} has an entry here already, by {}", own, *sl,
                                                  entry.name == out_.levels[*sl].name ? "its number" : "its name"));
      continue;
    }
    if (lanes_known_ && entry.value.size() != out_.lane_classes) {
      diagnostics_.error(entry.where,
                         fmt::format("{}: expected {}, got {}", own, class_count(what), entry.value.size()));
      continue;
    }
    LaneException::Level level{entry.where, *sl, {}};
    for (const auto& n : entry.value) {
      std::uint32_t number = n.value;
      if (!has_channels()) {
        check_lane(number, n.where, own);
      } else if (number == kManagementLane) {
        diagnostics_.error(n.where, fmt::format("{}: service channel {} carries management traffic", own, number));
      }
      level.numbers.push_back(number);
    }
    out.push_back(std::move(level));
  }
  return out;
}

std::optional<LaneException> PacketResolver::lane_map(const RawLaneMap& r, const std::string& path) {
  const auto at = parse_port_range(r.at.value, r.at.where, path + ".at", diagnostics_);
  if (!at) return std::nullopt;
  LaneException map;
  map.key = path;
  map.at = *at;
  if (r.input.given && at->nic) {
    diagnostics_.error(r.input.key_where, path + ".input: a NIC has no inputs to tell apart");
  } else if (r.input.given && r.input.valid) {
    map.input = r.input.value;
  }
  if (has_channels() ? r.lanes.given : r.channels.given || r.channel_lanes.given) {
    const char* key = has_channels() ? "lanes" : r.channels.given ? "channels" : "channel_lanes";
    diagnostics_.error((has_channels()     ? r.lanes.key_where
                        : r.channels.given ? r.channels.key_where
                                           : r.channel_lanes.key_where),
                       belong_to(fmt::format("{}.{}: belongs", path, key),
                                 has_channels() ? LaneVocabulary::lanes : LaneVocabulary::channels));
    return std::nullopt;
  }
  map.lanes = level_numbers(r.lanes, path + ".lanes", "VL");
  map.channels = level_numbers(r.channels, path + ".channels", "service channel");
  for (const auto& entry : r.channel_lanes.value) {
    std::uint32_t channel = 0;
    const char* const end = entry.name.data() + entry.name.size();
    const auto [stop, error] = std::from_chars(entry.name.data(), end, channel);
    if (error != std::errc() || stop != end || channel > 31 || channel == kManagementLane) {
      diagnostics_.error(entry.where,
                         fmt::format("{}.channel_lanes: expected a service channel from 0 to 31 other than "
                                     "{}, got '{}'",
                                     path, kManagementLane, entry.name));
      continue;
    }
    const auto same = [&](const auto& known) { return known.first == channel; };
    if (std::any_of(map.channel_lanes.begin(), map.channel_lanes.end(), same)) {
      diagnostics_.error(entry.where,
                         fmt::format("{}.channel_lanes: channel {} has an entry here already", path, channel));
      continue;
    }
    std::uint32_t lane = entry.value;
    check_lane(lane, entry.where, fmt::format("{}.channel_lanes.{}", path, entry.name));
    map.channel_lanes.emplace_back(channel, lane);
  }
  return map;
}

void PacketResolver::lane_maps() {
  const RawQos& r = raw_.qos.value;
  if (out_.levels.empty()) return;
  const bool mapped = architecture().vocabulary != LaneVocabulary::none;
  warn_unused(r.lanes, mapped, fmt::format("qos.lanes has no effect with architecture '{}'", architecture().name),
              diagnostics_);
  if (r.lanes.given && r.lanes.valid) {
    for (const LevelConfig& level : out_.levels) {
      for (std::uint32_t lane : level.lanes) check_lane(lane, level.where, "qos.levels." + level.name);
    }
  }
  for (const auto& lane : r.channel_lanes.value) out_.channel_lanes.push_back(lane.value);
  for (std::size_t i = 0; mapped && i < r.lane_maps.value.size(); ++i) {
    const auto& entry = r.lane_maps.value[i];
    const RawLaneMap& m = entry.value;
    if (!entry.valid || !m.at.valid) continue;
    const std::string path = fmt::format("qos.lane_maps.{}", i);
    auto map = lane_map(m, path);
    if (!map) continue;
    // Left out, it does not count as an exception that the check for deadlocks has to follow.
    if (m.lanes.value.empty() && m.channels.value.empty() && m.channel_lanes.value.empty()) {
      const bool wrong = !m.lanes.valid || !m.channels.valid || !m.channel_lanes.valid;
      if (!wrong) {
        diagnostics_.warning(entry.where, fmt::format("{} has no effect, it names no {}", path,
                                                      has_channels() ? "channels or channel_lanes" : "lanes"));
      }
      continue;
    }
    out_.lane_maps.push_back(std::move(*map));
  }
  // Every SC a level can be on leads to some VL of every device.
  for (const LaneException& map : out_.lane_maps) {
    for (const LaneException::Level& level : map.channels) {
      for (const std::uint32_t c : level.numbers) {
        if (c == kManagementLane) continue;  // reported already
        std::uint32_t lane = lane_of_channel(c, "qos.lane_maps", map.at.where);
        check_lane(lane, map.at.where, fmt::format("qos.lane_maps: service channel {}", c));
      }
    }
  }
  check_level_channels();
  std::vector<std::string> classes;
  for (const LevelConfig& level : out_.levels) classes.push_back(level.traffic_class);
  for (const auto& f : r.virtual_fabrics.value) {
    if (!has_channels()) {
      diagnostics_.error(f.where, belong_to("qos.virtual_fabrics: virtual fabrics belong", LaneVocabulary::channels));
      break;
    }
    const std::string& tc = f.value.traffic_class.value;
    if (!f.value.traffic_class.valid) continue;
    if (std::find(classes.begin(), classes.end(), tc) == classes.end()) {
      diagnostics_.error(f.value.traffic_class.where,
                         fmt::format("qos.virtual_fabrics.{}.traffic_class: no level is of class '{}'{}", f.name, tc,
                                     did_you_mean(tc, classes)));
    }
    out_.virtual_fabrics.push_back({f.name, tc});
  }
}

// A device tells the level of a message by its channel (SC2SL), so a channel has one level.
void PacketResolver::check_level_channels() {
  if (!has_channels()) return;
  std::map<std::uint32_t, std::uint32_t> level_of_channel;
  const auto key = [&](std::uint32_t level) { return fmt::format("qos.levels.{}.channels", out_.levels[level].name); };
  const auto given = [&](std::uint32_t level) -> const auto& {
    return raw_.qos.value.levels.value[level].value.channels;
  };
  const auto use = [&](std::uint32_t channel, std::uint32_t level, Location where, std::string path) {
    const auto [known, fresh] = level_of_channel.emplace(channel, level);
    const std::uint32_t other = known->second;
    if (fresh || other == level) return;
    std::string hint;
    if (path.empty() && given(level).given) {
      where = given(level).where;
      path = key(level);
    } else if (path.empty()) {  // the level has its default, so the other one was given a channel that is not its own
      where = given(other).where;
      path = key(other);
      hint = fmt::format("; level {} has it by default: give it channels, too", out_.levels[level].name);
    }
    diagnostics_.error(where, fmt::format("{}: service channel {} is that of the levels {} and {}; a channel must tell "
                                          "the level (SC2SL){}",
                                          path, channel, out_.levels[other].name, out_.levels[level].name, hint));
  };
  for (std::uint32_t l = 0; l < out_.levels.size(); ++l) {
    for (const std::uint32_t c : out_.levels[l].channels) use(c, l, {}, {});
  }
  for (const LaneException& map : out_.lane_maps) {
    for (const LaneException::Level& level : map.channels) {
      const std::string path = fmt::format("{}.channels.{}", map.key, out_.levels[level.sl].name);
      for (const std::uint32_t c : level.numbers) use(c, level.sl, level.where, path);
    }
  }
}

}  // namespace weft
