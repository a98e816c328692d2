#include "network/keys/fault_schema.h"

#include <fmt/format.h>

#include "network/keys/port_range.h"

namespace weft {
namespace {

constexpr std::uint32_t kMostTimes = 100'000;

// Those that come again; with errors none.
std::vector<FaultConfig> repeated(const RawFault& r, const FaultConfig& first, Duration period,
                                  Diagnostics& diagnostics) {
  if (!r.every.given && !r.times.given) return {};
  const bool both = r.every.given && r.times.given;
  if (!both) {
    diagnostics.error(r.every.given ? r.every.key_where : r.times.key_where,
                      fmt::format("{}.{}: a fault that comes again needs both 'every' and 'times'", first.name,
                                  r.every.given ? "every" : "times"));
  }
  if (!first.up && !r.up.given) {
    diagnostics.error(r.every.given ? r.every.key_where : r.times.key_where,
                      fmt::format("{}: a fault that comes again needs 'up'", first.name));
    return {};
  }
  if (!both || !r.every.valid || !r.times.valid || !first.up || *first.up <= first.down) return {};
  const Cycle every = r.every.value.cycles(period);
  if (every <= *first.up - first.down) {
    diagnostics.error(r.every.where, fmt::format("{}.every: must be more than from down to up ({} cycles), got {}",
                                                 first.name, *first.up - first.down, every));
    return {};
  }
  std::vector<FaultConfig> out;
  for (std::uint32_t i = 1; i < r.times.value; ++i) {
    FaultConfig& again = out.emplace_back(first);
    again.down += i * every;
    *again.up += i * every;
  }
  return out;
}

}  // namespace

Type<RawFaults> faults_type() {
  Section<RawFault> s("fault", "Links, or switches with all their links, that fail together.");
  s.key(
      "at", &RawFault::at, word_type(), required(),
      "What fails: a switch ('sw[5]', or 'sw[0..3]' for several), the link at a port of it ('sw[5].port2'), all links "
      "between two switches ('sw[1]-sw[2]'), or the link of a NIC ('nic[7]'). Links fail in both directions.");
  s.key("down", &RawFault::down, cycle_span_type(0), required(), "When it fails, from the beginning of the run.");
  s.key("up", &RawFault::up, cycle_span_type(1), optional("never"), "When it is back, after down.");
  s.key("every", &RawFault::every, cycle_span_type(1), optional("once"),
        "A link that flaps: it fails again so long after each time that it has failed. More than from down to up.");
  s.key("times", &RawFault::times, whole<std::uint32_t>(2, kMostTimes), optional("needed with every"),
        "How often it fails in all.");
  return list_of(s.type(), 0, 4096);
}

std::vector<FaultConfig> resolve_faults(const Given<RawFaults>& raw, Duration period, Diagnostics& diagnostics) {
  std::vector<FaultConfig> out;
  for (std::size_t i = 0; i < raw.value.size(); ++i) {
    const auto& [r, where, valid] = raw.value[i];
    if (!valid || !r.at.valid) continue;
    const std::string path = fmt::format("faults.{}", i);
    const auto place = parse_link_place(r.at.value, r.at.where, path + ".at", diagnostics);
    if (!place) continue;
    FaultConfig& fault = out.emplace_back(FaultConfig{path, *place, 0, {}});
    if (period.ps <= 0 || !r.down.valid || (r.up.given && !r.up.valid)) continue;  // its place can still be wrong
    fault.down = r.down.value.cycles(period);
    if (r.up.given) fault.up = r.up.value.cycles(period);
    if (fault.up && *fault.up <= fault.down) {
      diagnostics.error(r.up.where,
                        fmt::format("{}.up: must be after down (cycle {}), got cycle {}", path, fault.down, *fault.up));
    }
    const std::vector<FaultConfig> again = repeated(r, FaultConfig(fault), period, diagnostics);
    out.insert(out.end(), again.begin(), again.end());
  }
  return out;
}

}  // namespace weft
