// Whole runs of packet networks, from YAML to the report: against an observer that counts for itself, and against
// themselves in another order. Latency without load: packet_zero_load_test.cpp.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "fabrics/packet/packet_network.h"
#include "schema/document.h"
#include "support/packet_runs.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;

/// A line of the message log.
struct Logged {
  double generated, sent, delivered;
  std::string source, destination, level;
  int flits;
};

std::vector<Logged> logged(const std::string& csv) {
  std::vector<Logged> out;
  std::istringstream in(csv);
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "generated (ns),sent (ns),delivered (ns),source,destination,level,flits");
  while (std::getline(in, line)) {
    std::vector<std::string> f;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) f.push_back(cell);
    EXPECT_EQ(f.size(), 7U);
    out.push_back({std::stod(f[0]), std::stod(f[1]), std::stod(f[2]), f[3], f[4], f[5], std::stoi(f[6])});
  }
  return out;
}

TEST(PacketRun, InputQueuedRoutersTakeWhatTheyAreOffered) {
  const std::string yaml =
      "fabric: packet\ntopology: { kind: torus, dims: [4, 4] }\nrouting: { ring: dateline }\n"
      "switch: { architecture: iq }\nqos: { levels: { a: { message: 64B }, b: { message: 320B } } }\n"
      "traffic:\n  - { level: a, load: 0.1, self_traffic: true }\n"
      "  - { level: b, load: 0.1, destinations: pattern, pattern: tornado }\n"
      "run: { warm_up: 2us, measure: 20us, drain: 50us }\n";
  const PacketOutcome r = run_packet_yaml(yaml);
  EXPECT_EQ(r.error + r.failure, "");
  EXPECT_EQ(r.figure("missing"), 0);
  EXPECT_NEAR(r.figure("accepted"), r.figure("offered"), 0.02);
  EXPECT_GT(r.figure("offered"), 0.18);
  EXPECT_EQ(run_packet_yaml(yaml, {}, [](PacketRunOptions& o) { o.shuffle_seed = 5; }).text, r.text);
}

const std::string kLoadedRun =
    "fabric: packet\ntopology: { kind: tree, arity: 3, levels: 2 }\n"
    "qos:\n  levels: { a: { message: 64B }, b: { message: 640B }, c: { message: 1KiB } }\n"
    "traffic:\n  - { level: a, load: 0.1 }\n  - { level: b, load: 0.3, source: bursts }\n"
    "  - { level: c, load: 0.2, source: on_off, on: 500cycles, off: 300cycles }\n"
    "run: { warm_up: 3us, measure: 20us, drain: 50us }\nobserve: { message_log: true }\n";

// Counts for itself, in cycles.
class Counter final : public PacketObserver {
 public:
  Counter(Cycle first, Cycle last) : first_(first), last_(last) {}
  bool wants_hops() const override { return true; }
  void on_generate(const PacketMessage& m) override {
    ++generated;
    if (in(m.generated)) offered[m.level] += m.flits;
  }
  void on_hop(SwitchId sw, PortId out, const PacketMessage& m, Cycle first) override {
    for (Cycle c = first; c < first + m.flits; ++c) {
      if (in(c)) ++busy[fmt::format("sw[{}].port{}", sw, out)];
    }
    hops += m.flits;
  }
  void on_inject(const PacketMessage& m) override {
    for (Cycle c = m.sent(); c < m.sent() + m.flits; ++c) {
      if (in(c)) ++busy[fmt::format("node {}", m.source)];
    }
  }
  void on_deliver(const PacketMessage& m, Cycle now) override {
    ++delivered;
    if (in(now)) accepted[m.level] += m.flits;
  }
  std::string text() const {
    nlohmann::json j{{"generated", generated}, {"delivered", delivered}, {"hops", hops}, {"busy", busy}};
    for (int l = 0; l < 3; ++l) {
      j["offered"].push_back(offered.contains(l) ? offered.at(l) : 0);
      j["accepted"].push_back(accepted.contains(l) ? accepted.at(l) : 0);
    }
    return j.dump();
  }

 private:
  bool in(Cycle c) const { return c >= first_ && c < last_; }
  Cycle first_, last_;
  std::uint64_t generated = 0, delivered = 0, hops = 0;
  std::map<int, std::uint64_t> offered, accepted;
  std::map<std::string, std::uint64_t> busy;
};

PacketOutcome counted(const std::string& yaml, const Overrides& set = {}) {
  Counter counter(586, 586 + 3907);  // 3 us and 20 us in cycles of 5.12 ns, rounded up
  return run_packet_yaml(
      yaml, set, [&](PacketRunOptions& o) { o.observers.push_back(&counter); }, [&] { return counter.text(); });
}

