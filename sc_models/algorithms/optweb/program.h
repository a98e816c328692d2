#pragma once
// From programs as they are written to what the command sequencers of the nodes execute, and the checks that need no
// run: addresses within the memory, areas that do not overlap.

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/optweb/machine_program.h"
#include "algorithms/optweb/optweb_config.h"
#include "algorithms/optweb/step.h"

namespace weft::optweb {

/// Use of some bytes of a memory by an instruction.
enum class AreaUse { sent, received, rests, rests_second };
/// That of what a machine instruction sends, and of what it receives.
inline AreaUse sent_use(StagedEnds ends) {
  return !ends.sent ? AreaUse::sent : ends.sent_second ? AreaUse::rests_second : AreaUse::rests;
}
inline AreaUse received_use(StagedEnds ends) {
  return !ends.received ? AreaUse::received : ends.second ? AreaUse::rests_second : AreaUse::rests;
}
/// "64 bytes from relative address 0x100 of stripe 2 on", for messages, of a physical address.
std::string place_text(const OptwebConfig& config, std::uint64_t bytes, std::uint64_t address);
/// "what is sent (64 bytes from relative address 0x100 of stripe 2 on)".
std::string area_text(const OptwebConfig& config, AreaUse use, std::uint64_t bytes, std::uint64_t address);

NodeView view_of(const OptwebConfig& config, const MachinePrograms& programs, NodeId node);
StripeGeometry geometry_of(const OptwebConfig& config);

/// Throws InputError with everything that is wrong with the addresses (algorithms/optweb/address_check.cpp).
void check_addresses(const OptwebConfig& config, const MachinePrograms& programs);

/// Warns of `scratch` and `scratch2` in instructions of which no data rest there (algorithms/optweb/address_check.cpp).
void warn_unused_scratch(const OptwebConfig& config, const MachinePrograms& programs, Diagnostics& diagnostics);

/// Most links that data of an instruction pass one after the other; 0 when it moves nothing.
std::uint32_t hops_of(const OptwebConfig& config, const ProgramInstruction& instruction);

/// The nodes of its group, and its relays, by way of which a transfer can go from its source to its destination in at
/// most two hops, ascending; with a link between them, they are two of these nodes.
std::vector<NodeId> paths_of(const OptwebConfig& config, const ProgramInstruction& instruction);

/// True when a transfer, broadcast or allreduce takes all paths.
bool takes_all_paths(const OptwebConfig& config, const ProgramInstruction& instruction);

/// True for a broadcast or an allreduce that takes all paths, and relays among them.
bool goes_by_relays(const OptwebConfig& config, const ProgramInstruction& in);

/// True when nodes may go round links that are down in an instruction (algorithms/optweb/relays/detours.h).
bool may_detour(const OptwebConfig& config, const ProgramInstruction& instruction);
/// Warns of collectives that wait for links although the configuration wants nodes to go round them.
void warn_without_detour(const OptwebConfig& config, Diagnostics& diagnostics);

/// Of an instruction that is to take all paths and has only one: that it has, as a sentence. Else empty.
std::string one_way(const OptwebConfig& config, const ProgramInstruction& instruction);

}  // namespace weft::optweb
