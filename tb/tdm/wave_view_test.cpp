// The saved GTKWave views name only signals that are in the waves of their block.

#include "Vslot_lut_pins_16x64.h"
#include "Vslot_table_pins_5x32.h"
#include "Vtdm_switch_pins_5x32x340.h"
#include "tdm/pin_test.h"
#include "tdm/slot_lut_bench.h"
#include "tdm/slot_table_bench.h"
#include "tdm/switch_driver.h"
#include "tdm/tdm_switch_bench.h"
#include "tdm/wave_views.h"

namespace weft::pins {
namespace {

TEST_F(WaveViews, SlotLut) {
  SlotLutBench<Vslot_lut_pins_16x64> bench("slot_lut_bench", 16, 64);
  SlotLutDriver driver(bench.reference(), Mode::gaps, 1);
  check("slot_lut", bench, [&] {
    bench.run(200, [&] {
      SlotLutInputs in = driver.next();
      in.reset_n = bench.cycle() > 1;
      return in;
    });
  });
}

TEST_F(WaveViews, SlotTable) {
  SlotTableBench<Vslot_table_pins_5x32> bench("slot_table_bench", TableShape(5, 32));
  TableDriver driver(TableShape(5, 32), Mode::gaps, false, 1);
  check("slot_table", bench, [&] {
    bench.run(200, [&] {
      TableInputs in = driver.next();
      in.reset_n = bench.cycle() > 1;
      return in;
    });
  });
}

TEST_F(WaveViews, TdmSwitch) {
  TdmSwitchBench<Vtdm_switch_pins_5x32x340> bench("tdm_switch_bench", TableShape(5, 32), 340);
  SwitchDriver driver(TableShape(5, 32), 340, Mode::gaps, 1);
  check("tdm_switch", bench, [&] {
    bench.run(200, [&] {
      SwitchInputs in = driver.next();
      in.table.reset_n = bench.cycle() > 1;
      return in;
    });
  });
}

}  // namespace
}  // namespace weft::pins
