// Lanes of OPTWEB links in network time. The blocks of both ends are stepped in the word cycles of the lane, and their
// events must be those of the link's timing: with blocks that do something else the run ends with what differs and
// when. Two ends with random runs, notifications and changes of pace, in every word cycle compared.

#include "fabrics/optweb/link/link_ip.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "algorithms/optweb/clock_period.h"
#include "base/random.h"
#include "run/optweb/optweb_family.h"
#include "support/child.h"
#include "support/optweb_runs.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

enum class LaneFault { none, refuses, loses_middle, loses_last, swaps, late, deaf, hears };

/// A block with a fault.
class FaultySync final : public optweb::LinkSyncIf {
 public:
  FaultySync(std::uint32_t gap, LaneFault fault) : sync_(gap), fault_(fault) {}
  optweb::LinkSyncOutputs step(const optweb::LinkSyncInputs& in) override {
    optweb::LinkSyncOutputs out = sync_.step(in);
    if (fault_ == LaneFault::refuses && in.valid && ++count_ == 2) out.ready = false;
    if (fault_ == LaneFault::loses_middle && out.received && ++count_ == 2) out.received = false;
    if (fault_ == LaneFault::loses_last && out.received && ++count_ == 4) out.received = false;
    if (fault_ == LaneFault::swaps && out.received) out.received_word ^= 1;
    if (fault_ == LaneFault::hears && out.received && ++count_ == 2) out.notified = true;
    if (fault_ == LaneFault::deaf) out.notified = false;
    if (fault_ == LaneFault::late) {  // by a word cycle
      std::swap(out.received, received_);
      std::swap(out.received_word, word_);
    }
    return out;
  }
  bool steady(const optweb::LinkSyncInputs& in) const override { return sync_.steady(in); }

 private:
  optweb::LinkSync sync_;
  LaneFault fault_;
  int count_ = 0;
  bool received_ = false;
  std::uint64_t word_ = 0;
};

/// The end `where` of the link between nodes 0 and 1 has a fault.
class FaultyLanes final : public optweb::BlockFactory {
 public:
  FaultyLanes(std::string where, LaneFault fault) : where_(std::move(where)), fault_(fault) {}
  std::unique_ptr<optweb::LinkSyncIf> link_sync(const optweb::BlockSite& site, std::uint32_t gap) override {
    return std::make_unique<FaultySync>(gap, site.path == where_ ? fault_ : LaneFault::none);
  }

 private:
  std::string where_;
  LaneFault fault_;
};

// Node 0 sends four words to node 1.
std::string failure_with(const std::string& where, LaneFault fault) {
  FaultyLanes lanes(where, fault);
  const OptwebOutcome r = run_optweb_yaml(
      "fabric: optweb\nnodes: 2\nprogram: [ { op: transfer, source: 0, destination: 1, size: 128B } ]\n", {},
      [&](OptwebRunOptions& options) { options.blocks = &lanes; });
  EXPECT_THAT(r.error, IsEmpty());
  return r.failure;
}

// The first word is taken in cycle 61 (the doorbell is in cycle 0), the second two cycles later, and the first is on
// the lane three cycles later, at a pace of 256/225; at the other end 64 cycles later.
TEST(OptwebLanes, FaultsOfBlocksAreFoundWhenTheyShow) {
  const std::string sender = "optweb.node[0].switch.link[1].transmitter";
  const std::string receiver = "optweb.node[1].switch.link[0].receiver";
  EXPECT_THAT(failure_with(sender, LaneFault::none), IsEmpty());
  EXPECT_THAT(
      failure_with(sender, LaneFault::refuses),
      HasSubstr("optweb.node[0].switch.link[1]: the lane and the timing of the link differ in cycle 63: nothing "
                "is taken, by the timing a word"));
  EXPECT_THAT(failure_with(receiver, LaneFault::loses_middle),
              HasSubstr("optweb.node[1].switch.link[0]: 4 words were sent in a run, 3 have been received"));
  EXPECT_THAT(failure_with(receiver, LaneFault::loses_last),
              HasSubstr("1 runs of words and 0 notifications of the lane have not been received"));
  EXPECT_THAT(failure_with(receiver, LaneFault::swaps), HasSubstr("it is not the next one"));
  EXPECT_THAT(failure_with(receiver, LaneFault::late),
              HasSubstr("the first word of a run of 4 comes in cycle 129, by the timing in cycle 128"));
  EXPECT_THAT(failure_with(receiver, LaneFault::hears),
              HasSubstr("a notification is on the lane in cycle 128, by the timing there is none"));
  EXPECT_THAT(failure_with("optweb.node[0].switch.link[1].receiver", LaneFault::deaf),
              HasSubstr("0 runs of words and 1 notifications of the lane have not been received"));
}

