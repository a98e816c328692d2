// Traces of messages for packet networks: what a line may say, and how wrong ones are told.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/packet_runs.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const std::string kTraceTree = "fabric: packet\ntopology: { kind: tree, arity: 2, levels: 2 }\n";
const std::string kTracePacket = "qos: { levels: { a: { message: 640B }, b: { message: 64B } } }\n";

TEST(PacketTrace, EveryWrongLineOfATraceIsNamed) {
  const ScratchFolder folder;
  const std::string file = folder.write("t.csv",
                                        "time_ns,source,destination,level\n"
                                        "10,0,1,a\n"
                                        "5,0,1,a\n"
                                        "x,4,-1,aa\n"
                                        "\n"
                                        "20,0,1\n"
                                        "20,0,1,a,\n"
                                        "0.0001,0,1,a\n"
                                        "-1,0,1,a\n"
                                        "30,0,1,b\r\n"
                                        "30,1 ,,b\n"
                                        "30,1,2,2\n");
  EXPECT_THAT(
      packet_platform_errors(kTraceTree + kTracePacket + "trace: " + file + "\n"),
      ElementsAre(
          file + ":3:1: error: the times must not decrease",
          file + ":4:1: error: expected a time in ns with at most 3 decimals, got 'x'",
          file + ":4:3: error: expected a source node below 4, got '4'",
          file + ":4:5: error: expected a destination node below 4, got '-1'",
          StartsWith(file + ":4:8: error: expected a level (a name, or a number below 2), got 'aa'; did you mean"),
          file + ":6:7: error: expected 4 fields (time_ns,source,destination,level), got 3",
          file + ":7:10: error: expected 4 fields (time_ns,source,destination,level), got 5",
          file + ":8:1: error: expected a time in ns with at most 3 decimals, got '0.0001'",
          file + ":9:1: error: expected a time in ns with at most 3 decimals, got '-1'",
          file + ":11:4: error: expected a source node below 4, got '1 '",
          file + ":11:7: error: expected a destination node below 4, got ''",
          file + ":12:8: error: expected a level (a name, or a number below 2), got '2'"));
  const std::string wrong = folder.write("header.csv", "time,source,destination,level\n1,0,1,a\n");
  EXPECT_THAT(packet_platform_errors(kTraceTree + kTracePacket + "trace: " + wrong + "\n"),
              ElementsAre(wrong + ":1:1: error: expected the header 'time_ns,source,destination,level', got "
                                  "'time,source,destination,level'"));
  const std::string empty = folder.write("empty.csv", "");
  EXPECT_THAT(packet_platform_errors(kTraceTree + kTracePacket + "trace: " + empty + "\n"),
              ElementsAre(empty + ":1:1: error: expected the header 'time_ns,source,destination,level'"));
}

// Which way round a ring each message goes, where both are as long: seeds that follow each other have draws of their
// own, not those of each other, shifted.
TEST(PacketTrace, RoutesOfNeighbouringSeedsAreIndependent) {
  const ScratchFolder folder;
  constexpr int kMessages = 100;
  std::string lines = "time_ns,source,destination,level\n";
  for (int i = 0; i < kMessages; ++i) lines += fmt::format("{:.2f},0,2,a\n", (64 * i + 8) * 5.12);
  const std::string trace = folder.write("t.csv", lines);
  const auto ways = [&](int seed) {
    const PacketOutcome r = run_packet_yaml(
        fmt::format("fabric: packet\ntopology: {{ kind: torus, dims: [4] }}\nrouting: {{ ring: dateline }}\n"
                    "qos: {{ levels: {{ a: {{ message: 64B }} }} }}\ntrace: {}\nseed: {}\n"
                    "run: {{ warm_up: 0ns, measure: 32768ns }}\nobserve: {{ profile: 64cycles }}\n",
                    trace, seed),
        {});
    EXPECT_EQ(r.error + r.failure, "");
    std::vector<int> out;
    for (const auto& flits : r.report["profile"]["links"]["values"]["sw[0].port1 -> sw[1]"]) {
      out.push_back(flits.get<int>());
    }
    return out;
  };
  const std::vector<int> first = ways(1);
  const std::vector<int> second = ways(2);
  ASSERT_EQ(first.size(), second.size());
  ASSERT_GE(first.size(), static_cast<std::size_t>(kMessages));
  for (int shift = -3; shift <= 3; ++shift) {
    int same = 0;
    for (int i = 3; i < kMessages - 3; ++i) same += first[i] == second[i + shift] ? 1 : 0;
    EXPECT_NEAR(same, (kMessages - 6) / 2, 25) << shift;  // five standard deviations
  }
}

TEST(PacketTrace, TimesOfATraceAreTakenAsWritten) {
  const ScratchFolder folder;
  const auto errors = [&](const std::string& text) {
    return packet_platform_errors(kTraceTree + kTracePacket + "trace: " + folder.write("t.csv", text) + "\n");
  };
  const std::string at = folder.path("t.csv");
  const std::string head = "time_ns,source,destination,level\n";
  EXPECT_THAT(errors(head + "5,0,1,a\n1,0,1,a\n"), ElementsAre(at + ":3:1: error: the times must not decrease"))
      << "both in cycle 0";
  EXPECT_THAT(errors("\xEF\xBB\xBF" + head + "1,0,1,a\n1.001,0,1,a\n"), IsEmpty());
  EXPECT_THAT(errors(head + "9223372036854775,0,1,a\n"), IsEmpty());
  for (const char* time : {"99999999999999999999999", "9223372036854776", "9999999999999999.5"}) {
    EXPECT_THAT(errors(head + time + ",0,1,a\n"),
                ElementsAre(at + ":2:1: error: expected a time of at most 9223372036854775 ns, got '" + time + "'"));
  }
}

TEST(PacketTrace, TracesNameLevelsByNameOrNumber) {
  const ScratchFolder folder;
  const std::string head = "time_ns,source,destination,level\n";
  const auto run = [&](const std::string& lines) {
    return run_packet_yaml(kTraceTree + "qos: { levels: { b: { message: 64B }, 1: { message: 640B } } }\n" +
                           "run: { warm_up: 0ns, measure: 1us }\ntrace: " + folder.write("t.csv", head + lines) + "\n");
  };
  const PacketOutcome r = run("0,0,1,b\n10,0,1,1\n20,0,1,0\n");
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(r.cell("services", 0, "messages"), 2);
  EXPECT_EQ(r.cell("services", 1, "messages"), 1);
}

TEST(PacketTrace, WrongLinesAreCounted) {
  const ScratchFolder folder;
  std::string text = "time_ns,source,destination,level\n";
  for (int i = 0; i < 100; ++i) text += "1,0,9,a\n";
  const std::string file = folder.write("t.csv", text);
  const auto errors = packet_platform_errors(kTraceTree + kTracePacket + "trace: " + file + "\n");
  ASSERT_EQ(errors.size(), 20U);
  EXPECT_EQ(errors[0], file + ":2:5: error: expected a destination node below 4, got '9'");
  EXPECT_EQ(errors[19], file + ":21:5: error: expected a destination node below 4, got '9' (and 80 more of this kind)");
}

}  // namespace
}  // namespace weft::test
