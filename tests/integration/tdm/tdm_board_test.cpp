// Boards of FiC networks: rates, latencies and limits of FiC-SW against sums written out here.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/tdm_runs.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;

const std::string kLine =
    "fabric: tdm\ntopology: { kind: mesh, dims: [4] }\nsetup: { mode: preset }\nswitch: { slots: 4 }\n"
    "circuits: [ { source: 0, destination: 3 } ]\nsources: { message: 340b, messages: 1 }\n";

// Figure 5: 9.9 Gb/s, of which 64b/66b leaves 9.6 = 64 b * 150 MHz, 96 b per cycle of 100 MHz, and error correction 85
// b.
TEST(TdmBoard, RatesOfFigureFive) {
  const Outcome o = run_yaml(kLine, {"board=fic"});
  ASSERT_EQ(o.error + o.failure, "");
  const auto board = [&](const char* key) { return o.figure("board", key).get<double>(); };
  EXPECT_DOUBLE_EQ(board("lane_rate"), 9.9);
  EXPECT_DOUBLE_EQ(board("serial_rate"), 9.9 * 64 / 66);
  EXPECT_DOUBLE_EQ(board("serial_rate"), 9.6);
  EXPECT_DOUBLE_EQ(board("payload_rate"), 8.5);
  EXPECT_DOUBLE_EQ(board("raw_link_rate"), 39.6);
  EXPECT_DOUBLE_EQ(board("line_code_efficiency"), 100 * 64.0 / 66);
  EXPECT_DOUBLE_EQ(board("correction_efficiency"), 100 * 85.0 / 96);
  EXPECT_DOUBLE_EQ(board("efficiency"), 100 * 8.5 / 9.9);
  EXPECT_EQ(board("board_links_used"), 2);
  EXPECT_EQ(o.figure("network", "link_rate"), 34.0);
}

// A link takes encoding, two crossings and decoding besides switch.serdes: 2 * (2 + 1) cycles by default. With the same
// slot everywhere a hop of C cycles takes S (floor(C / S) + 1).
TEST(TdmBoard, LatencyOfALink) {
  const auto transit = [](const Overrides& set) {
    const Outcome o = run_yaml(kLine, set);
    EXPECT_EQ(o.error + o.failure, "");
    return o.table("circuits")[0]["transit_min"].get<double>() / 10;
  };
  const auto expected = [](int latency) { return 4 + 3 * 4 * (latency / 4 + 1); };
  EXPECT_EQ(transit({}), expected(0));
  EXPECT_EQ(transit({"board=fic"}), expected(6));
  EXPECT_EQ(transit({"board=fic", "switch.serdes=7cycles"}), expected(13));
  EXPECT_EQ(transit({"board=fic", "fic_board.crossing=3cycles", "fic_board.code=0cycles"}), expected(6));
  EXPECT_EQ(transit({"board=fic", "fic_board.crossing=31ns", "fic_board.code=11ns"}), expected(2 * (4 + 2)));
  EXPECT_EQ(transit({"board=none"}), expected(0));
}

// Everything but the section is as without boards whose links take no time.
TEST(TdmBoard, WithoutLatencyNothingChanges) {
  const Overrides none{"board=fic", "fic_board.crossing=0cycles", "fic_board.code=0cycles"};
  const Outcome with = run_yaml(kLine, none);
  const Outcome without = run_yaml(kLine);
  for (const char* table : {"circuits", "links", "phases", "services"}) {
    EXPECT_EQ(with.table(table), without.table(table)) << table;
  }
}

TEST(TdmBoard, ANinthLinkIsRefused) {
  const std::string star =
      "fabric: tdm\ntopology: { kind: full_mesh, switches: 10 }\nsetup: { mode: preset }\n"
      "circuits: [ { source: 0, destination: 9 } ]\nsources: { message: 340b, messages: 1 }\n";
  EXPECT_EQ(run_yaml(star).error, "");
  EXPECT_THAT(run_yaml(star, {"board=fic"}).error,
              HasSubstr("sw[0] of full mesh of 10 needs 9 links to other boards; a board has 8 (fic_board.links)"));
  EXPECT_EQ(run_yaml(star, {"board=fic", "fic_board.links=9"}).error, "");
}

TEST(TdmBoard, StagesOfALanePassWhatFollows) {
  EXPECT_THAT(run_yaml(kLine, {"board=fic", "switch.lane_payload=97b"}).error,
              HasSubstr("switch.lane_payload: 97 bits at 100MHz are 9.7 Gb/s, more than the 9.6 Gb/s of a lane"));
  EXPECT_EQ(run_yaml(kLine, {"board=fic", "switch.lane_payload=96b"}).error, "");
  EXPECT_THAT(run_yaml(kLine, {"board=fic", "fic_board.lane_rate=9.8Gb/s"}).error,
              HasSubstr("the serial side takes 9.6 Gb/s of a lane (64 bits at 150MHz), which carries 9.50303 Gb/s"));
  EXPECT_THAT(run_yaml(kLine, {"board=fic", "switch.lanes=5"}).error, HasSubstr("a link of this board has 4 lanes"));
}

