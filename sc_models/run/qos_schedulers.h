#pragma once
// The egress schedulers of a packet network: plain models, Verilated RTL or lockstep pairs, port by port as the
// configuration says. All three give the same results.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "cosim/dtable_block.h"
#include "fabric/packet/packet_switch.h"
#include "qos/deficit_table.h"
#include "run/qos_platform.h"
#include "stats/statistic.h"

namespace weft {

/// Where Verilated Deficit Tables come from; a test puts faulty copies here.
using DtableRtlMaker = std::function<std::unique_ptr<DtableRtl>(VerilatedContext&, const ArbitrationTable&,
                                                                unsigned counter_bits, const std::string& name)>;

class QosSchedulers final : public EgressSchedulerFactory {
 public:
  explicit QosSchedulers(const QosPlatform& platform, DtableRtlMaker make_rtl = make_dtable_rtl);
  ~QosSchedulers() override;
  std::unique_ptr<EgressScheduler> scheduler(const EgressSite& site) override;
  /// The model of the Deficit Table of a switch's output, or of a NIC (sw == kNoId); null when there is none.
  const DeficitTable* model(SwitchId sw, PortId port, NodeId nic) const;
  /// The Verilated one.
  RtlBlock* block(SwitchId sw, PortId port, NodeId nic) const;
  /// How often counters of limited width have saturated, if there are any: figures in the last section, a table, a
  /// note.
  void add_saturations(ReportData& report) const;

 private:
  const QosPlatform& platform_;
  DtableRtlMaker make_rtl_;
  std::shared_ptr<VerilatedContext> context_;
  std::optional<DeficitTable> model_;  // copied for every port, so that all share one table
  std::map<std::tuple<SwitchId, PortId, NodeId>, EgressScheduler*> made_;
};

}  // namespace weft
