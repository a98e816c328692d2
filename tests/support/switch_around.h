#pragma once
// A switch in RTL that does what another one does: base of those that change something.

#include <memory>
#include <utility>
#include <vector>

#include "cosim/tdm/tdm_rtl.h"

namespace weft::test {

class SwitchAround : public TdmSwitchRtl {
 public:
  explicit SwitchAround(std::unique_ptr<TdmSwitchRtl> core) : core_(std::move(core)) {}

  void stand(RtlSite place) override { core_->stand(std::move(place)); }
  void trace(WaveFile& file) override { core_->trace(file); }
  void settle() override { core_->settle(); }
  void show_cycle() override { core_->show_cycle(); }
  void show_half() override { core_->show_half(); }
  void end_trace() override { core_->end_trace(); }
  void begin_cycle(Slot slot) override { core_->begin_cycle(slot); }
  bool out_valid(PortId out) const override { return core_->out_valid(out); }
  std::uint64_t out_word(PortId out) const override { return core_->out_word(out); }
  void set_input(PortId in, const TdmInput& input) override { core_->set_input(in, input); }
  void write_column(const SlotTable& table, Slot slot) override { core_->write_column(table, slot); }
  void request_swap() override { core_->request_swap(); }
  void end_cycle() override { core_->end_cycle(); }
  void show_inputs(Slot slot, const std::vector<TdmInput>& inputs) override { core_->show_inputs(slot, inputs); }

 protected:
  TdmSwitchRtl& core() const { return *core_; }

 private:
  std::unique_ptr<TdmSwitchRtl> core_;
};

}  // namespace weft::test
