#pragma once
// Assembler: instructions of programs as the machine instructions of the nodes that have a part in them.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/optweb/emitter.h"
#include "algorithms/optweb/hops/routes.h"
#include "algorithms/optweb/hops/steps.h"

namespace weft::optweb {

class Assembler {
 public:
  /// `config` must outlive it.
  explicit Assembler(const OptwebConfig& config) : config_(config), neighbours_(neighbours_of(config)), out_(config) {}

  /// The parts of `nodes` in an instruction, behind what they have already.
  void add(const ProgramInstruction& in, const Line& line, const std::vector<NodeId>& nodes);

  /// The parts of all its nodes in the broadcasts `first` to `end` - 1 of a program of the configuration, which go by
  /// way of relays as one step.
  void add_broadcasts(std::uint32_t program, std::size_t first, std::size_t end);

  const MachinePrograms& programs() const { return out_.programs(); }
  MachinePrograms take() { return out_.take(); }
  /// The parts of a node since they were last asked for.
  MachineProgram take(NodeId node) { return out_.take(node); }

 private:
  void add(NodeId n);
  void fence(NodeId n);
  void add_exchange(NodeId n);
  void add_transfer(NodeId n);
  void add_broadcast(NodeId n);
  void add_allreduce(NodeId n);

  const OptwebConfig& config_;
  Neighbours neighbours_;
  Emitter out_;
  const ProgramInstruction* in_ = nullptr;
  bool all_paths_ = false;
  std::optional<NodeGrid> grid_;  // of a collective of several steps
  std::vector<NodeId> paths_;     // of a transfer by all of them
  std::vector<LegRound> rounds_;  // of what goes from node to node with several hops
};

/// The programs of a configuration.
MachinePrograms assemble(const OptwebConfig& config);

}  // namespace weft::optweb
