#include "algorithms/collectives/executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace weft::collectives {
namespace {

// Rounds of an instruction that a node knows ahead. All rounds of all nodes would be n^2 where data go around a ring.
constexpr std::uint32_t kPiece = 64;

std::string text(const ProgramInstruction& in) {
  const std::string op = to_string(in.op);
  const std::string name = in.name.empty() || in.name == op ? std::string() : fmt::format(" ({})", in.name);
  return fmt::format("{}{} at {}", op, name, in.where.text());
}

std::uint64_t pair_of(NodeId source, NodeId destination) {
  return static_cast<std::uint64_t>(source) << 32 | destination;
}

}  // namespace

Executor::Executor(const std::vector<NodeProgram>& programs, const ExecutorOptions& options, MessagePort& port)
    : options_(options), port_(port), programs_(programs), nodes_(options.nodes), records_(options.nodes) {
  for (std::size_t p = 0; p < programs.size(); ++p) {
    instructions_.emplace_back(programs[p].instructions.size());
    for (const NodeId n : programs[p].nodes) {
      records_[n].program = static_cast<std::int64_t>(p);
      if (!runs(n)) continue;
      nodes_[n].program = &programs[p];
      ++running_;
    }
  }
}

InstructionRecord& Executor::record(const Node& node) {
  const auto p = static_cast<std::size_t>(node.program - programs_.data());
  return instructions_[p][static_cast<std::size_t>(node.instruction - node.program->instructions.data())];
}

void Executor::start(Cycle now) {
  for (NodeId n = 0; n < nodes_.size(); ++n) {
    if (nodes_[n].program != nullptr) progress(n, now);
  }
}

void Executor::woken(NodeId n, Cycle now) {
  nodes_[n].busy = false;
  finish_job(n);
  progress(n, now);
}

void Executor::left(std::uint32_t message, Cycle now) {
  if (multicast_left(message, now)) return;
  Message& m = messages_[message];
  const NodeId n = m.source;
  m.left = true;
  if (!runs(m.destination)) {
    m.arrived = true;  // there
    m.instruction = nullptr;
  }
  if (m.arrived) --under_way_;
  --(m.waits ? nodes_[n].open : nodes_[n].leaving);
  release(message);
  progress(n, now);
}

void Executor::arrived(std::uint32_t message, Cycle now) {
  Message& m = messages_[message];
  m.arrived = true;
  const NodeId n = m.destination;
  if (m.left) --under_way_;
  if (!m.matched) return;
  queue_receive(message);
  progress(n, now);
}

// As far as the node can go without time going on.
void Executor::progress(NodeId n, Cycle now) {
  Node& node = nodes_[n];
  if (node.program == nullptr) return;
  for (;;) {
    run_jobs(n, now);
    if (node.open > 0 || !next_step(n, now)) return;
  }
}

// The next round, or the next instruction. False when the program is over.
bool Executor::next_step(NodeId n, Cycle now) {
  Node& node = nodes_[n];
  if (node.instruction != nullptr) {
    if (node.round < node.work.rounds_in_all) {
      begin_round(n);
      return true;
    }
    InstructionRecord& r = record(node);
    r.first_completed = r.nodes == 0 ? now : std::min(r.first_completed, now);
    r.last_completed = std::max(r.last_completed, now);
    r.first_started = r.nodes == 0 ? node.started : std::min(r.first_started, node.started);
    r.last_started = std::max(r.last_started, node.started);
    r.busy += now - node.started;
    ++r.nodes;
    ++completed_;
    if (executions_.size() < kMostExecutions || executions_.back().completed == now) {
      executions_.push_back({n, static_cast<std::uint32_t>(node.next - 1), node.started, now});
    }
    node.instruction = nullptr;
  }
  if (options_.phased != nullptr) look_ahead(n);
  const std::vector<ProgramInstruction>& all = node.program->instructions;
  while (node.next < all.size()) {
    const ProgramInstruction& in = all[node.next++];
    node.work = options_.phased == nullptr ? lower(in, n, {0, kPiece}, options_.algorithms) : work_of(n, in);
    if (!node.work.takes_part) continue;
    node.instruction = &in;
    node.piece = node.round = 0;
    node.started = now;
    record(node).algorithm = node.work.algorithm;
    if (node.work.compute > 0) {
      node.jobs.push_back({JobKind::compute, node.work.compute, 0});
      ++node.open;
    }
    return true;
  }
  if (node.leaving > 0) return false;
  records_[n].finished = now;
  node.program = nullptr;
  --running_;
  return false;
}

