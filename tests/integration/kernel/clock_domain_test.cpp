// The agenda: everything happens in the cycle and phase it was asked for, however far ahead, and nothing else does.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <vector>

#include "base/random.h"
#include "kernel/clock_domain.h"
#include "support/child.h"

namespace weft::test {
namespace {

// Asks for further cycles whenever it is served, and checks that it is served when it asked.
class Restless final : public Agent {
 public:
  Restless(ClockDomain& domain, std::uint64_t seed, std::size_t events)
      : domain_(domain), random_(seed, "restless"), left_(events) {}

  void ask(Cycle now, Phase from) {
    if (left_ == 0) return;
    --left_;
    // Near and far of the wheel's size (4096), just at its edge, and in the same cycle where that is allowed.
    const Cycle ahead[] = {1,
                           2,
                           63,
                           64,
                           65,
                           4095,
                           4096,
                           4097,
                           8192,
                           0,
                           static_cast<Cycle>(random_.below(200)),
                           static_cast<Cycle>(random_.below(20'000))};
    Cycle due = now + ahead[random_.below(std::size(ahead))];
    auto phase = static_cast<Phase>(random_.below(3));
    if (due == now && (now < 0 || phase < from)) ++due;
    const auto token = static_cast<std::uint32_t>(wanted_.size());
    wanted_.push_back({due, phase});
    domain_.schedule(due, phase, *this, token);
  }

  void due(Cycle now, std::uint32_t token) override {
    const auto [cycle, phase] = wanted_.at(token);
    if (now != cycle) throw std::runtime_error(fmt::format("asked for cycle {}, served in {}", cycle, now));
    if (now < last_ || (now == last_ && phase < last_phase_)) throw std::runtime_error("phases out of order");
    if (sc_core::sc_time_stamp() != domain_.time_of(now)) throw std::runtime_error("not at the time of the cycle");
    if (!served_.insert(token).second) throw std::runtime_error("served twice");
    last_ = now;
    last_phase_ = phase;
    for (std::uint64_t n = random_.below(3); n > 0; --n) ask(now, phase);
    if (domain_.idle()) ask(now, phase);
  }

  void check_all_served() const {
    if (served_.size() != wanted_.size() || left_ != 0) throw std::runtime_error("something never happened");
  }
  std::size_t cycles() const {
    std::set<Cycle> all;
    for (const auto& w : wanted_) all.insert(w.first);
    return all.size();
  }

 private:
  ClockDomain& domain_;
  RandomStream random_;
  std::size_t left_;
  std::vector<std::pair<Cycle, Phase>> wanted_;
  std::set<std::uint32_t> served_;
  Cycle last_ = -1;
  Phase last_phase_ = Phase::prepare;
};

class ClockDomainTest : public ::testing::TestWithParam<int> {};

TEST_P(ClockDomainTest, ServesEverythingWhenItIsDue) {
  const ChildResult child = in_child([] {
    ClockDomain domain("clock", Duration{4'000});
    Restless agent(domain, static_cast<std::uint64_t>(GetParam()), 5'000);
    if (GetParam() % 3 == 1) domain.shuffle(7);
    for (int i = 0; i < 5; ++i) agent.ask(-1, Phase::prepare);
    domain.capture_failures();
    sc_core::sc_start();
    if (domain.failure()) std::rethrow_exception(domain.failure());
    agent.check_all_served();
    if (!domain.idle() || domain.busy_cycles() != agent.cycles()) throw std::runtime_error("cycles without need");
    return std::string();
  });
  EXPECT_TRUE(child.ok) << child.text;
}

INSTANTIATE_TEST_SUITE_P(Seeds, ClockDomainTest, ::testing::Range(0, 8));

// With a hook every cycle is visited while anything is on the agenda, once, in order.
TEST(ClockDomain, HooksSeeEveryCycle) {
  const ChildResult child = in_child([] {
    ClockDomain domain("clock", Duration{10'000});
    Restless agent(domain, 99, 60);
    Cycle next = 0;
    domain.add_cycle_hook([&](Cycle cycle) {
      if (cycle != next++) throw std::runtime_error(fmt::format("cycle {} instead of {}", cycle, next - 1));
    });
    Cycle others = 0;
    domain.add_cycle_hook([&](Cycle) { ++others; });
    const ClockDomain::HookId gone = domain.add_cycle_hook([&](Cycle) { others = -1'000'000; });
    domain.remove_cycle_hook(gone);
    agent.ask(-1, Phase::prepare);
    domain.capture_failures();
    sc_core::sc_start();
    if (domain.failure()) std::rethrow_exception(domain.failure());
    agent.check_all_served();
    if (others != next) throw std::runtime_error(fmt::format("{} of {}", others, next));
    return std::to_string(next - 1 == domain.now() ? next : -1);
  });
  ASSERT_TRUE(child.ok) << child.text;
  EXPECT_GT(std::stol(child.text), 100);
}

struct Alarm : Agent {
  void due(Cycle, std::uint32_t) override {}
};

// One that wants some cycles is told of these and of those in which something happens, and no others are visited.
TEST(ClockDomain, HooksSeeTheCyclesThatTheyWant) {
  const ChildResult child = in_child([] {
    ClockDomain domain("clock", Duration{10'000});
    Alarm alarm;
    for (const Cycle due : {3, 20'000, 20'004}) domain.schedule(due, Phase::prepare, alarm, 0);
    std::vector<Cycle> told;
    domain.add_cycle_hook([&](Cycle cycle) { told.push_back(cycle); },
                          [](Cycle from) { return from > 15 ? ClockDomain::kNever : std::max<Cycle>(from, 12); });
    sc_core::sc_start();
    return fmt::format("{}", fmt::join(told, " "));
  });
  ASSERT_TRUE(child.ok) << child.text;
  EXPECT_EQ(child.text, "3 12 13 14 15 20000 20004");
}

// Cycles that have passed while nothing was on the agenda are not made up for when something comes from outside.
TEST(ClockDomain, HooksAreNotToldOfThePast) {
  const ChildResult child = in_child([] {
    ClockDomain domain("clock", Duration{10'000});
    Alarm alarm;
    std::string told;
    domain.add_cycle_hook(
        [&](Cycle cycle) { told += fmt::format("{} at {}; ", cycle, sc_core::sc_time_stamp().value() / 10'000); },
        [](Cycle from) { return from > 15 ? ClockDomain::kNever : std::max<Cycle>(from, 12); });
    domain.schedule(3, Phase::prepare, alarm, 0);
    sc_core::sc_start(200 * sc_core::sc_time(10, sc_core::SC_NS));
    domain.schedule(205, Phase::prepare, alarm, 0);
    sc_core::sc_start(100 * sc_core::sc_time(10, sc_core::SC_NS));
    return told;
  });
  ASSERT_TRUE(child.ok) << child.text;
  EXPECT_EQ(child.text, "3 at 3; 205 at 205; ");
}

// A pause keeps the agenda; the next sc_start goes on where it stopped.
TEST(ClockDomain, PauseKeepsTheAgenda) {
  const ChildResult child = in_child([] {
    ClockDomain domain("clock", Duration{10'000});
    Restless agent(domain, 5, 500);
    for (int i = 0; i < 5; ++i) agent.ask(-1, Phase::prepare);
    domain.capture_failures();
    int pauses = 0;
    domain.set_pause_check([&] { return ++pauses % 10 == 0; });
    int starts = 0;
    do {
      sc_core::sc_start();
      if (domain.failure()) std::rethrow_exception(domain.failure());
      ++starts;
    } while (!domain.idle());
    agent.check_all_served();
    return std::to_string(starts);
  });
  ASSERT_TRUE(child.ok) << child.text;
  EXPECT_GT(std::stoi(child.text), 10);
}

}  // namespace
}  // namespace weft::test
