#pragma once
// TdmSwitchRtl on top of one Verilated size of tdm_switch. Included only where a Verilated class is at hand.

#include <bit>
#include <string>
#include <tuple>
#include <vector>

#include "cosim/common/bits.h"
#include "cosim/common/verilated_block.h"
#include "cosim/tdm/tdm_rtl.h"

namespace weft {

/// V: Verilated tdm_switch with these parameters; words are 64 bits wide.
template <class V, std::uint32_t kPorts, std::uint32_t kSlots>
class VerilatedTdmSwitch final : public VerilatedBlock<VerilatedTdmSwitch<V, kPorts, kSlots>, V, TdmSwitchRtl> {
 public:
  static constexpr std::uint32_t kPortBits = kPorts > 1 ? std::bit_width(kPorts - 1U) : 1;
  static constexpr std::uint32_t kSlotBits = std::bit_width(kSlots - 1U);
  static constexpr std::uint32_t kEntryBits = 1 + kPortBits + kSlotBits;
  /// Words are not counted: their bits are the names of messages, which stand for data and may be any.
  static constexpr std::uint32_t kWidths[] = {
      kSlotBits, kPorts, 0, kPorts* kSlotBits, 1, kSlotBits, kPorts* kEntryBits, 1, kPorts, 0, 1};

  using VerilatedBlock<VerilatedTdmSwitch, V, TdmSwitchRtl>::VerilatedBlock;

  void begin_cycle(Slot slot) override {
    this->top().slot_i = slot;
    this->low();
  }
  bool out_valid(PortId out) const override { return ((this->top().out_valid_o >> out) & 1U) != 0; }
  std::uint64_t out_word(PortId out) const override {
    return get_bits(this->top().out_word_o, std::size_t{out} * 64, 64);
  }

  void set_input(PortId in, const TdmInput& input) override { set(this->top(), in, input); }
  void write_column(const SlotTable& table, Slot slot) override {
    V& top = this->top();
    top.cfg_we_i = 1;
    top.cfg_slot_i = slot;
    for (PortId out = 0; out < table.ports(); ++out) {
      const SlotTableEntry& e = table.at(out, slot);
      const std::uint64_t bits = e.idle() ? 0
                                          : (std::uint64_t{1} << (kPortBits + kSlotBits)) |
                                                (std::uint64_t{e.in_port} << kSlotBits) | e.in_slot;
      set_bits(top.cfg_column_i, out * kEntryBits, kEntryBits, bits);
    }
  }
  void request_swap() override { this->top().swap_i = 1; }
  void end_cycle() override {
    this->edge();
    this->top().cfg_we_i = 0;
    this->top().swap_i = 0;
  }

  void show_inputs(Slot slot, const std::vector<TdmInput>& inputs) override {
    this->show_instead([slot, inputs](V& top) {
      rest(top);
      top.slot_i = slot;
      for (PortId in = 0; in < inputs.size(); ++in) set(top, in, inputs[in]);
    });
  }

  static auto inputs(V& top) {
    return std::tie(top.slot_i, top.in_valid_i, top.in_word_i, top.in_slot_i, top.cfg_we_i, top.cfg_slot_i,
                    top.cfg_column_i, top.swap_i);
  }
  static auto outputs(V& top) { return std::tie(top.out_valid_o, top.out_word_o, top.swap_pending_o); }
  static void rest(V& top) {
    top.in_valid_i = 0;
    top.cfg_we_i = 0;
    top.swap_i = 0;
  }

 private:
  static void set(V& top, PortId in, const TdmInput& input) {
    set_bits(top.in_valid_i, in, 1, input.valid ? 1 : 0);
    set_bits(top.in_word_i, std::size_t{in} * 64, 64, input.word);
    set_bits(top.in_slot_i, std::size_t{in} * kSlotBits, kSlotBits, input.label);
  }
};

/// A Verilated module as a block to register. `module`: its top module.
template <class V, std::uint32_t kPorts, std::uint32_t kSlots>
TdmSwitchBlock verilated_tdm_switch(const std::string& module) {
  return {
      module, {kPorts, kSlots}, [](VerilatedContext& context, std::uint32_t, std::uint32_t, const std::string& name) {
        return std::make_unique<VerilatedTdmSwitch<V, kPorts, kSlots>>(context, name);
      }};
}

}  // namespace weft