// A circuit with all slots, fed by a unit of a third of the rate: a message of n words of a saturated source takes 3 n
// cycles, so that m of them, the last word of which leaves with the unit's last, end 3 n m - 2 cycles after the begin.
TEST(TdmBoard, SlowMemoryLeavesSlotsEmpty) {
  const std::string line =
      "fabric: tdm\ntopology: { kind: mesh, dims: [2] }\nsetup: { mode: preset }\nboard: fic\n"
      "switch: { slots: 2, lane_payload: 75b }\n"
      "fic_board: { source: memory, memories: 2, memory_rate: 5Gb/s, crossing: 0cycles, code: 0cycles }\n"
      "circuits: [ { source: 0, destination: 1, slots: 2 } ]\n";
  for (const int words : {1, 7, 100}) {
    for (const int messages : {1, 4}) {
      const Outcome o =
          run_yaml(line + fmt::format("sources: {{ message: {}b, messages: {} }}\n", 300 * words, messages));
      ASSERT_EQ(o.error + o.failure, "");
      const Outcome fast =
          run_yaml(line + fmt::format("sources: {{ message: {}b, messages: {} }}\n", 300 * words, messages),
                   {"fic_board.source=logic"});
      const auto end = [](const Outcome& r) { return r.figure("run", "time").get<double>() / 10; };
      EXPECT_EQ(end(o) - end(fast), (3 * words * messages - 2) - words * messages) << words << " " << messages;
    }
  }
  EXPECT_DOUBLE_EQ(run_yaml(line + "sources: { message: 300b, messages: 1 }\n").figure("board", "source_rate"), 10);
}

