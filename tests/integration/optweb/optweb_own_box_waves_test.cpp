// Signals of a design's own boxes, read back from the waveform.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "integration/optweb/own_boxes_of_tests.h"
#include "support/scratch.h"
#include "support/vcd.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;

/// Numbers of a signal at the edges of a clock of 5 ns.
std::vector<std::uint64_t> numbers_of(const Vcd& vcd, const std::string& name) {
  std::vector<std::uint64_t> out;
  for (std::uint64_t t = vcd.first_time(); t <= vcd.last_time(); t += 5000)
    out.push_back(vcd.signal(name).number_at(t));
  return out;
}

std::vector<std::uint64_t> delayed(std::vector<std::uint64_t> numbers, Cycle cycles) {
  numbers.insert(numbers.begin(), static_cast<std::size_t>(cycles), 0);
  numbers.resize(numbers.size() - static_cast<std::size_t>(cycles));
  return numbers;
}

// The first edge at which a number has a value; -1: none.
Cycle first_of(const std::vector<std::uint64_t>& numbers, std::uint64_t value) {
  const auto at = std::find(numbers.begin(), numbers.end(), value);
  return at == numbers.end() ? -1 : at - numbers.begin();
}

// 250 words in, and out as many cycles later as the box takes; boxes one behind the other; its own signals.
TEST(OptwebOwnBoxWaves, AreInWaves) {
  const ScratchFolder folder;
  const std::string yaml = kOneTransfer + "boxes: { sent: [inverts, inverts], received: [inverts, inverts] }\n";
  const OwnRun r = run_boxes(yaml, folder.path("w.fst"));
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(r.end, run_boxes(yaml).end) << "waves change nothing";
  const Vcd vcd = read_fst(folder.path("w.fst"));
  const std::string received = "optweb.node[1].switch.received[";
  const auto in = numbers_of(vcd, received + "0].words_in");
  const auto last_in = numbers_of(vcd, received + "1].words_in");
  EXPECT_EQ(*std::max_element(in.begin(), in.end()), 250U);
  // The instruction is over some cycles behind the last box, and the numbers are 0 again.
  const auto end = static_cast<std::ptrdiff_t>(first_of(numbers_of(vcd, received + "1].words_out"), 250));
  const auto until_end = [&](std::vector<std::uint64_t> x) {
    x.resize(static_cast<std::size_t>(end) + 1);
    return x;
  };
  EXPECT_EQ(until_end(numbers_of(vcd, received + "0].words_out")), until_end(delayed(in, kBoxLatency)));
  EXPECT_EQ(until_end(last_in), until_end(delayed(in, kBoxLatency)));
  EXPECT_EQ(until_end(numbers_of(vcd, received + "1].words_out")), until_end(delayed(in, 2 * kBoxLatency)));
  // A word leaves the buffer five cycles before it enters the first box behind the N x N switch, which takes five.
  const Cycle crossbar = 5;
  std::uint64_t passes = 0;
  for (const VcdChange& c : vcd.signal("optweb.node[1].switch.buffers.from[0].state").changes) {
    if (c.value == "words") passes = c.time;
  }
  EXPECT_EQ(first_of(in, 1), static_cast<Cycle>((passes - vcd.first_time()) / 5000) + crossbar);

  const std::string sent = "optweb.node[0].switch.sent[";
  const auto sent_in = numbers_of(vcd, sent + "0].words_in");
  const auto sent_out = numbers_of(vcd, sent + "0].words_out");
  EXPECT_EQ(first_of(sent_out, 1) - first_of(sent_in, 1), kBoxLatency);
  EXPECT_EQ(numbers_of(vcd, sent + "1].words_in"), sent_out);
  EXPECT_EQ(first_of(numbers_of(vcd, sent + "1].words_out"), 1) - first_of(sent_out, 1), kBoxLatency);
  EXPECT_EQ(*std::max_element(sent_out.begin(), sent_out.end()), 250U);
  const auto busy = numbers_of(vcd, sent + "0].busy");
  EXPECT_EQ(first_of(busy, 1), first_of(sent_in, 1));

  const VcdSignal& seen = vcd.signal(received + "0].seen");
  EXPECT_EQ(seen.width, 12U);
  EXPECT_EQ(seen.number_at(vcd.last_time()), 8000U % 4096U) << "what is above the width is left out";
  EXPECT_EQ(vcd.signal(received + "0].half").at(vcd.last_time()), "second");
  EXPECT_EQ(vcd.signal(received + "0].half_valid").number_at(vcd.first_time()), 0U);
  EXPECT_FALSE(vcd.has(sent.substr(0, sent.find("node[0]")) + "node[1].switch.sent[0].words_in")) << "it sends nothing";
  EXPECT_THAT(slurp(folder.path("w.gtkw")), HasSubstr(received + "0].words_in[31:0]"));
}

