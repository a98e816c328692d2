#pragma once
// The egress schedulers of a packet network: plain models, Verilated RTL or lockstep pairs, port by port as the
// configuration says. All three give the same results.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "algorithms/qos/deficit_table.h"
#include "cosim/common/lockstep_counts.h"
#include "cosim/packet/packet_rtl.h"
#include "fabrics/packet/common/packet_switch.h"
#include "observe/statistic.h"
#include "run/packet/packet_platform.h"

namespace weft {

class PacketSchedulers final : public EgressSchedulerFactory {
 public:
  /// The platform must outlive it.
  explicit PacketSchedulers(const PacketPlatform& platform);
  ~PacketSchedulers() override;
  std::unique_ptr<EgressScheduler> scheduler(const EgressSite& site) override;
  /// The model of the Deficit Table of a switch's output, or of a NIC (sw == kNoId); null when there is none.
  const DeficitTable* model(SwitchId sw, PortId port, NodeId nic) const;
  /// A port without RTL has a model of the Deficit Table.
  bool has_tables() const { return model_.has_value(); }
  /// The Verilated one, or the whole egress port.
  RtlBlock* block(SwitchId sw, PortId port, NodeId nic) const;
  /// Saturations of counters of limited width, if there are any: figures in the last section, a table, a
  /// note.
  void add_saturations(ReportData& report) const;
  const LockstepCounts& compared() const { return compared_; }

 private:
  std::unique_ptr<EgressScheduler> plain() const;
  /// With the scheduler of its model.
  std::unique_ptr<EgressScheduler> egress_port(const EgressSite& site, std::unique_ptr<EgressScheduler> model);

  const PacketPlatform& platform_;
  PacketRtlBlocks::Scheduler rtl_;  // empty: it has none
  std::shared_ptr<VerilatedContext> context_;
  std::optional<DeficitTable> model_;  // copied for every port, so that all share one table
  std::map<std::tuple<SwitchId, PortId, NodeId>, EgressScheduler*> made_;
  LockstepCounts compared_;
};

}  // namespace weft