// Runs that models pass as a whole, without a step.
TEST(OptwebLanes, WholeRunsAreComparedWithTheTiming) {
  const auto hear = [](std::uint64_t words, Cycle first, Cycle last, Cycle note) {
    return in_child([&]() -> std::string {
             Diagnostics diagnostics;
             const OptwebSystemConfig config = parse_optweb_config(
                 "fabric: optweb\nnodes: 2\nprogram: [ { op: barrier } ]\n", "t.yaml", ".", {}, diagnostics);
             ClockDomain domain("clock", optweb::agenda_period(config));
             NodeClock clock(domain, config, 0);
             LaneListener listener(clock, "link", std::make_unique<optweb::LinkSync>(1));
             listener.expect_run(100, 10, 130);
             listener.expect_note(140);
             listener.expect_run(200, 150, 390);
             try {
               listener.hear_run(words, first, last);
               listener.hear_note(note);
               listener.hear_run(200, 150, 390);
               listener.check_over();
             } catch (const RunError& e) {
               return e.what();
             }
             return "";
           })
        .text;
  };
  EXPECT_THAT(hear(100, 10, 130, 140), IsEmpty());
  EXPECT_THAT(hear(100, 11, 130, 140),
              HasSubstr("the first word of a run of 100 comes in cycle 11, by the timing in cycle 10"));
  EXPECT_THAT(hear(100, 10, 131, 140),
              HasSubstr("the last word of a run of 100 comes in cycle 131, by the timing in cycle 130"));
  EXPECT_THAT(hear(101, 10, 130, 140), HasSubstr("link: word 101 of the lane is received in cycle 130"));
  EXPECT_THAT(hear(99, 10, 130, 140),
              HasSubstr("the last word of a run of 100 comes in cycle 150, by the timing in cycle 130"));
  EXPECT_THAT(hear(100, 10, 130, 141), HasSubstr("a notification is on the lane in cycle 141"));
}

/// Of both ends.
class AnySwitch final : public LinkOwner {
 public:
  void notification_arrives(std::uint32_t, const OptwebNotification&, Cycle) override { ++notes; }
  void train_arrives(std::uint32_t, OptwebTrain&& train) override { words += train.words; }
  void train_is_late(std::uint32_t, Cycle, Picoseconds, Cycle) override { ++cuts; }
  void train_turns(std::uint32_t, const OptwebTurn&, Cycle, Cycle, Picoseconds) override { ++turns; }
  std::uint64_t notes = 0, words = 0, cuts = 0, turns = 0;
};

/// An end whose switch sends anything at any time.
class RandomEnd final : public Agent {
 public:
  RandomEnd(const OptwebParameters& parameters, ClockDomain& domain, NodeId node, std::uint64_t seed, bool timed)
      : parameters_(parameters),
        clock_(domain, *parameters.config, node),
        random_(seed, fmt::format("end {}", node)),
        link_(fmt::format("link[{}]", node).c_str(), parameters, clock_, 0, owner_, {block(timed), block(timed)},
              serial(*parameters.config)) {
    paces_ = {parameters.link,
              {parameters.link.cycles * 3, parameters.link.words * 2},
              {parameters.link.cycles * 2, parameters.link.words}};
    clock_.schedule(1 + static_cast<Cycle>(random_.below(40)), Phase::transfer, *this, 0);
  }
  LinkIp& link() { return link_; }
  const AnySwitch& owner() const { return owner_; }

