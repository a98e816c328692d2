#pragma once
// Collectives of programs over circuits that come and go: the flows of their messages, multicasts among them, each of
// which asks for its circuit when it has something to send. There are no phases: nodes need not be in a collective
// together.

#include "fabrics/tdm/plan/program_phases.h"

namespace weft {

struct DemandedCircuits {
  std::vector<Flow> flows;
  ProgramPhases programs;  ///< without phases; messages by flow
};

/// Flows have `slots` slots each.
DemandedCircuits plan_demanded_circuits(const TdmConfig& config, const Graph& graph, const CircuitRouting& routing,
                                        std::uint32_t slots);

}  // namespace weft
