#pragma once
// Slots that a switch chooses for a circuit with slot_update: those of its outputs that come soonest after the words,
// in an order in which words do not overtake each other. Source: FiC paper, section III.D: "the slot LUT update in the
// current switch associates its own common available slot with the local slot of the next switch"; the choice of the
// soonest ones is that of planned circuits (algorithms/slots/slot_update.cpp).

#include <optional>
#include <vector>

#include "algorithms/slots/slot_set.h"
#include "fabrics/tdm/setup/message.h"

namespace weft {

struct ChosenSlots {
  SlotSet in;                             ///< in which the words come
  SlotSet out;                            ///< in which they leave
  std::vector<Slot> from;                 ///< the slot of `in` for each of `out` in ascending order
  std::vector<SetupMessage::Lane> lanes;  ///< as the request carries them on
  Cycle shortest = 0;                     ///< from the host's slot to the departure here, of the lane that is fastest
};

/// `host`: free slots of the host's input row, at the first switch, whose lowest ones the circuit gets; `out`: slots
/// that are free on all outputs. Nothing if one of them has too few.
std::optional<ChosenSlots> choose_slots(const SlotSet& host, const SlotSet& out, const SetupMessage& request,
                                        const SetupTiming& timing);

/// Lanes of a request: the words of the host's slots `source` leave in `slots`, in the order of time, that of the
/// lowest one `lag` cycles later.
std::vector<SetupMessage::Lane> lanes_in_order(const SlotSet& source, const SlotSet& slots, Cycle lag);

}  // namespace weft
