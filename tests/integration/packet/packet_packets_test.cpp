// Messages that are cut into packets, and several iterations of the allocation, from YAML to the report: against closed
// forms, against the same packets sent one by one, and against the limits of input queues.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "support/packet_runs.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

double latency_max(const std::string& yaml, const std::string& lines, const Overrides& set = {}) {
  const ScratchFolder folder;
  const std::string trace = folder.write("t.csv", "time_ns,source,destination,level\n" + lines);
  const PacketOutcome r = run_packet_yaml(yaml + "trace: " + trace + "\nrun: { warm_up: 0ns, measure: 10us }\n", set);
  EXPECT_EQ(r.error + r.failure, "");
  return r.report.is_null() ? -1 : r.cell("services", 0, "latency_max").get<double>();
}

// Packets follow one another without a gap: the last flit of a message without contention arrives as if it were whole.
TEST(Packets, ZeroLoadLatencyIsThatOfTheWholeMessage) {
  const std::string line =
      "fabric: packet\ntopology: { kind: mesh, dims: [5] }\nlink: { delay: 7cycles, credit_delay: 3cycles }\n"
      "switch: { stages: { input: 2cycles, routing: 3cycles, allocation: 4cycles, crossbar: 5cycles, output: 6cycles } "
      "}\nqos: { levels: { a: { message: 640B } } }\n";
  for (const char* const packet : {"64B", "192B", "640B"}) {
    const Overrides cut = {fmt::format("qos.levels.a.packet={}", packet)};
    for (int switches = 1; switches <= 5; ++switches) {
      const int cycles = 6 + 7 + switches * (2 + 3 + 4 + 5 + 6 + 7) + 10 - 1;
      const std::string one = fmt::format("0,{},4,a\n", 5 - switches);
      EXPECT_NEAR(latency_max(line, one, cut), cycles * 5.12, 1e-9) << packet << ", " << switches;
      Overrides opa = cut;
      opa.insert(opa.end(), {"switch.architecture=opa", "switch.mport.ports=1", "switch.mport.central_rate=1"});
      EXPECT_NEAR(latency_max(line, one, opa), (cycles + (switches == 1 ? 0 : switches * (4 + 5))) * 5.12, 1e-9)
          << packet << ", " << switches;
    }
  }
}

// A message of 32 flits in packets of 5, and six messages of 5 flits with one of 2, behind traffic from the same NIC.
TEST(Packets, AreTheSameAsMessagesOfTheirSize) {
  const std::string net =
      "fabric: packet\ntopology: { kind: mesh, dims: [4] }\nqos: { levels: { a: { message: 2048B, packet: 320B }, b: { "
      "message: 320B }, c: { message: 128B } }, scheduler: round_robin }\n";
  const ScratchFolder folder;
  const auto last = [&](const std::string& lines, std::size_t level) {
    const std::string trace = folder.write("t.csv", "time_ns,source,destination,level\n" + lines);
    const PacketOutcome r =
        run_packet_yaml(net + "trace: " + trace + "\nrun: { warm_up: 0ns, measure: 10us }\n",
                        {"qos.levels.a.lanes=[0]", "qos.levels.b.lanes=[0]", "qos.levels.c.lanes=[0]"});
    EXPECT_EQ(r.error + r.failure, "");
    return r.report.is_null() ? -1.0 : r.cell("services", level, "latency_max").get<double>();
  };
  const std::string before = "0,1,3,b\n0,0,3,b\n0,0,2,b\n";
  std::string apart = before;
  for (int i = 0; i < 6; ++i) apart += "10.24,0,3,b\n";
  apart += "10.24,0,3,c\n";
  EXPECT_EQ(last(before + "10.24,0,3,a\n", 0), last(apart, 2));
}

TEST(Packets, MoreOfThemWithTheSameMessagesIsTheSameLoad) {
  const std::string net =
      "fabric: packet\ntopology: { kind: tree, arity: 4, levels: 2 }\nqos: { levels: { a: { message: 1024B } } }\n"
      "traffic: [ { level: a, load: 0.4 } ]\nrun: { warm_up: 10us, measure: 40us, drain: 40us }\n";
  const PacketOutcome whole = run_packet_yaml(net);
  const PacketOutcome cut = run_packet_yaml(net, {"qos.levels.a.packet=64B"});
  ASSERT_EQ(whole.error + whole.failure + cut.error + cut.failure, "");
  for (const char* const column : {"messages", "offered"}) {
    EXPECT_EQ(whole.cell("services", 0, column), cut.cell("services", 0, column)) << column;
  }
  EXPECT_NEAR(cut.cell("services", 0, "accepted").get<double>(), 0.4, 0.01);
  EXPECT_NE(whole.cell("services", 0, "latency_mean"), cut.cell("services", 0, "latency_mean"));
}

