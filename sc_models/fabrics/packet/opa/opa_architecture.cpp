// The OPA-like switch as a record, and the keys of its section.

#include <fmt/format.h>

#include "fabrics/packet/opa/opa_parameters.h"
#include "fabrics/packet/opa/opa_switch.h"
#include "schema/schema_types.h"

namespace weft {
namespace {

struct RawMport {
  Given<std::uint32_t> ports;
  Given<std::uint32_t> central_links;
  Given<std::uint32_t> central_rate;
  Given<std::uint32_t> central_messages;
  Given<DataSize> central_buffer;
};

Type<std::any> mport_keys() {
  Section<RawMport> s("mport", "opa: the groups of ports and the central crossbar between them.");
  s.key("ports", &RawMport::ports, whole<std::uint32_t>(1, 256), by_default("4"), "Ports of an MPort.");
  s.key("central_links", &RawMport::central_links, whole<std::uint32_t>(1, kMaxCentralLinks), by_default("2"),
        "Links of an MPort to the central crossbar.");
  s.key("central_rate", &RawMport::central_rate, whole<std::uint32_t>(1, kMaxFlitsPerCycle), by_default("3"),
        "Flits per cycle of a transfer to or from a central buffer.");
  s.key("central_messages", &RawMport::central_messages, whole<std::uint32_t>(1, kMaxFlitsPerCycle), by_default("1"),
        "Messages that a central link carries at once on either side, with central_rate flits per cycle in all.");
  s.key("central_buffer", &RawMport::central_buffer, data_size_type({8}, kMaxPacketBuffer), by_default("229376B"),
        "Central buffer of each MPort.");
  return own_keys(s);
}

OwnSwitchConfig resolve_mport(const Given<std::any>& section, const LinkUnits& units, Diagnostics& diagnostics) {
  const auto raw = keys_as<RawMport>(section.value);
  OpaParameters p;
  p.mport_ports = raw.ports.value;
  p.central_links = raw.central_links.value;
  p.central_rate = raw.central_rate.value;
  p.central_messages = raw.central_messages.value;
  if (raw.central_rate.valid && raw.central_messages.valid && p.central_messages > p.central_rate) {
    diagnostics.error(
        raw.central_messages.where,
        fmt::format("switch.mport.central_messages: {} messages on a link of {} flit{} per cycle, each of "
                    "which moves one or more; make it at most {}, or central_rate at least {}",
                    p.central_messages, p.central_rate, p.central_rate == 1 ? "" : "s", p.central_rate,
                    p.central_messages));
  }
  p.central.capacity = units.whole_flits(raw.central_buffer.value);
  return {section.where, {{"central_buffer", raw.central_buffer.where}}, p, {}, {}};
}

std::vector<OwnBuffer> central_buffer(std::any& parameters) {
  return {{"central_buffer", &std::any_cast<OpaParameters&>(parameters).central}};
}

// Messages on different links to the central buffer can overtake each other in the central crossbar.
bool one_central_link(const std::any& parameters) {
  return std::any_cast<const OpaParameters&>(parameters).central_links == 1;
}

}  // namespace

constinit const SwitchArchitecture kOpaArchitecture{
    .name = "opa",
    .meaning = "a crossbar per MPort and a buffered central one",
    .likeness = "OPA-like",
    .vocabulary = LaneVocabulary::channels,
    .crossing = "inside an MPort",
    .section = "mport",
    .keys = mport_keys,
    .resolve = resolve_mport,
    .buffers = central_buffer,
    .keeps_order = one_central_link,
    .make = make_switch<OpaSwitch>,
};

}  // namespace weft
