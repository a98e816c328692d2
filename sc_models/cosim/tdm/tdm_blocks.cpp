#include "cosim/tdm/tdm_blocks.h"

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "cosim/tdm/lockstep.h"
#include "cosim/tdm/rtl_driver.h"
#include "fabrics/tdm/model_data_path.h"

namespace weft {
namespace {

void stand(RtlBlock& block, const BlockSite& site, const char* name) {
  block.stand({fmt::format("{}.{}", site.path, name), [domain = site.domain, slots = site.slots] {
                 return domain->now() < 0 ? std::string() : cycle_text(*domain, slots, domain->now());
               }});
}

}  // namespace

TdmBlocks::TdmBlocks(const TdmConfig& config, TdmSwitchRtlMaker make_switch, SlotLutRtlMaker make_slot_lut)
    : config_(config),
      make_switch_(std::move(make_switch)),
      make_slot_lut_(std::move(make_slot_lut)),
      context_(make_rtl_context()) {}

TdmBlocks::~TdmBlocks() = default;

std::unique_ptr<DataPath> TdmBlocks::data_path(const BlockSite& site, DataPathClient& client) {
  const Implementation which = config_.tdm_switch.implementations(site.sw).data_path;
  if (which == Implementation::model) return BlockFactory::data_path(site, client);
  auto core = make_switch_(*context_, site.ports, site.slots, site.path + ".data_path_rtl");
  RtlBlock* block = core.get();
  stand(*block, site, "data_path");
  if (which == Implementation::rtl) {
    auto path = std::make_unique<RtlDataPath>(site, client, std::move(core));
    traceable_.push_back({site.sw, block, &path->driver()});
    return path;
  }
  auto path = std::make_unique<LockstepDataPath>(site, client, std::move(core), compared_.add_pair("data_path"));
  traceable_.push_back({site.sw, block, &path->driver()});
  return path;
}

std::unique_ptr<SlotLutIf> TdmBlocks::slot_lut(const BlockSite& site) {
  const Implementation which = config_.tdm_switch.implementations(site.sw).slot_lut;
  if (which == Implementation::model) return BlockFactory::slot_lut(site);
  auto core = make_slot_lut_(*context_, site.ports, site.slots, site.path + ".slot_lut_rtl");
  stand(*core, site, "slot_lut");
  traceable_.push_back({site.sw, core.get(), nullptr});
  if (which == Implementation::rtl) return std::make_unique<RtlSlotLut>(std::move(core));
  return std::make_unique<LockstepSlotLut>(site, std::move(core), compared_.add_pair("slot_lut"));
}

void TdmBlocks::trace(WaveFile& file, const std::vector<bool>& watched) {
  for (Traceable& t : traceable_) {
    if (!watched[t.sw]) continue;
    t.block->trace(file);
    t.traced = true;
  }
}

void TdmBlocks::show_cycle(Cycle now) {
  for (const Traceable& t : traceable_) {
    if (!t.traced) continue;
    if (t.driver != nullptr) t.driver->show(now);
    t.block->show_cycle();
  }
}

void TdmBlocks::show_half() {
  for (const Traceable& t : traceable_) {
    if (t.traced) t.block->show_half();
  }
}

void check_rtl_sizes(const TdmConfig& config, const std::vector<PortId>& ports_of_switch) {
  for (SwitchId sw = 0; sw < ports_of_switch.size(); ++sw) {
    const SwitchImplementations which = config.tdm_switch.implementations(sw);
    if (which == SwitchImplementations{}) continue;
    if (ports_of_switch[sw] > kMaxRtlPorts || config.tdm_switch.slots > kMaxRtlSlots) {
      throw InputError(config.tdm_switch.where,
                       fmt::format("sw[{}] has {} ports and {} slots, the compiled RTL at most {} ports and {} slots; "
                                   "use implementation: model for it",
                                   sw, ports_of_switch[sw], config.tdm_switch.slots, kMaxRtlPorts, kMaxRtlSlots));
    }
  }
}

}  // namespace weft