// While the gate of a rendezvous is shut, words stand in the box, as many as it has stages.
TEST(OptwebOwnBoxWaves, ShowWordsThatWait) {
  const ScratchFolder folder;
  const OwnRun r = run_boxes(kTwoNodes +
                                 "  - { op: compute, time: 2us, at: [1] }\n"
                                 "  - { op: transfer, source: 0, destination: 1, size: 40000B }\n"
                                 "boxes: { sent: [inverts], received: [inverts] }\n"
                                 "observe: { waves: { nodes: [0], from: 1us } }\n",
                             folder.path("w.fst"));
  ASSERT_EQ(r.error + r.failure, "");
  const Vcd vcd = read_fst(folder.path("w.fst"));
  const std::string box = "optweb.node[0].switch.sent[0].";
  EXPECT_EQ(vcd.first_time(), 1'000'000U);
  EXPECT_EQ(vcd.signal(box + "state").at(1'500'000), "gate");
  const std::uint64_t in = vcd.signal(box + "words_in").number_at(1'500'000);
  EXPECT_EQ(in - vcd.signal(box + "words_out").number_at(1'500'000), static_cast<std::uint64_t>(kBoxLatency));
  EXPECT_EQ(in, vcd.signal(box + "words_in").number_at(2'000'000)) << "they stand";
  EXPECT_FALSE(vcd.has("optweb.node[1].switch.received[0].words_in")) << "that node is not shown";
  const auto& states = vcd.signal(box + "state").changes;
  EXPECT_TRUE(std::any_of(states.begin(), states.end(), [](const VcdChange& c) { return c.value == "words"; }));
  const auto out = numbers_of(vcd, box + "words_out");
  EXPECT_EQ(*std::max_element(out.begin(), out.end()), 1250U);
}

TEST(OptwebOwnBoxWaves, InPlaceOfOthersAddSignals) {
  const ScratchFolder folder;
  const OwnRun r =
      run_boxes(kOneReduction + "boxes: { reduction: largest_int16, received: [inverts], sent: [inverts] }\n",
                folder.path("r.fst"));
  ASSERT_EQ(r.error + r.failure, "");
  const Vcd vcd = read_fst(folder.path("r.fst"));
  EXPECT_EQ(vcd.signal("optweb.node[1].switch.reduction.combined").number_at(vcd.last_time()), 1U);
  const auto in = numbers_of(vcd, "optweb.node[1].switch.received[0].words_in");
  EXPECT_EQ(*std::max_element(in.begin(), in.end()), 500U) << "of both nodes";
  ASSERT_EQ(run_boxes("fabric: optweb\nnodes: 2\nprogram:\n  - { op: compute, time: 500ns, at: [0] }\n"
                      "boxes: { user_logic: slow }\n",
                      folder.path("u.fst"))
                .failure,
            "");
  const Vcd user = read_fst(folder.path("u.fst"));
  EXPECT_EQ(user.signal("optweb.node[0].user_logic.calls").at(user.last_time()), "|");
  EXPECT_FALSE(user.has("optweb.node[1].user_logic.calls"));
}

TEST(OptwebOwnBoxWaves, AddOnlySignalsThatCanBe) {
  const ScratchFolder folder;
  const auto error = [&](const std::string& box) {
    return run_boxes(kOneTransfer + "boxes: { sent: [" + box + "] }\n", folder.path("w.fst")).error;
  };
  const std::string of = " of optweb.node[0].switch.sent[0]: ";
  EXPECT_THAT(error("wide"), HasSubstr("signal 'x'" + of + "65 bits; 1 to 64 are possible"));
  EXPECT_THAT(error("twice"), HasSubstr("signal 'x'" + of + "there is a signal of this name already"));
  EXPECT_THAT(error("taken"), HasSubstr("signal 'words_in'" + of + "there is a signal of this name already"));
  EXPECT_THAT(error("split"), HasSubstr("signal 'a.b'" + of + "expected a name without points and blanks"));
}

}  // namespace
}  // namespace weft::test
