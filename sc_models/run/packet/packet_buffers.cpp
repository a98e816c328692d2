// Shares of the VLs in each buffer, and whether they are enough. An error stands at the key that causes it: at the
// space of a VL where that takes more than it takes by default, else at the buffer.

#include <fmt/format.h>

#include <algorithm>

#include "network/routing/routing_algorithm.h"
#include "run/packet/packet_platform.h"

namespace weft {

struct PacketPlatform::Buffer {
  std::string key;
  Location where;
  std::uint32_t capacity = 0;
  bool bubble = false;  ///< a VL needs room for two messages
  BufferShares* shares = nullptr;
};

namespace {

const char* message_room(bool bubble) {
  return bubble ? "two of its largest messages (bubble flow control)" : "its largest message";
}

}  // namespace

bool PacketPlatform::bubbles() const {
  return graph_.grid().torus && config_.routing.algorithm->takes_rings && config_.ring == RingControl::bubble;
}

// Links alone, whatever the VLs, are not free of cycles: rings with bubbles or datelines, and VLs that are mapped.
bool PacketPlatform::relies_on_lanes() const {
  if (std::count_if(largest_.begin(), largest_.end(), [](std::uint32_t flits) { return flits > 0; }) < 2) return false;
  return bubbles() || config_.lane_classes > 1 || !tables_.uniform();
}

// Under dynamic sharing every VL keeps a minimum for itself, by default two of its largest messages, so that no VL can
// be shut out by another; unused VLs keep nothing.
std::uint32_t PacketPlatform::minimum(std::uint32_t lane) const {
  const LaneConfig& space = config_.lane_space[lane];
  const std::uint32_t usual = 2 * largest_[lane];
  return space.minimum.value_or(std::min(usual, space.maximum.value_or(usual)));
}

// What a VL keeps beyond that because qos.lane_space says so.
std::uint32_t PacketPlatform::excess(std::uint32_t lane) const {
  const std::uint32_t usual = 2 * largest_[lane];
  return minimum(lane) > usual ? minimum(lane) - usual : 0;
}

std::string PacketPlatform::flits_text(std::uint64_t flits) const {
  return fmt::format("{} flits ({})", flits,
                     to_string(DataSize{static_cast<std::int64_t>(flits) * config_.link.flit.bits}));
}

// What is wrong with the space of a VL whatever the buffer.
void PacketPlatform::check_lane_space(std::set<std::uint32_t>& wrong, Diagnostics& diagnostics) const {
  for (std::uint32_t v = 0; v < config_.lanes; ++v) {
    const LaneConfig& space = config_.lane_space[v];
    const std::uint32_t needed = largest_[v] * (bubbles() ? 2 : 1);
    if (space.maximum && *space.maximum < needed) {
      wrong.insert(v);
      diagnostics.error(space.maximum_where,
                        fmt::format("{}.maximum: VL {} can have {} flits, but needs {} for {}", space.key, v,
                                    *space.maximum, flits_text(needed), message_room(bubbles())));
    } else if (minimum(v) < largest_[v] && relies_on_lanes()) {
      wrong.insert(v);
      diagnostics.error(
          space.minimum_where,
          fmt::format("{}.minimum: VL {} keeps {} flits for itself, but its largest message has {}; where VLs keep a "
                      "network free of deadlock, none may be shut out by another: expected at least {}",
                      space.key, v, minimum(v), largest_[v], flits_text(largest_[v])));
    }
  }
}

void PacketPlatform::too_large_minima(const Buffer& buffer, std::set<std::uint32_t>& wrong,
                                      Diagnostics& diagnostics) const {
  std::uint64_t all = 0;
  std::uint64_t beyond = 0;
  std::uint32_t most = 0;
  for (std::uint32_t v = 0; v < config_.lanes; ++v) {
    all += minimum(v);
    beyond += excess(v);
    if (excess(v) > excess(most)) most = v;
  }
  if (beyond == 0 || all - beyond > buffer.capacity) {
    const std::uint32_t largest = *std::max_element(largest_.begin(), largest_.end());
    const bool message = buffer.capacity >= largest;
    const std::string advice = message
                                   ? "make it larger or give smaller minima (qos.lane_space)"
                                   : fmt::format("nor a message, the largest has {} flits; make it larger", largest);
    diagnostics.error(buffer.where,
                      fmt::format("{} of {} flits cannot hold the minima of its VLs, together {} flits{} {}",
                                  buffer.key, buffer.capacity, all, message ? ";" : ",", advice));
    return;
  }
  if (!wrong.insert(most).second) return;  // for the same reason in every buffer
  const LaneConfig& space = config_.lane_space[most];
  const std::uint64_t others = all - minimum(most);
  diagnostics.error(space.minimum_where,
                    fmt::format("{}.minimum: VL {} keeps {} flits, the other VLs keep {}, but {} has {}; {}", space.key,
                                most, minimum(most), others, buffer.key, buffer.capacity,
                                others < buffer.capacity ? "expected at most " + flits_text(buffer.capacity - others)
                                                         : "give smaller minima or make it larger"));
}

BufferShares PacketPlatform::shares(const Buffer& buffer, std::set<std::uint32_t>& wrong,
                                    Diagnostics& diagnostics) const {
  BufferShares out;
  out.capacity = buffer.capacity;
  std::uint64_t minima = 0;
  std::uint64_t beyond = 0;
  for (std::uint32_t v = 0; v < config_.lanes; ++v) {
    out.minimum.push_back(minimum(v));
    minima += minimum(v);
    beyond += excess(v);
  }
  if (minima > buffer.capacity) {
    too_large_minima(buffer, wrong, diagnostics);
    return out;
  }
  for (std::uint32_t v = 0; v < config_.lanes; ++v) {
    const auto rest = static_cast<std::uint32_t>(buffer.capacity - (minima - out.minimum[v]));
    out.maximum.push_back(std::min(rest, config_.lane_space[v].maximum.value_or(rest)));
    const std::uint32_t needed = largest_[v] * (buffer.bubble ? 2 : 1);
    if (out.maximum[v] >= needed || !wrong.insert(v).second) continue;  // for the same reason in every buffer
    std::uint32_t most = v == 0 ? 1 : 0;                                // of the other VLs
    for (std::uint32_t u = most; u < config_.lanes; ++u) {
      if (u != v && excess(u) > excess(most)) most = u;
    }
    const std::uint64_t others = beyond - excess(v);
    if (others == 0 || rest + others < needed) {
      diagnostics.error(buffer.where,
                        fmt::format("{} of {} flits: VL {} can have {} flits, but needs {} for {}", buffer.key,
                                    buffer.capacity, v, out.maximum[v], needed, message_room(buffer.bubble)));
    } else if (wrong.insert(most).second) {
      const LaneConfig& space = config_.lane_space[most];
      diagnostics.error(
          space.minimum_where,
          fmt::format("{}.minimum: VL {} keeps {} flits, which leaves {} of the {} of {} for VL {}, but that needs {} "
                      "for {}",
                      space.key, most, minimum(most), rest, buffer.capacity, buffer.key, v, needed,
                      message_room(buffer.bubble)));
    }
  }
  return out;
}

void PacketPlatform::set_buffers(Diagnostics& diagnostics) {
  const PacketSwitchConfig& s = config_.packet_switch;
  const NicConfig& n = config_.nic;
  PacketParameters& p = parameters_;
  std::vector<Buffer> buffers{{"switch.input_buffer", s.input_buffer_where, s.input_buffer, false, &p.input},
                              {"switch.output_buffer", s.output_buffer_where, s.output_buffer, bubbles(), &p.output},
                              {"nic.buffer", n.buffer_where, n.buffer, false, &p.nic},
                              {"nic.input_buffer", n.input_buffer_where, n.input_buffer, false, &p.nic_input}};
  if (s.architecture->buffers != nullptr) {
    for (const OwnBuffer& b : s.architecture->buffers(p.own)) {
      buffers.push_back({fmt::format("switch.{}.{}", s.architecture->section, b.key), s.own.place_of(b.key),
                         b.shares->capacity, false, b.shares});
    }
  }
  // What is wrong in several is told of the smallest.
  std::stable_sort(buffers.begin(), buffers.end(),
                   [](const Buffer& a, const Buffer& b) { return a.capacity < b.capacity; });
  std::set<std::uint32_t> wrong;
  check_lane_space(wrong, diagnostics);
  for (const Buffer& b : buffers) *b.shares = shares(b, wrong, diagnostics);
  p.bubble = largest_;
  if (!bubbles()) return;
  p.least_places = largest_;
  for (std::size_t l = 0; l < config_.levels.size(); ++l) {
    std::uint32_t largest = 0;
    for (const std::uint32_t v : tables_.lanes_of(static_cast<ServiceLevel>(l))) {
      largest = std::max(largest, largest_[v]);
    }
    p.whole_size.push_back(largest);
  }
}

}  // namespace weft
