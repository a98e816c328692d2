// setup_unit on its pins: random messages, failures and repairs, resets, a unit whose tables are full, and what random
// messages do not bring about.

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "Vsetup_unit_pins_2x2x1.h"
#include "Vsetup_unit_pins_3x5x3.h"
#include "Vsetup_unit_pins_6x12x4.h"
#include "tdm/pin_test.h"
#include "tdm/setup/setup_unit_bench.h"

namespace weft::pins {
namespace {

template <class V, std::uint32_t kPortsOf, std::uint32_t kSlotsOf, std::uint32_t kCircuitsOf, std::uint32_t kFrameOf,
          std::uint32_t kTimeBitsOf>
struct SetupSize {
  using Dut = V;
  static constexpr SetupShape kShape{kPortsOf, kSlotsOf, kCircuitsOf, kFrameOf, kTimeBitsOf};
  static constexpr std::uint32_t kTimeBits = kTimeBitsOf;
  static std::string name() { return fmt::format("{}x{}x{}", kPortsOf, kSlotsOf, kCircuitsOf); }
};

template <class S>
class SetupUnitPins : public PinTest {
 public:
  using Bench = SetupUnitBench<typename S::Dut, S::kTimeBits>;

  void SetUp() override {
    PinTest::SetUp();
    if (HasFatalFailure()) return;
    bench_ = std::make_unique<Bench>("setup_unit_bench", S::kShape);
    if (const auto file = waves_file()) bench_->waves(*file);
  }

  void random_messages() { messages(false); }
  void resets_in_between() { messages(true); }

  // Many releases that not all branches have confirmed.
  void open_releases() {
    for_each_seed(bench_->errors(), [&](std::uint64_t seed) {
      SetupDriver driver(S::kShape, seed, true);
      bench_->reset(2, driver);
      bench_->run(8000, [&]() -> std::optional<SetupStep> { return driver.next(); });
      bench_->finish();
      bench_->check_readout(driver.holdings());
    });
    EXPECT_GT(bench_->commands(), 0U);
  }

  // More circuits than records: the unit says so, and refuses the request.
  void no_room() {
    bench_->expect_full();
    SetupDriver driver(S::kShape, 1);
    bench_->reset(2, driver);
    std::uint32_t number = 0;
    bench_->run(40 * (Cycle{S::kShape.circuits} + 3), [&]() -> std::optional<SetupStep> {
      if (number > S::kShape.circuits) return std::nullopt;
      return one_request(number++);
    });
    bench_->finish();
    EXPECT_EQ(bench_->full(), 1U);
    EXPECT_EQ(bench_->errors().count(), 0U) << bench_->errors().text();
  }

  // One set of slots more drains than there is room for: it is lost, the others are not.
  void too_many_drain() {
    Directed all(*this);
    for (std::uint32_t n = 0; n <= S::kShape.circuits; ++n) {
      all.step(0, request_for(n, one_slot(n), {1}), 2 + 1 + 1 + 8);
      SetupMessage teardown;
      teardown.kind = SetupMessage::Kind::teardown;
      teardown.key = {0, n};
      teardown.forward = true;
      all.step(0, teardown, 5);
    }
    all.run(1);
    std::vector<CircuitHolding> held = all.model.holdings();
    std::erase_if(held, [](const CircuitHolding& h) { return h.key.number == S::kShape.circuits; });
    EXPECT_EQ(held.size(), S::kShape.circuits);
    bench_->check_readout(held);
    EXPECT_EQ(bench_->errors().count(), 0U) << bench_->errors().text();
  }

  // One release more is open than there is room for: it is lost, the others can still be completed.
  void too_many_releases() {
    Directed all(*this);
    SlotSet slots(S::kShape.frame);
    for (std::uint32_t n = 0; n <= S::kShape.circuits; ++n) slots.set(n);
    const auto count = static_cast<std::uint32_t>(slots.count());
    all.step(0, request_for(0, slots, {1, 2}), 2 * 2 + count + 2 + 8);
    SetupMessage released;
    released.kind = SetupMessage::Kind::released;
    for (std::uint32_t n = 0; n <= S::kShape.circuits; ++n) {
      released.slots = one_slot(n);
      released.cleared = 200 + Cycle{n};
      all.step(1, released, 2);
    }
    for (std::uint32_t n = 0; n < S::kShape.circuits; ++n) {
      released.slots = one_slot(n);
      all.step(2, released, 5);
    }
    all.run(1);
    all.expect_holdings();
  }

  // Of three branches neither the first nor the last to accept has the fewest words.
  void fewest_words() {
    Directed all(*this);
    all.step(0, request_for(0, one_slot(0), {1, 2, 3}), 2 * 3 + 1 + 3 + 8);
    SetupMessage accept;
    accept.kind = SetupMessage::Kind::accept;
    accept.words = 7;
    all.step(1, accept, 2);
    accept.words = 3;
    all.step(2, accept, 2);
    accept.words = 5;
    all.step(3, accept, 3);
    all.run(0);
    all.expect_holdings();
  }

