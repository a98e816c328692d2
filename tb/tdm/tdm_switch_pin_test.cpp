// tdm_switch on its pins: how long words stay, corners, random tables and words.

#include <algorithm>
#include <set>

#include "Vtdm_switch_pins_1x2x8.h"
#include "Vtdm_switch_pins_3x5x7.h"
#include "Vtdm_switch_pins_5x37x72.h"
#include "tdm/pin_test.h"
#include "tdm/switch_driver.h"
#include "tdm/table_script.h"
#include "tdm/tdm_switch_bench.h"
#ifndef WEFT_PIN_FEW_SIZES
#include "Vtdm_switch_pins_5x32x340.h"
#include "Vtdm_switch_pins_64x256x32.h"
#include "Vtdm_switch_pins_8x64x64.h"
#endif

namespace weft::pins {
namespace {

template <class V, std::uint32_t kPortsOf, std::uint32_t kSlotsOf, std::uint32_t kWidthOf>
struct Size {
  using Dut = V;
  static constexpr std::uint32_t kWidth = kWidthOf;
  static TableShape shape() { return {kPortsOf, kSlotsOf}; }
  static std::string name() { return fmt::format("{}x{}x{}", kPortsOf, kSlotsOf, kWidth); }
};

template <class S>
class TdmSwitchPins : public PinTest {
 public:
  using Bench = TdmSwitchBench<typename S::Dut>;

  void SetUp() override {
    PinTest::SetUp();
    if (HasFatalFailure()) return;
    bench_ = std::make_unique<Bench>("tdm_switch_bench", S::shape(), S::kWidth);
    if (const auto file = waves_file()) bench_->waves(*file);
  }

  void words_stay_until_their_slot() {
    const std::uint32_t slots = S::shape().slots;
    for (const std::uint32_t frame : std::set<std::uint32_t>{1, 2, slots / 2 + 1, slots}) {
      for (std::uint32_t round = 0; round < std::min(frame, 256 / slots + 1); ++round) stays(frame, round);
    }
    bench_->end();
    EXPECT_EQ(bench_->errors().count(), 0U) << bench_->errors().text();
  }
  /// All outputs name one register, of every port that the pins can say; it holds ones, then nothing, then zeros. The
  /// table is changed by a swap requested in slot 0, in every frame.
  void corners() {
    const TableShape shape = S::shape();
    const std::size_t bits = std::size_t{shape.ports} * S::kWidth;
    for (const std::uint32_t frame : std::set<std::uint32_t>{1, 2, std::min(shape.slots, 32U)}) {
      TableScript script(shape, frame);
      script.reset(2);
      for (std::uint32_t port = 0; port < shape.port_numbers(); ++port) {
        Bits column(shape.column_bits());
        for (std::uint32_t out = 0; out < shape.ports; ++out) {
          const auto label = static_cast<Slot>(port % frame);
          column.set(std::size_t{out} * shape.entry_bits(), shape.entry_bits(),
                     shape.entry({.in_port = static_cast<PortId>(port), .in_slot = label}));
        }
        for (std::uint32_t slot = 0; slot < frame; ++slot) script.write(slot, column, slot == 0);
        script.until(0);
        script.idle(3 * frame);
      }
      std::size_t step = 0;
      bench_->run(static_cast<Cycle>(script.cycles().size()), [&] {
        const TableInputs table = script.cycles().front();
        script.cycles().pop_front();
        const std::size_t kind = step++ / frame % 3;
        return all_inputs(table, kind != 1, kind == 2 ? Bits(bits) : Bits::ones(bits), table.slot);
      });
    }
    bench_->end();
    EXPECT_GT(bench_->sent(), 0U);
    EXPECT_EQ(bench_->errors().count(), 0U) << bench_->errors().text();
  }
  void gaps() { random_operation(Mode::gaps, false); }
  void bursts() { random_operation(Mode::bursts, false); }
  void back_to_back() { random_operation(Mode::back_to_back, false); }
  void resets_in_between() { random_operation(Mode::gaps, true); }

 private:
  /// Inputs of the table, and the same on all inputs of the switch: word and label.
  static SwitchInputs all_inputs(const TableInputs& table, bool valid, const Bits& words, std::uint32_t label) {
    const TableShape shape = S::shape();
    SwitchInputs in{.table = table,
                    .valid = valid ? Bits::ones(shape.ports) : Bits(shape.ports),
                    .words = words,
                    .labels = Bits(std::size_t{shape.ports} * shape.slot_bits)};
    for (std::uint32_t port = 0; port < shape.ports; ++port) {
      in.labels.set(std::size_t{port} * shape.slot_bits, shape.slot_bits, label);
    }
    return in;
  }

