#pragma once
// Collectives of which two nodes have no link to each other while it is down: what one of them has for the other goes
// by way of a third node of the group (ours; `link.detour`).
//
// Each machine instruction of a collective is followed by a detour of two steps, with a fence in between, in which
// nothing happens while all links are up:
//   the instruction  without what the two have for each other. A node that combines, and lacks what one of them has,
//                    keeps the rest in the area of the detour, in the stripe of that one.
//   to the relay     both send it what they have for each other, each out of the stripe that it would have sent from
//                    over the link; it rests there, in the area of the detour and the stripe of its source
//   from the relay   to where the link would have brought it. What is to be combined, is combined now, behind what
//                    rests, in the order of ranks. Of a barrier this step alone is left: the relay, which has heard
//                    from both, tells each of them.
// Each step has an entry in the group register table of its own, beside which the hosts write who goes by way of whom.
// The area of the detour is `scratch`, and `scratch2` where the collective takes two hops, whose data rest at `scratch`
// meanwhile: there each of its steps among nodes with links to each other has detours of its own.

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "algorithms/optweb/command_sequencer.h"
#include "algorithms/optweb/optweb_config.h"

namespace weft::optweb {

enum class DetourStep : std::uint8_t { none, instruction, to_relay, from_relay };

/// Detours of a group, as a step of an instruction has them.
struct GroupDetours {
  DetourStep step = DetourStep::none;
  std::vector<Detour> detours;
};
/// By number of the group in the group register table; groups without an entry are as they stand there.
using DetourRegisters = std::map<std::uint32_t, GroupDetours>;

/// Group register table of a program, and the entries of its detours.
class GroupRegisters {
 public:
  GroupRegisters(std::vector<std::vector<NodeId>>& groups, DetourRegisters& detours)
      : groups_(groups), detours_(detours) {}
  /// Number of a group for a step with these detours, which is written when it is new.
  std::uint32_t number(std::uint32_t group, DetourStep step, const std::vector<Detour>& detours);

 private:
  std::vector<std::vector<NodeId>>& groups_;
  DetourRegisters& detours_;
  std::map<std::pair<std::uint32_t, std::pair<DetourStep, std::vector<Detour>>>, std::uint32_t> numbers_;
};

/// Where what goes round a link rests.
std::uint64_t detour_area(const OptwebConfig& config, const ProgramInstruction& in);
/// Detours between nodes of a step's group.
std::vector<Detour> detours_within(const std::vector<NodeId>& group, const std::vector<Detour>& detours);

/// True when a node lacks what another one has for its reduction: what it combines rests in the area of the detour.
bool combines_later(const MachineInstruction& instruction, NodeId node, const std::vector<Detour>& detours);

/// Detours of an instruction of the configuration; null: it has none. Of transfers that are made up, none.
const std::vector<Detour>* detours_of(const OptwebConfig& config, const ProgramInstruction& in);

}  // namespace weft::optweb
