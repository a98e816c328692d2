#pragma once
// Egress ports of packet switches with rtl/packet/egress_port.sv inside, alone or beside the model's scheduler. They
// send as EgressPort does.
//
// The block follows the port from what comes to it: messages that the crossbar brings, credits that come back. It is
// stepped in the cycles in which it holds or gets anything, at the end of the cycle; without the model it decides which
// message is sent, and its other outputs must be what the accounting of the network says.

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cosim/common/lockstep_counts.h"
#include "cosim/packet/egress_port_rtl.h"
#include "fabrics/packet/common/egress_port.h"
#include "fabrics/packet/common/packet_switch.h"
#include "kernel/clock_domain.h"

namespace weft {

class RtlEgressPort final : public EgressBlock, public Agent {
 public:
  /// `model`: decides, and the RTL must do the same; null: the RTL decides. `path`: of the port. `count`: of the cycles
  /// compared, with a model.
  RtlEgressPort(const EgressSite& site, std::string path, const PacketParameters& parameters,
                std::unique_ptr<EgressPortRtl> rtl, std::unique_ptr<EgressScheduler> model, LockstepCount* count);

  std::optional<ServiceLevel> pick(const EgressView& view) override;
  void sent(ServiceLevel level, const EgressView& after) override;
  void idle() override;
  void stand(EgressPort& port) override { port_ = &port; }
  void granted(const PacketMessage& message, const Drain& moves) override;
  void answer(PortId out, const PacketTransfer& transfer) override;
  void due(Cycle now, std::uint32_t token) override;

  RtlBlock& block() { return *rtl_; }
  /// Null: the RTL decides.
  const EgressScheduler* model() const { return model_.get(); }

 private:
  struct Sending {  ///< message that has been decided for
    Cycle decided;
    std::uint32_t flits;
    ServiceLevel level;
    VirtualLane lane;
    std::uint32_t number;
  };
  struct Waiting {
    std::uint32_t number;
    std::uint32_t flits;
  };
  EgressPortInputs& pins(Cycle at);
  void wake(Cycle at);
  bool holds_anything(Cycle now) const;
  void decide(ServiceLevel level, Cycle now);
  EgressPortOutputs expected(const EgressPortInputs& in, Cycle now) const;
  [[noreturn]] void wrong(const EgressPortInputs& in, const EgressPortOutputs& model,
                          const EgressPortOutputs& rtl) const;
  std::string time() const;

  ClockDomain& domain_;
  const std::string path_;
  const PacketParameters& parameters_;
  const std::unique_ptr<EgressPortRtl> rtl_;
  const std::unique_ptr<EgressScheduler> model_;
  LockstepCount* const count_;
  EgressPort* port_ = nullptr;
  const EgressPortInputs nothing_;
  std::map<Cycle, EgressPortInputs> pins_;    // of this cycle and the coming ones
  std::vector<std::deque<Waiting>> waiting_;  // per VL: messages that have not been decided for
  std::deque<Sending> sending_;
  std::uint32_t numbers_ = 0;  // of messages, part of their data
  std::size_t held_ = 0;       // messages that wait
  Cycle last_input_ = -1;
  std::optional<Cycle> next_;  // the next cycle in which it is stepped
  Cycle served_ = -1;
};

}  // namespace weft
