// Collectives over circuits without a network: what their rounds carry, the layers that programs are cut into, and the
// executor's messages to several nodes.

#include "algorithms/collectives/circuit_rounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

#include "algorithms/collectives/circuit_layers.h"
#include "algorithms/collectives/executor.h"

namespace weft::collectives {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

NodeList first_nodes(std::uint32_t count) {
  std::vector<NodeId> out(count);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

ProgramInstruction collective(ProgramOp op, const NodeList& group, std::uint64_t bytes, NodeId root = 0) {
  ProgramInstruction in;
  in.where = {"test.yaml", 1, 1};
  in.op = op;
  in.name = to_string(op);
  in.group = group;
  in.root = group.contains(root) ? root : group.front();
  in.bytes = bytes;
  return in;
}

// Bytes from each node to each other one over all rounds.
std::map<std::pair<NodeId, NodeId>, std::uint64_t> carried(const CircuitRounds& rounds) {
  std::map<std::pair<NodeId, NodeId>, std::uint64_t> out;
  for (const auto& round : rounds.rounds) {
    for (const CircuitMessage& m : round) {
      for (const NodeId d : m.destinations) out[{m.source, d}] += m.bytes;
    }
  }
  return out;
}

TEST(CircuitRounds, CarryWhatTheOperationsSay) {
  const NodeList group{1, 2, 5, 7, 8};
  const auto between = [&](ProgramOp op) { return carried(circuit_rounds(collective(op, group, 100, 5))); };
  for (const NodeId a : group) {
    for (const NodeId b : group) {
      if (a == b) continue;
      EXPECT_EQ(between(ProgramOp::alltoall)[std::pair(a, b)], 100U);
      EXPECT_EQ(between(ProgramOp::allgather)[std::pair(a, b)], 100U);
      EXPECT_EQ(between(ProgramOp::broadcast)[std::pair(a, b)], a == 5 ? 100U : 0U);
      EXPECT_EQ(between(ProgramOp::scatter)[std::pair(a, b)], a == 5 ? 100U : 0U);
      EXPECT_EQ(between(ProgramOp::gather)[std::pair(a, b)], b == 5 ? 100U : 0U);
      EXPECT_EQ(between(ProgramOp::barrier)[std::pair(a, b)], 0U);
    }
  }
  EXPECT_EQ(between(ProgramOp::barrier).size(), 20U);
  EXPECT_EQ(circuit_rounds(collective(ProgramOp::broadcast, group, 100)).rounds.front().size(), 1U);
  EXPECT_EQ(circuit_rounds(collective(ProgramOp::allgather, group, 100)).rounds.front().size(), 5U);
}

// In every round each node sends to one and receives from one at most, and all bytes are those of the messages.
TEST(CircuitRounds, ReductionsAreTheRoundsOfTheirMessages) {
  for (std::uint32_t ranks = 2; ranks <= 20; ++ranks) {
    for (const ProgramOp op : {ProgramOp::reduce, ProgramOp::allreduce, ProgramOp::reduce_scatter}) {
      for (const std::uint64_t bytes : {64U, 64'000U}) {
        const ProgramInstruction in = collective(op, first_nodes(ranks), bytes);
        const CircuitRounds rounds = circuit_rounds(in);
        std::uint64_t over_circuits = 0;
        for (const auto& [ends, sum] : carried(rounds)) over_circuits += sum;
        std::uint64_t as_messages = 0;
        for (NodeId n = 0; n < ranks; ++n) {
          for (const NodeRound& r : lower(in, n).rounds) {
            for (const NodeMessage& m : r.sends) as_messages += m.bytes;
          }
        }
        EXPECT_EQ(over_circuits, as_messages);
        for (const auto& round : rounds.rounds) {
          EXPECT_FALSE(round.empty());
          std::set<NodeId> sources;
          std::set<NodeId> destinations;
          for (const CircuitMessage& m : round) {
            EXPECT_TRUE(sources.insert(m.source).second);
            EXPECT_TRUE(destinations.insert(m.destinations.front()).second);
          }
        }
      }
    }
  }
}

// Who sends to whom, round by round, worked out by hand.
std::vector<std::set<std::pair<NodeId, NodeId>>> ends(const CircuitRounds& rounds) {
  std::vector<std::set<std::pair<NodeId, NodeId>>> out;
  for (const auto& round : rounds.rounds) {
    out.emplace_back();
    for (const CircuitMessage& m : round) out.back().emplace(m.source, m.destinations.front());
  }
  return out;
}

// The first two of five nodes are folded into one: 1, 2, 3 and 4 exchange halves, then quarters, and back.
TEST(CircuitRounds, AllreduceOfFiveNodes) {
  using Round = std::set<std::pair<NodeId, NodeId>>;
  const Round halves{{1, 2}, {2, 1}, {3, 4}, {4, 3}};
  const Round quarters{{1, 3}, {3, 1}, {2, 4}, {4, 2}};
  const CircuitRounds rounds = circuit_rounds(collective(ProgramOp::allreduce, first_nodes(5), 4000));
  EXPECT_THAT(ends(rounds), ElementsAre(Round{{0, 1}}, halves, quarters, quarters, halves, Round{{1, 0}}));
  const std::uint64_t bytes[] = {4000, 2000, 1000, 1000, 2000, 4000};
  for (std::size_t r = 0; r < rounds.rounds.size(); ++r) {
    for (const CircuitMessage& m : rounds.rounds[r]) {
      EXPECT_EQ(m.bytes, bytes[r]);
      EXPECT_EQ(m.combine, r < 3);
    }
  }
}

// As a tree, node 4 has no child two places further, and waits for the third round. In halves, 1 and 3 are folded into
// 0 and 2.
TEST(CircuitRounds, ReduceOfSixNodes) {
  using Round = std::set<std::pair<NodeId, NodeId>>;
  EXPECT_THAT(ends(circuit_rounds(collective(ProgramOp::reduce, first_nodes(6), 2000))),
              ElementsAre(Round{{1, 0}, {3, 2}, {5, 4}}, Round{{2, 0}}, Round{{4, 0}}));
  const Round halves{{0, 2}, {2, 0}, {4, 5}, {5, 4}};
  const Round quarters{{0, 4}, {4, 0}, {2, 5}, {5, 2}};
  EXPECT_THAT(ends(circuit_rounds(collective(ProgramOp::reduce, first_nodes(6), 4000))),
              ElementsAre(Round{{1, 0}, {3, 2}}, halves, quarters, Round{{4, 0}, {5, 2}}, Round{{2, 0}}));
}

NodeProgram of_all(std::uint32_t nodes, std::vector<ProgramInstruction> instructions) {
  return {"program", first_nodes(nodes), std::move(instructions)};
}

ProgramInstruction send_to(NodeId from, NodeId to) {
  ProgramInstruction in;
  in.where = {"test.yaml", 2, 1};
  in.op = ProgramOp::send;
  in.at = {from};
  in.destination = to;
  in.bytes = 8;
  return in;
}

TEST(CircuitLayers, MessagesLieBetweenLayers) {
  const auto programs =
      std::vector{of_all(4, {send_to(0, 3), collective(ProgramOp::broadcast, first_nodes(4), 64), send_to(2, 1),
                             send_to(2, 0), collective(ProgramOp::barrier, first_nodes(4), 0)})};
  const CircuitLayers found = circuit_layers(programs, 4);
  ASSERT_EQ(found.layers.size(), 2U);
  EXPECT_EQ(found.places[0][1].layer, 0U);
  EXPECT_EQ(found.places[0][4].layer, 1U);
  ASSERT_EQ(found.between.size(), 3U);
  ASSERT_EQ(found.between[0].size(), 1U);
  EXPECT_EQ(found.between[0][0].destination, 3U);
  EXPECT_EQ(found.between[1].size(), 2U);
  EXPECT_TRUE(found.between[2].empty());
}

TEST(CircuitLayers, DisjointGroupsAreOneLayer) {
  const auto programs = std::vector{
      of_all(4, {collective(ProgramOp::broadcast, {0, 1}, 64), collective(ProgramOp::broadcast, {2, 3}, 64, 3),
                 collective(ProgramOp::allgather, {0, 2}, 8), collective(ProgramOp::allgather, {1, 3}, 8)})};
  const CircuitLayers found = circuit_layers(programs, 4);
  ASSERT_EQ(found.layers.size(), 2U);
  EXPECT_EQ(found.layers[0].size(), 2U);
  EXPECT_EQ(found.layers[1].size(), 2U);
}

// It does nothing, whoever else does something meanwhile.
TEST(CircuitLayers, ACollectiveOfOneNodeHoldsNobodyUp) {
  for (const ProgramOp op : {ProgramOp::broadcast, ProgramOp::allgather, ProgramOp::barrier}) {
    const auto programs = std::vector{
        of_all(4, {collective(ProgramOp::broadcast, {0, 1, 2}, 64), collective(op, {3}, 64, 3),
                   collective(ProgramOp::allgather, {0, 1}, 8), collective(op, {2}, 8, 2), collective(op, {3}, 8, 3)})};
    const CircuitLayers found = circuit_layers(programs, 4);
    ASSERT_EQ(found.layers.size(), 2U);
    EXPECT_EQ(found.places[0][0].layer, 0U);
    EXPECT_EQ(found.places[0][2].layer, 1U);
    EXPECT_TRUE(found.between[0].empty());
  }
}

TEST(CircuitLayers, ACollectiveBesideWhichOthersSendRunsAsMessages) {
  const auto programs = std::vector{of_all(4, {collective(ProgramOp::broadcast, {0, 1}, 64), send_to(3, 2),
                                               collective(ProgramOp::barrier, first_nodes(4), 0)})};
  const CircuitLayers found = circuit_layers(programs, 4);
  ASSERT_EQ(found.layers.size(), 1U);
  EXPECT_EQ(found.places[0][0].layer, CircuitLayers::kMessages);
  EXPECT_EQ(found.places[0][0].refusal,
            "circuits change for all nodes at once, but nodes 2, 3 are not in a collective then");
  EXPECT_EQ(found.between[0].size(), 2U);  // 0-1 of the broadcast, 3-2
}

// Nodes that send nothing more need not wait.
TEST(CircuitLayers, NodesWhosePartIsOverDoNotMatter) {
  const auto programs = std::vector{
      of_all(4, {collective(ProgramOp::barrier, first_nodes(4), 0), collective(ProgramOp::broadcast, {0, 1}, 64)})};
  EXPECT_EQ(circuit_layers(programs, 4).layers.size(), 2U);
}

TEST(CircuitLayers, DifferentOrdersAreMessages) {
  std::vector<NodeProgram> programs{
      {"a", {0}, {collective(ProgramOp::barrier, {0, 1}, 0), collective(ProgramOp::broadcast, {0, 1}, 8)}},
      {"b", {1}, {collective(ProgramOp::broadcast, {0, 1}, 8), collective(ProgramOp::barrier, {0, 1}, 0)}}};
  const CircuitLayers found = circuit_layers(programs, 2);
  EXPECT_TRUE(found.layers.empty());
  EXPECT_THAT(found.places[0][0].refusal, HasSubstr("in the same order"));
}

// A network in which everything takes 10 cycles to leave and 25 to arrive, except at the last node, 60.
class SlowNode final : public MessagePort {
 public:
  void send(std::uint32_t message, NodeId, NodeId, std::uint64_t) override {
    events.emplace(now + 10, Event{0, message, message});
    events.emplace(now + 25, Event{1, message, message});
  }
  void multicast(std::uint32_t message, NodeId, const std::vector<NodeId>& group, std::uint64_t) override {
    ++multicasts;
    events.emplace(now + 10, Event{0, message, message});
    for (const NodeId to : group) events.emplace(now + (to == 3 ? 60 : 25), Event{3, message, to});
  }
  void reach(NodeId node, std::uint32_t step) override { steps[node].push_back(step); }
  void wake(NodeId node, Cycle at) override { events.emplace(at, Event{2, node, node}); }

  struct Event {
    int what;
    std::uint32_t number;
    NodeId node;
  };
  std::multimap<Cycle, Event> events;
  std::map<NodeId, std::vector<std::uint32_t>> steps;
  Cycle now = 0;
  int multicasts = 0;
};

Cycle run(Executor& executor, SlowNode& port) {
  executor.start(0);
  while (!port.events.empty()) {
    const auto [at, e] = *port.events.begin();
    port.events.erase(port.events.begin());
    port.now = at;
    if (e.what == 0) executor.left(e.number, at);
    if (e.what == 1) executor.arrived(e.number, at);
    if (e.what == 2) executor.woken(e.number, at);
    if (e.what == 3) executor.arrived(executor.copy_for(e.number, e.node), at);
  }
  return port.now;
}

// Two multicasts by one layer each; node 0 sends the second while the first is on its way to node 3.
TEST(PhasedExecutor, AMulticastIsOneMessageAtItsSourceAndOneAtEachDestination) {
  const auto programs = std::vector{of_all(
      4, {collective(ProgramOp::broadcast, first_nodes(4), 64), collective(ProgramOp::broadcast, first_nodes(4), 64)})};
  PhasedPrograms phased;
  phased.instructions = {{{0, "multicast"}, {1, "multicast"}}};
  phased.layers = {{0, {0}}, {0, {2}}};
  phased.works.resize(1, std::vector<std::vector<NodeRound>>(4));
  const auto others = std::make_shared<const std::vector<NodeId>>(std::vector<NodeId>{1, 2, 3});
  phased.works[0][0] = {{{{1, 64, false, others}}, {}, 0}};
  for (NodeId n = 1; n < 4; ++n) phased.works[0][n] = {{{}, {{0, 64, false}}, 0}};
  phased.between = {PhasedPrograms::kNoStep, PhasedPrograms::kNoStep, PhasedPrograms::kNoStep};
  SlowNode port;
  ExecutorOptions options{4, 0, 0, 8, 0};
  options.phased = &phased;
  Executor executor(programs, options, port);
  EXPECT_EQ(run(executor, port), 70);
  EXPECT_TRUE(executor.finished());
  EXPECT_EQ(executor.under_way(), 0U);
  executor.check_over();
  EXPECT_EQ(port.multicasts, 2);
  EXPECT_EQ(executor.nodes()[0].sent, 2U);
  EXPECT_EQ(executor.nodes()[0].bytes_sent, 128U);
  for (NodeId n = 1; n < 4; ++n) {
    EXPECT_EQ(executor.nodes()[n].received, 2U);
    EXPECT_EQ(executor.nodes()[n].bytes_received, 128U);
    EXPECT_EQ(executor.nodes()[n].finished, n == 3 ? 70 : 35);
  }
  for (NodeId n = 0; n < 4; ++n) EXPECT_THAT(port.steps[n], ElementsAre(0, 2, kNoFurtherStep));
}

}  // namespace
}  // namespace weft::collectives
