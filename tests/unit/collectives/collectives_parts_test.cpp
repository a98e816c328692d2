// Executors that run the nodes of one network together, against one that runs all of them: on a network whose messages
// overtake each other the records must be the same.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <queue>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "algorithms/collectives/executor.h"
#include "base/random.h"

namespace weft::collectives {
namespace {

// The time of a message follows from its ends and its number between them, whoever runs these.
class OvertakingMessages {
 public:
  /// Node n belongs to executor n modulo `parts`.
  OvertakingMessages(const std::vector<NodeProgram>& programs, ExecutorOptions options, std::uint32_t parts)
      : parts_(parts) {
    for (std::uint32_t p = 0; p < parts; ++p) {
      options.here.clear();
      for (NodeId n = 0; n < options.nodes && parts > 1; ++n) options.here.push_back(n % parts == p);
      ports_.push_back(std::make_unique<Port>(*this, programs, options));
    }
  }

  void run() {
    for (const auto& p : ports_) p->executor.start(0);
    while (!events_.empty()) {
      const Event e = events_.top();
      events_.pop();
      now_ = e.at;
      Executor& executor = of(e.node);
      switch (e.what) {
        case What::left:
          executor.left(e.message, now_);
          break;
        case What::arrived:
          executor.arrived(e.foreign ? executor.come(e.from, e.node, e.bytes, e.word) : e.message, now_);
          break;
        case What::woken:
          executor.woken(e.node, now_);
          break;
      }
    }
    std::uint64_t away = 0;
    std::vector<std::string> states;
    for (const auto& p : ports_) {
      away += p->executor.away();
      states.push_back(p->executor.state());
    }
    EXPECT_EQ(away, 0U);
    if (parts_ == 1) return;
    for (const auto& p : ports_) p->executor.collect(states);
  }
  const Executor& executor(std::uint32_t part) const { return ports_[part]->executor; }

 private:
  enum class What { left, arrived, woken };
  struct Event {
    Cycle at = 0;
    What what = What::left;
    NodeId node = 0;
    std::uint32_t message = 0;
    bool foreign = false;
    NodeId from = 0;
    std::uint64_t bytes = 0;
    std::uint64_t word = 0;
    bool operator<(const Event& o) const {
      return std::tie(at, what, node, message) > std::tie(o.at, o.what, o.node, o.message);
    }
  };
  struct Port final : MessagePort {
    Port(OvertakingMessages& its_network, const std::vector<NodeProgram>& programs, const ExecutorOptions& options)
        : network(its_network), executor(programs, options, *this) {}
    void send(std::uint32_t message, NodeId from, NodeId to, std::uint64_t bytes) override {
      const std::uint64_t number = network.sent_[{from, to}]++;
      RandomStream random(from * 1000 + to, "message/" + std::to_string(number));
      const Cycle arrives = network.now_ + 11 + static_cast<Cycle>(random.below(40));
      network.events_.push({network.now_ + 10, What::left, from, message});
      const bool foreign = !executor.runs(to);
      network.events_.push(
          {arrives, What::arrived, to, message, foreign, from, bytes, foreign ? executor.word(message) : 0});
    }
    void wake(NodeId node, Cycle at) override { network.events_.push({at, What::woken, node}); }
    OvertakingMessages& network;
    Executor executor;
  };
  Executor& of(NodeId node) { return ports_[node % parts_]->executor; }