TEST(PacketRun, ReportAgreesWithAnObserverThatCountsForItself) {
  for (const Overrides& set :
       {Overrides{}, Overrides{"switch.architecture=opa"}, Overrides{"qos.scheduler=strict_priority"}}) {
    const PacketOutcome r = counted(kLoadedRun, set);
    ASSERT_EQ(r.error + r.failure, "");
    const auto c = nlohmann::json::parse(r.noted);
    EXPECT_EQ(r.figure("generated"), c["generated"].get<double>());
    EXPECT_EQ(r.figure("delivered"), c["delivered"].get<double>());
    EXPECT_EQ(r.figure("flit_hops"), c["hops"].get<double>());
    EXPECT_EQ(r.figure("missing"), 0);
    double offered = 0;
    double accepted = 0;
    for (std::size_t l = 0; l < 3; ++l) {
      EXPECT_NEAR(r.cell("services", l, "offered").get<double>(), c["offered"][l].get<double>() / (3907.0 * 9), 1e-12);
      EXPECT_NEAR(r.cell("services", l, "accepted").get<double>(), c["accepted"][l].get<double>() / (3907.0 * 9),
                  1e-12);
      offered += c["offered"][l].get<double>() / (3907.0 * 9);
      accepted += c["accepted"][l].get<double>() / (3907.0 * 9);
    }
    EXPECT_NEAR(r.figure("offered"), offered, 1e-12);
    EXPECT_NEAR(r.figure("accepted"), accepted, 1e-12);
    std::size_t links = 0;
    for (std::size_t i = 0; i < r.lines("links"); ++i) {
      const std::string name = r.cell("links", i, "link");
      const auto flits = c["busy"][name.substr(0, name.find(" ->"))].get<std::int64_t>();
      EXPECT_EQ(r.cell("links", i, "flits"), flits) << name;
      EXPECT_NEAR(r.cell("links", i, "utilization").get<double>(), 100.0 * static_cast<double>(flits) / 3907, 1e-9);
      EXPECT_LE(flits, 3907);
      ++links;
    }
    EXPECT_EQ(links, c["busy"].size());
  }
}

TEST(PacketRun, TableAgreesWithTheMessageLog) {
  const PacketOutcome r = run_packet_yaml(kLoadedRun);
  ASSERT_EQ(r.error + r.failure, "");
  const auto all = logged(r.messages);
  for (std::size_t l = 0; l < 3; ++l) {
    std::vector<double> latency;
    double queueing = 0;
    int flits = 0;
    for (const Logged& m : all) {
      EXPECT_GE(m.generated, 586 * 5.12 - 1e-6);
      EXPECT_LT(m.generated, 4493 * 5.12 - 1e-6);
      if (m.level != r.cell("services", l, "service").get<std::string>()) continue;
      latency.push_back(m.delivered - m.generated);
      queueing += m.sent - m.generated - 5.12;
      flits = m.flits;
    }
    ASSERT_FALSE(latency.empty());
    std::sort(latency.begin(), latency.end());
    const auto n = static_cast<double>(latency.size());
    double sum = 0;
    for (const double x : latency) sum += x;
    const auto at = [&](const char* column) { return r.cell("services", l, column).get<double>(); };
    EXPECT_EQ(at("messages"), n);
    EXPECT_NEAR(at("latency_mean"), sum / n, 1e-6);
    EXPECT_NEAR(at("latency_min"), latency.front(), 1e-6);
    EXPECT_NEAR(at("latency_max"), latency.back(), 1e-6);
    for (const auto& [column, share] : std::map<const char*, double>{
             {"latency_p50", 0.5}, {"latency_p95", 0.95}, {"latency_p99", 0.99}, {"latency_p999", 0.999}}) {
      EXPECT_NEAR(at(column), latency[static_cast<std::size_t>(std::ceil(share * n - 1e-9)) - 1], 1e-6) << column;
    }
    EXPECT_NEAR(at("queueing"), queueing / n, 1e-6);
    EXPECT_NEAR(at("serialization"), (flits - 1) * 5.12, 1e-6);
    EXPECT_NEAR(at("queueing") + at("network") + at("serialization"), at("latency_mean"), 1e-6);
    double held = 0;
    for (std::size_t i = 0; i < r.lines("histogram"); ++i) {
      if (r.cell("histogram", i, "service") == r.cell("services", l, "service"))
        held += r.cell("histogram", i, "messages").get<double>();
    }
    EXPECT_EQ(held, n);
  }
}