  // The last branch to end is out of effect one cycle after the other, which is so in an even cycle.
  void next_cycle() {
    Directed all(*this);
    all.step(0, request_for(0, one_slot(0), {1, 2}, false), 2 * 2 + 1 + 2 + 8);
    SetupMessage teardown;
    teardown.kind = SetupMessage::Kind::teardown;
    teardown.common = SlotSet(S::kShape.frame);
    teardown.at = 1;
    teardown.cleared = kNow + 1000;
    all.step(1, teardown, 5, true);
    teardown.cleared += 1;
    all.step(2, teardown, 6);
    all.run(0);
    all.expect_holdings();
  }

  // Key 0 is the lowest, also behind another circuit over the failed port.
  void key_zero() {
    Directed all(*this);
    for (const std::uint32_t n : {1U, 0U}) all.step(0, request_for(n, one_slot(n), {1}), 2 + 1 + 1 + 8);
    all.fail(1U << 1U);
    all.run(0);
    all.expect_holdings();
  }

 private:
  /// Messages that are written here, and what the model does about them, which has room for everything.
  struct Directed {
    explicit Directed(SetupUnitPins& owner)
        : pins(owner), driver(S::kShape, 1), world(S::kShape, driver.site().timing), model(driver.site(), world) {}
    void step(PortId from, const SetupMessage& message, std::uint32_t cycles, bool withdraws = false) {
      SetupStep step;
      step.now = kNow;
      step.from = from;
      step.message = message;
      step.cycles = cycles;
      step.withdraws = withdraws;
      std::vector<SetupSend> sends;
      model.handle(kNow, from, message, sends);
      add(std::move(step), sends);
    }
    void fail(std::uint32_t ports) {
      SetupStep step;
      step.op = SetupStep::Op::failure;
      step.now = kNow;
      step.message.fault = 5;
      std::vector<SetupSend> sends;
      std::vector<std::uint32_t> flows;
      failed = ports;
      world.set_links(kAllPorts & ~failed, failed);
      model.drop_failed(kNow, step.message.fault, sends, flows);
      step.cycles = failure_cycles(S::kShape.circuits, flows.size(), sends);
      add(std::move(step), sends);
    }
    void add(SetupStep step, const std::vector<SetupSend>& sends) {
      for (const SetupSend& s : sends) world.send(s);
      step.events = world.take();
      step.next_free = model.next_free();
      steps.push_back(std::move(step));
    }
    /// `full`: cycles in which the unit has no room.
    void run(std::uint64_t full) {
      if (full > 0) pins.bench_->expect_full();
      pins.bench_->reset(2, driver);
      pins.bench_->run(60 * static_cast<Cycle>(steps.size()), [this]() -> std::optional<SetupStep> {
        if (steps.empty()) return std::nullopt;
        SetupStep step = std::move(steps.front());
        steps.pop_front();
        if (step.op == SetupStep::Op::failure) driver.set_links(kAllPorts & ~failed, failed);
        return step;
      });
      pins.bench_->finish();
      EXPECT_TRUE(steps.empty());
      EXPECT_EQ(pins.bench_->full(), full);
    }
    void expect_holdings() {
      pins.bench_->check_readout(model.holdings());
      EXPECT_EQ(pins.bench_->errors().count(), 0U) << pins.bench_->errors().text();
    }
    SetupUnitPins& pins;
    SetupDriver driver;
    SetupWorld world;
    SwitchCircuits model;
    std::deque<SetupStep> steps;
    std::uint32_t failed = 0;  // by the failure among the steps
  };
  static constexpr Cycle kNow = 100;
  static constexpr std::uint32_t kAllPorts = (1U << S::kShape.ports) - 1;

  static SlotSet one_slot(std::uint32_t slot) {
    SlotSet out(S::kShape.frame);
    out.set(slot);
    return out;
  }

  /// A request for these slots at a further switch, from port 0 to hosts or switches.
  static SetupMessage request_for(std::uint32_t number, const SlotSet& slots, const std::vector<PortId>& outs,
                                  bool hosts = true) {
    SetupMessage m;
    m.kind = SetupMessage::Kind::request;
    m.key = {0, number};
    m.wanted = static_cast<std::uint32_t>(slots.count());
    m.common = m.slots = slots;
    m.hop = 1;
    m.start = kNow + 8 * Cycle{S::kShape.frame};
    auto route = std::make_shared<CircuitRoute>();
    route->hops.push_back({1, 0, 0, kNoHop, 0, {{0, 1, kNoId, 0}}});
    route->hops.push_back({0, 0, 1, 0, 0, {}});
    for (const PortId out : outs) {
      const auto next = hosts ? kNoHop : static_cast<std::uint32_t>(route->hops.size());
      if (!hosts) route->hops.push_back({SwitchId{2} + out, 0, 2, 1, out, {}});
      route->hops[1].branches.push_back({out, next, hosts ? out : kNoId, out});
    }
    m.route = route;
    return m;
  }

