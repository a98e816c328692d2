// The implementation of the egress ports, and its exceptions by port.

#include <fmt/format.h>

#include "fabrics/packet/keys/packet_resolver.h"
#include "network/keys/port_range.h"

namespace weft {

// `there`: the architecture has egress ports.
void PacketResolver::egress_ports(bool there) {
  const RawPortBlock& keys = raw_.packet_switch.value.egress.value;
  const std::string path = "switch.egress";
  PacketSwitchConfig& s = out_.packet_switch;
  const BlockChoice all = block_choice(keys.implementation, keys.rtl);
  bool used = false;
  for (const auto& entry : keys.instances.value) {
    const auto range = parse_port_range(entry.name, entry.where, path + ".instances", diagnostics_);
    const RawBlock& block = entry.value;
    if (!range || (block.implementation.given && !block.implementation.valid)) continue;
    if (range->nic) {
      diagnostics_.error(entry.where, fmt::format("{}.instances: '{}' is a NIC; expected switches ('sw[0..3]') or a "
                                                  "port of them ('sw[5].port2')",
                                                  path, entry.name));
      continue;
    }
    const BlockChoice choice =
        block_exception(block.implementation, block.rtl, all, path + ".instances." + entry.name, diagnostics_);
    used = used || (!choice.is_model() && !block.rtl.given);
    if (there) s.egress_instances.push_back({*range, choice});
  }
  if (there) s.egress = all;
  s.egress_where = raw_.packet_switch.value.egress.where;
  warn_unused_block(keys.rtl, all, used, path, diagnostics_);
}

}  // namespace weft
