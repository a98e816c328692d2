#include "algorithms/slots/slot_lut.h"

#include <stdexcept>

#include <fmt/format.h>

namespace weft {

SlotLut::SlotLut(std::uint32_t ports, std::uint32_t slots)
    : slots_(slots), free_(std::size_t{2} * ports, all_slots(slots)) {}

SlotLutResponse SlotLut::request(const SlotLutRequest& request) {
  if (request.row >= free_.size() || request.slots.size() != slots_) {
    throw std::invalid_argument(fmt::format("slot LUT: row {} of {}, vector of {} slots for a frame of {}", request.row,
                                            free_.size(), request.slots.size(), slots_));
  }
  SlotSet& own = free_[request.row];
  SlotLutResponse response;
  response.free = request.slots;
  response.free &= own;
  const auto lowest = response.free.find_first();
  if (lowest != SlotSet::npos) response.first = static_cast<Slot>(lowest);
  switch (request.op) {
    case SlotLutOp::query:
      response.ok = response.first.has_value();
      break;
    case SlotLutOp::reserve:  // all of the mask must be free
      response.ok = response.first.has_value() && response.free == request.slots;
      if (response.ok) own -= request.slots;
      break;
    case SlotLutOp::release:  // none of the mask may be free
      response.ok = !response.first && request.slots.any();
      if (response.ok) own |= request.slots;
      break;
  }
  return response;
}

}  // namespace weft
