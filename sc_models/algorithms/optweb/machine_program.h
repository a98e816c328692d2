#pragma once
// Machine programs: what the command sequencers of the nodes execute, and the line of the program each instruction
// comes from.

#include <cstdint>
#include <vector>

#include "algorithms/optweb/command_sequencer.h"
#include "algorithms/optweb/neighbours.h"
#include "algorithms/optweb/optweb_config.h"
#include "algorithms/optweb/relays/detours.h"

namespace weft::optweb {

/// Instruction of a program that a machine instruction comes from.
struct Line {
  std::uint32_t program = 0;  ///< index in OptwebConfig::programs
  std::uint32_t index = 0;    ///< of the instruction there
  bool operator==(const Line&) const = default;
};

/// Ends of a machine instruction that are at `scratch` or `scratch2`, where data rest on their way to another node.
struct StagedEnds {
  bool sent = false;
  bool received = false;
  bool second = false;       ///< received at `scratch2`
  bool sent_second = false;  ///< sent from `scratch2`
};

struct MachineProgram {
  std::vector<MachineInstruction> instructions;
  std::vector<Line> lines;         ///< one per instruction
  std::vector<StagedEnds> staged;  ///< one per instruction
  std::vector<DetourStep> steps;   ///< one per instruction: of collectives that may go round links
};

struct MachinePrograms {
  std::vector<std::vector<NodeId>> groups;  ///< group register table, the same in every node
  DetourRegisters detours;                  ///< of its groups
  std::vector<MachineProgram> nodes;
};

inline const ProgramInstruction& instruction_at(const OptwebConfig& config, const Line& line) {
  return config.programs[line.program].instructions[line.index];
}
inline const Neighbours& neighbours_of(const OptwebConfig& config) { return *config.neighbours; }

}  // namespace weft::optweb