  void random_operation(Mode mode, bool resets) {
    for_each_seed(bench_->errors(), [&](std::uint64_t seed) {
      RandomStream random(seed, "tdm_switch case");
      SwitchDriver driver(S::shape(), S::kWidth, mode, seed);
      for (std::uint64_t part = 0; part < (resets ? 4U : 1U); ++part) {
        bench_->run(1 + static_cast<Cycle>(random.below(3)), [&] {
          SwitchInputs in = driver.next();
          in.table.reset_n = false;
          return in;
        });
        const std::uint64_t cycles = std::uint64_t{3} * driver.frame() + random.below(200);
        bench_->run(static_cast<Cycle>(resets ? random.below(cycles) : cycles), [&] { return driver.next(); });
      }
      bench_->end();
    });
    EXPECT_GT(bench_->sent(), 0U);
    EXPECT_GT(bench_->reference().table().swaps(), 0U);
  }

  /// Table in which output o sends in slot b the word of input (o + round) that was labelled (b + round * (o + 1));
  /// words arrive with label (slot - latency of the input). The pins must show them after exactly
  /// ((b - slot of arrival - 1) mod frame) + 1 cycles.
  void stays(std::uint32_t frame, std::uint32_t round) {
    const TableShape shape = S::shape();
    RandomStream random(round, "tdm_switch stays");
    const auto latency = [&](std::uint32_t port) { return port == 0 ? 0 : (3 * port + round) % frame; };
    const auto from_port = [&](std::uint32_t out) { return (out + round) % shape.ports; };
    const auto from_slot = [&](std::uint32_t out, std::uint32_t slot) { return (slot + round * (out + 1)) % frame; };
    TableScript script(shape, frame);
    script.reset(1);
    for (std::uint32_t slot = 0; slot < frame; ++slot) {
      Bits column(shape.column_bits());
      for (std::uint32_t out = 0; out < shape.ports; ++out) {
        column.set(std::size_t{out} * shape.entry_bits(), shape.entry_bits(),
                   shape.entry({.in_port = static_cast<PortId>(from_port(out)),
                                .in_slot = static_cast<Slot>(from_slot(out, slot))}));
      }
      script.write(slot, column);
    }
    script.swap();
    const std::size_t from = script.cycles().size() + 2 * std::size_t{frame};
    script.idle(4 * frame);

    std::vector<SwitchInputs> history;
    std::uint64_t compared = 0;
    const Cycle start = bench_->cycle() + 1;
    bench_->watch([&](Cycle cycle, std::uint32_t out, const std::optional<Word>& word) {
      const auto now = static_cast<std::size_t>(cycle - start);
      if (now < from) return;
      const std::uint32_t port = from_port(out);
      const std::uint32_t slot = history[now].table.slot;
      const std::uint32_t arrival = (from_slot(out, slot) + latency(port)) % frame;
      const std::size_t stay = (slot + 2 * frame - arrival - 1) % frame + 1;
      const Bits sent = history[now - stay].words.slice(std::size_t{port} * S::kWidth, S::kWidth);
      if (!word || word->bits != sent) bench_->errors().add(cycle, fmt::format("output {}: not after {}", out, stay));
      ++compared;
    });
    bench_->run(static_cast<Cycle>(script.cycles().size()), [&] {
      SwitchInputs in =
          all_inputs(script.cycles().front(), true, Bits::random(random, std::size_t{shape.ports} * S::kWidth), 0);
      script.cycles().pop_front();
      for (std::uint32_t port = 0; port < shape.ports; ++port) {
        in.labels.set(std::size_t{port} * shape.slot_bits, shape.slot_bits,
                      (in.table.slot + frame - latency(port)) % frame);
      }
      history.push_back(in);
      return in;
    });
    bench_->watch(nullptr);
    EXPECT_EQ(compared, (history.size() - from) * shape.ports);
  }

  std::unique_ptr<Bench> bench_;
};

template <class... Sizes>
bool register_sizes() {
  (register_cases<TdmSwitchPins<Sizes>>(
       "tdm_switch", Sizes::name(),
       {{"WordsStayUntilTheirSlot", &TdmSwitchPins<Sizes>::words_stay_until_their_slot},
        {"Corners", &TdmSwitchPins<Sizes>::corners},
        {"Gaps", &TdmSwitchPins<Sizes>::gaps},
        {"Bursts", &TdmSwitchPins<Sizes>::bursts},
        {"BackToBack", &TdmSwitchPins<Sizes>::back_to_back},
        {"ResetsInBetween", &TdmSwitchPins<Sizes>::resets_in_between}}),
   ...);
  return true;
}
const bool kRegistered = register_sizes<Size<Vtdm_switch_pins_1x2x8, 1, 2, 8>, Size<Vtdm_switch_pins_3x5x7, 3, 5, 7>,
                                        Size<Vtdm_switch_pins_5x37x72, 5, 37, 72>>();
#ifndef WEFT_PIN_FEW_SIZES
const bool kLargeRegistered =
    register_sizes<Size<Vtdm_switch_pins_5x32x340, 5, 32, 340>, Size<Vtdm_switch_pins_8x64x64, 8, 64, 64>,
                   Size<Vtdm_switch_pins_64x256x32, 64, 256, 32>>();
#endif

}  // namespace
}  // namespace weft::pins
