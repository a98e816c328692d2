#include "run/packet/packet_family.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "fabrics/packet/keys/packet_schema.h"
#include "fabrics/packet/switch_architectures.h"
#include "run/packet/packet_plan.h"

namespace weft {
namespace {

constexpr const char* kPacket = "packet";

PacketConfig read_packet(FamilyInput input, Diagnostics& diagnostics) {
  const auto section = packet_section(input.fabrics);
  return read_family(std::move(input), kPacket, section, resolve_packet, diagnostics);
}

std::vector<std::string_view> likenesses() {
  std::vector<std::string_view> out;
  for (const SwitchArchitecture* a : switch_architectures()) {
    if (!a->likeness.empty()) out.push_back(a->likeness);
  }
  return out;
}

}  // namespace

Family packet_family() {
  return {kPacket,
          fmt::format("Packet switches with virtual cut-through and quality of service ({}), on any topology.",
                      fmt::join(likenesses(), ", ")),
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