void Executor::begin_round(NodeId n) {
  Node& node = nodes_[n];
  if (node.round - node.piece == node.work.rounds.size()) {
    node.piece = node.round;
    node.work = lower(*node.instruction, n, {node.piece, kPiece}, options_.algorithms);
  }
  const NodeRound& round = node.work.rounds[node.round++ - node.piece];
  if (options_.phased != nullptr) tell_step(n, round);
  for (std::size_t i = 0; i < round.sends.size(); ++i) {
    node.jobs.push_back({JobKind::send, options_.send_overhead, i});
  }
  node.open += round.sends.size() + round.receives.size();
  for (const NodeMessage& m : round.receives) {
    const Expected expected{m.bytes, node.instruction, m.combine};
    std::uint32_t message = 0;
    if (unexpected_.pop(m.peer, n, message)) {
      match_up(message, expected);
      if (messages_[message].arrived) queue_receive(message);
    } else {
      expected_.push(m.peer, n, expected);
    }
  }
}

void Executor::run_jobs(NodeId n, Cycle now) {
  Node& node = nodes_[n];
  while (!node.busy && !node.jobs.empty()) {
    if (node.jobs.front().cycles > 0) {
      node.busy = true;
      port_.wake(n, now + node.jobs.front().cycles);
    } else {
      finish_job(n);
    }
  }
}

void Executor::finish_job(NodeId n) {
  Node& node = nodes_[n];
  const Job job = node.jobs.front();
  node.jobs.pop_front();
  NodeRecord& r = records_[n];
  (job.kind == JobKind::compute ? r.computing : r.software) += job.cycles;
  switch (job.kind) {
    case JobKind::compute:
      --node.open;
      break;
    case JobKind::receive: {
      Message& m = messages_[job.index];
      ++r.received;
      r.bytes_received += m.bytes;
      m.matched = false;  // nobody needs it any more
      m.instruction = nullptr;
      release(static_cast<std::uint32_t>(job.index));
      --node.open;
      break;
    }
    case JobKind::send:
      send(n, node.work.rounds[node.round - 1 - node.piece].sends[job.index]);
      break;
  }
}

void Executor::send(NodeId n, const NodeMessage& m) {
  Node& node = nodes_[n];
  NodeRecord& r = records_[n];
  ++r.sent;
  r.bytes_sent += m.bytes;
  InstructionRecord& i = record(node);
  ++i.messages;
  i.bytes += m.bytes;
  if (m.group) return multicast(n, m);
  const std::uint32_t message = new_message();
  messages_[message] = {n, m.peer, m.bytes, node.instruction};
  if (!node.instruction->waits) {
    messages_[message].waits = false;
    --node.open;
    ++node.leaving;
  }
  ++under_way_;
  if (runs(m.peer)) {
    announce(message);
  } else {
    messages_[message].number = sent_away_[pair_of(n, m.peer)]++;
    ++away_;
  }
  port_.send(message, n, m.peer, m.bytes);
}

std::uint32_t Executor::new_message() {
  if (free_.empty()) {
    messages_.emplace_back();
    return static_cast<std::uint32_t>(messages_.size() - 1);
  }
  const std::uint32_t message = free_.back();
  free_.pop_back();
  return message;
}

