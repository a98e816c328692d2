#include "fabrics/tdm/plan/demanded_circuits.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "algorithms/collectives/circuit_rounds.h"
#include "base/diagnostics.h"
#include "fabrics/tdm/plan/circuit_colours.h"

namespace weft {
namespace {

using collectives::CircuitMessage;
using collectives::CircuitRounds;
using collectives::NodeWork;
using collectives::PhasedPrograms;

class DemandPlanner {
 public:
  DemandPlanner(const TdmConfig& config, const Graph& graph) : config_(config), graph_(graph) {}

  DemandedCircuits plan(const CircuitRouting& routing, std::uint32_t slots) {
    PhasedPrograms& programs = out_.programs.programs;
    std::size_t longest = 0;
    for (std::uint32_t p = 0; p < config_.programs.size(); ++p) {
      const NodeProgram& program = config_.programs[p];
      longest = std::max(longest, program.instructions.size());
      programs.instructions.emplace_back(program.instructions.size());
      for (std::uint32_t i = 0; i < program.instructions.size(); ++i) add(p, i);
    }
    programs.between.assign(longest + 1, 0);  // all is one step
    Diagnostics diagnostics;
    for (const auto& [ends, messages] : messages_) {
      NodePairs pairs;
      for (const NodeId d : ends.second) pairs.emplace_back(ends.first, d);
      out_.flows.push_back(make_flow(graph_, routing, flow_name(ends), "", slots, pairs, messages.where, diagnostics));
      out_.programs.messages.push_back(messages);
    }
    diagnostics.throw_if_errors();
    return std::move(out_);
  }

 private:
  void add(std::uint32_t p, std::uint32_t i) {
    const NodeProgram& program = config_.programs[p];
    const ProgramInstruction& in = program.instructions[i];
    PhasedPrograms::Instruction& own = out_.programs.programs.instructions[p][i];
    if (is_collective(in.op)) {
      const auto [at, is_new] = known_.try_emplace({in.op, in.bytes, in.root, in.group});
      if (is_new) at->second = plan_collective(in);
      own = at->second;
      out_.programs.collectives.push_back({p, i, own.algorithm, ""});
    }
    if (own.layer != PhasedPrograms::kMessages) return;
    const auto key = std::tuple(p, in.op, in.bytes, in.root, in.source, in.destination, in.shift, in.group, in.at);
    if (!lowered_.insert(key).second) return;
    for (const NodeId n : program.nodes) {
      const NodeWork work = collectives::lower(in, n);
      for (const collectives::NodeRound& round : work.rounds) {
        for (const collectives::NodeMessage& m : round.sends) count({n, {m.peer}}, m.bytes, in.where);
      }
    }
  }

  // How the collective is carried.
  PhasedPrograms::Instruction plan_collective(const ProgramInstruction& in) {
    const CircuitRounds rounds = collectives::circuit_rounds(in);
    if (rounds.rounds.empty()) return {};
    collectives::NodeRounds work(graph_.nodes());
    for (std::uint32_t r = 0; r < rounds.rounds.size(); ++r) {
      for (const CircuitMessage& m : rounds.rounds[r]) {
        work.add(r, m);
        count({m.source, m.destinations}, m.bytes, in.where);
      }
    }
    PhasedPrograms& programs = out_.programs.programs;
    const auto number = static_cast<std::uint32_t>(programs.layers.size());
    programs.works.push_back(work.take());
    programs.layers.push_back({number, std::vector<std::uint32_t>(rounds.rounds.size(), 0)});
    return {number, rounds.algorithm};
  }

  void count(const Ends& ends, std::uint64_t bytes, const Location& where) {
    CircuitMessages& m = messages_[ends];
    m.shortest = std::min(m.shortest, bytes);
    if (m.where.line > 0 && bytes <= m.longest) return;
    m.longest = std::max(m.longest, bytes);
    m.where = where;
  }

  const TdmConfig& config_;
  const Graph& graph_;
  DemandedCircuits out_;
  std::map<Ends, CircuitMessages> messages_;
  std::map<std::tuple<ProgramOp, std::uint64_t, NodeId, NodeList>, PhasedPrograms::Instruction> known_;
  std::set<std::tuple<std::uint32_t, ProgramOp, std::uint64_t, NodeId, std::optional<NodeId>, std::optional<NodeId>,
                      std::optional<std::int64_t>, NodeList, NodeList>>
      lowered_;  // instructions as messages
};

}  // namespace

DemandedCircuits plan_demanded_circuits(const TdmConfig& config, const Graph& graph, const CircuitRouting& routing,
                                        std::uint32_t slots) {
  return DemandPlanner(config, graph).plan(routing, slots);
}

}  // namespace weft
