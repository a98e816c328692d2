#pragma once
// Slot LUT of one switch: for every output port (and the host's input port, which counts as a link) the set
// of free slots. One request at a time; the block takes one per cycle. RTL twin: rtl/tdm/slot_lut.sv, which
// answers the same request with the same response one cycle later. Source: FiC paper, section III.D.
//
// query    free = received AND own vector; first = its lowest slot. Changes nothing.
// reserve  takes all slots of the mask, or none: refused (ok = false) when one of them is not free or the
//          mask is empty.
// release  gives all slots of the mask back, or none: refused when one of them is free already or the mask
//          is empty. Releasing what is not held is how circuits leak, so it is never ignored.
//
// Rows 0..ports-1 are the output ports; rows ports..2*ports-1 are the input side of the same ports (only rows
// of ports with a host are used: injection).

#include <optional>
#include <vector>

#include "algorithms/slots/slot_set.h"

namespace weft {

enum class SlotLutOp : std::uint8_t { query = 0, reserve = 1, release = 2 };

struct SlotLutRequest {
  SlotLutOp op = SlotLutOp::query;
  std::uint32_t row = 0;
  SlotSet slots;  ///< query: the received vector; reserve, release: the mask
};

struct SlotLutResponse {
  bool ok = false;            ///< query: the AND is not empty; reserve, release: done
  SlotSet free;               ///< received AND own vector as it was before the request
  std::optional<Slot> first;  ///< lowest slot of `free`
  bool operator==(const SlotLutResponse&) const = default;
};

/// Slot LUT as the FiC switch sees it: the plain class, the RTL, or both in lockstep.
class SlotLutIf {
 public:
  virtual ~SlotLutIf() = default;
  virtual SlotLutResponse request(const SlotLutRequest& request) = 0;
};

class SlotLut final : public SlotLutIf {
 public:
  SlotLut(std::uint32_t ports, std::uint32_t slots);
  SlotLutResponse request(const SlotLutRequest& request) override;
  /// Free slots of a row.
  const SlotSet& free(std::uint32_t row) const { return free_[row]; }
  std::uint32_t slots() const { return slots_; }

 private:
  std::uint32_t slots_;
  std::vector<SlotSet> free_;
};

}  // namespace weft
