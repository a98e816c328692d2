#pragma once
// Runs of packet networks whose links fail, and what is needed to judge them.

#include <gtest/gtest.h>

#include <map>

#include "base/diagnostics.h"
#include "run/packet/packet_family.h"
#include "schema/document.h"
#include "support/packet_runs.h"
#include "support/scratch.h"

namespace weft::test {

inline double fault(const PacketOutcome& r, const char* name) {
  return r.report["figures"]["faults"][name]["value"].get<double>();
}

// Every message of the run is in one place, by level and by fault.
inline void expect_conserved(const PacketOutcome& r) {
  const auto sum = [&](const char* table, std::initializer_list<const char*> columns) {
    double total = 0;
    for (std::size_t i = 0; i < r.lines(table); ++i) {
      for (const char* column : columns) total += r.cell(table, i, column).get<double>();
    }
    return total;
  };
  EXPECT_EQ(r.figure("generated"), r.figure("delivered") + r.figure("lost") + r.figure("withdrawn") +
                                       r.figure("stalled") + r.figure("in_flight"));
  EXPECT_EQ(fault(r, "lost"), r.figure("lost"));
  EXPECT_EQ(sum("faults", {"cut_messages", "no_way_messages"}), r.figure("lost"));
  EXPECT_EQ(sum("fates", {"lost_cut"}), sum("faults", {"cut_messages"}));
  for (const char* column : {"generated", "delivered", "withdrawn", "stalled", "in_flight"}) {
    EXPECT_EQ(sum("fates", {column}), r.figure(column)) << column;
  }
  if (r.lines("fault_flows") < 1000) {
    EXPECT_EQ(sum("fault_flows", {"lost_cut", "lost_no_way"}), r.figure("lost"));
  }
}

// One message of ten flits, from NIC to switch 0 to switch 1 to NIC over links of ten cycles. By the timing of
// docs/packet_switches.md its first flit reaches switch 0 in cycle 11, the output decides for it in cycle 15, its flits
// are on the wire between the switches from cycle 16 on, and the last one arrives in cycle 16 + 9 + 10 = 35.
inline PacketOutcome one_message(const std::string& faults, const Overrides& set = {}) {
  const ScratchFolder folder;
  const std::string trace = folder.write("t.csv", "time_ns,source,destination,level\n0,0,1,a\n");
  return run_packet_yaml(
      "fabric: packet\ntopology: { kind: mesh, dims: [2] }\nlink: { delay: 10cycles }\n"
      "qos: { levels: { a: { message: 640B } } }\nrun: { warm_up: 0ns, measure: 2us }\ntrace: " +
          trace + "\nfaults: " + faults + "\n",
      set);
}

// Follows every message.
class Follower final : public PacketObserver {
 public:
  struct Life {
    Cycle generated = 0;
    NodeId source = 0, destination = 0;
    int ends = 0;
    Cycle lost = -1;
    std::vector<std::pair<LinkId, Cycle>> hops;
  };
  explicit Follower(Graph graph) : graph_(std::move(graph)) {}
  bool wants_hops() const override { return true; }
  void on_generate(const PacketMessage& m) override {
    lives[m.sequence] = {m.generated, m.source, m.destination, 0, -1, {}};
  }
  void on_hop(SwitchId sw, PortId out, const PacketMessage& m, Cycle first) override {
    lives[m.sequence].hops.emplace_back(graph_.out_link(sw, out), first);
  }
  void on_deliver(const PacketMessage& m, Cycle) override { ++lives[m.sequence].ends; }
  void on_withdraw(const PacketMessage& m) override { ++lives[m.sequence].ends; }
  void on_lose(const PacketMessage& m, LossCause, Cycle now) override {
    ++lives[m.sequence].ends;
    lives[m.sequence].lost = now;
  }
  std::map<std::uint32_t, Life> lives;
  Graph graph_;
};

inline constexpr Cycle kDown = 4000;  // 20.48 us
inline const std::string kTree =
    "fabric: packet\ntopology: { kind: tree, arity: 3, levels: 3 }\n"
    "qos: { levels: { a: { message: 640B }, b: { message: 64B } } }\n"
    "traffic:\n  - { level: a, load: 0.3 }\n  - { level: b, load: 0.1, source: bursts }\n"
    "run: { warm_up: 5us, measure: 60us, drain: 30us }\n";
inline const std::string kTorus =
    "fabric: packet\ntopology: { kind: torus, dims: [5, 3] }\n"
    "qos: { levels: { a: { message: 640B }, b: { message: 64B } } }\n"
    "traffic:\n  - { level: a, load: 0.2 }\n  - { level: b, load: 0.05, source: bursts }\n"
    "run: { warm_up: 5us, measure: 60us, drain: 30us }\n";

inline Graph graph_of(const std::string& yaml) {
  Diagnostics diagnostics;
  const PacketConfig config = parse_packet_config(yaml, "t.yaml", ".", {}, diagnostics);
  return PacketPlatform(config).graph();
}

// Runs, and has the follower's verdict made in the process of the run.
inline PacketOutcome followed(const std::string& yaml, const Overrides& set,
                              const std::function<std::string(const Follower&)>& verdict) {
  Follower follower(graph_of(yaml));
  return run_packet_yaml(
      yaml, set, [&](PacketRunOptions& o) { o.observers.push_back(&follower); }, [&] { return verdict(follower); });
}

// What is wrong with how messages of kTree went round the cable behind port 4 of switch 0, which leads up and is down
// in [kDown, 2 kDown). `ahead`: cycles from the decision for a message until its first flit is on the link.
inline std::string detour_problem(const Follower& f, Cycle ahead) {
  const LinkId dead = f.graph_.out_link(0, 4);
  const PortRef above = f.graph_.peer(0, 4);
  const LinkId back = f.graph_.out_link(above.sw, above.port);
  int before = 0, after = 0, lost = 0;
  for (const auto& [sequence, life] : f.lives) {
    if (life.ends != 1) return fmt::format("message {} ended {} times", sequence, life.ends);
    for (const auto& [link, first] : life.hops) {
      if (link != dead && link != back) continue;
      if (first - ahead >= kDown && first - ahead < 2 * kDown) return "sent over a link that is down";
      before += first <= kDown ? 1 : 0;
      after += first > 2 * kDown ? 1 : 0;
    }
    if (life.lost < 0) continue;
    ++lost;
    // Only a message that comes down by that link has no route round: its way down from a switch below the roots is the
    // only one, and it had turned before.
    if (life.generated >= kDown) {
      return fmt::format("message {} of cycle {} lost in cycle {}", sequence, life.generated, life.lost);
    }
  }
  if (before < 100 || after < 100) return "the link was not used";
  return lost == 0 ? "nothing was lost" : "";
}

// The same, and what the report says, for both routings of trees.
inline void expect_detours(const Overrides& set, Cycle ahead) {
  for (const char* routing : {"valiant", "nearest_common_ancestor"}) {
    SCOPED_TRACE(routing);
    Overrides all = set;
    all.push_back(std::string("routing.algorithm=") + routing);
    const PacketOutcome r = followed(kTree + "faults: [ { at: 'sw[0].port4', down: 4000cycles, up: 8000cycles } ]\n",
                                     all, [&](const Follower& f) { return detour_problem(f, ahead); });
    ASSERT_EQ(r.error + r.failure, "");
    EXPECT_EQ(r.noted, "");
    EXPECT_EQ(r.report["figures"]["run"]["conserved"]["value"], "yes");
    EXPECT_GT(r.cell("faults", 0, "rerouted").get<double>(), 100);
    EXPECT_GT(fault(r, "lost"), 0);
    EXPECT_LT(fault(r, "lost"), 60);
    EXPECT_EQ(r.figure("stalled") + r.figure("in_flight"), 0);
    expect_conserved(r);
  }
}

}  // namespace weft::test
