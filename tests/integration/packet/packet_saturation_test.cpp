// Saturation of one switch, whose NICs send all they can: against the limit of input queues, and against the
// flit-by-flit reference.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/random.h"
#include "support/child.h"
#include "support/packet_model_run.h"
#include "support/packet_runs.h"
#include "support/random_packet_case.h"

namespace weft::test {
namespace {

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

// A switch of 16 ports with VLs, full queues of one-flit messages to uniform destinations.
RandomPacketCase full_switch(std::uint32_t lanes, std::uint32_t iterations) {
  constexpr NodeId kPorts = 16;
  constexpr Cycle kCycles = 3000;
  RandomPacketCase c;
  c.graph.add_switch(kPorts);
  for (PortId p = 0; p < kPorts; ++p) c.graph.attach_node({0, p});
  c.parameters.architecture = &kIbArchitecture;
  c.parameters.lanes = c.parameters.levels = lanes;
  c.parameters.iterations = iterations;
  c.parameters.bubble.assign(lanes, 1);
  const BufferShares shares{64 * lanes, std::vector(lanes, 64U), std::vector(lanes, 64U)};
  for (BufferShares* s : {&c.parameters.input, &c.parameters.output, &c.parameters.nic, &c.parameters.nic_input}) {
    *s = shares;
  }
  std::vector<VirtualLane> same(lanes);
  std::iota(same.begin(), same.end(), VirtualLane{0});
  c.lane = {same};
  ArbitrationTable table;
  for (std::uint32_t l = 0; l < lanes; ++l) table.push_back({static_cast<ServiceLevel>(l), 1});
  c.tables.assign(c.graph.link_count(), table);
  RandomStream random(lanes, "full switch");
  for (Cycle t = 0; t < kCycles; ++t) {
    for (NodeId n = 0; n < kPorts; ++n) {
      packet_oracle::OracleMessage m;
      m.generated = t;
      m.source = n;
      m.destination = static_cast<NodeId>((n + 1 + random.below(kPorts - 1)) % kPorts);
      m.level = static_cast<ServiceLevel>(random.below(lanes));
      c.messages.push_back(m);
    }
  }
  return c;
}

double accepted_from(Cycle begin, Cycle end, const std::vector<Cycle>& delivered, NodeId ports) {
  const auto count = std::count_if(delivered.begin(), delivered.end(), [&](Cycle t) { return t >= begin && t < end; });
  return static_cast<double>(count) / static_cast<double>((end - begin) * ports);
}

// Every message in the same cycle as the reference, at the limit; and what the limit is.
TEST(Allocation, SaturatedSwitchDeliversAsTheReferenceDoes) {
  struct Limit {
    std::uint32_t lanes, iterations;
    double accepted;
  };
  // One queue: 0.618 for eight ports, 0.586 for many (Karol et al.), so between them. The others are the reference's.
  for (const Limit& limit : {Limit{1, 1, 0.602}, {1, 3, 0.602}, {8, 1, 0.601}, {8, 2, 0.853}, {8, 3, 0.889}}) {
    const std::string where = fmt::format("{} VLs, {} iterations", limit.lanes, limit.iterations);
    const RandomPacketCase c = full_switch(limit.lanes, limit.iterations);
    const packet_oracle::OracleResult expected = run_packet_oracle(c.oracle_setup(), c.messages, 3000);
    const ChildResult child =
        in_child([&] { return run_packet_model(c, 3000).delivered == expected.delivered ? "" : "another cycle"; });
    EXPECT_TRUE(child.ok) << where;
    EXPECT_EQ(child.text, "") << where;
    EXPECT_NEAR(accepted_from(1000, 3000, expected.delivered, 16), limit.accepted, 0.001) << where;
  }
}

}  // namespace
}  // namespace weft::test
