// Executors that run the nodes of one network together: messages between them, and what they have recorded.

#include <fmt/format.h>

#include <cereal/archives/binary.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>

#include <algorithm>
#include <sstream>
#include <utility>

#include "algorithms/collectives/executor.h"

namespace weft::collectives {

template <class Archive>
void serialize(Archive& archive, NodeRecord& r) {
  archive(r.finished, r.computing, r.software, r.sent, r.received, r.bytes_sent, r.bytes_received);
}

template <class Archive>
void serialize(Archive& archive, Execution& e) {
  archive(e.node, e.instruction, e.started, e.completed);
}

/// What an executor tells others. An instruction is its place in the program of a node.
struct Executor::State {
  struct Own {
    NodeId node = 0;
    NodeRecord record;
    template <class Archive>
    void serialize(Archive& archive) {
      archive(node, record);
    }
  };
  struct Instruction {
    InstructionRecord record;
    std::string algorithm;
    template <class Archive>
    void serialize(Archive& archive) {
      archive(record.nodes, record.first_started, record.last_started, record.first_completed, record.last_completed,
              record.busy, record.messages, record.bytes, algorithm);
    }
  };
  struct Running {
    NodeId node = 0;
    std::uint32_t instruction = kNone;  // kNone: it waits until its messages have left
    template <class Archive>
    void serialize(Archive& archive) {
      archive(node, instruction);
    }
  };
  /// A message without a receive, with its source's instruction, or a receive without a message.
  struct Unmatched {
    NodeId source = 0, destination = 0;
    std::uint64_t bytes = 0;
    std::uint32_t instruction = 0;
    template <class Archive>
    void serialize(Archive& archive) {
      archive(source, destination, bytes, instruction);
    }
  };
  std::vector<Own> nodes;
  std::vector<Running> running;
  std::vector<Instruction> instructions;  // program by program
  std::vector<Execution> executions;
  std::vector<Unmatched> messages, receives;
  std::uint64_t completed = 0, under_way = 0;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(nodes, running, instructions, executions, messages, receives, completed, under_way);
  }
};

std::uint32_t Executor::place_of(NodeId node, const ProgramInstruction& instruction) const {
  const NodeProgram& program = programs_[static_cast<std::size_t>(records_[node].program)];
  return static_cast<std::uint32_t>(&instruction - program.instructions.data());
}

const ProgramInstruction& Executor::instruction_at(NodeId node, std::uint32_t place) const {
  return programs_[static_cast<std::size_t>(records_[node].program)].instructions.at(place);
}

std::uint64_t Executor::word(std::uint32_t message) const {
  const Message& m = messages_[message];
  return static_cast<std::uint64_t>(m.number) << 32 | place_of(m.source, *m.instruction);
}

std::uint32_t Executor::come(NodeId source, NodeId destination, std::uint64_t bytes, std::uint64_t word) {
  Inbound& in = inbound_[static_cast<std::uint64_t>(source) << 32 | destination];
  const std::size_t place = static_cast<std::uint32_t>(word >> 32) - in.first;
  while (in.awaited.size() <= place) {
    const std::uint32_t next = new_message();
    messages_[next] = {source, destination, 0, nullptr};
    messages_[next].known = false;
    messages_[next].left = true;
    announce(next);
    in.awaited.push_back(next);
  }
  const std::uint32_t message = std::exchange(in.awaited[place], kNone);
  for (; !in.awaited.empty() && in.awaited.front() == kNone; ++in.first) in.awaited.pop_front();
  Message& m = messages_[message];
  m.bytes = bytes;
  m.instruction = &instruction_at(source, static_cast<std::uint32_t>(word));
  m.known = true;
  ++under_way_;
  --away_;
  if (const auto receive = receives_ahead_.find(message); receive != receives_ahead_.end()) {
    const Expected expected = receive->second;
    receives_ahead_.erase(receive);
    match_up(message, expected);
  }
  return message;
}

std::string Executor::state() const {
  State s;
  for (NodeId n = 0; n < nodes_.size(); ++n) {
    if (!runs(n)) continue;
    s.nodes.push_back({n, records_[n]});
    const Node& node = nodes_[n];
    if (node.program == nullptr) continue;
    s.running.push_back({n, node.instruction == nullptr ? kNone : place_of(n, *node.instruction)});
  }
  for (const auto& program : instructions_) {
    for (const InstructionRecord& r : program) s.instructions.push_back({r, r.algorithm});
  }
  s.executions = executions_;
  unexpected_.each([&](NodeId source, NodeId destination, std::uint32_t message) {
    const Message& m = messages_[message];
    if (m.known) s.messages.push_back({source, destination, m.bytes, place_of(source, *m.instruction)});
  });
  expected_.each([&](NodeId source, NodeId destination, const Expected& e) {
    s.receives.push_back({source, destination, e.bytes, place_of(destination, *e.instruction)});
  });
  s.completed = completed_;
  s.under_way = under_way_;
  std::ostringstream out;
  cereal::BinaryOutputArchive archive(out);
  archive(s);
  return std::move(out).str();
}

void Executor::collect(const std::vector<std::string>& states) {
  std::vector<State> all(states.size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    std::istringstream in(states[i]);
    cereal::BinaryInputArchive archive(in);
    archive(all[i]);
  }
  expected_ = {};
  unexpected_ = {};
  executions_.clear();
  completed_ = under_way_ = running_ = 0;
  for (auto& program : instructions_) std::fill(program.begin(), program.end(), InstructionRecord{});
  for (const State& s : all) {
    for (const State::Own& n : s.nodes) {
      const std::int64_t program = records_[n.node].program;
      records_[n.node] = n.record;
      records_[n.node].program = program;
    }
    std::size_t place = 0;
    for (auto& program : instructions_) {
      for (InstructionRecord& sum : program) {
        const State::Instruction& told = s.instructions.at(place++);
        if (!told.algorithm.empty()) sum.algorithm = names_.insert(told.algorithm).first->c_str();
        const InstructionRecord& r = told.record;
        sum.messages += r.messages;
        sum.bytes += r.bytes;
        if (r.nodes == 0) continue;
        const bool first = sum.nodes == 0;
        sum.first_started = first ? r.first_started : std::min(sum.first_started, r.first_started);
        sum.first_completed = first ? r.first_completed : std::min(sum.first_completed, r.first_completed);
        sum.last_started = std::max(sum.last_started, r.last_started);
        sum.last_completed = std::max(sum.last_completed, r.last_completed);
        sum.busy += r.busy;
        sum.nodes += r.nodes;
      }
    }
    executions_.insert(executions_.end(), s.executions.begin(), s.executions.end());
    completed_ += s.completed;
    under_way_ += s.under_way;
    running_ += s.running.size();
    for (const State::Running& r : s.running) {
      nodes_[r.node].program = &programs_[static_cast<std::size_t>(records_[r.node].program)];
      nodes_[r.node].instruction = r.instruction == kNone ? nullptr : &instruction_at(r.node, r.instruction);
    }
    for (const State::Unmatched& m : s.messages) {
      const std::uint32_t message = new_message();
      messages_[message] = {m.source, m.destination, m.bytes, &instruction_at(m.source, m.instruction)};
      unexpected_.push(m.source, m.destination, message);
    }
    for (const State::Unmatched& r : s.receives) {
      expected_.push(r.source, r.destination, {r.bytes, &instruction_at(r.destination, r.instruction), false});
    }
  }
}

}  // namespace weft::collectives
