#include "run/packet/packet_family.h"

#include "fabrics/packet/keys/packet_schema.h"
#include "run/packet/narrow_counters.h"
#include "run/packet/packet_platform.h"
#include "run/packet/packet_report.h"
#include "run/packet/packet_simulation.h"

namespace weft {
namespace {

constexpr const char* kName = "packet";

class PacketPlan final : public Plan {
 public:
  explicit PacketPlan(const PacketConfig& config) : platform_(config) {}
  std::string title() const override { return platform_.config().title; }
  std::vector<Diagnostic> warnings() const override { return narrow_counters_warnings(platform_); }
  RunResult known() const override { return plan_packet(platform_); }
  RunResult run(const RunOptions& options) const override {
    PacketRunOptions own;
    static_cast<RunOptions&>(own) = options;
    RunResult result = run_packet(platform_, own);
    result.notes = {{"report.json, *.csv", platform_.config().programs.empty()
                                               ? "for programs: levels, latency histogram, links"
                                               : "for programs: operations, nodes, instructions, links"}};
    return result;
  }

 private:
  PacketPlatform platform_;
};

PacketConfig read(FamilyInput input, Diagnostics& diagnostics) {
  const auto section = packet_section(input.fabrics);
  return read_family(std::move(input), kName, section, resolve_packet, diagnostics);
}

}  // namespace

Family packet_family() {
  return {kName,
          "Packet switches with virtual cut-through and quality of service (IB-like, OPA-like), on trees and tori.",
          [](const std::vector<std::string>& fabrics) { return packet_section(fabrics).info(); },
          [](FamilyInput input, Diagnostics& diagnostics) -> std::unique_ptr<Design> {
            return std::make_unique<ConfigDesign<PacketConfig, PacketPlan>>(read(std::move(input), diagnostics));
          }};
}

PacketConfig load_packet_config(const std::string& file, const Overrides& overrides, Diagnostics& diagnostics) {
  return read(file_input(file, overrides, kName), diagnostics);
}

PacketConfig parse_packet_config(const std::string& text, const std::string& name, const std::string& folder,
                                 const Overrides& overrides, Diagnostics& diagnostics) {
  return read(text_input(text, name, folder, overrides, kName), diagnostics);
}

}  // namespace weft
