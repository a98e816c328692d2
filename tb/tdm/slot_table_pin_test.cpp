// slot_table on its pins: swaps at every kind of moment, writes beside them, random operation.

#include <set>

#include "Vslot_table_pins_1x2.h"
#include "Vslot_table_pins_3x5.h"
#include "Vslot_table_pins_5x32.h"
#include "Vslot_table_pins_64x256.h"
#include "Vslot_table_pins_8x64.h"
#include "tdm/pin_test.h"
#include "tdm/slot_table_bench.h"
#include "tdm/table_driver.h"
#include "tdm/table_script.h"

namespace weft::pins {
namespace {

template <class V, std::uint32_t kPortsOf, std::uint32_t kSlotsOf>
struct Size {
  using Dut = V;
  static constexpr std::uint32_t kSlots = kSlotsOf;
  static TableShape shape() { return {kPortsOf, kSlotsOf}; }
  static std::string name() { return fmt::format("{}x{}", kPortsOf, kSlotsOf); }
};

/// Swaps requested in slot `at`: alone, twice, in the cycle of another swap, beside writes; and one lost to a reset.
void add_swaps(TableScript& script, std::uint32_t at, RandomStream& random, const TableShape& shape) {
  const auto column = [&] { return Bits::random(random, shape.column_bits()); };
  script.until(at);
  script.swap();
  script.idle(script.frame() + 1);
  script.until(at);
  script.swap();
  script.swap();  // for at == frame-1 in the cycle of the first swap
  script.idle(2 * script.frame());
  script.until(at);
  script.swap();
  script.until(0);
  script.write(0, column(), true);  // the cycle of the swap: goes to the table that has just retired, and asks again
  script.write(0, column());
  script.idle(2 * script.frame());
  script.until(at);
  script.write(at, column(), true);
  script.until(0);
  script.write(at, column());  // in the cycle of the swap
  script.idle(script.frame());
}

template <class S>
class SlotTablePins : public PinTest {
 public:
  using Bench = SlotTableBench<typename S::Dut>;

  void SetUp() override {
    PinTest::SetUp();
    if (HasFatalFailure()) return;
    bench_ = std::make_unique<Bench>("slot_table_bench", S::shape());
    if (const auto file = waves_file()) bench_->waves(*file);
  }

  void corners() {
    const TableShape shape = S::shape();
    RandomStream random(1, "slot_table corners");
    Cycle cycles = 0;
    for (const std::uint32_t frame : std::set<std::uint32_t>{1, 2, shape.slots - 1, shape.slots}) {
      TableScript script(shape, frame);
      script.reset(2);
      script.idle(frame);  // all idle
      for (std::uint32_t slot = 0; slot < shape.labels(); ++slot) {
        script.write(slot, Bits::random(random, shape.column_bits()));
      }
      for (const std::uint32_t at : std::set<std::uint32_t>{0, 1 % frame, frame / 2, frame - 1}) {
        add_swaps(script, at, random, shape);
      }
      script.until(frame - 1);
      script.swap();
      script.reset(1);  // in the cycle of the swap
      script.idle(frame + 1);
      script.until(0);
      script.swap();
      script.reset(1);  // the swap is forgotten
      script.idle(2 * frame);
      cycles += static_cast<Cycle>(script.cycles().size());
      bench_->run(static_cast<Cycle>(script.cycles().size()), [&] {
        TableInputs in = script.cycles().front();
        script.cycles().pop_front();
        return in;
      });
    }
    bench_->end();
    EXPECT_EQ(bench_->cycle() + 1, cycles);
    EXPECT_GT(bench_->swaps(), 0U);
    EXPECT_EQ(bench_->errors().count(), 0U) << bench_->errors().text();
  }
  void gaps() { random_operation(Mode::gaps, false); }
  void bursts() { random_operation(Mode::bursts, false); }
  void back_to_back() { random_operation(Mode::back_to_back, false); }
  void resets_in_between() { random_operation(Mode::gaps, true); }

 private:
  void random_operation(Mode mode, bool resets) {
    for_each_seed(bench_->errors(), [&](std::uint64_t seed) {
      RandomStream random(seed, "slot_table case");
      TableDriver driver(S::shape(), mode, random.below(4) == 0, seed);
      for (std::uint64_t part = 0; part < (resets ? 6U : 1U); ++part) {
        bench_->run(1 + static_cast<Cycle>(random.below(3)), [&] {
          TableInputs in = driver.next();
          in.reset_n = false;
          return in;
        });
        const std::uint64_t cycles = std::uint64_t{3} * driver.frame() + random.below(200);
        bench_->run(static_cast<Cycle>(resets ? random.below(cycles) : cycles), [&] { return driver.next(); });
      }
      bench_->end();
    });
    EXPECT_GT(bench_->swaps(), 0U);
    EXPECT_GT(bench_->reference().merged(), 0U) << "no swap was requested twice";
  }

  std::unique_ptr<Bench> bench_;
};

template <class... Sizes>
bool register_sizes() {
  (register_cases<SlotTablePins<Sizes>>("slot_table", Sizes::name(),
                                        {{"Corners", &SlotTablePins<Sizes>::corners},
                                         {"Gaps", &SlotTablePins<Sizes>::gaps},
                                         {"Bursts", &SlotTablePins<Sizes>::bursts},
                                         {"BackToBack", &SlotTablePins<Sizes>::back_to_back},
                                         {"ResetsInBetween", &SlotTablePins<Sizes>::resets_in_between}}),
   ...);
  return true;
}
const bool kRegistered = register_sizes<Size<Vslot_table_pins_1x2, 1, 2>, Size<Vslot_table_pins_3x5, 3, 5>,
                                        Size<Vslot_table_pins_5x32, 5, 32>, Size<Vslot_table_pins_8x64, 8, 64>,
                                        Size<Vslot_table_pins_64x256, 64, 256>>();

}  // namespace
}  // namespace weft::pins
