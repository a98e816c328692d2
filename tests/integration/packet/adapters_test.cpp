// Adapters on chosen links: what they add to latencies and to the way of a credit, against closed forms and against
// networks whose links are all longer. Random networks: packet_model_test.cpp, iq_oracle_test.cpp.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/packet_runs.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double kCycleNs = 5.12;  // ns

// A message of 10 flits from node 0 to node 4 of a line of switches.
const std::string kLine =
    "fabric: packet\ntopology: { kind: mesh, dims: [5] }\nqos: { levels: { a: { message: 640B } } }\n"
    "run: { warm_up: 0ns, measure: 100us }\n";

PacketOutcome message_over_line(const Overrides& set) {
  const ScratchFolder folder;
  const std::string trace = folder.write("t.csv", "time_ns,source,destination,level\n0,0,4,a\n");
  return run_packet_yaml(kLine + "trace: " + trace + "\n", set);
}

double cycles_of_one(const Overrides& set) {
  const PacketOutcome r = message_over_line(set);
  EXPECT_EQ(r.error + r.failure, "");
  return r.report.is_null() ? -1 : r.cell("services", 0, "latency_mean").get<double>() / kCycleNs;
}

TEST(Adapters, AddTheirDelayToTheLatencyOfAMessage) {
  const std::string one = "adapters=[{ at: 'sw[1].port1', delay: 30cycles }]";
  const std::string other_way = "adapters=[{ at: 'sw[2]-sw[1]', delay: 30cycles }]";
  const std::string nics = "adapters=[{ at: 'nic[0]', delay: 7cycles }, { at: 'nic[4]', delay: 51.2ns }]";
  const std::string both = "adapters=[{ at: 'sw[1].port1', delay: 30cycles }, { at: 'sw[0..1]', delay: 1cycle }]";
  const std::string elsewhere = "adapters=[{ at: 'nic[2]', delay: 99cycles }]";
  for (const Overrides& architecture :
       {Overrides{"switch.architecture=ib"}, Overrides{"switch.architecture=opa", "switch.mport.ports=1"},
        Overrides{"switch.architecture=iq", "switch.iq.buffer=8KiB"}}) {
    SCOPED_TRACE(architecture.front());
    const auto with = [&](const std::string& adapters) {
      Overrides set = architecture;
      set.push_back(adapters);
      return cycles_of_one(set);
    };
    const double usual = cycles_of_one(architecture);
    EXPECT_NEAR(with(one), usual + 30, 1e-6);
    EXPECT_NEAR(with(other_way), usual + 30, 1e-6);
    EXPECT_NEAR(with(nics), usual + 7 + 10, 1e-6);
    EXPECT_NEAR(with(both), usual + 30 + 3, 1e-6);  // switches 0 and 1: to NIC 0, to each other, to switch 2
    EXPECT_NEAR(with(elsewhere), usual, 1e-6);
  }
}

// A packet of 10 flits over a VC of B flits: at most 9 / B times a flit waits for the credit of the one B before it,
// for as long as the loop of its link is longer than the buffer; `loops`: of the links on the way. Such waits follow
// each other at one link or from a link to the one before, and each router behind the first of them has passed the head
// without `head_only` cycles of rc and va.
int waits_of(const std::vector<int>& loops, int buffer, int head_only) {
  const auto rounds = static_cast<std::size_t>((10 - 1) / buffer);
  const std::size_t routers = loops.size() - 1;
  int most = 0;
  for (std::size_t last = 0; last < loops.size(); ++last) {
    const int behind = static_cast<int>(routers - std::min(routers, last + 1));
    int sum = -behind * head_only;
    int slowest = 0;
    for (std::size_t n = 1; n <= std::min(rounds, last + 1); ++n) {
      const int wait = loops[last + 1 - n] - buffer;
      sum += wait;
      slowest = std::max(slowest, wait);
      most = std::max(most, sum + static_cast<int>(rounds - n) * slowest);
    }
  }
  return most;
}

TEST(Adapters, AreOnTheWayOfCreditsTwice) {
  for (const int routing : {1, 7, 20}) {
    for (const int buffer : {1, 2, 3, 4, 9}) {
      for (const int delay : {1, 2, 10, 1000}) {
        for (const std::size_t from : {0U, 2U, 3U}) {
          const Overrides set{
              "switch.architecture=iq", fmt::format("switch.iq.buffer={}B", 64 * buffer),
              fmt::format("switch.iq.stages.routing={}cycles", routing),
              fmt::format("adapters=[{{ at: 'sw[{}]-sw[{}]', delay: {}cycles }}]", from, from + 1, delay)};
          constexpr int kLink = 1, kCredit = 1, kWrite = 0, kSwitch = 1, kCrossbar = 1, kVc = 1;
          std::vector<int> loops(6, kLink + kCredit + kSwitch + kWrite + kSwitch + kCrossbar);
          loops.front() -= kSwitch + kCrossbar;
          loops.back() -= kWrite + kSwitch;
          loops[from + 1] += 2 * delay;
          const int head = 5 * (kWrite + routing + kVc + kSwitch + kCrossbar) + 6 * kLink + delay;
          EXPECT_NEAR(cycles_of_one(set), head + 10 - 1 + waits_of(loops, buffer, routing + kVc), 1e-6)
              << routing << " " << buffer << " " << delay << " " << from;
        }
      }
    }
  }
}

