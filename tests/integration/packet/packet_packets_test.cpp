// Messages that are cut into packets, from YAML to the report: against closed forms and against the same packets sent
// one by one; several iterations of the allocation.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "base/random.h"
#include "support/message_log.h"
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

// What a message is, and when it was delivered, of all messages in this order.
using Fate = std::tuple<std::int64_t, std::uint32_t, std::uint32_t, std::string, std::int64_t>;

std::vector<Fate> fates(const std::string& log) {
  std::vector<Fate> out;
  for (const LoggedMessage& m : logged_messages_of(log)) {
    out.emplace_back(m.generated, m.from, m.to, m.level, m.delivered);
  }
  std::sort(out.begin(), out.end());
  return out;
}

// Random traffic of levels whose messages are cut, against the same packets as messages of their own, which the
// flit-by-flit reference holds (PacketModel). Both take one path, so that the packets of a message arrive one by one.
TEST(Packets, OfRandomTrafficArriveAsMessagesOfTheirSizeDo) {
  std::size_t cut = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    RandomStream random(seed, "packets");
    const bool ib = random.below(2) == 0;
    const std::uint64_t levels = 1 + random.below(3);
    std::string whole_levels, packet_levels;
    std::vector<std::uint64_t> packets;
    for (std::uint64_t l = 0; l < levels; ++l) {
      const std::uint64_t flits = 1 + random.below(6);
      packets.push_back(1 + random.below(6));
      const std::string name(1, static_cast<char>('a' + l));
      const std::string lane = ib ? fmt::format(", lanes: [{}]", random.below(2)) : "";
      whole_levels +=
          fmt::format("{}: {{ message: {}B, packet: {}B{} }}, ", name, 64 * flits * packets.back(), 64 * flits, lane);
      packet_levels += fmt::format("{}: {{ message: {}B{} }}, ", name, 64 * flits, lane);
    }
    std::string whole_lines, packet_lines;
    std::uint64_t cycle = 0;
    for (int i = 0; i < 120; ++i) {
      cycle += random.below(10);
      const std::uint64_t source = random.below(6);
      const std::uint64_t level = random.below(levels);
      const std::string line = fmt::format("{:.2f},{},{},{}\n", static_cast<double>(cycle) * 5.12, source,
                                           (source + 1 + random.below(5)) % 6, static_cast<char>('a' + level));
      whole_lines += line;
      for (std::uint64_t k = 0; k < packets[level]; ++k) packet_lines += line;
    }
    Overrides set = {fmt::format("switch.architecture={}", ib ? "ib" : "opa"),
                     fmt::format("switch.crossbar_rate={}", 1 + random.below(3)),
                     fmt::format("switch.allocation.iterations={}", 1 + random.below(3)),
                     fmt::format("link.delay={}cycles", 1 + random.below(5))};
    const ScratchFolder folder;
    const auto run = [&](const char* name, const std::string& level_keys, const std::string& lines) {
      const std::string trace = folder.write(name, "time_ns,source,destination,level\n" + lines);
      const PacketOutcome r =
          run_packet_yaml("fabric: packet\ntopology: { kind: mesh, dims: [3, 2] }\nqos: { levels: { " + level_keys +
                              " }, scheduler: round_robin }\ntrace: " + trace +
                              "\nrun: { warm_up: 0ns, measure: 20us, drain: 100us }\nobserve: { message_log: true }\n",
                          set);
      EXPECT_EQ(r.error + r.failure, "") << seed;
      return fates(r.messages);
    };
    const std::vector<Fate> messages = run("whole.csv", whole_levels, whole_lines);
    const std::vector<Fate> parts = run("parts.csv", packet_levels, packet_lines);
    ASSERT_EQ(messages.size(), 120U) << seed;
    std::size_t part = 0;
    for (const Fate& message : messages) {
      const std::uint64_t count = packets[static_cast<std::size_t>(std::get<3>(message).front() - 'a')];
      part += count;
      ASSERT_LE(part, parts.size()) << seed;
      ASSERT_EQ(message, parts[part - 1]) << seed;
      cut += count > 1 ? 1 : 0;
    }
    EXPECT_EQ(part, parts.size()) << seed;
  }
  EXPECT_GT(cut, 2000U);
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

}  // namespace
}  // namespace weft::test
