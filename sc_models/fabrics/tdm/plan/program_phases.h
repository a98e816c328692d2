#pragma once
// Phases of programs whose circuits change with them: the circuits of each collective and of the messages between two
// of them, with their slots, and the order in which they come.
//
// Slots. The circuits of a phase share the whole frame. If they can be coloured with K colours, so that those of one
// colour share no link, each has floor(S / K) slots: c, c + K, c + 2 K, ... for colour c. With slot_update K is the
// largest load of a link. An alltoall of all nodes of a grid has the colours of the systematic schedule of 'weft
// alltoall' where these are fewer.
//
// A round of a collective may be cut into q phases of at most k = ceil(K / q) colours each, one after the other: it
// must if K > S, and pays off where K does not divide S. Of all q that one is taken with the least q * max(D, S * t_c),
// where D = ceil(n / floor(S / k)) * S + S + longest way + overheads, for n words of the longest message.

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/collectives/phased_programs.h"
#include "algorithms/slots/circuit_plan.h"
#include "fabrics/tdm/keys/tdm_config.h"
#include "network/graph.h"
#include "network/routing/routing.h"

namespace weft {

/// Messages of a circuit.
struct CircuitMessages {
  std::uint64_t shortest = ~std::uint64_t{0};  ///< bytes of a message
  std::uint64_t longest = 0;
  Location where;  ///< of an instruction that sends so much
};

/// A collective of a program, and how it is carried.
struct CarriedCollective {
  std::uint32_t program = 0;
  std::uint32_t instruction = 0;
  std::string algorithm;                ///< empty: messages
  std::string refusal;                  ///< why not over circuits of its own
  std::vector<std::uint32_t> phases{};  ///< of its circuits, in order
};

struct ProgramPhases {
  std::vector<PhasePlan> phases;     ///< different ones, at least one
  std::vector<std::uint32_t> order;  ///< [step]: its phase
  collectives::PhasedPrograms programs;
  std::vector<CircuitMessages> messages;       ///< by circuit
  std::vector<CarriedCollective> collectives;  ///< of all programs, in their order
};

/// Throws InputError when messages between two collectives need more slots than a frame has, and when the plan needs
/// more memory than may be used. `config` must outlive the result.
ProgramPhases plan_program_phases(const TdmConfig& config, const Graph& graph, const CircuitRouting& routing,
                                  const AllocationOptions& options, const TdmTiming& timing);

}  // namespace weft
