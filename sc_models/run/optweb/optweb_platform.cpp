#include "run/optweb/optweb_platform.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "algorithms/optweb/assembler.h"
#include "algorithms/optweb/faults/route_choice.h"
#include "algorithms/optweb/host_traffic.h"
#include "base/diagnostics.h"
#include "base/resource_need.h"
#include "run/optweb/optweb_own_boxes.h"

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

OptwebPlatform::OptwebPlatform(const OptwebConfig& config, const OptwebRtlBlocks& blocks, const OptwebBoxes& boxes)
    : config_(config), blocks_(blocks), boxes_(boxes), programs_(optweb::assemble(config)) {
  need_seconds(seconds_of(config, programs_), place_of(config),
               fmt::format("looking at the addresses of the programs of {} nodes", config.nodes));
  optweb::check_addresses(config, programs_);
  for (const OptwebConfig& left : optweb::with_failures(config)) optweb::check_addresses(left, optweb::assemble(left));
  optweb::check_host_traffic(config, programs_);
  check_rtl();
  check_own_boxes(config, boxes, diagnostics_);
  optweb::warn_unused_scratch(config, programs_, diagnostics_);
  optweb::warn_without_detour(config, diagnostics_);
}

// RTL is compiled in fixed sizes.
void OptwebPlatform::check_rtl() {
  Diagnostics diagnostics;
  for (const OptwebInstances& i : config_.instances) {
    if (i.range.last < config_.nodes) continue;
    diagnostics.error(i.range.where, fmt::format("instances: there is no node {}, the network has nodes 0 to {}",
                                                 std::max(i.range.first, config_.nodes), config_.nodes - 1));
  }
  diagnostics.throw_if_errors();
  // What is wrong with a place is said once, not for every node.
  std::set<std::string> said;
  const auto refuse = [&](const BlockChoice& choice, const char* key, const std::optional<std::string>& limit) {
    if (!limit) return;
    const std::string text = fmt::format("{}: {}", key, *limit);
    if (said.insert(choice.where.text() + text + choice.rtl).second) diagnostics.error(choice.where, text);
  };
  for (NodeId node = 0; node < config_.nodes; ++node) {
    const OptwebImplementations which = config_.implementations(node);
    if (!which.stripe_address.is_model()) {
      refuse(which.stripe_address, "dmac.stripe_address",
             blocks_.stripe_address.of(which.stripe_address).limit(optweb::geometry_of(config_)));
    }
    if (!which.link_sync.is_model()) {
      refuse(which.link_sync, "link.implementation", blocks_.link_sync.of(which.link_sync).limit(config_.link.gap));
    }
    if (!which.switch_control.is_model()) {
      refuse(which.switch_control, "switch.implementation",
             blocks_.switch_control.of(which.switch_control).limit(config_.links() + 1));
    }
    if (which.command_sequencer.is_model()) continue;
    refuse(which.command_sequencer, "sequencer.implementation",
           blocks_.command_sequencer.of(which.command_sequencer).limit(config_.sequencer_depth));
    const optweb::MachineProgram& p = programs_.nodes[node];
    for (std::size_t i = 0; i < p.instructions.size(); ++i) {
      const auto limit = optweb::instruction_rtl_limit(p.instructions[i]);
      if (!limit || !said.insert(*limit).second) continue;
      diagnostics.error(optweb::instruction_at(config_, p.lines[i]).where, "sequencer.implementation: " + *limit);
    }
  }
  diagnostics.sort();
  diagnostics.throw_if_errors();
}

Part optweb_part(const OptwebConfig& config, Ranks* ranks) {
  Part out{ranks, {}};
  for (std::uint64_t n = 0; ranks != nullptr && n < config.nodes; ++n) {
    out.node_owners.push_back(static_cast<RankId>(n * ranks->size() / config.nodes));
  }
  return out;
}

}  // namespace weft