// Nothing waits for ever, and everything arrives: trunks between MPorts, several central links, more than one message
// at a time, also on a link.
TEST(Allocation, EverythingArrivesWithSeveralIterations) {
  const std::string net =
      "fabric: packet\ntopology: { kind: torus, dims: [4, 4], nodes_per_switch: 2, trunk: 3 }\n"
      "qos: { levels: { a: { message: 64B }, b: { message: 2048B }, c: { message: 1024B, packet: 192B } }, scheduler: "
      "round_robin }\ntraffic: [ { level: a, load: 0.1 }, { level: b, load: 0.2 }, { level: c, load: 0.1 } ]\n"
      "run: { warm_up: 0ns, measure: 20us, drain: 200us }\n";
  for (const char* const architecture : {"ib", "opa"}) {
    for (const char* const rate : {"1", "2"}) {
      for (const char* const iterations : {"1", "2", "5"}) {
        for (const char* const trunk : {"first_free", "at_routing"}) {
          for (const char* const pointer : {"on_grant", "on_request"}) {
            Overrides set = {
                fmt::format("switch.architecture={}", architecture), fmt::format("switch.crossbar_rate={}", rate),
                fmt::format("switch.allocation.iterations={}", iterations),
                fmt::format("switch.allocation.lane_pointer={}", pointer), fmt::format("routing.trunk={}", trunk)};
            if (rate == std::string_view("2")) set.emplace_back("switch.mport.central_messages=3");
            const PacketOutcome r = run_packet_yaml(net, set);
            ASSERT_EQ(r.error + r.failure, "") << fmt::format("{}", fmt::join(set, ", "));
            ASSERT_EQ(r.figure("missing"), 0);
          }
        }
      }
    }
  }
}

// Accepted load of a switch of 64 ports whose NICs send all they can, 64 B messages to uniform destinations.
double saturation(int lanes, const Overrides& set) {
  std::string levels, traffic;
  for (int l = 0; l < lanes; ++l) {
    levels += fmt::format("l{}: {{ message: 64B }}, ", l);
    traffic += fmt::format("{{ level: l{}, load: {} }}, ", l, 1.0 / lanes);
  }
  const PacketOutcome r = run_packet_yaml(
      fmt::format(
          "fabric: packet\ntopology: {{ kind: mesh, dims: [1], nodes_per_switch: 64 }}\nqos: {{ levels: {{ {} "
          "}}, scheduler: round_robin }}\ntraffic: [ {} ]\nrun: {{ warm_up: 30us, measure: 30us, drain: 0ns }}\n",
          levels, traffic),
      set);
  EXPECT_EQ(r.error + r.failure, "");
  double sum = 0;
  for (int l = 0; l < lanes; ++l) sum += r.cell("services", static_cast<std::size_t>(l), "accepted").get<double>();
  return sum;
}

// Karol, Hluchyj, Morgan, "Input versus output queueing on a space-division packet switch", 1987: with one queue per
// input the limit falls to 2 - sqrt(2) = 0.5858 for many ports.
TEST(Allocation, OneQueueHasTheLimitOfInputQueueing) {
  for (const char* const iterations : {"1", "4"}) {
    const double accepted = saturation(1, {fmt::format("switch.allocation.iterations={}", iterations)});
    EXPECT_GT(accepted, 0.5858) << iterations;
    EXPECT_LT(accepted, 0.592) << iterations;
  }
}

TEST(Allocation, SeveralQueuesNeedSeveralIterations) {
  EXPECT_NEAR(saturation(8, {}), 0.589, 0.004);
  EXPECT_NEAR(saturation(8, {"switch.allocation.lane_pointer=on_request"}), 0.589, 0.004);
  const double two = saturation(8, {"switch.allocation.iterations=2"});
  const double three = saturation(8, {"switch.allocation.iterations=3"});
  EXPECT_GT(two, 0.8);
  EXPECT_GT(three, two + 0.02);
  EXPECT_LT(three, 1.0);
}

// A crossbar of twice the speed is an output-queued switch, nearly: it takes all. With one iteration it is none for
// messages of one flit.
TEST(Allocation, ShortMessagesShareACycleOfAFastCrossbar) {
  EXPECT_NEAR(saturation(1, {"switch.crossbar_rate=2"}), 0.589, 0.004);
  EXPECT_GT(saturation(1, {"switch.crossbar_rate=2", "switch.allocation.iterations=2"}), 0.99);
}

}  // namespace
}  // namespace weft::test