  void due(Cycle, std::uint32_t) override {
    const Cycle now = clock_.now();
    if (link_.rested(now) <= now && random_.below(2) == 0) {
      OptwebTrain train;
      train.words = 1 + random_.below(random_.below(3) == 0 ? 400 : 12);
      link_.begin(now, train, paces_[random_.below(3)]);
      running_ = true;
    } else if (random_.below(3) == 0 && running_ && link_.end() > now && now > noted_) {
      link_.turn(now, paces_[random_.below(3)]);
    } else {
      const std::uint64_t notes = 1 + random_.below(random_.below(4) == 0 ? 3 : 1);
      for (std::uint64_t i = 0; i < notes; ++i) noted_ = link_.notify(now, {});
    }
    if (++done_ < 300) {
      clock_.schedule(now + 1 + static_cast<Cycle>(random_.below(random_.below(2) == 0 ? 4 : 90)), Phase::transfer,
                      *this, 0);
    }
  }

 private:
  std::unique_ptr<optweb::LinkSyncIf> block(bool timed) const {
    const std::uint32_t gap = parameters_.config->link.gap;
    if (timed) return std::make_unique<FaultySync>(gap, LaneFault::none);  // no plain model: stepped in its cycles
    return std::make_unique<optweb::LinkSync>(gap);
  }
  static SerialClock serial(const OptwebConfig& config) {
    return config.link.serial ? SerialClock(config.link.serial->clock, 1234) : SerialClock();
  }

  const OptwebParameters& parameters_;
  NodeClock clock_;
  RandomStream random_;
  AnySwitch owner_;
  LinkIp link_;
  std::vector<optweb::WordRate> paces_;
  bool running_ = false;
  Cycle noted_ = 0;  // the last notification has left: the pace does not change while one waits to cut the run
  int done_ = 0;
};

struct LaneCase {
  const char* name;
  const char* keys;
};

class OptwebLaneCases : public ::testing::TestWithParam<LaneCase> {};

TEST_P(OptwebLaneCases, BothEndsDoWhatTheTimingSays) {
  AnySwitch all;
  for (std::uint64_t seed = 0; seed < 12 * static_cast<std::uint64_t>(soak()); ++seed) {
    const ChildResult r = in_child([&]() -> std::string {
      Diagnostics diagnostics;
      const OptwebSystemConfig config = parse_optweb_config(
          fmt::format("fabric: optweb\nnodes: 2\nprogram: [ {{ op: barrier }} ]\n{}\n", GetParam().keys), "t.yaml", ".",
          {fmt::format("link.gap={}", 1 + seed % 4)}, diagnostics);
      const OptwebParameters parameters(config);
      ClockDomain domain("clock", optweb::agenda_period(config));
      RandomEnd a(parameters, domain, 0, seed, seed % 2 == 0);
      RandomEnd b(parameters, domain, 1, seed, seed % 2 == 0);
      a.link().connect(b.link());
      b.link().connect(a.link());
      domain.capture_failures();
      sc_core::sc_start();
      if (domain.failure()) std::rethrow_exception(domain.failure());
      a.link().check_lane();
      b.link().check_lane();
      if (a.owner().notes != b.link().notifications_sent() || a.owner().words != b.link().words_sent()) return "lost";
      return fmt::format("{} {} {} {}", b.owner().notes, b.owner().words, b.owner().cuts, b.owner().turns);
    });
    ASSERT_TRUE(r.ok) << "seed " << seed << ": " << r.text;
    std::uint64_t notes = 0, words = 0, cuts = 0, turns = 0;
    ASSERT_EQ(std::sscanf(r.text.c_str(), "%lu %lu %lu %lu", &notes, &words, &cuts, &turns), 4) << r.text;
    all.notes += notes;
    all.words += words;
    all.cuts += cuts;
    all.turns += turns;
  }
  EXPECT_GT(all.notes, 500U);
  EXPECT_GT(all.words, 1000U);
  EXPECT_GT(all.cuts, 100U);
  EXPECT_GT(all.turns, 2U);  // few where notifications wait long
}

INSTANTIATE_TEST_SUITE_P(
    Links, OptwebLaneCases,
    ::testing::Values(LaneCase{"paced", ""}, LaneCase{"word_per_cycle", "link: { rate: 51.2Gb/s }"},
                      LaneCase{"slow", "link: { rate: 7Gb/s }"}, LaneCase{"serial", "link: { serial: {} }"},
                      LaneCase{"clocks", "clocks: { phases: [1ps, 3777ps], offsets_ppm: [400, -700] }"}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace weft::test
