// Traffic of the NICs, and length of the run.

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "fabrics/packet/keys/packet_resolver.h"

namespace weft {

std::vector<std::string> PacketResolver::level_names() const {
  std::vector<std::string> names;
  names.reserve(out_.levels.size());
  for (const LevelConfig& l : out_.levels) names.push_back(l.name);
  return names;
}

std::optional<std::uint32_t> PacketResolver::level_of(const std::string& text, const Location& where,
                                                      const std::string& path) {
  return service_of(text, level_names(), where, path, diagnostics_);
}

void PacketResolver::traffic() {
  if (!raw_.traffic.given && !raw_.trace.given && !has_programs(raw_)) {
    diagnostics_.error(
        raw_.qos.where,
        "there is nothing to send: expected 'traffic', 'trace', 'program', 'programs' or 'program_file'");
  }
  if (raw_.trace.valid && raw_.trace.given) {
    out_.trace_where = raw_.trace.where;
    out_.trace = document_.resolve_path(raw_.trace.value, raw_.trace.where);
  }
  if (out_.levels.empty()) return;
  for (std::size_t i = 0; i < raw_.traffic.value.size(); ++i) {
    const auto& entry = raw_.traffic.value[i];
    const RawPacketStream& r = entry.value;
    const bool named = (!r.level.given || r.level.valid) && (!r.virtual_fabric.given || r.virtual_fabric.valid);
    if (!entry.valid || !named || !r.source.valid) continue;
    const std::string path = fmt::format("traffic.{}", i);
    const auto sl = level_of_stream(r, entry.where, path);
    if (!sl) continue;
    if (auto stream = resolve_stream(r, *sl, out_.link.period, entry.where, path, diagnostics_)) {
      out_.streams.push_back(std::move(*stream));
    }
  }
  check_load(out_.streams, raw_.traffic.where, "NIC", diagnostics_);
}

// By name, or as the one level that serves the traffic class of a virtual fabric.
std::optional<std::uint32_t> PacketResolver::level_of_stream(const RawPacketStream& r, const Location& where,
                                                             const std::string& path) {
  std::optional<std::uint32_t> level;
  if (r.level.given) {
    level = level_of(r.level.value, r.level.where, path + ".level");
    if (!level) return std::nullopt;
  }
  if (!r.virtual_fabric.given) {
    if (!level) {
      diagnostics_.error(where, fmt::format("{}: expected the key 'level' (or, for {}, 'virtual_fabric')", path,
                                            architectures_with(LaneVocabulary::channels)));
    }
    return level;
  }
  std::vector<std::string> names;
  for (const VirtualFabricConfig& f : out_.virtual_fabrics) names.push_back(f.name);
  const auto found = std::find(names.begin(), names.end(), r.virtual_fabric.value);
  if (found == names.end()) {
    diagnostics_.error(r.virtual_fabric.where,
                       fmt::format("{}.virtual_fabric: expected one of qos.virtual_fabrics, got '{}'{}", path,
                                   r.virtual_fabric.value, did_you_mean(r.virtual_fabric.value, names)));
    return std::nullopt;
  }
  const std::string& tc = out_.virtual_fabrics[static_cast<std::size_t>(found - names.begin())].traffic_class;
  std::vector<std::uint32_t> serving;
  for (std::uint32_t l = 0; l < out_.levels.size(); ++l) {
    if (out_.levels[l].traffic_class == tc) serving.push_back(l);
  }
  if (level && out_.levels[*level].traffic_class != tc) {
    diagnostics_.error(
        r.level.where,
        fmt::format("{}.level: '{}' is of traffic class '{}', virtual fabric '{}' of '{}'", path,
                    out_.levels[*level].name, out_.levels[*level].traffic_class, r.virtual_fabric.value, tc));
    return std::nullopt;
  }
  if (level) return level;
  if (serving.size() == 1) return serving[0];
  diagnostics_.error(
      r.virtual_fabric.where,
      fmt::format("{}: traffic class '{}' has {} levels; name one with the key 'level'", path, tc, serving.size()));
  return std::nullopt;
}

void PacketResolver::run() {
  out_.message_log = raw_.observe.value.message_log.value;
  out_.profile = profile_window(raw_.observe.value.profile, out_.link.period);
  const bool known = !raw_.traffic.given || raw_.traffic.valid;
  out_.run = resolve_run(raw_.run.value, {out_.link.period, out_.streams, level_names(), has_programs(raw_), known},
                         diagnostics_);
}

}  // namespace weft
