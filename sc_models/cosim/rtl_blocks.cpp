#include "cosim/rtl_blocks.h"

#include "Vslot_lut_large.h"
#include "Vslot_lut_small.h"
#include "Vtdm_switch_large.h"
#include "Vtdm_switch_small.h"
#include "cosim/tdm_switch_rtl.h"

namespace weft {
namespace {

template <class V, std::uint32_t kRows, std::uint32_t kSlots>
class VerilatedSlotLut final : public SlotLutRtl {
 public:
  VerilatedSlotLut(VerilatedContext& context, const std::string& name) : top_(&context, name.c_str()) {
    top_.rst_ni = 0;
    for (int i = 0; i < 2; ++i) clock();
    top_.rst_ni = 1;
  }
  ~VerilatedSlotLut() override { top_.final(); }

  SlotLutResponse request(const SlotLutRequest& request) override {
    top_.req_valid_i = 1;
    top_.req_op_i = static_cast<CData>(request.op);
    top_.req_row_i = static_cast<CData>(request.row);
    set_bits(top_.req_slots_i, 0, 64, 0);
    for (std::size_t low = 0; low < kSlots; low += 64) set_bits(top_.req_slots_i, low, 64, 0);
    for (auto s = request.slots.find_first(); s != SlotSet::npos; s = request.slots.find_next(s)) {
      set_bits(top_.req_slots_i, s, 1, 1);
    }
    clock();
    top_.req_valid_i = 0;
    SlotLutResponse response;
    response.ok = top_.rsp_ok_o != 0;
    response.free = SlotSet(request.slots.size());
    for (std::size_t s = 0; s < request.slots.size(); ++s) {
      if (get_bits(top_.rsp_free_o, s, 1) != 0) response.free.set(s);
    }
    if (response.free.any()) response.first = static_cast<Slot>(top_.rsp_first_o);
    return response;
  }

  void trace(VerilatedFstC& file) override {
    traced_ = true;
    top_.trace(&file, 99);
  }
  void clock_low() override {
    top_.clk_i = 0;
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
  bool traced_ = false;
};

}  // namespace

std::shared_ptr<VerilatedContext> make_rtl_context() {
  auto context = std::make_shared<VerilatedContext>();
  context->traceEverOn(true);
  Verilated::threadContextp(context.get());
  return context;
}

std::unique_ptr<TdmSwitchRtl> make_tdm_switch_rtl(VerilatedContext& context, std::uint32_t ports, std::uint32_t slots,
                                                  const std::string& name) {
  if (ports <= 8 && slots <= 64) {
    return std::make_unique<VerilatedTdmSwitch<Vtdm_switch_small, 8, 64>>(context, name);
  }
  return std::make_unique<VerilatedTdmSwitch<Vtdm_switch_large, kMaxRtlPorts, kMaxRtlSlots>>(context, name);
}

std::unique_ptr<SlotLutRtl> make_slot_lut_rtl(VerilatedContext& context, std::uint32_t ports, std::uint32_t slots,
                                              const std::string& name) {
  if (ports <= 8 && slots <= 64) return std::make_unique<VerilatedSlotLut<Vslot_lut_small, 16, 64>>(context, name);
  return std::make_unique<VerilatedSlotLut<Vslot_lut_large, 2 * kMaxRtlPorts, kMaxRtlSlots>>(context, name);
}

}  // namespace weft
