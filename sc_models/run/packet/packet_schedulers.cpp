#include "run/packet/packet_schedulers.h"

#include <fmt/format.h>

#include <utility>

#include "cosim/packet/egress_blocks.h"
#include "cosim/packet/rtl_schedulers.h"
#include "kernel/clock_domain.h"
#include "run/packet/narrow_counters.h"

namespace weft {

PacketSchedulers::PacketSchedulers(const PacketPlatform& platform)
    : platform_(platform), rtl_(platform.blocks().scheduler(*platform.scheduler().type)), context_(make_rtl_context()) {
  const SchedulerConfig& s = platform.scheduler();
  if (s.type == &kDtableScheduler) model_.emplace(s.table, s.counter_bits);
}

PacketSchedulers::~PacketSchedulers() = default;

std::unique_ptr<EgressScheduler> PacketSchedulers::plain() const {
  return model_ ? std::make_unique<DeficitTable>(*model_) : make_scheduler(platform_.scheduler());
}

std::unique_ptr<EgressScheduler> PacketSchedulers::scheduler(const EgressSite& site) {
  const SchedulerConfig& s = platform_.scheduler();
  const BlockChoice which = rtl_ ? platform_.implementation(site) : BlockChoice();
  std::unique_ptr<EgressScheduler> made;
  if (which.is_model()) {
    made = plain();
  } else {
    const std::string name(s.type->name);
    const std::string path = site.sw == kNoId ? site.path : fmt::format("{}.out[{}]", site.path, site.port);
    const std::function<std::string()> now = [domain = site.domain] {
      const Cycle cycle = domain->now();
      return cycle < 0 ? std::string() : fmt::format("{} (cycle {})", domain->time_of(cycle).to_string(), cycle);
    };
    auto core = rtl_.blocks->of(which).make(*context_, s, fmt::format("{}.{}_rtl", path, name));
    core->stand({path, now});
    if (which.implementation == Implementation::rtl) {
      made = std::make_unique<RtlScheduler>(*rtl_.kind, std::move(core));
    } else {
      LockstepCount& count = compared_.add_pair(pair_name(name, which), *core);
      made = std::make_unique<LockstepScheduler>(*rtl_.kind, plain(), std::move(core), path, now, count);
    }
  }
  if (site.sw != kNoId) made = egress_port(site, std::move(made));
  made_[{site.sw, site.port, site.node}] = made.get();
  return made;
}

std::unique_ptr<EgressScheduler> PacketSchedulers::egress_port(const EgressSite& site,
                                                               std::unique_ptr<EgressScheduler> model) {
  const BlockChoice& which = platform_.egress_implementation(site.sw, site.port);
  if (which.is_model()) return model;
  const std::string path = fmt::format("{}.out[{}]", site.path, site.port);
  const EgressPortNeed need = platform_.egress_need(platform_.graph().peer(site.sw, site.port).sw == kNoId);
  auto rtl = platform_.blocks().egress_port.of(which).make(*context_, need, path + ".egress_port_rtl");
  LockstepCount* count = nullptr;
  if (which.implementation == Implementation::lockstep) {
    count = &compared_.add_pair(pair_name("egress_port", which), *rtl);
  } else {
    model.reset();
  }
  return std::make_unique<RtlEgressPort>(site, path, platform_.parameters(), std::move(rtl), std::move(model), count);
}

const DeficitTable* PacketSchedulers::model(SwitchId sw, PortId port, NodeId nic) const {
  const EgressScheduler* s = made_.at({sw, port, nic});
  if (const auto* whole = dynamic_cast<const RtlEgressPort*>(s)) s = whole->model();
  if (const auto* both = dynamic_cast<const LockstepScheduler*>(s)) s = &both->model();
  return dynamic_cast<const DeficitTable*>(s);
}

RtlBlock* PacketSchedulers::block(SwitchId sw, PortId port, NodeId nic) const {
  EgressScheduler* s = made_.at({sw, port, nic});
  if (auto* whole = dynamic_cast<RtlEgressPort*>(s)) return &whole->block();
  if (auto* both = dynamic_cast<LockstepScheduler*>(s)) return &both->block();
  if (auto* rtl = dynamic_cast<RtlScheduler*>(s)) return &rtl->block();
  return nullptr;
}

void PacketSchedulers::add_saturations(ReportData& report) const {
  if (!narrow_counters(platform_)) return;
  std::vector<Saturations> ports;
  for (const auto& [place, s] : made_) {
    const auto& [sw, port, nic] = place;
    Saturations& p = ports.emplace_back();
    p.port = sw == kNoId ? fmt::format("nic[{}]", nic) : fmt::format("sw[{}].port{}", sw, port);
    if (const DeficitTable* table = model(sw, port, nic)) {
      p.count = table->saturations();
      p.credits_lost = table->credits_lost();
    } else if (const auto* rtl = dynamic_cast<const RtlScheduler*>(s)) {
      p.count = rtl->saturations();
    }
  }
  weft::add_saturations(platform_, ports, report);
}

}  // namespace weft