  const std::uint32_t parts_;
  std::vector<std::unique_ptr<Port>> ports_;
  std::priority_queue<Event> events_;
  std::map<std::pair<NodeId, NodeId>, std::uint64_t> sent_;
  Cycle now_ = 0;
};

std::string text_of(const Executor& executor) {
  std::string out;
  const auto add = [&out](const auto&... values) { (out.append(std::to_string(values)).append(" "), ...); };
  for (const NodeRecord& r : executor.nodes()) {
    add(r.program, r.finished, r.computing, r.software, r.sent, r.received, r.bytes_sent, r.bytes_received);
  }
  for (const auto& program : executor.instructions()) {
    for (const InstructionRecord& r : program) {
      out += r.algorithm;
      add(r.nodes, r.first_started, r.last_started, r.first_completed, r.last_completed, r.busy, r.messages, r.bytes);
    }
  }
  std::vector<Execution> executions = executor.executions();
  std::stable_sort(executions.begin(), executions.end(), [](const Execution& a, const Execution& b) {
    return std::tie(a.completed, a.node) < std::tie(b.completed, b.node);
  });
  for (const Execution& e : executions) add(e.node, e.instruction, e.started, e.completed);
  add(executor.completed(), executor.under_way(), executor.finished());
  return out + executor.describe_blocked();
}

ProgramInstruction any_instruction(ProgramOp op, const std::vector<NodeId>& nodes, std::uint64_t bytes, int line) {
  ProgramInstruction i;
  i.where = {"p.yaml", line, 5};
  i.op = op;
  i.name = to_string(op);
  i.group = i.at = nodes;
  i.bytes = bytes;
  i.root = nodes.front();
  i.cycles = 7;
  return i;
}

TEST(ExecutorParts, RecordWhatOneExecutorRecords) {
  constexpr ProgramOp kOps[] = {ProgramOp::barrier,   ProgramOp::scatter,   ProgramOp::gather, ProgramOp::broadcast,
                                ProgramOp::alltoall,  ProgramOp::allgather, ProgramOp::fence,  ProgramOp::compute,
                                ProgramOp::allreduce, ProgramOp::transfer,  ProgramOp::send};
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    RandomStream random(seed, "parts");
    const auto nodes = static_cast<std::uint32_t>(3 + random.below(9));
    NodeProgram program{"program", NodeList{}, {}};
    std::vector<NodeId> all_nodes;
    for (NodeId n = 0; n < nodes; ++n) all_nodes.push_back(n);
    program.nodes = all_nodes;
    for (int i = 0; i < 12; ++i) {
      ProgramInstruction in =
          any_instruction(kOps[random.below(std::size(kOps))], all_nodes, random.below(100'000), i + 1);
      const auto source = static_cast<NodeId>(random.below(nodes));
      const NodeId destination = (source + 1) % nodes;
      in.source = source;
      in.destination = destination;
      // Several at once to one node, each of which may overtake the others.
      if (in.op != ProgramOp::send) {
        program.instructions.push_back(in);
        continue;
      }
      in.at = std::vector<NodeId>{source};
      in.waits = false;
      ProgramInstruction receive = in;
      receive.op = ProgramOp::recv;
      receive.at = std::vector<NodeId>{destination};
      for (std::uint64_t k = 0; k < 6; ++k) {
        in.bytes = receive.bytes = 100 * seed + k;
        program.instructions.push_back(in);
        program.instructions.push_back(receive);
      }
    }
    const std::vector<NodeProgram> programs{program};
    const ExecutorOptions options{nodes, static_cast<Cycle>(random.below(5)), static_cast<Cycle>(random.below(5)), 64,
                                  1};
    OvertakingMessages one(programs, options, 1);
    one.run();
    ASSERT_TRUE(one.executor(0).finished()) << seed << one.executor(0).describe_blocked();
    for (const std::uint32_t parts : {2U, 3U}) {
      OvertakingMessages several(programs, options, parts);
      several.run();
      for (std::uint32_t p = 0; p < parts; ++p) {
        ASSERT_EQ(text_of(several.executor(p)), text_of(one.executor(0))) << seed;
        ASSERT_NO_THROW(several.executor(p).check_over());
      }
    }
  }
}

TEST(ExecutorParts, SayWhatOneExecutorSaysOfADeadlock) {
  const std::vector<NodeId> both{0, 1, 2, 3};
  ProgramInstruction receive = any_instruction(ProgramOp::recv, both, 64, 3);
  receive.at = std::vector<NodeId>{1};
  receive.source = 2;
  ProgramInstruction send = any_instruction(ProgramOp::send, both, 8, 4);
  send.at = std::vector<NodeId>{0};
  send.destination = 3;
  const std::vector<NodeProgram> programs{
      {"program", NodeList(both), {any_instruction(ProgramOp::barrier, both, 0, 2), receive, send}}};
  OvertakingMessages one(programs, {4, 2, 3, 8, 0}, 1);
  one.run();
  ASSERT_THAT(one.executor(0).describe_blocked(),
              testing::HasSubstr("node 1 waits in recv at p.yaml:3:5 for 64 B from node 2 (the program of node 2 is"));
  for (const std::uint32_t parts : {2U, 3U}) {
    OvertakingMessages several(programs, {4, 2, 3, 8, 0}, parts);
    several.run();
    EXPECT_EQ(text_of(several.executor(0)), text_of(one.executor(0)));
    const auto complaint = [](const Executor& executor) -> std::string {
      try {
        executor.check_over();
      } catch (const RunError& e) {
        return e.what();
      }
      return "none";
    };
    EXPECT_THAT(complaint(one.executor(0)),
                testing::HasSubstr("8 B from node 0 to node 3, sent in send at p.yaml:4:5"));
    EXPECT_EQ(complaint(several.executor(1)), complaint(one.executor(0)));
  }
}

}  // namespace
}  // namespace weft::collectives
