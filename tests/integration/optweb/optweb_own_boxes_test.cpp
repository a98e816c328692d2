// Boxes of a design's own that configurations name: between the boxes that words pass, in place of the reduction unit,
// and behind the changeover switch.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "integration/optweb/own_boxes_of_tests.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;

// Words that are changed on both sides of the links are those that were sent; each box has seen them once, in their
// order, and taken its time.
TEST(OptwebOwnBoxes, StandOnThePathOfWords) {
  const OwnRun plain = run_boxes(kOneTransfer);
  ASSERT_EQ(plain.error + plain.failure, "");
  const OwnRun both = run_boxes(kOneTransfer + "boxes: { sent: [inverts], received: [inverts] }\n");
  EXPECT_EQ(both.error + both.failure, "");
  EXPECT_EQ(both.log, (std::vector<std::string>{"sent[0] 0+8000/8000", "received[0] 0+8000/8000"}));
  EXPECT_EQ(both.end - plain.end, 2 * kBoxLatency);
  EXPECT_THAT(both.implementation, HasSubstr("boxes of sent words: inverts; boxes of received words: inverts"));
  EXPECT_EQ(plain.implementation.find("boxes"), std::string::npos);

  const OwnRun twice = run_boxes(kOneTransfer + "boxes: { received: [inverts, inverts] }\n");
  EXPECT_EQ(twice.error + twice.failure, "");
  EXPECT_EQ(twice.log, (std::vector<std::string>{"received[0] 0+8000/8000", "received[1] 0+8000/8000"}));
  EXPECT_EQ(twice.end - plain.end, 2 * kBoxLatency);
}

// Paths are set before words enter, and taken away behind the last one. Node 0 sends to both others
// at once.
TEST(OptwebOwnBoxes, HearOfPaths) {
  const auto of = [](const OwnRun& r, const std::string& box) {
    std::vector<std::string> out;
    for (const std::string& line : r.log) {
      if (line.starts_with(box)) out.push_back(line.substr(box.size() + 1));
    }
    return out;
  };
  const OwnRun r = run_boxes(
      "fabric: optweb\nnodes: 3\nverify: data\nboxes: { sent: [paths], received: [paths] }\nprogram:\n"
      "  - { op: broadcast, root: 0, size: 8000B }\n");
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(of(r, "optweb.node[0].switch.sent[0]"),
            (std::vector<std::string>{"opens 2 ports, 250 words", "bytes", "closes 2 ports, 250 words"}));
  EXPECT_EQ(of(r, "optweb.node[2].switch.received[0]"),
            (std::vector<std::string>{"opens 1 ports, 250 words", "bytes", "closes 1 ports, 250 words"}));
  EXPECT_EQ(of(r, "optweb.node[2].switch.sent[0]"), std::vector<std::string>{});
}

TEST(OptwebOwnBoxes, ChangeWords) {
  for (const std::string side : {"sent", "received"}) {
    const OwnRun r = run_boxes(kOneTransfer + "boxes: { " + side + ": [inverts] }\n");
    EXPECT_THAT(r.failure, HasSubstr("the memory of node 1 is wrong from byte")) << side;
  }
  const OwnRun early = run_boxes(kOneTransfer + "boxes: { received: [early] }\n");
  EXPECT_THAT(early.failure, HasSubstr("optweb.node[1].switch.received[0]: words cannot leave 1 cycles before"));
}

// More than a page, by rendezvous, in parts.
TEST(OptwebOwnBoxes, SeeLongTransfersInParts) {
  const OwnRun r = run_boxes(kTwoNodes +
                             "  - { op: transfer, source: 0, destination: 1, size: 40000B }\n"
                             "boxes: { sent: [inverts], received: [inverts] }\n");
  EXPECT_EQ(r.error + r.failure, "");
  EXPECT_EQ(r.log, (std::vector<std::string>{"sent[0] 0+16384/40000", "sent[0] 16384+16384/40000",
                                             "sent[0] 32768+7232/40000", "received[0] 0+16384/40000",
                                             "received[0] 16384+16384/40000", "received[0] 32768+7232/40000"}));
}

// The same words as the boxes beside them.
TEST(OptwebOwnBoxes, AreInTheTableOfBoxes) {
  const std::string observed = kOneReduction + "observe: { boxes: {} }\n";
  const OwnRun plain = run_boxes(observed);
  EXPECT_EQ(plain.words.count("sent_boxes") + plain.words.count("received_boxes"), 0U);
  const OwnRun own = run_boxes(observed + "boxes: { sent: [inverts], received: [inverts] }\n");
  ASSERT_EQ(own.error + own.failure, "");
  EXPECT_EQ(own.words.at("sent_boxes"), 2U * 250U);
  EXPECT_EQ(own.words.at("sent_boxes"), own.words.at("readers"));
  EXPECT_EQ(own.words.at("received_boxes"), own.words.at("crossbar"));
}

