#include "run/optweb/optweb_platform.h"

#include <fmt/format.h>

#include "algorithms/optweb/assembler.h"
#include "algorithms/optweb/host_traffic.h"
#include "base/diagnostics.h"
#include "base/resource_need.h"
#include "cosim/optweb/optweb_rtl.h"

namespace weft {

namespace {

// Seconds that the check of addresses takes: every machine instruction is looked at for every link of its node.
double seconds_of(const OptwebConfig& config, const optweb::MachinePrograms& programs) {
  constexpr double kLook = 0.09e-6;
  double instructions = 0;
  for (const optweb::MachineProgram& p : programs.nodes) instructions += static_cast<double>(p.instructions.size());
  return instructions * (config.links() + 1) * kLook;
}

Location place_of(const OptwebConfig& config) {
  for (const NodeProgram& p : config.programs) {
    if (!p.instructions.empty()) return p.instructions.front().where;
  }
  return {config.file};
}

}  // namespace

OptwebPlatform::OptwebPlatform(const OptwebConfig& config) : config_(config), programs_(optweb::assemble(config)) {
  need_seconds(seconds_of(config, programs_), place_of(config),
               fmt::format("looking at the addresses of the programs of {} nodes", config.nodes));
  optweb::check_addresses(config, programs_);
  optweb::check_host_traffic(config, programs_);
  check_rtl();
  optweb::warn_unused_scratch(config, programs_, diagnostics_);
}

// RTL is compiled in fixed sizes.
void OptwebPlatform::check_rtl() const {
  const auto refuse = [](const Location& where, const char* key, const std::optional<std::string>& limit) {
    if (limit) throw InputError(where, fmt::format("{}: {}", key, *limit));
  };
  if (config_.stripe_address != Implementation::model) {
    refuse(config_.stripe_address_where, "dmac.stripe_address",
           optweb::stripe_address_rtl_limit(optweb::geometry_of(config_)));
  }
  if (config_.link_sync != Implementation::model) {
    refuse(config_.link_sync_where, "link.implementation", optweb::link_sync_rtl_limit(config_.link.gap));
  }
  if (config_.sequencer == Implementation::model) return;
  refuse(config_.sequencer_where, "sequencer.implementation",
         optweb::command_sequencer_rtl_limit(config_.sequencer_depth));
  for (const optweb::MachineProgram& p : programs_.nodes) {
    for (std::size_t i = 0; i < p.instructions.size(); ++i) {
      refuse(optweb::instruction_at(config_, p.lines[i]).where, "sequencer.implementation",
             optweb::instruction_rtl_limit(p.instructions[i]));
    }
  }
}

}  // namespace weft
