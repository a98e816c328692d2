#include "cosim/tdm/tdm_blocks.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"
#include "cosim/common/compiled_rtl.h"
#include "cosim/tdm/host_blocks.h"
#include "cosim/tdm/lockstep.h"
#include "cosim/tdm/rtl_driver.h"
#include "cosim/tdm/setup_blocks.h"
#include "fabrics/tdm/model_data_path.h"

namespace weft {
namespace {

// The largest that the RTL can be (rtl/README.md, Parameters).
constexpr PortId kMostSetupPorts = 32;
constexpr std::uint32_t kMostSlotsInRtl = 256;
constexpr std::uint32_t kMostSetupCircuits = 1024;
constexpr std::uint32_t kMostHostLinks = 8;
constexpr std::uint32_t kMostHostCircuits = 256;

template <class Site>
void stand(RtlBlock& block, const Site& site, const char* name) {
  block.stand({fmt::format("{}.{}", site.path, name), [domain = site.domain, slots = site.slots] {
                 return domain->now() < 0 ? std::string() : cycle_text(*domain, slots, domain->now());
               }});
}

}  // namespace

TdmBlocks::TdmBlocks(const TdmConfig& config, const TdmRtlBlocks& blocks)
    : config_(config), blocks_(blocks), context_(make_rtl_context()) {}

TdmBlocks::~TdmBlocks() = default;

std::unique_ptr<DataPath> TdmBlocks::data_path(const BlockSite& site, DataPathClient& client) {
  const BlockChoice which = config_.tdm_switch.implementations(site.sw).data_path;
  if (which.is_model()) return BlockFactory::data_path(site, client);
  auto core = blocks_.data_path.of(which).make(*context_, site.ports, site.slots, site.path + ".data_path_rtl");
  RtlBlock* block = core.get();
  stand(*block, site, "data_path");
  if (which.implementation == Implementation::rtl) {
    auto path = std::make_unique<RtlDataPath>(site, client, std::move(core));
    traceable_.push_back({site.sw, block, &path->driver()});
    return path;
  }
  auto path = std::make_unique<LockstepDataPath>(site, client, std::move(core),
                                                 compared_.add_pair(pair_name("data_path", which), *core));
  traceable_.push_back({site.sw, block, &path->driver()});
  return path;
}

std::unique_ptr<SlotLutIf> TdmBlocks::slot_lut(const BlockSite& site) {
  const BlockChoice which = config_.tdm_switch.implementations(site.sw).slot_lut;
  if (which.is_model()) return BlockFactory::slot_lut(site);
  auto core = blocks_.slot_lut.of(which).make(*context_, site.ports, site.slots, site.path + ".slot_lut_rtl");
  stand(*core, site, "slot_lut");
  traceable_.push_back({site.sw, core.get(), nullptr});
  if (which.implementation == Implementation::rtl) return std::make_unique<RtlSlotLut>(std::move(core));
  return std::make_unique<LockstepSlotLut>(site, std::move(core),
                                           compared_.add_pair(pair_name("slot_lut", which), *core));
}

std::unique_ptr<SwitchCircuitsIf> TdmBlocks::setup_unit(const BlockSite& site, const SetupSite& setup,
                                                        SwitchAccess& access) {
  const BlockChoice which = config_.tdm_switch.implementations(site.sw).setup_unit;
  if (which.is_model()) return SetupBlockFactory::setup_unit(site, setup, access);
  auto core = blocks_.setup_unit.of(which).make(*context_, site.path + ".setup_unit_rtl");
  stand(*core, site, "setup_unit");
  traceable_.push_back({site.sw, core.get(), nullptr});
  if (which.implementation == Implementation::rtl) {
    return std::make_unique<RtlCircuits>(site, setup, access, std::move(core));
  }
  LockstepCount& count = compared_.add_pair(pair_name("setup_unit", which), *core);
  return std::make_unique<LockstepCircuits>(site, setup, access, std::move(core), count);
}

std::unique_ptr<HostInterface> TdmBlocks::host_interface(const HostSite& site, HostInterfaceClient& client) {
  const BlockChoice& which = config_.host.of(site.node);
  if (which.is_model()) return BlockFactory::host_interface(site, client);
  auto core = blocks_.host_interface.of(which).make(*context_, site.path + ".interface_rtl");
  HostInterfaceRtl* block = core.get();
  stand(*block, site, "interface");
  const auto place = [&](auto made) {
    traceable_.push_back({kNoId, block, nullptr, &made->driver()});
    return made;
  };
  if (which.implementation == Implementation::rtl) {
    return place(std::make_unique<RtlHostInterface>(site, client, std::move(core)));
  }
  LockstepCount& count = compared_.add_pair(pair_name("host_interface", which), *core);
  return place(std::make_unique<LockstepHostInterface>(site, client, std::move(core), count));
}

void TdmBlocks::trace(WaveFile& file, const Graph& graph, const std::vector<bool>& watched) {
  for (Traceable& t : traceable_) {
    const SwitchId sw = t.host == nullptr ? t.sw : graph.attachment(t.host->site().node).sw;
    if (!watched[sw]) continue;
    t.block->trace(file);
    t.traced = true;
  }
}

void TdmBlocks::show_cycle(Cycle now) {
  for (const Traceable& t : traceable_) {
    if (!t.traced) continue;
    if (t.driver != nullptr) t.driver->show(now);
    if (t.host != nullptr) t.host->show(now);
    t.block->show_cycle();
  }
}

void TdmBlocks::show_half() {
  for (const Traceable& t : traceable_) {
    if (t.traced) t.block->show_half();
  }
}

bool TdmBlocks::traces() const {
  return std::any_of(traceable_.begin(), traceable_.end(), [](const Traceable& t) { return t.traced; });
}

void TdmBlocks::end_trace() {
  for (const Traceable& t : traceable_) t.block->end_trace();
}

void check_rtl(const TdmConfig& config, const TdmRtlBlocks& blocks, const std::vector<PortId>& ports_of_switch) {
  for (SwitchId sw = 0; sw < ports_of_switch.size(); ++sw) {
    const SwitchImplementations which = config.tdm_switch.implementations(sw);
    const auto check = [&](const auto& kind, const BlockChoice& choice, const std::string& more) {
      if (choice.is_model()) return;
      const RtlSize largest = kind.of(choice).largest;
      if (ports_of_switch[sw] <= largest.ports && config.tdm_switch.slots <= largest.slots) return;
      throw InputError(config.tdm_switch.where,
                       fmt::format("sw[{}] has {} ports and {} slots, the {} at most {} ports and {} slots; use "
                                   "implementation: model for it{}",
                                   sw, ports_of_switch[sw], config.tdm_switch.slots,
                                   choice.rtl.empty() ? "compiled RTL" : "RTL '" + choice.rtl + "'", largest.ports,
                                   largest.slots, choice.rtl.empty() ? more : ""));
    };
    check(blocks.data_path, which.data_path, "");  // compiled as large as the RTL can be
    check(blocks.slot_lut, which.slot_lut, "");
    if (config.setup.mode != SetupMode::in_network) continue;
    // A block for all switches of this kind, with as many records as are always enough, up to those that the RTL can
    // have.
    PortId ports = 0;
    for (SwitchId other = 0; other < ports_of_switch.size(); ++other) {
      const BlockChoice& choice = config.tdm_switch.implementations(other).setup_unit;
      if (!choice.is_model() && choice.rtl == which.setup_unit.rtl) ports = std::max(ports, ports_of_switch[other]);
    }
    const std::uint32_t slots = config.tdm_switch.slots;
    const bool can = ports <= kMostSetupPorts && slots <= kMostSlotsInRtl;
    const std::uint32_t circuits = std::min(ports * slots, kMostSetupCircuits);
    check(blocks.setup_unit, which.setup_unit,
          can ? fmt::format(", or a block of this size: weft_add_block(setup PLACE setup_unit PARAMETERS Ports={} "
                            "Slots={} Circuits={})",
                            ports, slots, circuits)
              : "");
  }
}

void check_host_rtl(const TdmConfig& config, const TdmRtlBlocks& blocks, const Graph& graph) {
  const auto check = [&](const BlockChoice& choice) {
    if (choice.is_model()) return;
    const HostRtlSize largest = blocks.host_interface.of(choice).largest;
    const std::uint32_t links = graph.node_links();
    const std::uint32_t slots = config.tdm_switch.slots;
    const std::string name = choice.rtl.empty() ? "compiled RTL" : "RTL '" + choice.rtl + "'";
    if (links > largest.links || slots > largest.slots || links * slots > largest.circuits) {
      throw InputError(
          choice.where,
          fmt::format(
              "nodes have {} links and {} slots, the {} of the host interface at most {} links, {} slots and {} "
              "slots of all links; use implementation: model{}",
              links, slots, name, largest.links, largest.slots, largest.circuits,
              choice.rtl.empty() && links <= kMostHostLinks && links * slots <= kMostHostCircuits
                  ? fmt::format(", or a block of this size: weft_add_block(host PLACE host_interface "
                                "PARAMETERS Links={} Slots={} Circuits={})",
                                links, slots, links * slots)
                  : ""));
    }
  };
  check(config.host.all);
  for (const auto& i : config.host.instances) check(i.choice);
}

std::unique_ptr<TdmSwitchRtl> make_tdm_switch_rtl(VerilatedContext& context, std::uint32_t ports, std::uint32_t slots,
                                                  const std::string& name) {
  return compiled<decltype(make_tdm_switch_rtl)>("tdm_switch")(context, ports, slots, name);
}

std::unique_ptr<SlotLutRtl> make_slot_lut_rtl(VerilatedContext& context, std::uint32_t ports, std::uint32_t slots,
                                              const std::string& name) {
  return compiled<decltype(make_slot_lut_rtl)>("slot_lut")(context, ports, slots, name);
}

}  // namespace weft
