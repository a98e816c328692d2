#pragma once
// Stimulus and reference of the slot_lut bench. The reference is the plain class SlotLut, which knows neither rows out
// of range nor the reserved operation: both are refused, and a row out of range shows no free slot.

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "algorithms/slots/slot_lut.h"
#include "tdm/pace.h"
#include "tdm/pin_bits.h"

namespace weft::pins {

struct SlotLutInputs {
  bool reset_n = true;
  bool valid = false;
  std::uint32_t op = 0;
  std::uint32_t row = 0;
  Bits slots;
};

struct SlotLutOutputs {
  bool ok = false;
  Bits free;
  std::uint32_t first = 0;
  bool operator==(const SlotLutOutputs&) const = default;
  std::string text() const;
};

class SlotLutReference {
 public:
  SlotLutReference(std::uint32_t rows, std::uint32_t slots);
  /// Answer of the block in the next cycle to the inputs of this one.
  std::optional<SlotLutOutputs> step(const SlotLutInputs& in);
  SlotLutOutputs reset_outputs() const { return {.ok = false, .free = Bits(slots_), .first = 0}; }

  std::uint32_t rows() const { return rows_; }
  std::uint32_t slots() const { return slots_; }
  /// Free slots of a row; none of a row out of range.
  SlotSet free(std::uint32_t row) const;
  /// Requests so far by operation, done or refused.
  std::uint64_t count(std::uint32_t op, bool ok) const { return counts_[op][ok ? 1 : 0]; }

 private:
  std::uint32_t rows_;
  std::uint32_t slots_;
  SlotLut lut_;
  std::uint64_t counts_[4][2] = {};
};

/// Random requests. They look at the reference to be granted and refused about equally often.
class SlotLutDriver {
 public:
  SlotLutDriver(const SlotLutReference& reference, Mode mode, std::uint64_t seed);
  SlotLutInputs next();

 private:
  std::uint32_t random_row();
  Bits random_mask(std::uint32_t row);

  const SlotLutReference* reference_;
  RandomStream random_;
  Pace pace_;
  std::uint32_t row_numbers_;  // what the pins can say
  std::uint32_t hot_row_;
};

/// Every slot of every row reserved and released one by one and all at once, empty masks, the reserved operation, rows
/// out of range, all of it back-to-back and then with idle cycles between.
std::deque<SlotLutInputs> slot_lut_corners(std::uint32_t rows, std::uint32_t slots);

}  // namespace weft::pins
