#pragma once
// Choice of links by a switch that a setup request comes to: where its route leads over a bundle, one of the parallel
// links. It stands before the setup unit, which then works on the request as on one whose links are given.
//
// A switch asks the slot LUT rows of all links of the bundle that are up. The first switch takes the first link that
// has as many slots free as are wanted, beside the host's row and the links it has taken for other branches; every
// further switch the first link that has the slots of the circuit free. Without one, the link with most of the slots
// that are still possible, and the request is refused there.
//
// The vector that the request carries on, or that a refusal brings back, has the slots that any of the links has free:
// another try may get them on another link. If the circuit's slots are all in it, but no link has all of them, the
// lowest one is taken out, so that the next try asks for others.
//
// More slots of a circuit keep to its links.
//
// With slot_update every switch takes the first link that has as many slots free as are wanted, and the request carries
// no vector.

#include <cstddef>
#include <vector>

#include "algorithms/slots/slot_set.h"
#include "fabrics/tdm/setup/message.h"
#include "fabrics/tdm/setup/switch_access.h"
#include "network/graph.h"

namespace weft {

/// Sets the links of the request's route behind this switch. Returns the slots that are possible up to the next
/// switches; nothing for a request whose links are given.
SlotSet choose_links(const Graph& graph, SwitchAccess& access, Cycle now, const SetupMessage& request,
                     bool slot_update);

/// What the setup unit sends about the request, from `begin` on, with these slots instead of those of the chosen links.
void carry_possible(const SlotSet& possible, const SetupMessage& request, std::size_t begin,
                    std::vector<SetupSend>& sent);

}  // namespace weft
