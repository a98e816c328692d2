// The executor of programs on a network whose messages all take the same time, against sums by hand, and its errors.

#include "algorithms/collectives/executor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <queue>

#include "base/random.h"

namespace weft::collectives {
namespace {

using testing::HasSubstr;

constexpr Cycle kLeave = 10;   // a message has left its node
constexpr Cycle kArrive = 25;  // and arrived

// Messages take kArrive cycles each, however many there are.
class FixedDelays final : public MessagePort {
 public:
  FixedDelays(const std::vector<NodeProgram>& programs, ExecutorOptions options) : executor(programs, options, *this) {}

  void send(std::uint32_t message, NodeId, NodeId, std::uint64_t) override {
    ++sent;
    events_.push({now_ + kLeave, 0, message});
    events_.push({now_ + kArrive, 1, message});
  }
  void wake(NodeId node, Cycle at) override { events_.push({at, 2, node}); }

  Cycle run() {
    executor.start(0);
    while (!events_.empty()) {
      const Event e = events_.top();
      events_.pop();
      now_ = e.at;
      if (e.what == 0) executor.left(e.number, now_);
      if (e.what == 1) executor.arrived(e.number, now_);
      if (e.what == 2) executor.woken(e.number, now_);
    }
    return now_;
  }

  Executor executor;
  std::uint64_t sent = 0;