// The same network, once with adapters on all links and once with longer links.
TEST(Adapters, OnEveryLinkAreLongerLinks) {
  const std::string torus =
      "fabric: packet\ntopology: { kind: torus, dims: [3, 3] }\nrouting: { ring: dateline }\n"
      "qos: { levels: { a: { message: 192B }, b: { message: 1KiB } } }\n"
      "traffic: [ { level: a, load: 0.2 }, { level: b, load: 0.5 } ]\n"
      "run: { warm_up: 2us, measure: 20us }\n";
  for (const char* architecture : {"ib", "opa", "iq"}) {
    for (const int delay : {1, 25}) {
      const std::string choice = fmt::format("switch.architecture={}", architecture);
      const PacketOutcome adapters =
          run_packet_yaml(torus, {choice, fmt::format("adapters=[{{ at: 'sw[0..8]', delay: {}cycles }}]", delay)});
      const PacketOutcome longer = run_packet_yaml(torus, {choice, fmt::format("link.delay={}cycles", 1 + delay),
                                                           fmt::format("link.credit_delay={}cycles", 1 + delay)});
      ASSERT_EQ(adapters.error + adapters.failure + longer.error + longer.failure, "");
      for (const char* table : {"services", "histogram", "links"}) {
        EXPECT_EQ(adapters.report["tables"][table], longer.report["tables"][table]) << architecture << " " << table;
      }
    }
  }
}

TEST(Adapters, AreShownInTheReport) {
  const PacketOutcome r =
      message_over_line({"adapters=[{ at: 'sw[0..1]', delay: 2cycles }, { at: 'nic[4]', delay: 1us }]"});
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(r.report["figures"]["network"]["adapters"]["value"], 2 * (1 + 1 + 1 + 1) + 2);  // NICs 0 and 1, two links
  ASSERT_EQ(r.lines("adapters"), 2U);
  EXPECT_EQ(r.cell("adapters", 0, "at"), "sw[0..1]");
  EXPECT_EQ(r.cell("adapters", 0, "links"), 8);
  EXPECT_EQ(r.cell("adapters", 0, "delay"), 2);
  EXPECT_EQ(r.cell("adapters", 1, "delay"), 196);  // rounded up to cycles
  EXPECT_FALSE(message_over_line({}).report["tables"].contains("adapters"));
}

// Switch 0 decides in cycle 6, the flits leave it in cycles 7 to 16 and are on the link for one cycle, and for the
// delay of the adapter.
TEST(Adapters, AMessageInTheirMiddleIsCutWhenTheLinkFails) {
  const auto cut = [](int down, const char* adapters) {
    const PacketOutcome r = message_over_line(
        {adapters, fmt::format("faults=[{{ at: 'sw[0].port1', down: {}cycles }}]", down), "routing.no_way=wait"});
    EXPECT_EQ(r.error + r.failure, "");
    return r.report["figures"]["faults"]["cut"]["value"].get<int>();
  };
  const char* with = "adapters=[{ at: 'sw[0]-sw[1]', delay: 40cycles }]";
  const int arrives = 7 + 9 + 1;  // last flit, without the adapter
  EXPECT_EQ(cut(arrives, "adapters=[]"), 1);
  EXPECT_EQ(cut(arrives + 1, "adapters=[]"), 0);
  EXPECT_EQ(cut(arrives + 40, with), 1);
  EXPECT_EQ(cut(arrives + 41, with), 0);
}

TEST(Adapters, PlacesThatDoNotExistAreErrors) {
  EXPECT_THAT(packet_platform_errors(kLine + "traffic: []\nadapters:\n  - { at: 'sw[0]-sw[2]', delay: 1cycle }\n"
                                             "  - { at: 'nic[5]', delay: 1cycle }\n"),
              ElementsAre(HasSubstr("7:11: error: adapters.0.at: there is no link between sw[0] and sw[2]; sw[0] has "
                                    "links to sw[1]"),
                          HasSubstr("8:11: error: adapters.1.at: there is no nic[5], the last is nic[4]")));
}

}  // namespace
}  // namespace weft::test
