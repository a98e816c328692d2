#include "run/packet/packet_family.h"

#include "fabrics/packet/keys/packet_schema.h"
#include "run/packet/packet_plan.h"

namespace weft {
namespace {

constexpr const char* kPacket = "packet";

PacketConfig read_packet(FamilyInput input, Diagnostics& diagnostics) {
  const auto section = packet_section(input.fabrics);
  return read_family(std::move(input), kPacket, section, resolve_packet, diagnostics);
}

}  // namespace

Family packet_family() {
  return {kPacket,
          "Packet switches with virtual cut-through and quality of service (IB-like, OPA-like), on trees and tori.",
          [](const std::vector<std::string>& fabrics) { return packet_section(fabrics).info(); },
          [](FamilyInput input, Diagnostics& diagnostics) -> std::unique_ptr<Design> {
            return std::make_unique<ConfigDesign<PacketConfig, PacketPlan>>(read_packet(std::move(input), diagnostics));
          }};
}

PacketConfig load_packet_config(const std::string& file, const Overrides& overrides, Diagnostics& diagnostics) {
  return read_packet(file_input(file, overrides, kPacket), diagnostics);
}

PacketConfig parse_packet_config(const std::string& text, const std::string& name, const std::string& folder,
                                 const Overrides& overrides, Diagnostics& diagnostics) {
  return read_packet(text_input(text, name, folder, overrides, kPacket), diagnostics);
}

}  // namespace weft