TEST(OptwebOwnBoxes, StandAtSingleNodes) {
  const auto with = [&](const std::string& more) { return run_boxes(kOneReduction + more); };
  const OwnRun plain = with("");
  // Each node has words of its own and of the other one: they leave the one inverted, and are put right at the other.
  const OwnRun some = with(
      "boxes: { sent: [inverts], received: [inverts] }\n"
      "instances: { 'node[0]': { boxes: { sent: [], received: [inverts] } } }\n");
  EXPECT_THAT(some.failure, HasSubstr("the memory of node 0 is wrong"));
  const OwnRun none = with(
      "boxes: { sent: [inverts], received: [inverts] }\n"
      "instances: { 'node[0..1]': { boxes: { sent: [], received: [] } } }\n");
  EXPECT_EQ(none.error + none.failure, "");
  EXPECT_EQ(none.end, plain.end);
}

// The reduction unit of another type behind the boxes of received words, held against the reference.
TEST(OptwebOwnBoxes, ReduceOtherTypes) {
  const OwnRun plain = run_boxes(kOneReduction);
  ASSERT_EQ(plain.error + plain.failure, "");
  const OwnRun own = run_boxes(kOneReduction + "boxes: { reduction: largest_int16 }\n");
  EXPECT_EQ(own.error + own.failure, "");
  EXPECT_EQ(own.end - plain.end, kBoxLatency);
  const OwnRun behind =
      run_boxes(kOneReduction + "boxes: { reduction: largest_int16, sent: [inverts], received: [inverts] }\n");
  EXPECT_EQ(behind.error + behind.failure, "");
  EXPECT_EQ(behind.end - plain.end, 3 * kBoxLatency);
  EXPECT_EQ(behind.log.size(), 2U + 4U);  // a stream of each node; at each node those of both
  const OwnRun one = run_boxes(kOneReduction + "instances: { 'node[1]': { boxes: { reduction: largest_int16 } } }\n");
  EXPECT_EQ(one.error + one.failure, "");
}

TEST(OptwebOwnBoxes, WorkAsUserLogic) {
  const std::string compute = "fabric: optweb\nnodes: 2\nprogram:\n  - { op: compute, time: 500ns, at: [0] }\n";
  const OwnRun plain = run_boxes(compute);
  const OwnRun own = run_boxes(compute + "boxes: { user_logic: slow }\n");
  EXPECT_EQ(own.error + own.failure, "");
  EXPECT_EQ(own.end - plain.end, 200);
}

TEST(OptwebOwnBoxes, AreCheckedWhereTheyAreNamed) {
  const auto error = [](const std::string& yaml) { return run_boxes(yaml).error; };
  EXPECT_THAT(error(kOneReduction + "boxes: { reduction: largest_int61 }\n"),
              HasSubstr("t.yaml:6:21: error: no reduction unit 'largest_int61' is registered; did you mean "
                        "'largest_int16'?"));
  EXPECT_THAT(error(kOneTransfer + "boxes: { sent: [inverts, nothing] }\n"),
              HasSubstr("t.yaml:6:26: error: no box on the path of words 'nothing' is registered (there is early, "
                        "inverts, paths, split, taken, twice, wide)"));
  EXPECT_THAT(error(kOneTransfer + "boxes: { recieved: [inverts] }\n"), HasSubstr("did you mean 'received'"));
  EXPECT_THAT(error(kOneReduction + "boxes: { reduction: secret }\n"),
              HasSubstr("t.yaml:6:21: error: boxes.reduction: verify: data needs to know what 'secret' makes"));
  EXPECT_THAT(error(kTwoNodes + "  - { op: compute, time: 5ns, at: [0] }\nboxes: { user_logic: slow }\n"),
              HasSubstr("t.yaml:6:22: error: boxes.user_logic: verify: data does not know what 'slow' writes"));
  const OwnRun unused = run_boxes(kOneTransfer + "boxes: { reduction: largest_int16, user_logic: slow }\n");
  EXPECT_THAT(unused.warnings, HasSubstr("boxes.reduction has no effect"));
  EXPECT_THAT(unused.warnings, HasSubstr("boxes.user_logic has no effect"));
}

TEST(OptwebOwnBoxes, HaveNamesOfTheirOwn) {
  OptwebBoxes boxes;
  const auto make = [](NodeId, const OptwebConfig&) { return std::make_unique<SlowLogic>(); };
  const auto problem = [&](const std::string& name, UserLogicBox box) -> std::string {
    try {
      boxes.user_logic.add(name, std::move(box));
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(problem("slow", {"works slowly", make}), "");
  EXPECT_EQ(problem("slow", {"", make}), "a user logic 'slow' is registered already");
  EXPECT_EQ(problem("so slow", {"", make}), "'so slow' is no name of a box: letters, digits and underscores");
  EXPECT_EQ(problem("none", {}), "the user logic 'none' has no function that makes it");
  EXPECT_EQ(boxes.user_logic.names(), std::vector<std::string>{"slow"});
}

}  // namespace
}  // namespace weft::test
