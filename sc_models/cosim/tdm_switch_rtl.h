#pragma once
// TdmSwitchRtl on top of one Verilated size of tdm_switch. Included only where a Verilated class is at hand.

#include <verilated.h>
#include <verilated_fst_c.h>

#include <bit>
#include <string>

#include "cosim/bits.h"
#include "cosim/rtl_blocks.h"

namespace weft {

/// V: Verilated tdm_switch with these parameters; words are 64 bits wide.
template <class V, std::uint32_t kPorts, std::uint32_t kSlots>
class VerilatedTdmSwitch final : public TdmSwitchRtl {
 public:
  VerilatedTdmSwitch(VerilatedContext& context, const std::string& name) : top_(&context, wave_scopes(name).c_str()) {
    top_.rst_ni = 0;
    for (int i = 0; i < 2; ++i) {
      begin_cycle(0);
      end_cycle();
    }
    top_.rst_ni = 1;
    begin_cycle(0);
  }
  ~VerilatedTdmSwitch() override { top_.final(); }

  void begin_cycle(Slot slot) override {
    if (edge_pending_) {
      top_.clk_i = 1;
      top_.eval();
      edge_pending_ = false;
      top_.cfg_we_i = 0;
      top_.swap_i = 0;
    }
    top_.slot_i = slot;
    if (!traced_) top_.clk_i = 0;
    top_.eval();
  }
  bool out_valid(PortId out) const override { return ((top_.out_valid_o >> out) & 1U) != 0; }
  std::uint64_t out_word(PortId out) const override { return get_bits(top_.out_word_o, std::size_t{out} * 64, 64); }

  void set_input(PortId in, bool valid, std::uint64_t word, Slot label) override {
    set_bits(top_.in_valid_i, in, 1, valid ? 1 : 0);
    set_bits(top_.in_word_i, std::size_t{in} * 64, 64, word);
    set_bits(top_.in_slot_i, std::size_t{in} * kSlotBits, kSlotBits, label);
  }
  void write_column(const SlotTable& table, Slot slot) override {
    top_.cfg_we_i = 1;
    top_.cfg_slot_i = slot;
    for (PortId out = 0; out < table.ports(); ++out) {
      const SlotTableEntry& e = table.at(out, slot);
      const std::uint64_t bits = e.idle() ? 0
                                          : (std::uint64_t{1} << (kPortBits + kSlotBits)) |
                                                (std::uint64_t{e.in_port} << kSlotBits) | e.in_slot;
      set_bits(top_.cfg_column_i, out * kEntryBits, kEntryBits, bits);
    }
  }
  void request_swap() override { top_.swap_i = 1; }
  void end_cycle() override { edge_pending_ = true; }  // the edge comes with the next cycle, when all inputs are known

  void trace(VerilatedFstC& file) override {
    traced_ = true;
    top_.trace(&file, 99);
  }
  void clock_low() override {
    top_.clk_i = 0;
    top_.eval();
  }

 private:
  static constexpr std::size_t kPortBits = kPorts > 1 ? std::bit_width(kPorts - 1U) : 1;
  static constexpr std::size_t kSlotBits = std::bit_width(kSlots - 1U);
  static constexpr std::size_t kEntryBits = 1 + kPortBits + kSlotBits;
  V top_;
  bool edge_pending_ = false;
  bool traced_ = false;
};

}  // namespace weft
