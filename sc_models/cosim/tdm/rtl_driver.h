#pragma once
// Drives the RTL data path of one switch cycle by cycle from the trains that arrive at it, and hands out what it sends.
//
// A word's bits in simulation are its identity: message number above, index of the word below. So what comes out of the
// RTL tells which word really went where. Cycles in which every register is known to be empty are left out, which is
// exact since the slot counter is an input of the block.

#include <functional>
#include <memory>
#include <vector>

#include "cosim/tdm/tdm_rtl.h"
#include "fabrics/tdm/blocks.h"

namespace weft {

/// One output port in one cycle.
struct RtlOutput {
  bool valid = false;
  MessageId message = 0;
  std::uint32_t word = 0;
};

class RtlDriver {
 public:
  /// Phase of the cycle in which outputs are looked at: transfer when they drive the network, settle when they are
  /// compared with a model that drives it.
  RtlDriver(const BlockSite& site, DataPathClient& client, std::unique_ptr<TdmSwitchRtl> core, Phase output_phase,
            std::function<void(Cycle)> on_outputs);

  void preset(const SlotTable& table);
  void load(Cycle now, const SlotTable& table, Cycle cycles_per_slot);
  void write_column(Cycle now, const SlotTable& table, Slot slot);
  void swap(Cycle now, Cycle boundary);
  void arrive(Cycle now, PortId in, const Train& train);
  void arrive_cut(PortId in, const TrainCut& cut);
  /// True when the token was the driver's.
  bool due(Cycle now, std::uint32_t token);
  /// In waves, at the end of a cycle: its inputs, if the block was not clocked in it.
  void show(Cycle now);

  RtlOutput output(PortId out) const;
  /// The train a word on output `out` must come from according to the active table; nullptr if there is none.
  const Train* source(Cycle now, PortId out, const RtlOutput& word) const;
  const SlotTable& active() const { return active_; }
  /// Inputs of the present cycle for messages: "in 1: message 7 word 3, in 2: idle".
  std::string inputs_text(Cycle now) const;
  TdmSwitchRtl& core() { return *core_; }

 private:
  static constexpr std::uint32_t kBegin = 0xfffffff0;
  static constexpr std::uint32_t kFinish = 0xfffffff1;

  void begin(Cycle now);
  void exchange_tables(Cycle now);
  void finish(Cycle now);
  void need(Cycle cycle);
  void plan_next(Cycle now);
  Slot label(Cycle now, PortId in) const;
  const Train* arriving(Cycle now, PortId in) const;
  TdmInput input(Cycle now, PortId in) const;
  void forget_old(Cycle now, std::vector<Train>& trains) const;

  const BlockSite site_;
  DataPathClient& client_;
  std::unique_ptr<TdmSwitchRtl> core_;
  Phase output_phase_;
  std::function<void(Cycle)> on_outputs_;
  SlotTable active_;
  SlotTable shadow_;
  std::vector<std::vector<Train>> trains_;  // per register
  Cycle begun_ = -1;
  Cycle finished_ = -1;
  Cycle planned_ = -1;     // earliest cycle a step is planned for, -1: none
  Cycle full_until_ = -1;  // a register may hold a word until the end of this cycle
  Cycle load_start_ = -1;
  Cycle load_step_ = 1;
  std::uint32_t load_column_ = 0;
  bool loading_ = false;
  Cycle column_at_ = -1;  // a single column is written in this cycle
  Slot column_ = 0;
  Cycle swap_at_ = -1;
};

}  // namespace weft