// Two circuits of a node take turns at its unit.
TEST(TdmBoard, CircuitsShareTheUnit) {
  const std::string line =
      "fabric: tdm\ntopology: { kind: mesh, dims: [3] }\nsetup: { mode: preset }\nboard: fic\n"
      "switch: { slots: 4 }\nfic_board: { source: memory, memories: 1, memory_rate: 8.5Gb/s }\n"
      "circuits: [ { source: 1, destination: 0, slots: 2 }, { source: 1, destination: 2, slots: 2 } ]\n"
      "sources: { message: 340000b, messages: 10 }\n";
  const Outcome o = run_yaml(line);
  ASSERT_EQ(o.error + o.failure, "");
  // 20,000 words at a word in four cycles.
  EXPECT_NEAR(o.figure("run", "time").get<double>(), 20'000 * 40, 200);
}

// Two nodes on each leaf of a tree. Four words take as many cycles of 34 Gb/s as one of 8.5 Gb/s: shared, all words of
// both nodes one after the other; else each node its own. A cycle to decide, the first words in their slots, the last
// word's way.
TEST(TdmBoard, NodesOfABoardShareTheUnit) {
  const std::string line =
      "fabric: tdm\ntopology: { kind: tree, arity: 2, levels: 2 }\nsetup: { mode: preset }\n"
      "board: fic\nswitch: { slots: 4 }\n"
      "fic_board: { source: memory, memories: 1, memory_rate: 8.5Gb/s, logic_rate: 68Gb/s, crossing: 0cycles, code: "
      "0cycles }\n"
      "circuits: [ { source: 0, destination: 2, slots: 4 }, { source: 1, destination: 3, slots: 4 } ]\n"
      "sources: { message: 34000b, messages: 10 }\n";
  const auto cycles = [&](const Overrides& set) {
    const Outcome o = run_yaml(line, set);
    EXPECT_EQ(o.error + o.failure, "");
    EXPECT_EQ(o.figure("run", "messages_delivered"), 20);
    return o.figure("run", "time").get<double>() / 10;
  };
  const double way = 3 * 4;  // two leaves and a root; with all slots a word leaves at once
  EXPECT_EQ(cycles({}), (10 * 100 - 1) * 4 + way);
  EXPECT_EQ(cycles({"fic_board.shared=true"}), 1 + (20 * 100 - 1) * 4 + way);
  EXPECT_EQ(cycles({"fic_board.shared=true", "fic_board.memory_rate=68Gb/s"}), 1000 - 1 + way)
      << "as fast as both links";
  const auto shuffled = [&](std::uint64_t seed) {
    return run_yaml(line, {"fic_board.shared=true"}, [seed](TdmRunOptions& o) { o.shuffle_seed = seed; }).report;
  };
  EXPECT_EQ(shuffled(1), shuffled(2)) << "the order of modules does not matter";
}

// A memory of half a link's rate that takes one slot of four has a quarter left for what the board sends: four cycles
// per word instead of two. Logic that takes the words leaves it the whole rate.
TEST(TdmBoard, WritesTakeTheirShareOfTheMemory) {
  const std::string line =
      "fabric: tdm\ntopology: { kind: mesh, dims: [2] }\nsetup: { mode: preset }\nboard: fic\nswitch: { slots: 4 }\n"
      "fic_board: { source: memory, sink: memory, shared: true, memories: 1, memory_rate: 17Gb/s, crossing: 0cycles, "
      "code: 0cycles }\ncircuits: [ { source: 0, destination: 1, slots: 1 }, { source: 1, destination: 0, slots: 1 } "
      "]\n"
      "sources: { message: 34000b, messages: 4 }\n";
  const std::string more = "circuits: [ { source: 0, destination: 1, slots: 2 }, { source: 1, destination: 0 } ]\n";
  const auto end = [&](const std::string& text, const Overrides& set) {
    const Outcome o = run_yaml(text, set);
    EXPECT_EQ(o.error + o.failure, "");
    return o.figure("run", "time").get<double>() / 10;
  };
  // Slot 0 of every frame, which the unit keeps up with but for the cycle it takes to decide.
  EXPECT_EQ(end(line, {}), 4 + 399 * 4 + 2 * 4);
  EXPECT_EQ(end(line, {"fic_board.sink=logic"}), 4 + 399 * 4 + 2 * 4);
  EXPECT_EQ(end(line, {"fic_board.shared=false"}), 399 * 4 + 2 * 4);
  // Board 1 takes two slots, all that its memory has.
  const std::string full = line.substr(0, line.find("circuits:")) + more + "sources: { message: 340b, messages: 1 }\n";
  EXPECT_THAT(
      run_yaml(full).error,
      HasSubstr("fic_board.shared: circuits bring board sw[1] of mesh 2 2 of 4 slots, all that its memory takes; "
                "nothing is left for flow '1' of phase"));
  EXPECT_EQ(run_yaml(full, {"fic_board.shared=false"}).error, "");
  EXPECT_EQ(run_yaml(full, {"fic_board.memory_rate=25.5Gb/s"}).error, "");
}

// Slots that end at both nodes of a board count together.
TEST(TdmBoard, TheSinksOfABoardShareTheRate) {
  const std::string line =
      "fabric: tdm\ntopology: { kind: tree, arity: 2, levels: 2 }\nsetup: { mode: preset }\n"
      "board: fic\nswitch: { slots: 4 }\nfic_board: { sink: memory, memories: 1, memory_rate: 17Gb/s }\n"
      "circuits: [ { source: 0, destination: 2, slots: 2 }, { source: 1, destination: 3, slots: 1 } ]\n"
      "sources: { message: 340b, messages: 1 }\n";
  EXPECT_EQ(run_yaml(line).error, "");
  EXPECT_THAT(run_yaml(line, {"fic_board.shared=true"}).error,
              HasSubstr("3 of 4 slots, 25.5 Gb/s; its memory takes 17 Gb/s"));
  EXPECT_THAT(run_yaml(line, {"fic_board.shared=true", "setup.mode=in_network"}).error,
              HasSubstr("expected a source and a sink as fast as the links of a board"));
}

TEST(TdmBoard, CircuitsThatASinkCannotTakeAreRefused) {
  const std::string line =
      "fabric: tdm\ntopology: { kind: mesh, dims: [3] }\nsetup: { mode: preset }\nboard: fic\n"
      "switch: { slots: 4 }\nfic_board: { sink: memory, memories: 1, memory_rate: 17Gb/s }\n"
      "sources: { message: 340b, messages: 1 }\n";
  EXPECT_EQ(run_yaml(line + "circuits: [ { source: 0, destination: 1, slots: 2 } ]\n").error, "");
  EXPECT_THAT(
      run_yaml(line + "circuits: [ { source: 0, destination: 1, slots: 2 }, { source: 2, destination: 1 } ]\n").error,
      HasSubstr("bring node 1 of mesh 3 3 of 4 slots, 25.5 Gb/s; its memory takes 17 Gb/s"));
  EXPECT_THAT(run_yaml(line + "circuits: [ { source: 0, destination: 1 } ]\n", {"setup.mode=in_network"}).error,
              HasSubstr("with setup.mode in_network expected a source and a sink as fast as the link"));
}

}  // namespace
}  // namespace weft::test
