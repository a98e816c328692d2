#include "run/tdm/tdm_tlm_system.h"

#include <fmt/format.h>

#include <set>

namespace weft {

TdmTlmSystem::TdmTlmSystem(sc_core::sc_module_name name, const TdmConfig& config, const std::vector<NodeId>& nodes)
    : sc_module(name),
      config_(config),
      platform_(config_),
      blocks_(config_),
      domain_("clock", config.tdm_switch.period) {
  if (config.setup.mode == SetupMode::in_network) {
    throw InputError({config.file}, "setup.mode in_network: bridges need circuits that stay; use central or preset");
  }
  std::set<NodeId> seen;
  for (const NodeId n : nodes) {
    if (n >= platform_.graph().nodes()) {
      throw InputError({config.file}, fmt::format("there is no node {} for a bridge: {} has nodes 0 to {}", n,
                                                  platform_.graph().name(), platform_.graph().nodes() - 1));
    }
    if (!seen.insert(n).second) throw InputError({config.file}, fmt::format("node {} is named twice for a bridge", n));
  }
  network_ = std::make_unique<TdmNetwork>("network", domain_, config_, platform_.graph(), platform_.phases(), blocks_,
                                          supply_);
  bridges_ = std::make_unique<TlmBridges>(*network_, supply_, config_.tdm_switch.word_bits(), nodes);
}

}  // namespace weft