 private:
  struct Event {
    Cycle at;
    int what;
    std::uint32_t number;
    bool operator<(const Event& o) const { return std::tie(at, what, number) > std::tie(o.at, o.what, o.number); }
  };
  std::priority_queue<Event> events_;
  Cycle now_ = 0;
};

std::vector<NodeId> all(std::uint32_t nodes) {
  std::vector<NodeId> out(nodes);
  std::iota(out.begin(), out.end(), NodeId{0});
  return out;
}

ProgramInstruction instruction(ProgramOp op, std::uint32_t nodes, std::uint64_t bytes, int line = 1) {
  ProgramInstruction i;
  i.where = {"p.yaml", line, 5};
  i.op = op;
  i.name = to_string(op);
  i.group = i.at = all(nodes);
  i.bytes = bytes;
  return i;
}

ProgramInstruction send(NodeId from, NodeId to, std::uint64_t bytes, int line) {
  ProgramInstruction i = instruction(ProgramOp::send, 2, bytes, line);
  i.at = {from};
  i.destination = to;
  return i;
}

ProgramInstruction recv(NodeId from, NodeId to, std::uint64_t bytes, int line) {
  ProgramInstruction i = instruction(ProgramOp::recv, 2, bytes, line);
  i.at = {to};
  i.source = from;
  return i;
}

// Sends that do not wait are paid for one after the other, the computation follows at once; the program ends when the
// last message has left.
TEST(Executor, SendsThatDoNotWait) {
  ProgramInstruction first = send(0, 1, 8, 1);
  ProgramInstruction second = send(0, 1, 16, 2);
  first.waits = second.waits = false;
  ProgramInstruction compute = instruction(ProgramOp::compute, 1, 0, 3);
  compute.cycles = 2;
  const std::vector<NodeProgram> programs{{"node[0]", NodeList{0}, {first, second, compute}},
                                          {"node[1]", NodeList{1}, {recv(0, 1, 8, 4), recv(0, 1, 16, 5)}}};
  FixedDelays network(programs, {2, 3, 0});
  EXPECT_EQ(network.run(), 2 * 3 + kArrive);
  EXPECT_EQ(network.executor.nodes()[0].finished, 2 * 3 + kLeave);
  EXPECT_EQ(network.executor.nodes()[0].computing, 2);
  EXPECT_EQ(network.executor.instructions()[0][2].last_completed, 2 * 3 + 2);
  EXPECT_NO_THROW(network.executor.check_over());
  EXPECT_EQ(messages_at_once(programs).messages, 2U + 1 + 1);
}

// Per step of a ring: send overhead, flight, receive overhead.
TEST(Executor, ShiftsAroundARing) {
  ProgramInstruction shift = instruction(ProgramOp::sendrecv, 6, 100);
  shift.shift = 2;
  const std::vector<NodeProgram> programs{{"program", all(6), {shift, shift, shift}}};
  FixedDelays network(programs, {6, 7, 4});
  EXPECT_EQ(network.run(), 3 * (7 + kArrive + 4));
  EXPECT_TRUE(network.executor.finished());
  EXPECT_EQ(network.sent, 18U);
  for (const NodeRecord& n : network.executor.nodes()) {
    EXPECT_EQ(n.software, 3 * (7 + 4));
    EXPECT_EQ(n.received, 3U);
    EXPECT_EQ(n.bytes_received, 300U);
  }
}

// Linear: the processor hands out the messages one by one, and takes them one by one.
TEST(Executor, AlltoallAllAtOnce) {
  const std::vector<NodeProgram> programs{{"program", all(5), {instruction(ProgramOp::alltoall, 5, 1000)}}};
  // Messages come at 9 + 25, 18 + 25, ...; each is taken before the next one comes.
  FixedDelays slow_sender(programs, {5, 9, 4});
  EXPECT_EQ(slow_sender.run(), 4 * 9 + kArrive + 4);
  // Messages come at 2 + 25, 4 + 25, ...; all wait for the first ones.
  FixedDelays slow_receiver(programs, {5, 2, 8});
  EXPECT_EQ(slow_receiver.run(), 2 + kArrive + 4 * 8);
  FixedDelays none(programs, {5, 0, 0});
  EXPECT_EQ(none.run(), kArrive);
}

TEST(Executor, AlltoallPairwise) {
  const std::vector<NodeProgram> programs{{"program", all(8), {instruction(ProgramOp::alltoall, 8, 1 << 20)}}};
  FixedDelays network(programs, {8, 3, 2});
  EXPECT_EQ(network.run(), 7 * (3 + kArrive + 2));
  EXPECT_EQ(network.executor.instructions()[0][0].bytes, 56ULL << 20);
  EXPECT_EQ(network.executor.instructions()[0][0].nodes, 8U);
  EXPECT_EQ(network.executor.instructions()[0][0].last_completed, 7 * 30);
}

// A binomial tree of 8: the root sends three messages one after the other; the last rank is reached over three hops.
TEST(Executor, BroadcastOverATree) {
  const std::vector<NodeProgram> programs{{"program", all(8), {instruction(ProgramOp::broadcast, 8, 64)}}};
  FixedDelays network(programs, {8, 5, 6});
  EXPECT_EQ(network.run(), 3 * (5 + kArrive + 6));
  EXPECT_EQ(network.sent, 7U);
  EXPECT_EQ(network.executor.nodes()[0].finished, 3 * (5 + kLeave));
}

// Recursive doubling of four: two steps; 1000 B are ten units of 100 B, three cycles each.
TEST(Executor, ReductionsCombine) {
  const std::vector<NodeProgram> programs{{"program", all(4), {instruction(ProgramOp::allreduce, 4, 1000)}}};
  FixedDelays network(programs, {4, 5, 6, 800, 3});
  EXPECT_EQ(network.run(), 2 * (5 + kArrive + 6 + 10 * 3));
  const std::vector<NodeProgram> plain{{"program", all(4), {instruction(ProgramOp::allgather, 4, 1000)}}};
  FixedDelays other(plain, {4, 5, 6, 100, 3});
  EXPECT_EQ(other.run(), 2 * (5 + kArrive + 6)) << "nothing else takes this time";
}

TEST(Executor, ComputationsOccupyTheProcessor) {
  ProgramInstruction work = instruction(ProgramOp::compute, 2, 0);
  work.cycles = 1000;
  work.at = {1};
  const std::vector<NodeProgram> programs{{"program", all(2), {work, instruction(ProgramOp::barrier, 2, 0)}}};
  FixedDelays network(programs, {2, 3, 2});
  EXPECT_EQ(network.run(), 1000 + 3 + kArrive + 2);
  EXPECT_EQ(network.executor.nodes()[1].computing, 1000);
  EXPECT_EQ(network.executor.nodes()[0].computing, 0);
  EXPECT_EQ(network.executor.instructions()[0][1].first_started, 0);
  EXPECT_EQ(network.executor.instructions()[0][1].last_started, 1000);
}

TEST(Executor, EarlyMessagesWait) {
  ProgramInstruction work = instruction(ProgramOp::compute, 2, 0);
  work.cycles = 500;
  const std::vector<NodeProgram> programs{{"a", {0}, {send(0, 1, 8, 1), send(0, 1, 16, 2)}},
                                          {"b", {1}, {work, recv(0, 1, 8, 3), recv(0, 1, 16, 4)}}};
  FixedDelays network(programs, {2, 0, 7});
  EXPECT_EQ(network.run(), 500 + 7 + 7);
  network.executor.check_over();
}

TEST(Executor, NamesBothEndsOfAReceiveWithoutASend) {
  const std::vector<NodeProgram> programs{{"a", {0}, {send(0, 1, 8, 11)}},
                                          {"b", {1}, {recv(0, 1, 8, 21), recv(0, 1, 32, 22)}}};
  FixedDelays network(programs, {2, 1, 1});
  network.run();
  EXPECT_FALSE(network.executor.finished());
  EXPECT_EQ(network.executor.under_way(), 0U);
  EXPECT_THAT(network.executor.describe_blocked(),
              HasSubstr("node 1 waits in recv at p.yaml:22:5 for 32 B from node 0 (the program of node 0 is over)"));
}

TEST(Executor, NamesEverybodyInADeadlock) {
  const std::vector<NodeProgram> programs{{"a", {0}, {recv(1, 0, 8, 11), send(0, 1, 8, 12)}},
                                          {"b", {1}, {recv(0, 1, 8, 21), send(1, 0, 8, 22)}}};
  FixedDelays network(programs, {2, 1, 1});
  network.run();
  const std::string text = network.executor.describe_blocked();
  EXPECT_THAT(text, HasSubstr("node 0 waits in recv at p.yaml:11:5 for 8 B from node 1 (node 1 is in recv at "
                              "p.yaml:21:5)"));
  EXPECT_THAT(text, HasSubstr("node 1 waits in recv at p.yaml:21:5 for 8 B from node 0 (node 0 is in recv at "
                              "p.yaml:11:5)"));
}

TEST(Executor, NamesBothEndsOfASendWithoutAReceive) {
  const std::vector<NodeProgram> programs{{"a", {0}, {send(0, 1, 8, 11)}}};
  FixedDelays network(programs, {2, 1, 1});
  network.run();
  EXPECT_TRUE(network.executor.finished());
  try {
    network.executor.check_over();
    FAIL() << "a message is left over";
  } catch (const RunError& e) {
    EXPECT_THAT(e.what(), HasSubstr("8 B from node 0 to node 1, sent in send at p.yaml:11:5; node 1 has no program"));
  }
}

TEST(Executor, BothEndsMustAgree) {
  const auto failure = [](const std::vector<NodeProgram>& programs) -> std::string {
    FixedDelays network(programs, {2, 1, 1});
    try {
      network.run();
    } catch (const RunError& e) {
      return e.what();
    }
    return "no failure";
  };
  EXPECT_THAT(
      failure({{"a", {0}, {send(0, 1, 8, 11)}}, {"b", {1}, {recv(0, 1, 16, 21)}}}),
      HasSubstr("node 0 sends 8 B to node 1 in send at p.yaml:11:5, which expects 16 B in recv at p.yaml:21:5"));
  EXPECT_THAT(failure({{"a", {0}, {instruction(ProgramOp::allgather, 2, 64, 12)}},
                       {"b", {1}, {instruction(ProgramOp::alltoall, 2, 64, 22)}}}),
              HasSubstr("allgather at p.yaml:12:5"));
}

// Whatever the programs: nothing is lost, and everybody's computations are counted.
TEST(Executor, RandomProgramsEnd) {
  constexpr ProgramOp kOps[] = {
      ProgramOp::barrier,   ProgramOp::sendrecv,  ProgramOp::transfer,      ProgramOp::scatter, ProgramOp::gather,
      ProgramOp::broadcast, ProgramOp::alltoall,  ProgramOp::allgather,     ProgramOp::fence,   ProgramOp::compute,
      ProgramOp::reduce,    ProgramOp::allreduce, ProgramOp::reduce_scatter};
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    RandomStream random(seed, "programs");
    const auto nodes = static_cast<std::uint32_t>(2 + random.below(9));
    NodeProgram program{"program", all(nodes), {}};
    Cycle computing = 0;
    for (int i = 0; i < 12; ++i) {
      ProgramInstruction in = instruction(kOps[random.below(std::size(kOps))], nodes, random.below(100'000), i + 1);
      if (random.below(2) == 0) {  // a part of the nodes
        std::vector<NodeId> some;
        for (NodeId n = 0; n < nodes; ++n) {
          if (random.below(3) != 0) some.push_back(n);
        }
        if (some.size() >= 2) in.group = in.at = some;
      }
      in.root = in.group[random.below(in.group.size())];
      if (in.op == ProgramOp::sendrecv) in.shift = 1 + random.below(in.group.size() - 1);
      if (in.op == ProgramOp::transfer) {
        in.source = in.group.front();
        in.destination = in.group[in.group.size() - 1];
      }
      if (in.op == ProgramOp::compute) {
        in.cycles = static_cast<Cycle>(1 + random.below(100));
        computing += in.cycles * static_cast<Cycle>(in.at.size());
      }
      program.instructions.push_back(in);
    }
    const std::vector<NodeProgram> programs{program};
    FixedDelays network(programs, {nodes, static_cast<Cycle>(random.below(5)), static_cast<Cycle>(random.below(5))});
    network.run();
    ASSERT_TRUE(network.executor.finished()) << "seed " << seed << network.executor.describe_blocked();
    ASSERT_EQ(network.executor.under_way(), 0U);
    network.executor.check_over();
    NodeRecord sum;
    for (const NodeRecord& r : network.executor.nodes()) {
      sum.sent += r.sent;
      sum.received += r.received;
      sum.bytes_sent += r.bytes_sent;
      sum.bytes_received += r.bytes_received;
      sum.computing += r.computing;
    }
    ASSERT_EQ(sum.sent, network.sent);
    ASSERT_EQ(sum.sent, sum.received);
    ASSERT_EQ(sum.bytes_sent, sum.bytes_received);
    ASSERT_EQ(sum.computing, computing);
  }
}

// 150 rounds around a ring, which nodes take in pieces: a scatter over a tree, then an allgather of 150 parts.
TEST(Executor, LongSchedulesComeInPieces) {
  constexpr std::uint32_t kNodes = 150;
  const std::vector<NodeProgram> programs{
      {"program", all(kNodes), {instruction(ProgramOp::broadcast, kNodes, 15'000)}}};
  FixedDelays network(programs, {kNodes, 0, 0});
  network.run();
  EXPECT_TRUE(network.executor.finished());
  EXPECT_EQ(network.executor.under_way(), 0U);
  EXPECT_EQ(network.sent, kNodes - 1 + kNodes * (kNodes - 1));
  // Each part goes around the whole ring but for its last step; the tree carries what is not the sender's.
  std::uint64_t tree = 0;
  for (std::uint32_t n = 1; n < kNodes; ++n) tree += std::min(n & (~n + 1), kNodes - n) * 100;
  EXPECT_EQ(network.executor.instructions()[0][0].bytes, tree + 15'000 * (kNodes - 1));
  network.executor.check_over();
}

TEST(Executor, InFlightEstimate) {
  const auto at_once = [](std::vector<ProgramInstruction> program) {
    const std::vector<NodeProgram> programs{{"program", all(100), std::move(program)}};
    const InFlightEstimate most = messages_at_once(programs);
    return std::pair(most.messages, most.instruction == nullptr ? 0 : most.instruction->where.line);
  };
  EXPECT_EQ(at_once({}), std::pair(std::uint64_t{0}, 0));
  EXPECT_EQ(at_once({instruction(ProgramOp::fence, 100, 0, 4)}), std::pair(std::uint64_t{0}, 0));
  EXPECT_EQ(at_once({instruction(ProgramOp::barrier, 100, 0, 3)}), std::pair(std::uint64_t{100}, 3));
  EXPECT_EQ(at_once({instruction(ProgramOp::alltoall, 100, 1 << 20, 7)}), std::pair(std::uint64_t{100}, 7));
  const ProgramInstruction linear = instruction(ProgramOp::alltoall, 100, 1000, 9);
  EXPECT_EQ(at_once({instruction(ProgramOp::barrier, 100, 0), linear, linear}), std::pair(std::uint64_t{9900}, 9));
  ProgramInstruction few = linear;
  few.group = all(10);
  EXPECT_EQ(at_once({few}), std::pair(std::uint64_t{90}, 9));
}

// Errors of large networks end after some lines.
TEST(Executor, DescribesSomeOfManyNodes) {
  ProgramInstruction wait = recv(0, 0, 64, 3);
  std::vector<NodeId> others = all(100);
  others.erase(others.begin());
  wait.at = others;
  const std::vector<NodeProgram> programs{{"program", all(100), {wait}}};
  FixedDelays network(programs, {100, 0, 0});
  network.run();
  EXPECT_FALSE(network.executor.finished());
  const std::string text = network.executor.describe_blocked();
  EXPECT_THAT(
      text, HasSubstr("\n  node 64 waits in recv at p.yaml:3:5 for 64 B from node 0 (the program of node 0 is over)"));
  EXPECT_THAT(text, testing::Not(HasSubstr("node 65 waits")));
  EXPECT_THAT(text, testing::EndsWith("\n  and 35 further nodes wait"));
}

}  // namespace
}  // namespace weft::collectives
