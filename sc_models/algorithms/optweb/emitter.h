#pragma once
// Takes down the machine instructions that an instruction of a program becomes on each node.

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "algorithms/optweb/machine_program.h"

namespace weft::optweb {

class Emitter {
 public:
  explicit Emitter(const OptwebConfig& config) : config_(config) { out_.nodes.resize(config.nodes); }
  Emitter(const Emitter&) = delete;
  Emitter& operator=(const Emitter&) = delete;

  /// Instruction from which everything emitted from now on comes; it must live as long as it does. `detour`:
  /// with the steps of detours (algorithms/optweb/relays/detours.h).
  void begin(const ProgramInstruction& in, const Line& line, bool detour = false);
  const ProgramInstruction& in() const { return *in_; }
  /// Number of a group in the group register table.
  std::uint32_t number_of(const std::vector<NodeId>& group);
  /// Number of the first of several that stand there one after the other.
  std::uint32_t first_of(const std::vector<std::vector<NodeId>>& groups);

  /// With addresses, size and root of the program's instruction, for its group.
  MachineInstruction plain(Opcode opcode) const;
  MachineInstruction reducing(Opcode opcode) const;
  MachineInstruction between(Opcode opcode, NodeId source, NodeId destination) const;

  void emit(NodeId node, MachineInstruction i) { emit(node, i, group_); }
  void emit(NodeId node, MachineInstruction i, std::uint32_t group, StagedEnds staged = {});
  /// A reduce to the node `i.destination`. Nobody may be so late that the words of the others do not fit into the
  /// buffers there: a large one begins with a barrier.
  void emit_reduce(NodeId node, const MachineInstruction& i, std::uint32_t group, StagedEnds staged = {});

  const MachinePrograms& programs() const { return out_; }
  MachinePrograms take() { return std::move(out_); }
  /// What has been emitted for a node, which has nothing then.
  MachineProgram take(NodeId node) { return std::exchange(out_.nodes[node], {}); }

 private:
  void put(NodeId node, MachineInstruction i, std::uint32_t group, StagedEnds staged, DetourStep step);
  void emit_with_detour(NodeId node, const MachineInstruction& i, std::uint32_t group, StagedEnds staged);

  const OptwebConfig& config_;
  MachinePrograms out_;
  GroupRegisters registers_{out_.groups, out_.detours};
  std::map<std::vector<NodeId>, std::uint32_t> numbers_;
  std::map<std::vector<std::vector<NodeId>>, std::uint32_t> sequences_;
  const ProgramInstruction* in_ = nullptr;
  bool may_detour_ = false;
  const std::vector<Detour>* detours_ = nullptr;
  Line line_;
  std::uint32_t group_ = 0;
};

}  // namespace weft::optweb
