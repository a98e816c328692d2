#pragma once
// SlotLutRtl on top of one Verilated size of slot_lut. Included only where a Verilated class is at hand.

#include <verilated.h>
#include <verilated_fst_c.h>

#include <string>

#include "cosim/bits.h"
#include "cosim/rtl_blocks.h"

namespace weft {

/// V: Verilated slot_lut with these parameters.
template <class V, std::uint32_t kRows, std::uint32_t kSlots>
class VerilatedSlotLut final : public SlotLutRtl {
 public:
  VerilatedSlotLut(VerilatedContext& context, const std::string& name) : top_(&context, wave_scopes(name).c_str()) {
    top_.rst_ni = 0;
    for (int i = 0; i < 2; ++i) clock();
    top_.rst_ni = 1;
    clock_low();
  }
  ~VerilatedSlotLut() override { top_.final(); }

  SlotLutResponse request(const SlotLutRequest& request) override {
    top_.req_valid_i = 1;
    top_.req_op_i = static_cast<CData>(request.op);
    top_.req_row_i = static_cast<CData>(request.row);
    for (std::size_t low = 0; low < kSlots; low += 64) set_bits(top_.req_slots_i, low, 64, 0);
    for (auto s = request.slots.find_first(); s != SlotSet::npos; s = request.slots.find_next(s)) {
      set_bits(top_.req_slots_i, s, 1, 1);
    }
    clock();
    SlotLutResponse response;
    response.ok = top_.rsp_ok_o != 0;
    response.free = SlotSet(request.slots.size());
    for (std::size_t s = 0; s < request.slots.size(); ++s) {
      if (get_bits(top_.rsp_free_o, s, 1) != 0) response.free.set(s);
    }
    if (response.free.any()) response.first = static_cast<Slot>(top_.rsp_first_o);
    return response;
  }

  void trace(VerilatedFstC& file) override { top_.trace(&file, 99); }
  void clock_high() override {
    if (top_.clk_i != 0) return;  // a request came in this cycle
    top_.clk_i = 1;
    top_.eval();
  }
  void clock_low() override {
    top_.clk_i = 0;
    top_.req_valid_i = 0;
    top_.eval();
  }

 private:
  void clock() {
    top_.clk_i = 0;
    top_.eval();
    top_.clk_i = 1;
    top_.eval();
  }
  V top_;
};

}  // namespace weft