// The next one from its source to its destination.
void Executor::announce(std::uint32_t message) {
  const NodeId source = messages_[message].source;
  const NodeId destination = messages_[message].destination;
  Expected expected{};
  if (expected_.pop(source, destination, expected)) {
    match_up(message, expected);
  } else {
    unexpected_.push(source, destination, message);
  }
}

void Executor::match_up(std::uint32_t message, const Expected& expected) {
  Message& m = messages_[message];
  m.matched = true;
  m.combine = expected.combine;
  if (!m.known) {
    receives_ahead_.emplace(message, expected);
    return;
  }
  if (match(*m.instruction, *expected.instruction) && m.bytes == expected.bytes) return;
  throw RunError(
      fmt::format("programs do not fit together: node {} sends {} B to node {} in {}, which expects {} B in {}",
                  m.source, m.bytes, m.destination, text(*m.instruction), expected.bytes, text(*expected.instruction)));
}

void Executor::queue_receive(std::uint32_t message) {
  const Message& m = messages_[message];
  const std::uint64_t units = m.combine ? (m.bytes * 8 + options_.combine_bits - 1) / options_.combine_bits : 0;
  const Cycle cycles = options_.receive_overhead + static_cast<Cycle>(units) * options_.combine;
  nodes_[m.destination].jobs.push_back({JobKind::receive, cycles, message});
}

// Called when it has left and when it has been taken; whatever comes last makes its place free.
void Executor::release(std::uint32_t message) {
  Message& m = messages_[message];
  if (m.left && m.instruction == nullptr) free_.push_back(message);
}

std::string Executor::doing(NodeId n) const {
  const Node& node = nodes_[n];
  if (records_[n].program < 0) return fmt::format("node {} has no program", n);
  if (node.program == nullptr) return fmt::format("the program of node {} is over", n);
  if (node.instruction == nullptr) return fmt::format("node {} waits until its messages have left", n);
  return fmt::format("node {} is in {}", n, text(*node.instruction));
}

std::string Executor::describe_blocked() const {
  std::map<NodeId, std::map<NodeId, std::vector<Expected>>> waits;  // by destination and source
  expected_.each(
      [&](NodeId source, NodeId destination, const Expected& e) { waits[destination][source].push_back(e); });
  std::string out;
  std::size_t lines = 0;
  for (NodeId n = 0; n < nodes_.size(); ++n) {
    const Node& node = nodes_[n];
    if (node.program == nullptr || ++lines > kMostDescribed) continue;
    std::string text_of_waits;
    for (const auto& [from, receives] : waits[n]) {
      for (const Expected& e : receives) {
        text_of_waits +=
            fmt::format("{} {} B from node {} ({})", text_of_waits.empty() ? "" : " and", e.bytes, from, doing(from));
      }
    }
    if (node.instruction == nullptr) {
      out += "\n  " + doing(n);
      continue;
    }
    out += fmt::format("\n  node {} waits in {} for{}", n, text(*node.instruction),
                       text_of_waits.empty() ? " nothing" : text_of_waits);
  }
  if (lines > kMostDescribed) out += fmt::format("\n  and {} further nodes wait", lines - kMostDescribed);
  return out;
}

void Executor::check_over() const {
  if (unexpected_.empty()) return;
  std::map<std::pair<NodeId, NodeId>, std::vector<std::uint32_t>> left;
  std::size_t lines = 0;
  unexpected_.each([&](NodeId source, NodeId destination, std::uint32_t message) {
    left[{source, destination}].push_back(message);
  });
  std::string out;
  for (const auto& [pair, messages] : left) {
    for (const std::uint32_t i : messages) {
      if (++lines > kMostDescribed) continue;
      const Message& m = messages_[i];
      out += fmt::format("\n  {} B from node {} to node {}, sent in {}; {}", m.bytes, m.source, m.destination,
                         text(*m.instruction), doing(m.destination));
    }
  }
  if (lines > kMostDescribed) out += fmt::format("\n  and {} further messages", lines - kMostDescribed);
  throw RunError(fmt::format("all programs are over, but messages were never received:{}", out));
}

}  // namespace weft::collectives
