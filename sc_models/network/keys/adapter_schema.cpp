#include "network/keys/adapter_schema.h"

#include <fmt/format.h>

#include "network/keys/port_range.h"

namespace weft {

Type<RawAdapters> adapters_type() {
  Section<RawAdapter> s("adapter", "An adapter in the way of links: everything that goes over them comes later.");
  s.key("at", &RawAdapter::at, word_type(), required(),
        "Its links: the one at a port of a switch ('sw[5].port2'), all between two switches ('sw[1]-sw[2]'), that of a "
        "NIC ('nic[7]'), or all of a switch ('sw[5]', or 'sw[0..3]' for several).");
  s.key("delay", &RawAdapter::delay, cycle_span_type(1), required(),
        "Time by which it makes the link longer, in both directions: for data one way, for credits the other.");
  return list_of(s.type(), 0, 4096);
}

std::vector<AdapterConfig> resolve_adapters(const Given<RawAdapters>& raw, Duration period, Diagnostics& diagnostics,
                                            Cycle longest, std::string_view with) {
  std::vector<AdapterConfig> out;
  for (std::size_t i = 0; i < raw.value.size(); ++i) {
    const auto& [r, where, valid] = raw.value[i];
    if (!valid) continue;
    const Cycle delay = period.ps > 0 && r.delay.valid ? r.delay.value.cycles(period) : 1;
    if (delay > longest) {
      diagnostics.error(r.delay.where,
                        fmt::format("delay: {} cycles; {}at most {} are possible", delay, with, longest));
    }
    if (!r.at.valid) continue;
    const std::string path = fmt::format("adapters.{}", i);
    const auto place = parse_link_place(r.at.value, r.at.where, path + ".at", diagnostics);
    if (place) out.push_back({path, *place, delay});  // the place can still be wrong
  }
  return out;
}

}  // namespace weft