// Against in turn without fetching ahead: in turn with it, at random without and with it.
TEST(PacketRun, NeitherOrderOfModulesNorFetchingAheadMatters) {
  const std::string torus =
      "fabric: packet\ntopology: { kind: torus, dims: [6, 5], nodes_per_switch: 2, trunk: 2 }\n"
      "qos:\n  levels: { a: { message: 64B }, b: { message: 320B } }\n  scheduler: drr\n"
      "traffic:\n  - { level: a, load: 0.2 }\n  - { level: b, load: 0.9 }\n"
      "run: { warm_up: 1us, measure: 8us, drain: 2us }\nobserve: { message_log: true }\n";
  const Overrides drr{"qos.levels.a.quantum=2", "qos.levels.b.quantum=10"};
  for (const auto& [yaml, base] : {std::pair{kLoadedRun, Overrides{}}, std::pair{torus, drr}}) {
    for (const char* architecture : {"ib", "opa"}) {
      Overrides set = base;
      set.push_back(std::string("switch.architecture=") + architecture);
      const PacketOutcome straight = run_packet_yaml(yaml, set);
      ASSERT_EQ(straight.error + straight.failure, "");
      for (const std::uint64_t order : {0, 1, 2}) {
        const PacketOutcome other = run_packet_yaml(yaml, set, [&](PacketRunOptions& o) {
          if (order > 0) o.shuffle_seed = order;
          o.prepare = [&](sc_core::sc_module& module) {
            if (auto* network = dynamic_cast<PacketNetwork*>(&module)) network->fetch_ahead(order != 1);
          };
        });
        ASSERT_EQ(other.error + other.failure, "");
        EXPECT_TRUE(other.text == straight.text) << architecture << " " << order;
        EXPECT_EQ(other.messages, straight.messages);
      }
    }
  }
}

TEST(PacketRun, SaturationIsToldAndLightLoadIsNot) {
  const std::string yaml =
      "fabric: packet\ntopology: { kind: full_mesh, switches: 4 }\nqos: { levels: { a: { message: 128B }, b: { "
      "message: "
      "128B } } }\n"
      "traffic:\n  - { level: a, load: 0.9, destinations: pattern, pattern: bit_reversal }\n  - { level: b, load: 0.05 "
      "}\n"
      "run: { warm_up: 20us, measure: 40us, drain: 1us }\n";
  const PacketOutcome light = run_packet_yaml(yaml, {"traffic.0.load=0.3"});
  ASSERT_EQ(light.error + light.failure, "");
  EXPECT_EQ(light.report["figures"]["run"]["saturated_levels"]["value"], "none");
  EXPECT_EQ(light.cell("services", 0, "saturated"), false);
  EXPECT_NEAR(light.figure("accepted"), light.figure("offered"), 0.01);
  // Two levels of one NIC together more than its link takes.
  const PacketOutcome heavy = run_packet_yaml(yaml, {"traffic.1.load=0.8"});
  ASSERT_EQ(heavy.error + heavy.failure, "");
  EXPECT_THAT(heavy.report["figures"]["run"]["saturated_levels"]["value"].get<std::string>(), HasSubstr("a"));
  EXPECT_EQ(heavy.cell("services", 0, "saturated"), true);
  EXPECT_LT(heavy.figure("accepted"), heavy.figure("offered") * 0.9);
  EXPECT_GT(heavy.figure("missing"), 0);
  EXPECT_FALSE(heavy.report["notes"].empty());
}

// A window not much longer than a message takes: what is under way at its end is no queue.
TEST(PacketRun, AShortWindowIsNotCalledSaturated) {
  const std::string yaml =
      "fabric: packet\ntopology: { kind: tree, arity: 4, levels: 2 }\nlink: { delay: 50cycles }\n"
      "qos: { levels: { a: { message: 64B }, b: { message: 64B } } }\n"
      "traffic:\n  - { level: a, load: 0.2 }\n  - { level: b, load: 0.2, source: bursts, burst: 64 }\n"
      "run: { warm_up: 0ns, measure: 2us, drain: 20us }\n";
  for (const char* length : {"1us", "2us", "5us", "20us"}) {
    for (int seed = 1; seed <= 4; ++seed) {
      const PacketOutcome r =
          run_packet_yaml(yaml, {std::string("run.measure=") + length, fmt::format("seed={}", seed)});
      ASSERT_EQ(r.error + r.failure, "");
      EXPECT_EQ(r.report["figures"]["run"]["saturated_levels"]["value"], "none") << length << " " << seed;
    }
  }
}

