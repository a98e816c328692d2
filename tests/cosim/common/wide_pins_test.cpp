// Blocks of a user with more entries, rows or slots than Weft's own: their pins are wider than 8 bits. The classes
// stand for what Verilator would make of such modules.

#include <gtest/gtest.h>

#include <map>

#include "cosim/packet/verilated_dtable.h"
#include "cosim/tdm/verilated_slot_lut.h"

namespace weft::test {
namespace {

struct DtableOf300 {
  DtableOf300(VerilatedContext*, const char*) {}
  void eval() {
    if (clk_i != 0 && before_ == 0 && cfg_we_i != 0) written[cfg_index_i] = cfg_weight_i;
    before_ = clk_i;
  }
  void final() {}
  CData clk_i = 0, rst_ni = 0, cfg_we_i = 0, cfg_sl_i = 0, decide_i = 0, grant_o = 0, grant_sl_o = 0, saturated_o = 0;
  SData cfg_index_i = 0, cfg_weight_i = 0, active_i = 0;
  VlWide<8> size_i{};
  static inline std::map<std::uint32_t, std::uint32_t> written;

 private:
  CData before_ = 0;
};

TEST(WidePins, EntriesOfATableBeyond256) {
  ArbitrationTable table(300);
  for (std::size_t i = 0; i < table.size(); ++i) table[i].weight = static_cast<std::uint32_t>(i + 1);
  const auto context = make_rtl_context();
  const VerilatedDtable<DtableOf300, DtableRtlSize{16, 300, 16, 16, 17}> block(*context, table, "dtable");
  EXPECT_EQ(DtableOf300::written.size(), 300U);
  EXPECT_EQ(DtableOf300::written[0], 1U);
  EXPECT_EQ(DtableOf300::written[256], 257U);
}

struct LutOf300Rows {
  LutOf300Rows(VerilatedContext*, const char*) {}
  void eval() {
    if (req_valid_i == 0) return;
    row = req_row_i;
    rsp_free_o = req_slots_i;
    beyond = behind_slots;
  }
  void final() {}
  CData clk_i = 0, rst_ni = 0, req_valid_i = 0, req_op_i = 0, rsp_valid_o = 0, rsp_ok_o = 0, rsp_first_o = 0;
  SData req_row_i = 0;
  VlWide<3> req_slots_i{};
  EData behind_slots = 0x12345678;
  VlWide<3> rsp_free_o{};
  static inline std::uint32_t row = 0;
  static inline EData beyond = 0;
};

TEST(WidePins, RowsBeyond256AndSlotsThatEndInsideAWord) {
  const auto context = make_rtl_context();
  VerilatedSlotLut<LutOf300Rows, 300, 96> block(*context, "slot_lut");
  SlotLutRequest request;
  request.row = 299;
  request.slots = SlotSet(96);
  request.slots.set(95);
  const SlotLutResponse response = block.request(request);
  EXPECT_EQ(LutOf300Rows::row, 299U);
  EXPECT_EQ(response.free, request.slots);
  EXPECT_EQ(LutOf300Rows::beyond, 0x12345678U) << "what lies behind the pin has been written";
}

}  // namespace
}  // namespace weft::test
