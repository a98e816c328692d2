#pragma once
// Step of a node for an instruction, or a part of its detour, of a group in which two nodes go round a link
// (algorithms/optweb/relays/detours.h).

#include <cstdint>
#include <functional>
#include <string>

#include "algorithms/optweb/relays/detours.h"
#include "algorithms/optweb/step_parts.h"
#include "algorithms/optweb/stripe_address.h"

namespace weft::optweb {

/// Why an address does not exist, as a sentence.
std::string stripe_problem(StripeError error, std::uint64_t base, std::uint64_t bytes, std::uint32_t stripe);

/// `whole`: the step of a node, of this one or of another, when its links are up.
Step detoured_step(const MachineInstruction& instruction, const NodeView& view, StripeAddressIf& addresses,
                   const GroupDetours& detours, const std::function<Step(NodeId, StripeAddressIf&)>& whole);

}  // namespace weft::optweb
