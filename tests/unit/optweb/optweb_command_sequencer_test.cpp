// The sequencer: one instruction at a time, in the host's order, with the timing of the data sheet; and cycles that may
// be left out.

#include "algorithms/optweb/command_sequencer.h"

#include <stdexcept>

#include "support/optweb_bench.h"

namespace weft::test {
namespace {

using optweb::CommandSequencer;
using optweb::MachineInstruction;
using optweb::Opcode;
using optweb::SequencerInputs;
using optweb::SequencerOutputs;

void store(CommandSequencer& sequencer, const std::vector<Opcode>& program) {
  for (std::uint32_t i = 0; i < program.size(); ++i) {
    SequencerInputs in;
    in.write = true;
    in.index = i;
    in.instruction.opcode = program[i];
    in.instruction.size = 10 + i;
    sequencer.step(in);
  }
}

SequencerOutputs ring(CommandSequencer& sequencer, std::uint32_t count) {
  SequencerInputs in;
  in.doorbell = true;
  in.count = count;
  return sequencer.step(in);
}

// Two barriers and a compute: doorbell in cycle 0, issue three cycles later, done four cycles after that.
TEST(CommandSequencer, TimingOfTheDataSheet) {
  CommandSequencer sequencer;
  store(sequencer, {Opcode::kBarrier, Opcode::kBarrier, Opcode::kCompute});
  EXPECT_TRUE(sequencer.rests());
  std::string issues;
  std::vector<std::pair<int, std::uint32_t>> completed;
  for (int cycle = 0; cycle < 26; ++cycle) {
    SequencerInputs in;
    in.time = 1000 + static_cast<std::uint32_t>(cycle);
    in.doorbell = cycle == 0;
    in.count = 3;
    in.ready = optweb::kAllUnits;
    if (cycle == 3 + 4 || cycle == 7 + 3 + 4) in.done = optweb::kSwitchUnit;
    if (cycle == 14 + 3 + 4) in.done = optweb::kUserUnit;
    const SequencerOutputs out = sequencer.step(in);
    issues += out.issue == 0 ? '.' : static_cast<char>('0' + out.issue);
    if (out.completed) completed.emplace_back(cycle, out.elapsed);
    EXPECT_EQ(out.stray, 0);
    EXPECT_EQ(out.idle, cycle == 0 || cycle > 21);
  }
  EXPECT_EQ(issues, "...1......1......4........");
  EXPECT_EQ(completed, (std::vector<std::pair<int, std::uint32_t>>{{7, 7}, {14, 7}, {21, 7}}));
}

TEST(CommandSequencer, UnitsOfInstructions) {
  EXPECT_EQ(units_of(Opcode::kBarrier), optweb::kSwitchUnit);
  EXPECT_EQ(units_of(Opcode::kFence), optweb::kDmacUnit);
  EXPECT_EQ(units_of(Opcode::kCompute), optweb::kUserUnit);
  for (std::uint32_t i = 1; i < 12; ++i) {
    EXPECT_EQ(units_of(static_cast<Opcode>(i)), optweb::kSwitchUnit | optweb::kDmacUnit);
  }
  EXPECT_EQ(opcode_name(Opcode::kReduceScatter), "reduce_scatter");
  EXPECT_EQ(opcode_name(static_cast<Opcode>(14)), "illegal");
}

TEST(CommandSequencer, DoorbellForMoreThanTheRingHoldsDoesNotCount) {
  CommandSequencer sequencer(4);
  store(sequencer, {Opcode::kFence, Opcode::kFence, Opcode::kFence, Opcode::kFence});
  EXPECT_FALSE(ring(sequencer, 5).doorbell_ok);
  EXPECT_TRUE(ring(sequencer, 4).doorbell_ok);
  EXPECT_FALSE(ring(sequencer, 1).doorbell_ok);  // the first fetch shows a cycle later
  EXPECT_TRUE(ring(sequencer, 1).doorbell_ok);
}

TEST(CommandSequencer, IllegalInstructionsStopIt) {
  for (const bool unwritten : {false, true}) {
    CommandSequencer sequencer(8);
    store(sequencer, {unwritten ? Opcode::kFence : static_cast<Opcode>(14), Opcode::kBarrier});
    ring(sequencer, 1);
    if (unwritten) {
      sequencer.step({});  // fetch
      sequencer.step({});  // decode
      SequencerInputs in;
      in.ready = optweb::kAllUnits;
      sequencer.step(in);
      in.done = optweb::kDmacUnit;
      EXPECT_TRUE(sequencer.step(in).completed);
      ring(sequencer, 4);  // entry 1 is legal, entry 2 was never written
      for (int i = 0; i < 2; ++i) sequencer.step({});
      in.done = 0;
      sequencer.step(in);
      in.done = optweb::kSwitchUnit;
      EXPECT_TRUE(sequencer.step(in).completed);
    }
    sequencer.step({});  // fetch
    SequencerInputs in;
    in.doorbell = true;
    in.count = 1;
    const SequencerOutputs out = sequencer.step(in);
    EXPECT_TRUE(out.illegal);
    EXPECT_FALSE(out.doorbell_ok);
    const SequencerOutputs after = sequencer.step({});
    EXPECT_TRUE(after.idle);
    EXPECT_EQ(after.free, 8U);
    EXPECT_EQ(after.entry, unwritten ? 3U : 1U);
  }
}

TEST(CommandSequencer, RefusesADepthOutsideItsRange) {
  EXPECT_THROW(CommandSequencer(1), std::invalid_argument);
  EXPECT_THROW(CommandSequencer(4097), std::invalid_argument);
}

// What the units get is what the host handed over, in order, each to its units, one at a time.
TEST(CommandSequencer, ProgramsOfAnyLengthInOrder) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    RandomStream random(seed, "program");
    const auto depth = static_cast<std::uint32_t>(2 + random.below(seed % 2 == 0 ? 5 : 300));
    CommandSequencer sequencer(depth);
    SequencerBench bench(random, depth, {});
    const SequencerLog log = bench.run(sequencer, 20000, false);
    std::size_t place = 0;  // in the log of acceptances
    std::size_t complete = 0;
    Time last_end = 0;
    Time total = 0;
    for (const SequencerLog::Event& e : log.events) {
      if (e.kind != 'c') continue;
      const MachineInstruction& expected = bench.handed_over().at(complete++);
      optweb::Units units = 0;
      for (; place < log.accepted.size() && log.accepted[place].at < e.at; ++place) {
        EXPECT_EQ(log.accepted[place].instruction, expected);
        EXPECT_GE(log.accepted[place].at, last_end + optweb::kSequencerCycles) << "before the one before was complete";
        EXPECT_EQ(units & log.accepted[place].unit, 0) << "twice to one unit";
        units |= log.accepted[place].unit;
      }
      EXPECT_EQ(units, units_of(expected.opcode));
      EXPECT_LE(e.value, e.at - last_end);
      total += e.value;
      last_end = e.at;
    }
    EXPECT_GE(complete + 1 + depth, bench.handed_over().size()) << "it goes on as long as something is left";
    EXPECT_GT(complete, 100U);
    EXPECT_LE(total, last_end);
    EXPECT_EQ(log.count('i') + log.count('s'), 0U);
  }
}

// A sequencer that is stepped only when rests() is false or something comes does the same at the same times.
TEST(CommandSequencer, LeftOutCyclesChangeNothing) {
  std::size_t illegal = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const SequencerBench::Manner manner{.longest_ready = 1 + seed % 7,
                                        .longest_work = seed % 3 == 0 ? 3U : 500U,
                                        .longest_pause = seed % 5 == 0 ? 2000U : 10U,
                                        .mistakes = seed % 2 == 1};
    SequencerLog logs[2];
    std::uint64_t steps[2];
    for (const bool skip : {false, true}) {
      RandomStream random(seed, "skip");
      CommandSequencer sequencer(16);
      SequencerBench bench(random, 16, manner);
      logs[skip] = bench.run(sequencer, 20000, skip);
      steps[skip] = bench.steps();
    }
    ASSERT_EQ(logs[0], logs[1]) << "seed " << seed;
    EXPECT_GT(logs[0].count('c'), 10U);
    illegal += logs[0].count('i');
    EXPECT_EQ(steps[0], 20000U);
    EXPECT_LT(steps[1], 20000U);
  }
  EXPECT_GT(illegal, 10U);
}

}  // namespace
}  // namespace weft::test
