#pragma once
// From programs as they are written to what the command sequencers of the nodes execute, and the checks that need no
// run: addresses within the memory, areas that do not overlap.

#include <cstdint>
#include <string>
#include <vector>

#include "config/optweb_config.h"
#include "optweb/command_sequencer.h"
#include "optweb/step.h"

namespace weft::optweb {

/// Where a machine instruction comes from.
struct Line {
  std::uint32_t program = 0;  ///< index in OptwebConfig::programs
  std::uint32_t index = 0;    ///< of the instruction there
  bool operator==(const Line&) const = default;
};

/// Which ends of a machine instruction are at `scratch`, where data rest on their way to another node.
struct Rest {
  bool sent = false;
  bool received = false;
};

/// What some bytes of a memory are for an instruction.
enum class AreaUse { sent, received, rests };
/// "64 bytes from relative address 0x100 of stripe 2 on", for messages, of a physical address.
std::string place_text(const OptwebConfig& config, std::uint64_t bytes, std::uint64_t address);
/// "what is sent (64 bytes from relative address 0x100 of stripe 2 on)".
std::string area_text(const OptwebConfig& config, AreaUse use, std::uint64_t bytes, std::uint64_t address);

struct MachineProgram {
  std::vector<Instruction> instructions;
  std::vector<Line> lines;  ///< one per instruction
  std::vector<Rest> rests;  ///< one per instruction
};

struct MachinePrograms {
  std::vector<std::vector<NodeId>> groups;  ///< group register table, the same in every node
  std::vector<MachineProgram> nodes;
};

MachinePrograms assemble(const OptwebConfig& config);

const OptwebInstruction& instruction_at(const OptwebConfig& config, const Line& line);

NodeView view_of(const OptwebConfig& config, const MachinePrograms& programs, NodeId node);
StripeGeometry geometry_of(const OptwebConfig& config);

/// Throws InputError with everything that is wrong with the addresses (optweb/address_check.cpp).
void check_addresses(const OptwebConfig& config, const MachinePrograms& programs);

/// Warns of `scratch` in instructions of which no data rest on their way (optweb/address_check.cpp).
void warn_unused_scratch(const OptwebConfig& config, const MachinePrograms& programs, Diagnostics& diagnostics);

Neighbours neighbours_of(const OptwebConfig& config);
/// Most links that data of an instruction pass one after the other; 0 when it moves nothing.
std::uint32_t hops_of(const OptwebConfig& config, const OptwebInstruction& instruction);

/// The nodes of its group by way of which a transfer can go from its source to its destination in at most two hops,
/// ascending; with a link between them, they are two of these nodes.
std::vector<NodeId> paths_of(const OptwebConfig& config, const OptwebInstruction& instruction);

/// True when a transfer, broadcast or allreduce takes all paths.
bool takes_all_paths(const OptwebConfig& config, const OptwebInstruction& instruction);

/// Of an instruction that is to take all paths and has only one: that it has, as a sentence. Else empty.
std::string one_way(const OptwebConfig& config, const OptwebInstruction& instruction);

}  // namespace weft::optweb
