#pragma once
// HostInterfaceRtl on top of one Verilated size of host_interface. Included only where a Verilated class is at hand.

#include <bit>
#include <string>
#include <tuple>
#include <vector>

#include "cosim/common/bits.h"
#include "cosim/common/verilated_block.h"
#include "cosim/tdm/host_rtl.h"

namespace weft {

/// V: Verilated host_interface with these parameters; indices have 32 bits, words 64.
template <class V, std::uint32_t kLinks, std::uint32_t kSlots, std::uint32_t kCircuits>
class VerilatedHostInterface final
    : public VerilatedBlock<VerilatedHostInterface<V, kLinks, kSlots, kCircuits>, V, HostInterfaceRtl> {
 public:
  static constexpr std::uint32_t kSlotBits = std::bit_width(kSlots - 1U);
  static constexpr std::uint32_t kCircuitBits = (kLinks > 1 ? std::bit_width(kLinks - 1U) : 1) + kSlotBits;
  static constexpr std::uint32_t kEntryBits = 1 + kCircuitBits;
  /// Words are not counted: their bits are the names of messages, which stand for data and may be any.
  static constexpr std::uint32_t kWidths[] = {kSlotBits, kCircuits, kCircuits * 32, 0, kSlotBits, kLinks, kLinks, 0, 1,
                                              kSlotBits, kLinks* kEntryBits, kLinks* kEntryBits, 1,
                                              // outputs
                                              kCircuits, kLinks, kLinks* kCircuitBits, kLinks * 32, kLinks, kLinks, 0,
                                              kLinks, kLinks* kCircuitBits, kLinks * 32, kLinks, kLinks, 0, kLinks, 1,
                                              1, 1};

  using VerilatedBlock<VerilatedHostInterface, V, HostInterfaceRtl>::VerilatedBlock;

  void begin_cycle(Slot slot, Slot label) override {
    set_slot(this->top(), slot, label);
    this->low();
  }
  bool ready(std::uint32_t circuit) const override { return get_bits(this->top().msg_ready_o, circuit, 1) != 0; }
  void offer(std::uint32_t circuit, std::uint32_t words) override {
    set_bits(this->top().msg_valid_i, circuit, 1, 1);
    set_bits(this->top().msg_last_i, std::size_t{circuit} * 32, 32, words - 1);
    this->low();
  }
  void set_data(std::uint32_t link, std::uint64_t bits) override {
    set_bits(this->top().data_i, std::size_t{link} * 64, 64, bits);
  }
  void set_input(std::uint32_t link, bool last, std::uint64_t bits) override {
    set_bits(this->top().in_valid_i, link, 1, 1);
    set_bits(this->top().in_last_i, link, 1, last ? 1 : 0);
    set_bits(this->top().in_word_i, std::size_t{link} * 64, 64, bits);
  }
  void update_outputs() override { this->low(); }
  HostWord out(std::uint32_t link) const override {
    const V& top = this->top();
    return word(link, top.out_valid_o, top.out_circuit_o, top.out_index_o, top.out_first_o, top.out_last_o,
                top.out_word_o);
  }
  HostWord in(std::uint32_t link) const override {
    const V& top = this->top();
    return word(link, top.rx_valid_o, top.rx_circuit_o, top.rx_index_o, top.rx_first_o, top.rx_last_o, top.rx_word_o);
  }
  bool stray(std::uint32_t link) const override { return get_bits(this->top().rx_stray_o, link, 1) != 0; }
  void write_column(Slot slot, const std::vector<std::uint32_t>& out, const std::vector<std::uint32_t>& in) override {
    V& top = this->top();
    top.cfg_we_i = 1;
    top.cfg_slot_i = slot;
    for (std::uint32_t link = 0; link < out.size(); ++link) {
      set_bits(top.cfg_out_i, std::size_t{link} * kEntryBits, kEntryBits, entry(out[link]));
      set_bits(top.cfg_in_i, std::size_t{link} * kEntryBits, kEntryBits, entry(in[link]));
    }
  }
  void request_swap() override { this->top().swap_i = 1; }
  void end_cycle() override {
    this->edge();
    rest(this->top());
  }
  void show_slot(Slot slot, Slot label) override {
    this->show_instead([slot, label](V& top) {
      rest(top);
      set_slot(top, slot, label);
    });
  }

  static auto inputs(V& top) {
    return std::tie(top.slot_i, top.msg_valid_i, top.msg_last_i, top.data_i, top.in_slot_i, top.in_valid_i,
                    top.in_last_i, top.in_word_i, top.cfg_we_i, top.cfg_slot_i, top.cfg_out_i, top.cfg_in_i,
                    top.swap_i);
  }
  static auto outputs(V& top) {
    return std::tie(top.msg_ready_o, top.out_valid_o, top.out_circuit_o, top.out_index_o, top.out_first_o,
                    top.out_last_o, top.out_word_o, top.rx_valid_o, top.rx_circuit_o, top.rx_index_o, top.rx_first_o,
                    top.rx_last_o, top.rx_word_o, top.rx_stray_o, top.swap_pending_o, top.swapped_o, top.in_swapped_o);
  }
  static void rest(V& top) {
    for (std::uint32_t low = 0; low < kCircuits; low += 32) {
      set_bits(top.msg_valid_i, low, kCircuits - low < 32 ? kCircuits - low : 32, 0);
    }
    top.in_valid_i = 0;
    top.in_last_i = 0;
    top.cfg_we_i = 0;
    top.swap_i = 0;
  }

 private:
  static void set_slot(V& top, Slot slot, Slot label) {
    top.slot_i = slot;
    top.in_slot_i = label;
  }
  static std::uint64_t entry(std::uint32_t circuit) {
    return circuit == kNoId ? 0 : (std::uint64_t{1} << kCircuitBits) | circuit;
  }
  template <class Flag, class Circuit, class Index, class Bits>
  static HostWord word(std::uint32_t link, const Flag& valid, const Circuit& circuit, const Index& index,
                       const Flag& first, const Flag& last, const Bits& bits) {
    return {get_bits(valid, link, 1) != 0,
            static_cast<std::uint32_t>(get_bits(circuit, std::size_t{link} * kCircuitBits, kCircuitBits)),
            static_cast<std::uint32_t>(get_bits(index, std::size_t{link} * 32, 32)),
            get_bits(first, link, 1) != 0,
            get_bits(last, link, 1) != 0,
            get_bits(bits, std::size_t{link} * 64, 64)};
  }
};

/// A Verilated module as a block to register. `module`: its top module.
template <class V, std::uint32_t kLinks, std::uint32_t kSlots, std::uint32_t kCircuits>
HostInterfaceBlock verilated_host_interface(const std::string& module) {
  return {module, {kLinks, kSlots, kCircuits}, [](VerilatedContext& context, const std::string& name) {
            return std::make_unique<VerilatedHostInterface<V, kLinks, kSlots, kCircuits>>(context, name);
          }};
}

}  // namespace weft