TEST(PacketRun, MessagesOfATraceBeyondTheEndAreTold) {
  const ScratchFolder folder;
  const std::string trace =
      folder.write("t.csv", "time_ns,source,destination,level\n100,0,1,a\n90000,0,1,a\n95000,1,0,a\n");
  const std::string yaml = two_nics("warm_up: 0ns, measure: 10us", trace);
  EXPECT_THAT(run_packet_yaml(yaml).report["notes"].dump(),
              HasSubstr("2 of 3 messages of the trace come after the end of the run (10004.48 ns) and were not sent"));
  EXPECT_TRUE(run_packet_yaml(yaml, {"run.measure=96us"}).report["notes"].empty());
}

TEST(PacketRun, ATraceThatEndsInTheWarmUpIsTold) {
  const ScratchFolder folder;
  const std::string trace = folder.write("t.csv", "time_ns,source,destination,level\n100,0,1,a\n4000,0,1,a\n");
  const std::string yaml = two_nics("warm_up: 5us, measure: 10us", trace);
  EXPECT_THAT(
      run_packet_yaml(yaml).report["notes"].dump(),
      HasSubstr("no message was sent in the window, from 5002.24 to 15006.72 ns, so none is measured; the trace "
                "has 2 before it (run.warm_up)"));
  EXPECT_TRUE(run_packet_yaml(yaml, {"run.warm_up=1us"}).report["notes"].empty());
}

TEST(PacketRun, ATraceWithoutMessagesIsTold) {
  const ScratchFolder folder;
  const std::string trace = folder.write("t.csv", "time_ns,source,destination,level\n");
  const PacketOutcome r = run_packet_yaml(two_nics("warm_up: 0ns, measure: 10us", trace));
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_THAT(r.report["notes"].dump(), HasSubstr("the trace has no messages"));
}

TEST(PacketRun, EndsWhenMeasuredMessagesHaveArrivedOrTheDrainIsOver) {
  const ScratchFolder folder;
  const std::string trace = folder.write("t.csv", "time_ns,source,destination,level\n100,0,1,a\n");
  const std::string yaml =
      "fabric: packet\ntopology: { kind: mesh, dims: [2] }\nqos: { levels: { a: { message: 64KiB } } }\n"
      "trace: " +
      trace +
      "\nrun: { warm_up: 0ns, measure: 512ns, drain: 51200ns }\n"
      "switch: { input_buffer: 1MiB, output_buffer: 1MiB }\nnic: { buffer: 1MiB, input_buffer: 1MiB }\n";
  const PacketOutcome r = run_packet_yaml(yaml);  // 1,024 flits: 5.2 us on each link, one after the other at most
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(r.figure("missing"), 0);
  EXPECT_EQ(r.cell("services", 0, "messages"), 1);
  const double latency = (2 + 2 * 6 + 1023) * 5.12;
  EXPECT_NEAR(r.cell("services", 0, "latency_max").get<double>(), latency, 1e-6);
  // Generated at 100 ns, rounded down to cycle 19; looked at every 64 cycles from the end of the window on.
  EXPECT_GE(r.figure("drain"), 19 * 5.12 + latency - 512 - 1e-6);
  EXPECT_LT(r.figure("drain"), 19 * 5.12 + latency - 512 + 64 * 5.12);
  const PacketOutcome cut = run_packet_yaml(yaml, {"run.drain=1024ns"});
  ASSERT_EQ(cut.error + cut.failure, "");
  EXPECT_EQ(cut.figure("missing"), 1);
  EXPECT_EQ(cut.figure("delivered"), 1);  // when the run settled
  EXPECT_NEAR(cut.figure("drain"), 1024, 1e-6);
  EXPECT_EQ(cut.cell("services", 0, "missing"), 1);
  EXPECT_TRUE(cut.cell("services", 0, "latency_mean").is_null());
  EXPECT_TRUE(cut.report["complete"].get<bool>());
  EXPECT_THAT(cut.report["notes"].dump(), HasSubstr("1 measured messages had not arrived"));
}