  /// A request for slot 0, which the bench's slot LUT grants again and again.
  SetupStep one_request(std::uint32_t number) {
    SetupStep step;
    step.now = kNow;
    const SetupMessage m = step.message = request_for(number, make_slot_set(S::kShape.frame, {0}), {1});
    SetupMessage answer;
    answer.key = m.key;
    if (number == S::kShape.circuits) {
      answer.kind = SetupMessage::Kind::teardown;
      answer.common = m.common;
      answer.at = 0;
      step.events.push_back({send_event(0, answer), {}, 0});
      step.cycles = 2;
      return step;
    }
    answer.kind = SetupMessage::Kind::ack;
    answer.slots = m.slots;
    answer.start = m.start;
    const SlotLutResponse granted{true, m.slots, Slot{0}};
    step.events.push_back({lut_event(0, 1, m.slots), granted, 0});
    step.events.push_back({question_event(1), {}, 100});
    step.events.push_back({lut_event(1, 1, m.slots), granted, 0});
    step.events.push_back({change_event(true, 0, 2, m.slots), {}, 100});
    step.events.push_back({send_event(0, answer), {}, 0});
    step.events.push_back({send_event(1, m), {}, 0});
    step.cycles = 2 + 1 + 1 + 8;
    return step;
  }

  void messages(bool resets) {
    SetupCounts all;
    for_each_seed(bench_->errors(), [&](std::uint64_t seed) {
      RandomStream random(seed, "setup_unit case");
      for (std::uint64_t part = 0; part < (resets ? 6U : 1U); ++part) {
        SetupDriver driver(S::kShape, seed * 16 + part);
        const std::uint64_t gap = 1 + random.below(4);
        bench_->reset(1 + static_cast<Cycle>(random.below(3)), driver);
        bench_->run(static_cast<Cycle>(random.below(resets ? 300 : 12000)), [&]() -> std::optional<SetupStep> {
          if (random.below(gap) != 0) return std::nullopt;
          return driver.next();
        });
        if (random.below(2) == 0 || !resets) {
          bench_->finish();
          bench_->check_readout(driver.holdings());
        }
        add(all, driver.counts());
      }
    });
    EXPECT_GT(bench_->commands(), 0U);
    for (const std::uint64_t count : {all.accepted, all.refused_down, all.refused_slots, all.refused_late, all.answered,
                                      all.withdrawn, all.released, all.failures, all.lost, all.freed, all.unknown}) {
      EXPECT_GT(count, 0U);
    }
    if (S::kShape.frame > 2 && !resets) {
      EXPECT_GT(all.passed_over, 0U);
    }
  }
  static void add(SetupCounts& all, const SetupCounts& more) {
    all.accepted += more.accepted;
    all.refused_down += more.refused_down;
    all.refused_slots += more.refused_slots;
    all.refused_late += more.refused_late;
    all.answered += more.answered;
    all.withdrawn += more.withdrawn;
    all.released += more.released;
    all.failures += more.failures;
    all.lost += more.lost;
    all.freed += more.freed;
    all.unknown += more.unknown;
    all.passed_over += more.passed_over;
  }

  std::unique_ptr<Bench> bench_;
};

template <class... Sizes>
bool register_setup_sizes() {
  (register_cases<SetupUnitPins<Sizes>>("setup_unit", Sizes::name(),
                                        {{"RandomMessages", &SetupUnitPins<Sizes>::random_messages},
                                         {"ResetsInBetween", &SetupUnitPins<Sizes>::resets_in_between},
                                         {"OpenReleases", &SetupUnitPins<Sizes>::open_releases},
                                         {"NoRoom", &SetupUnitPins<Sizes>::no_room},
                                         {"TooManyDrain", &SetupUnitPins<Sizes>::too_many_drain}}),
   ...);
  return true;
}
// A switch of two ports has no forks: every release is complete at once.
template <class... Sizes>
bool register_forks() {
  (register_cases<SetupUnitPins<Sizes>>("setup_unit", Sizes::name(),
                                        {{"TooManyReleases", &SetupUnitPins<Sizes>::too_many_releases},
                                         {"NextCycle", &SetupUnitPins<Sizes>::next_cycle},
                                         {"KeyZero", &SetupUnitPins<Sizes>::key_zero}}),
   ...);
  return true;
}
template <class Size>
bool register_three_branches() {
  register_cases<SetupUnitPins<Size>>("setup_unit", Size::name(),
                                      {{"FewestWords", &SetupUnitPins<Size>::fewest_words}});
  return true;
}
using Setup2x2x1 = SetupSize<Vsetup_unit_pins_2x2x1, 2, 2, 1, 2, 14>;
using Setup3x5x3 = SetupSize<Vsetup_unit_pins_3x5x3, 3, 5, 3, 5, 16>;
using Setup6x12x4 = SetupSize<Vsetup_unit_pins_6x12x4, 6, 12, 4, 12, 18>;
const bool kSetupRegistered = register_setup_sizes<Setup2x2x1, Setup3x5x3, Setup6x12x4>();
const bool kSetupForksRegistered = register_forks<Setup3x5x3, Setup6x12x4>();
const bool kSetupBranchesRegistered = register_three_branches<Setup6x12x4>();

}  // namespace
}  // namespace weft::pins
