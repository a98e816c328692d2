// Resolution of the traffic of the NICs.

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "fabrics/packet/keys/packet_resolver.h"

namespace weft {

void PacketResolver::traffic() {
  if (!raw_.traffic.given && !raw_.trace.given && !has_programs(raw_)) {
    diagnostics_.error(raw_.qos.where, "there is nothing to send: expected 'traffic', 'trace' or 'program_file'");
  }
  if (raw_.trace.valid && raw_.trace.given) {
    out_.trace_where = raw_.trace.where;
    out_.trace = document_.resolve_path(raw_.trace.value, raw_.trace.where);
  }
  if (out_.levels.empty()) return;
  for (std::size_t i = 0; i < raw_.traffic.value.size(); ++i) {
    const auto& entry = raw_.traffic.value[i];
    const RawStream& r = entry.value;
    const bool named = (!r.level.given || r.level.valid) && (!r.virtual_fabric.given || r.virtual_fabric.valid);
    if (!entry.valid || !named || !r.source.valid) continue;
    if (auto stream = one_stream(r, entry.where, fmt::format("traffic.{}", i))) {
      out_.streams.push_back(std::move(*stream));
    }
  }
  check_load();
}

// Overload can be what somebody wants to see. Of patterns it depends on the network which NICs send, so they are left
// out, as is a trace.
void PacketResolver::check_load() {
  constexpr std::uint64_t kWhole = 1'000'000;
  std::uint64_t sum = 0;
  for (const StreamConfig& s : out_.streams) sum += s.destinations == DestinationKind::pattern ? 0 : s.load;
  if (sum <= kWhole) return;
  diagnostics_.warning(raw_.traffic.where,
                       fmt::format("traffic: the loads that every NIC sends add up to {} flits per cycle, its link "
                                   "carries 1; queues grow as long as the sources go on",
                                   decimal_text(sum, 6)));
}

// By name, or as the one level that serves the traffic class of a virtual fabric.
std::optional<std::uint32_t> PacketResolver::level_of_stream(const RawStream& r, const Location& where,
                                                             const std::string& path) {
  std::optional<std::uint32_t> level;
  if (r.level.given) {
    level = level_of(r.level.value, r.level.where, path + ".level");
    if (!level) return std::nullopt;
  }
  if (!r.virtual_fabric.given) {
    if (!level) diagnostics_.error(where, path + ": expected the key 'level' (or, for opa, 'virtual_fabric')");
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

std::optional<StreamConfig> PacketResolver::one_stream(const RawStream& r, const Location& where,
                                                       const std::string& path) {
  const auto sl = level_of_stream(r, where, path);
  if (!sl) return std::nullopt;
  StreamConfig s;
  s.where = where;
  s.sl = *sl;
  s.source = r.source.value;
  s.destinations = r.destinations.given                    ? r.destinations.value
                   : s.source == SourceKind::constant_rate ? DestinationKind::permutation
                                                           : DestinationKind::uniform;
  s.load = r.load.value;
  s.burst = s.source == SourceKind::bursts ? r.burst.value : 1;
  s.self_traffic = r.self_traffic.value;
  s.connections = s.source == SourceKind::constant_rate ? r.connections.value : 1;
  const bool named = s.destinations == DestinationKind::pattern;
  if (r.destinations.given && !r.destinations.valid) return std::nullopt;
  if (named && !r.pattern.given) {
    diagnostics_.error(where, path + ": destinations 'pattern' needs the key 'pattern'");
  } else if (!named && r.pattern.given) {
    diagnostics_.error(r.pattern.key_where, fmt::format("{}.pattern: belongs to destinations 'pattern', not '{}'", path,
                                                        to_string(s.destinations)));
  }
  s.pattern = r.pattern.value;
  s.pattern_where = r.pattern.where;
  if (s.source == SourceKind::on_off) {
    if (!r.on.given || !r.off.given) {
      diagnostics_.error(where, path + ": source 'on_off' needs the keys 'on' and 'off'");
      return std::nullopt;
    }
    if (!r.on.valid || !r.off.valid) return std::nullopt;
    s.on = static_cast<std::uint64_t>(cycles(r.on));
    s.off = static_cast<std::uint64_t>(cycles(r.off));
    // While on, messages come at load * (on + off) / on, which cannot be more than the link takes.
    if (s.load * (s.on + s.off) > 1'000'000 * s.on) {
      diagnostics_.error(r.load.where,
                         fmt::format("{}.load: on only {} of {} cycles, a load of at most {} is possible", path, s.on,
                                     s.on + s.off, decimal_text(1'000'000 * s.on / (s.on + s.off), 6)));
    }
  }
  const auto with_source = [&](const auto& key, const char* name, SourceKind user) {
    warn_unused(key, s.source == user,
                fmt::format("{}.{} has no effect with source '{}'", path, name, to_string(s.source)), diagnostics_);
  };
  with_source(r.burst, "burst", SourceKind::bursts);
  with_source(r.connections, "connections", SourceKind::constant_rate);
  with_source(r.on, "on", SourceKind::on_off);
  with_source(r.off, "off", SourceKind::on_off);
  warn_unused(r.self_traffic, s.destinations == DestinationKind::uniform,
              fmt::format("{}.self_traffic has no effect with destinations '{}'", path, to_string(s.destinations)),
              diagnostics_);
  return s;
}

}  // namespace weft
