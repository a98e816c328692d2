// Resolution of keys that name places of the network: adapters, faults, waves.

#include <fmt/format.h>

#include "fabrics/packet/keys/packet_resolver.h"
#include "network/keys/port_range.h"

namespace weft {

void PacketResolver::faults() {
  warn_unused(raw_.routing.value.no_way, !raw_.faults.value.empty(), "routing.no_way has no effect without faults",
              diagnostics_);
  out_.adapters = resolve_adapters(raw_.adapters, out_.link.period, diagnostics_, architecture().longest_adapter,
                                   fmt::format("with architecture {} ", architecture().name));
  out_.unroutable = raw_.routing.value.no_way.value;
  out_.faults = resolve_faults(raw_.faults, out_.link.period, diagnostics_);
}

void PacketResolver::waves() {
  const RawPacketWaves& r = raw_.observe.value.waves.value;
  for (const auto& range : r.switches.value) out_.waves.places.push_back(range.value);
  out_.waves.times = resolve_wave_times(r, diagnostics_);
}

}  // namespace weft
