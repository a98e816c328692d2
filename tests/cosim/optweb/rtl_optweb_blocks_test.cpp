// The Verilated OPTWEB blocks against their plain classes: random inputs with every corner, alone and in lockstep, with
// and without the cycles that may be left out; and faulty copies that lockstep must catch. The faulty copies are made
// by tests/CMakeLists.txt.

#include "cosim/optweb/optweb_blocks.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "Vcommand_sequencer_eager.h"
#include "Vcommand_sequencer_forgets.h"
#include "Vlink_sync_hasty.h"
#include "Vlink_sync_keeps.h"
#include "Vstripe_address_narrow.h"
#include "Vswitch_control_open.h"
#include "base/diagnostics.h"
#include "base/implementation.h"
#include "cosim/optweb/verilated_optweb.h"
#include "cosim/optweb/verilated_switch_control.h"
#include "support/child.h"
#include "support/control_stimulus.h"
#include "support/optweb_bench.h"

namespace weft::test {
namespace {

using namespace optweb;
using ::testing::HasSubstr;
using ::testing::Optional;

OptwebImplementations all(Implementation which) {
  BlockChoice choice;
  choice.implementation = which;
  return {choice, choice, choice, choice};
}

BlockSite place(const std::string& path, const std::uint64_t* cycle = nullptr) {
  return {3, path, [cycle] {
            return cycle == nullptr ? std::string("0ns") : fmt::format("{}ns (cycle {})", 5 * *cycle, *cycle);
          }};
}

class OptwebRtl : public ::testing::TestWithParam<Implementation> {
 protected:
  OptwebBlocks blocks_{[](std::uint32_t) { return all(GetParam()); }, builtin_blocks<OptwebRtlBlocks>()};
  BlockFactory models_;
};

TEST_P(OptwebRtl, LinkSyncAsTheModel) {
  std::size_t words = 0;
  std::size_t notifications = 0;
  for (std::uint64_t seed = 0; seed < 40 * static_cast<std::uint64_t>(soak()); ++seed) {
    const std::uint32_t gap = 1 + seed % 2;
    const auto model = models_.link_sync(place("link"), gap);
    const auto block = blocks_.link_sync(place("link"), gap);
    RandomStream random(seed, "link rtl");
    LinkStimulus stimulus(random);
    for (int cycle = 0; cycle < 1500; ++cycle) {
      const LinkSyncInputs in = stimulus.next();
      const LinkSyncOutputs expected = model->step(in);
      ASSERT_EQ(block->step(in), expected) << "seed " << seed << " cycle " << cycle;
      words += expected.received ? 1 : 0;
      notifications += expected.notified ? 1 : 0;
    }
  }
  EXPECT_GT(words, 5000U);
  EXPECT_GT(notifications, 1000U);
}

// Leaving out cycles as steady() says, then anything: the block goes on as one that was stepped all the time.
TEST_P(OptwebRtl, LinkSyncLeavesOutCycles) {
  std::uint64_t left_out = 0;
  std::uint64_t all_cycles = 0;
  for (std::uint64_t seed = 0; seed < 40 * static_cast<std::uint64_t>(soak()); ++seed) {
    const std::uint32_t gap = 1 + seed % 2;
    const auto stepped = models_.link_sync(place("link"), gap);
    const auto block = blocks_.link_sync(place("link"), gap);
    RandomStream random(seed, "link steady");
    for (int phase = 0; phase < 60; ++phase) {
      LinkSyncInputs in;
      in.notify = random.below(4) == 0;
      in.valid = random.below(2) == 0;
      in.link_active = random.below(2) == 0;
      const std::uint64_t cycles = 1 + random.below(random.below(2) == 0 ? 200 : 4);
      for (std::uint64_t i = 0; i < cycles; ++i, ++all_cycles) {
        const LinkSyncOutputs expected = stepped->step(in);
        if (block->steady(in)) {
          ++left_out;
        } else {
          ASSERT_EQ(block->step(in), expected) << "seed " << seed << " phase " << phase;
        }
      }
    }
  }
  EXPECT_GT(left_out, all_cycles / 2);
}

TEST_P(OptwebRtl, StripeAddressAsTheModel) {
  constexpr std::uint64_t kStripe = std::uint64_t{512} << 20;
  std::array<int, 3> errors{};
  for (const std::uint32_t stripes : {16U, 64U}) {
    const StripeGeometry geometry{kStripe / 2, stripes};
    const auto model = models_.stripe_address(place("stripe"), geometry);
    const auto block = blocks_.stripe_address(place("stripe"), geometry);
    RandomStream random(stripes, "stripe rtl");
    const auto near = [&](std::uint64_t around) {
      return around + random.below(5) - std::min<std::uint64_t>(around, 2);
    };
    for (int i = 0; i < 20000 * soak(); ++i) {
      StripeRequest request;
      request.index = static_cast<std::uint32_t>(random.below(4) == 0 ? random.below(256) : random.below(stripes + 1));
      const std::uint64_t corner = random.below(3) * (kStripe / 2);
      request.base = random.below(2) == 0 ? near(corner) : random.below(kStripe);
      const std::uint64_t rest = request.base <= kStripe ? kStripe - request.base : 0;
      request.size = random.below(3) == 0   ? near(rest)
                     : random.below(8) == 0 ? random.below(std::uint64_t{1} << kRtlAddressBits)
                     : random.below(2) == 0 ? near(request.base < kStripe / 2 ? kStripe / 2 - request.base : 0)
                                            : random.below(4096);
      const StripeResponse expected = model->translate(request);
      ASSERT_EQ(block->translate(request), expected) << request.base << " " << request.size << " " << request.index;
      ++errors[static_cast<std::size_t>(expected.error)];
    }
  }
  for (const int count : errors) EXPECT_GT(count, 1000);
}

TEST_P(OptwebRtl, CommandSequencerAsTheModel) {
  std::size_t completed = 0;
  std::size_t illegal = 0;
  std::size_t stray = 0;
  for (std::uint64_t seed = 0; seed < 24 * static_cast<std::uint64_t>(soak()); ++seed) {
    const SequencerBench::Manner manner{.longest_ready = 1 + seed % 7,
                                        .longest_work = seed % 3 == 0 ? 3U : 200U,
                                        .longest_pause = seed % 5 == 0 ? 2000U : 10U,
                                        .mistakes = seed % 2 == 1};
    std::vector<SequencerLog> logs;
    std::vector<std::uint64_t> steps;
    for (const bool rtl : {false, true}) {
      for (const bool skip : {false, true}) {
        RandomStream random(seed, "sequencer rtl");
        BlockFactory& factory = rtl ? static_cast<BlockFactory&>(blocks_) : models_;
        const auto sequencer = factory.command_sequencer(place("sequencer"), kRtlSequencerDepth);
        SequencerBench bench(random, kRtlSequencerDepth, manner);
        logs.push_back(bench.run(*sequencer, 30000, skip));
        steps.push_back(bench.steps());
      }
    }
    for (const SequencerLog& log : logs) ASSERT_EQ(log, logs[0]) << "seed " << seed;
    completed += logs[0].count('c');
    illegal += logs[0].count('i');
    stray += logs[0].count('s');
    EXPECT_EQ(steps[3], steps[1]) << "the block says as the model when it rests";
    EXPECT_LT(steps[3], steps[2]);
  }
  EXPECT_GT(completed, 5000U);
  EXPECT_GT(illegal, 50U);
  EXPECT_GT(stray, 1000U);
}

// Any number of ports up to the compiled one, cycles without events left out.
TEST_P(OptwebRtl, SwitchControlAsTheModel) {
  std::size_t sent = 0;
  std::size_t received = 0;
  std::size_t opened = 0;
  for (std::uint64_t seed = 0; seed < 24 * static_cast<std::uint64_t>(soak()); ++seed) {
    const std::uint32_t ports = seed % 3 == 0 ? kRtlControlPorts : 2 + static_cast<std::uint32_t>(seed % 7);
    const std::uint32_t own = static_cast<std::uint32_t>(seed) % ports;
    SwitchControl model(ports, own);
    const auto block = blocks_.switch_control(place("control"), ports, own);
    ControlStimulus stimulus({ports, std::uint64_t{1} << 30, std::uint64_t{1} << 30}, own, true, seed);
    for (Cycle cycle = 0; cycle < 1200; ++cycle) {
      const ControlCycle in = stimulus.next(model);
      const auto same = [&](const ControlEvents& expected, const ControlEvents& is) {
        EXPECT_EQ(is, expected) << "seed " << seed << " cycle " << cycle;
        sent += expected.sent ? 1 : 0;
        received += expected.received ? 1 : 0;
        opened += expected.opens ? 1 : 0;
      };
      for (std::uint32_t p = 0; p < ports; ++p) {
        if (in.notified[p]) same(model.notified(p, cycle), block->notified(p, cycle));
      }
      if (in.set) {
        same(model.set(cycle), block->set(cycle));
        for (std::uint32_t p = 0; p < ports; ++p) EXPECT_EQ(block->notifies(p), model.notifies(p));
      }
      for (std::uint32_t r = 0; r < ports; ++r) {
        if (in.read_words[r] > 0) {
          same(model.passed(r, in.read_words[r], cycle), block->passed(r, in.read_words[r], cycle));
        }
      }
      for (std::uint32_t p = 0; p < ports; ++p) {
        if (in.link_words[p] == 0) continue;
        const ControlEvents expected = model.counted(p, in.link_words[p], cycle);
        same(expected, block->counted(p, in.link_words[p], cycle));
        for (std::uint32_t q = 0; expected.received && q < ports; ++q) EXPECT_EQ(block->confirms(q), model.confirms(q));
      }
      for (std::uint32_t p = 0; p < ports; ++p) ASSERT_EQ(block->awaited(p), model.awaited(p)) << "seed " << seed;
      if (in.clear) {
        model.clear(cycle);
        block->clear(cycle);
      }
      if (in.write) {
        model.write(in.word, cycle);
        block->write(in.word, cycle);
      }
      ASSERT_FALSE(HasFailure());
    }
  }
  EXPECT_GT(sent, 500U);
  EXPECT_GT(received, 500U);
  EXPECT_GT(opened, 500U);
}

INSTANTIATE_TEST_SUITE_P(Kinds, OptwebRtl, ::testing::Values(Implementation::rtl, Implementation::lockstep),
                         [](const auto& test) {
                           return test.param == Implementation::rtl ? std::string("Rtl") : std::string("Lockstep");
                         });

// What lockstep says about a faulty copy in `run`; "nothing" when it agrees to the end. The copies' own assertions,
// which would stop the program first, are off.
std::string caught(const OptwebRtlBlocks& others, const std::function<void(OptwebBlocks&, std::uint64_t&)>& run) {
  OptwebBlocks blocks([](std::uint32_t) { return all(Implementation::lockstep); }, others);
  std::uint64_t cycle = 0;
  try {
    run(blocks, cycle);
  } catch (const RunError& e) {
    return e.what();
  }
  return "nothing";
}

// Two notifications wait: the second may be taken two cycles after the first, a copy without rests takes it at once.
TEST(OptwebLockstep, LaneWithoutRestIsCaughtWhenItShows) {
  OptwebRtlBlocks others;
  others.link_sync.builtin.make = [](VerilatedContext& context, std::uint32_t gap, const std::string& name) {
    context.assertOn(false);
    return std::make_unique<VerilatedLinkSync<Vlink_sync_hasty>>(context, gap, name);
  };
  const std::string text = caught(others, [](OptwebBlocks& blocks, std::uint64_t& cycle) {
    const auto link = blocks.link_sync(place("optweb.node[3].link[1].sync", &cycle), 1);
    for (; cycle < 20; ++cycle) link->step({.notify = cycle >= 4});
  });
  EXPECT_THAT(text, HasSubstr("lockstep difference in optweb.node[3].link[1].sync at 25ns (cycle 5)"));
  EXPECT_THAT(text, HasSubstr("inputs: notification waits, no word, lane in at rest"));
  EXPECT_THAT(text, HasSubstr("model: notify_ready=0 ready=0 lane out active with 0x0"));
  EXPECT_THAT(text, HasSubstr("rtl:   notify_ready=1 ready=1 lane out active with 0x0"));
}

// The lane is active in cycles 3 to 5: a copy that does not drop the first cycle receives it in cycle 4.
TEST(OptwebLockstep, KeptFirstWordIsCaughtWhenItShows) {
  OptwebRtlBlocks others;
  others.link_sync.builtin.make = [](VerilatedContext& context, std::uint32_t gap, const std::string& name) {
    context.assertOn(false);
    return std::make_unique<VerilatedLinkSync<Vlink_sync_keeps>>(context, gap, name);
  };
  const std::string text = caught(others, [](OptwebBlocks& blocks, std::uint64_t& cycle) {
    const auto link = blocks.link_sync(place("link", &cycle), 2);
    for (; cycle < 20; ++cycle) link->step({.link_active = cycle >= 3 && cycle < 6, .link_word = 0x70 + cycle});
  });
  EXPECT_THAT(text, HasSubstr("(cycle 4)"));
  EXPECT_THAT(text, HasSubstr("word 0x73 received"));
}

// Every stripe but the last of a copy with one stripe fewer.
TEST(OptwebLockstep, MissingStripeIsCaughtByTheRequestThatShowsIt) {
  OptwebRtlBlocks others;
  others.stripe_address.builtin.make = [](VerilatedContext& context, const StripeGeometry&, const std::string& name) {
    context.assertOn(false);
    return std::make_unique<VerilatedStripeAddress<Vstripe_address_narrow>>(context, name);
  };
  std::uint32_t last = 0;
  const std::string text = caught(others, [&](OptwebBlocks& blocks, std::uint64_t&) {
    const auto stripes = blocks.stripe_address(place("optweb.node[3].dmac[15].stripe"), {});
    for (; last < 16; ++last) stripes->translate({0x40, 64, last});
  });
  EXPECT_EQ(last, 15U);
  EXPECT_THAT(text, HasSubstr("lockstep difference in optweb.node[3].dmac[15].stripe"));
  EXPECT_THAT(text, HasSubstr("inputs: Ra 0x40, 64 bytes, stripe 15"));
  EXPECT_THAT(text, HasSubstr("model: address 0x1e0000040, interfaces 0b01"));
  EXPECT_THAT(text, HasSubstr("rtl:   out of range"));
}

std::string caught_sequencer(OptwebRtlBlocks others, const SequencerBench::Manner& manner, bool skip) {
  return caught(others, [&](OptwebBlocks& blocks, std::uint64_t& cycle) {
    const auto sequencer = blocks.command_sequencer(place("optweb.node[3].sequencer", &cycle), kRtlSequencerDepth);
    RandomStream random(1, "faulty");
    SequencerBench bench(random, kRtlSequencerDepth, manner);
    bench.run(*sequencer, 5000, skip);
  });
}

TEST(OptwebLockstep, SequencerThatDoesNotWaitIsCaught) {
  OptwebRtlBlocks others;
  others.command_sequencer.builtin.make = [](VerilatedContext& context, std::uint32_t, const std::string& name) {
    context.assertOn(false);
    return std::make_unique<VerilatedCommandSequencer<Vcommand_sequencer_eager>>(context, name);
  };
  for (const bool skip : {false, true}) {
    const std::string text = caught_sequencer(others, {}, skip);
    EXPECT_THAT(text, HasSubstr("lockstep difference in optweb.node[3].sequencer"));
    EXPECT_THAT(text, HasSubstr("state run, running: none"));  // the cycle in which the last unit accepts
    EXPECT_THAT(text, HasSubstr("complete after"));
  }
}

TEST(OptwebLockstep, SequencerThatLosesADoneIsCaught) {
  OptwebRtlBlocks others;
  others.command_sequencer.builtin.make = [](VerilatedContext& context, std::uint32_t, const std::string& name) {
    context.assertOn(false);
    return std::make_unique<VerilatedCommandSequencer<Vcommand_sequencer_forgets>>(context, name);
  };
  for (const bool skip : {false, true}) {
    const std::string text = caught_sequencer(others, {.longest_ready = 10, .longest_work = 3}, skip);
    EXPECT_THAT(text, HasSubstr("lockstep difference in optweb.node[3].sequencer"));
    EXPECT_THAT(text, HasSubstr("complete after"));
  }
}

// Two receivers of a rendezvous: a copy whose gate does not wait for port 2 opens with the notification of port 1.
TEST(OptwebLockstep, GateThatOpensEarlyIsCaught) {
  OptwebRtlBlocks others;
  others.switch_control.builtin.make = [](VerilatedContext& context, std::uint32_t, std::uint32_t own,
                                          const std::string& name) {
    context.assertOn(false);
    return std::make_unique<VerilatedSwitchControl<Vswitch_control_open, 4>>(context, own, name);
  };
  const std::string text = caught(others, [](OptwebBlocks& blocks, std::uint64_t& cycle) {
    const auto control = blocks.switch_control(place("optweb.node[3].switch.control", &cycle), 4, 0);
    const auto now = [&] { return static_cast<Cycle>(cycle); };
    control->write({true, {}, {{1, 1, 100}, {2, 2, 100}}, {{3, 3, 40}}}, now());
    cycle = 5;
    control->set(now());
    cycle = 9;
    control->counted(3, 40, now());
    cycle = 12;
    control->notified(1, now());
  });
  EXPECT_THAT(text, HasSubstr("lockstep difference in optweb.node[3].switch.control at 60ns (cycle 12)"));
  EXPECT_THAT(text, HasSubstr("inputs: notification of port 1"));
  EXPECT_THAT(text,
              HasSubstr("model: opens=0 noted=0 sent=0 received=0, holds set awaited=0x6 unready=0x4 joined=0x6"));
  EXPECT_THAT(text,
              HasSubstr("rtl:   opens=1 noted=0 sent=0 received=0, holds set open awaited=0x6 unready=0x4 pass=0x6"));
}

TEST(OptwebRtlLimit, SaysWhatTheCompiledRtlDoesNotTake) {
  EXPECT_EQ(link_sync_rtl_limit(2), std::nullopt);
  EXPECT_THAT(link_sync_rtl_limit(3), Optional(HasSubstr("a gap of 3 cycles")));
  EXPECT_EQ(stripe_address_rtl_limit({}), std::nullopt);
  EXPECT_THAT(stripe_address_rtl_limit({1024, 16}), Optional(HasSubstr("memory interfaces of 1024 bytes")));
  EXPECT_THAT(stripe_address_rtl_limit({std::uint64_t{256} << 20, 8}), Optional(HasSubstr("8 memory I/Os")));
  EXPECT_EQ(command_sequencer_rtl_limit(256), std::nullopt);
  EXPECT_THAT(command_sequencer_rtl_limit(64), Optional(HasSubstr("64 entries; the compiled RTL has 256")));
  EXPECT_THAT(instruction_rtl_limit({.size = std::uint64_t{1} << 40}), Optional(HasSubstr("40 bits")));
  EXPECT_THAT(instruction_rtl_limit({.destination = 1024}), Optional(HasSubstr("1024 nodes")));
  EXPECT_EQ(switch_control_rtl_limit(16), std::nullopt);
  EXPECT_THAT(switch_control_rtl_limit(17), Optional(HasSubstr("17 ports, one for each node")));
  OptwebBlocks blocks([](std::uint32_t) { return all(Implementation::rtl); }, builtin_blocks<OptwebRtlBlocks>());
  EXPECT_THROW(blocks.switch_control(place("x"), 17, 0), RunError);
  EXPECT_THROW(blocks.link_sync(place("x"), 3), RunError);
  EXPECT_THROW(blocks.stripe_address(place("x"), {1024, 16}), RunError);
  EXPECT_THROW(blocks.command_sequencer(place("x"), 64), RunError);
  const auto stripes = blocks.stripe_address(place("x"), {});
  EXPECT_THROW(stripes->translate({std::uint64_t{1} << 40, 0, 0}), RunError);
}

TEST(OptwebRtlLimit, EveryPlaceHasItsOwnChoice) {
  OptwebBlocks blocks([](std::uint32_t node) { return all(node == 3 ? Implementation::rtl : Implementation::model); },
                      builtin_blocks<OptwebRtlBlocks>());
  EXPECT_NE(dynamic_cast<LinkSyncRtl*>(blocks.link_sync(place("a"), 1).get()), nullptr);
  BlockSite other = place("b");
  other.node = 4;
  EXPECT_NE(dynamic_cast<LinkSync*>(blocks.link_sync(other, 1).get()), nullptr);
}

}  // namespace
}  // namespace weft::test
