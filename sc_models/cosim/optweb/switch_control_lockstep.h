#pragma once
// Control of a distributed switch of which the model drives the node and the RTL must do the same: all its outputs are
// compared behind each event. The first difference throws RunError with place, time, event and both outputs.

#include <cstdint>
#include <memory>
#include <string>

#include "algorithms/optweb/blocks.h"
#include "algorithms/optweb/control/switch_control_pins.h"
#include "cosim/common/lockstep_counts.h"
#include "cosim/optweb/optweb_rtl.h"

namespace weft::optweb {

class LockstepSwitchControl final : public SwitchControlIf {
 public:
  LockstepSwitchControl(BlockSite place, std::uint32_t ports, std::uint32_t own, std::unique_ptr<SwitchControlRtl> core,
                        LockstepCount& count);
  void write(const ControlWord& word, Cycle now) override;
  ControlEvents set(Cycle now) override;
  ControlEvents notified(std::uint32_t port, Cycle now) override;
  ControlEvents passed(std::uint32_t reader, std::uint64_t words, Cycle now) override;
  ControlEvents counted(std::uint32_t port, std::uint64_t words, Cycle now) override;
  void clear(Cycle now) override;
  std::uint32_t awaited(std::uint32_t port) const override { return model_.model().awaited(port); }
  bool notifies(std::uint32_t port) const override { return model_.model().notifies(port); }
  bool confirms(std::uint32_t port) const override { return model_.model().confirms(port); }

 private:
  void begin(Cycle now);
  ControlEvents compare(const std::string& event, const ControlEvents& model, const ControlEvents& rtl) const;

  BlockSite place_;
  SwitchControlPins model_;
  std::unique_ptr<SwitchControlRtl> core_;
  LockstepCount& count_;
  Cycle cycle_ = -1;
};

}  // namespace weft::optweb
