#include "network/keys/fault_schema.h"

#include <fmt/format.h>

#include "network/keys/port_range.h"

namespace weft {

Type<RawFaults> faults_type() {
  Section<RawFault> s("fault", "Links, or switches with all their links, that fail together.");
  s.key(
      "at", &RawFault::at, word_type(), required(),
      "What fails: a switch ('sw[5]', or 'sw[0..3]' for several), the link at a port of it ('sw[5].port2'), all links "
      "between two switches ('sw[1]-sw[2]'), or the link of a NIC ('nic[7]'). Links fail in both directions.");
  s.key("down", &RawFault::down, cycle_span_type(0), required(), "When it fails, from the beginning of the run.");
  s.key("up", &RawFault::up, cycle_span_type(1), optional("never"), "When it is back, after down.");
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
  }
  return out;
}

}  // namespace weft
