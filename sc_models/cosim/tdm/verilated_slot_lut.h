#pragma once
// SlotLutRtl on top of one Verilated size of slot_lut. Included only where a Verilated class is at hand.

#include <algorithm>
#include <bit>
#include <string>
#include <tuple>

#include "cosim/common/bits.h"
#include "cosim/common/verilated_block.h"
#include "cosim/tdm/tdm_rtl.h"

namespace weft {

/// V: Verilated slot_lut with these parameters; it answers kLatency cycles later than one that answers in the next.
template <class V, std::uint32_t kRows, std::uint32_t kSlots, unsigned kLatency = 0>
class VerilatedSlotLut final : public VerilatedBlock<VerilatedSlotLut<V, kRows, kSlots, kLatency>, V, SlotLutRtl> {
 public:
  using VerilatedBlock<VerilatedSlotLut, V, SlotLutRtl>::VerilatedBlock;

  SlotLutResponse request(const SlotLutRequest& request) override {
    V& top = this->top();
    top.req_valid_i = 1;
    set_pin(top.req_op_i, request.op);
    set_pin(top.req_row_i, request.row);
    for (std::size_t s = 0; s < kSlots; s += 64) set_bits(top.req_slots_i, s, std::min<std::size_t>(64, kSlots - s), 0);
    for (auto s = request.slots.find_first(); s != SlotSet::npos; s = request.slots.find_next(s)) {
      set_bits(top.req_slots_i, s, 1, 1);
    }
    this->low();
    this->edge();
    this->wait(kLatency);
    SlotLutResponse response;
    response.ok = top.rsp_ok_o != 0;
    response.free = SlotSet(request.slots.size());
    for (std::size_t s = 0; s < request.slots.size(); ++s) {
      if (get_bits(top.rsp_free_o, s, 1) != 0) response.free.set(s);
    }
    if (response.free.any()) response.first = static_cast<Slot>(top.rsp_first_o);
    return response;
  }

  static auto inputs(V& top) { return std::tie(top.req_valid_i, top.req_op_i, top.req_row_i, top.req_slots_i); }
  static auto outputs(V& top) { return std::tie(top.rsp_valid_o, top.rsp_ok_o, top.rsp_free_o, top.rsp_first_o); }
  static constexpr std::uint32_t kWidths[] = {
      1, 2, kRows > 1 ? std::bit_width(kRows - 1U) : 1, kSlots, 1, 1, kSlots, std::bit_width(kSlots - 1U)};
  static void rest(V& top) { top.req_valid_i = 0; }
};

/// A Verilated module as a block to register. `module`: its top module. A switch has two rows per port.
template <class V, std::uint32_t kRows, std::uint32_t kSlots, unsigned kLatency = 0>
SlotLutBlock verilated_slot_lut(const std::string& module) {
  return {module,
          {kRows / 2, kSlots},
          [](VerilatedContext& context, std::uint32_t, std::uint32_t, const std::string& name) {
            return std::make_unique<VerilatedSlotLut<V, kRows, kSlots, kLatency>>(context, name);
          }};
}

}  // namespace weft