// Every message of a trace arrives once: everything that was generated, nothing else.
TEST(PacketRun, EverythingGeneratedArrives) {
  const ScratchFolder folder;
  std::string trace = "time_ns,source,destination,level\n";
  int count = 0;
  for (int t = 0; t < 400; ++t) {
    for (int n = 0; n < 8; n += 1 + t % 3) {
      trace += fmt::format("{},{},{},{}\n", t * 20, n, (n * 3 + t) % 8, t % 2 == 0 ? "a" : "b");
      ++count;
    }
  }
  const std::string file = folder.write("t.csv", trace);
  for (const char* topology : {"kind: tree, arity: 2, levels: 3", "kind: torus, dims: [4, 2]", "kind: mesh, dims: [8]",
                               "kind: full_mesh, switches: 8"}) {
    for (const char* architecture : {"ib", "opa"}) {
      const PacketOutcome r =
          run_packet_yaml(fmt::format("fabric: packet\ntopology: {{ {} }}\nswitch: {{ architecture: {} }}\n"
                                      "qos: {{ levels: {{ a: {{ message: 64B }}, b: {{ message: 512B }} }} }}\n"
                                      "trace: {}\nrun: {{ warm_up: 0ns, measure: 9us, drain: 1ms }}\n"
                                      "observe: {{ message_log: true }}\n",
                                      topology, architecture, file));
      ASSERT_EQ(r.error + r.failure, "") << topology << " " << architecture;
      EXPECT_EQ(r.figure("generated"), count);
      EXPECT_EQ(r.figure("delivered"), count);
      EXPECT_EQ(r.figure("missing"), 0);
      std::multiset<std::string> got;
      for (const Logged& m : logged(r.messages)) got.insert(m.source + "," + m.destination + "," + m.level);
      std::multiset<std::string> expected;
      std::istringstream in(trace);
      std::string line;
      for (std::getline(in, line); std::getline(in, line);) expected.insert(line.substr(line.find(',') + 1));
      EXPECT_EQ(got, expected) << topology << " " << architecture;
    }
  }
}

// Dragonflies and rings from a file, loaded until their buffers are full: everything arrives, on switches of any kind.
TEST(PacketRun, AnyNetworkDeliversEverything) {
  const ScratchFolder folder;
  std::string ring = "switches 6 ports 4\n";
  for (int s = 0; s < 6; ++s)
    ring += fmt::format("node {} {}:0\nnode {} {}:3\nlink {}:1 {}:2\n", 2 * s, s, 2 * s + 1, s, s, (s + 1) % 6);
  const std::string file = folder.write("ring.topo", ring);
  const std::string dragonfly =
      "kind: dragonfly, groups: 5, routers_per_group: 4, nodes_per_router: 1, global_links: 1";
  for (const std::string& topology : {dragonfly, "kind: file, file: " + file}) {
    for (const char* algorithm : {"minimal_vl_per_hop", "up_down"}) {
      for (const char* architecture : {"ib", "opa", "iq"}) {
        SCOPED_TRACE(topology + " " + algorithm + " " + architecture);
        const PacketOutcome r = run_packet_yaml(
            fmt::format("fabric: packet\ntopology: {{ {} }}\nrouting: {{ algorithm: {} }}\n"
                        "switch: {{ architecture: {}, input_buffer: 2560B, output_buffer: 2560B, iq: {{ vcs: 6 }} }}\n"
                        "qos: {{ levels: {{ a: {{ message: 256B }} }} }}\n"
                        "traffic:\n  - {{ level: a, load: 0.9 }}\n"
                        "run: {{ warm_up: 0ns, measure: 20us, drain: 10ms }}\n",
                        topology, algorithm, architecture));
        EXPECT_EQ(r.error + r.failure, "");
        EXPECT_EQ(r.figure("missing"), 0);
        EXPECT_GT(r.figure("delivered"), 1000);
      }
    }
  }
}

// Networks with one route between any two NICs promise the order of a level's messages, and the run checks it. Over
// several links to a central buffer messages can overtake each other, which is no failure; not on one link that carries
// several at once.
TEST(PacketRun, SinglePathsKeepTheOrderUnderLoad) {
  for (const char* architecture : {"ib", "opa"}) {
    for (const auto& [ports, links, messages] : {std::tuple{"1", "1", "1"},
                                                 {"2", "1", "3"},
                                                 {"4", "1", "1"},
                                                 {"4", "1", "2"},
                                                 {"1", "2", "1"},
                                                 {"2", "3", "1"},
                                                 {"4", "2", "3"}}) {
      const PacketOutcome r = run_packet_yaml(
          "fabric: packet\ntopology: { kind: mesh, dims: [3, 3] }\nqos: { levels: { a: { message: 128B }, b: { "
          "message: "
          "64B } } }\n"
          "traffic:\n  - { level: a, load: 0.6, self_traffic: true }\n  - { level: b, load: 0.4, source: bursts, "
          "burst: 16 }\n"
          "run: { warm_up: 1us, measure: 60us, drain: 20us }\n",
          {std::string("switch.architecture=") + architecture, std::string("switch.mport.ports=") + ports,
           std::string("switch.mport.central_links=") + links,
           std::string("switch.mport.central_messages=") + messages});
      EXPECT_EQ(r.error + r.failure, "") << architecture << " " << ports << " " << links << " " << messages;
    }
  }
}

}  // namespace
}  // namespace weft::test
