#include "tdm/slot_lut_driver.h"

#include <fmt/format.h>

#include <bit>

namespace weft::pins {
namespace {

constexpr std::uint32_t kQuery = 0;
constexpr std::uint32_t kReserve = 1;
constexpr std::uint32_t kRelease = 2;
constexpr std::uint32_t kReserved = 3;

std::uint32_t row_numbers(std::uint32_t rows) { return rows > 1 ? std::bit_ceil(rows) : 2; }

}  // namespace

std::string SlotLutOutputs::text() const {
  return fmt::format("ok {} free {} first {}", ok ? 1 : 0, free.hex(), first);
}

SlotLutReference::SlotLutReference(std::uint32_t rows, std::uint32_t slots)
    : rows_(rows), slots_(slots), lut_((rows + 1) / 2, slots) {}

std::optional<SlotLutOutputs> SlotLutReference::step(const SlotLutInputs& in) {
  if (!in.reset_n) {
    lut_ = SlotLut((rows_ + 1) / 2, slots_);
    return std::nullopt;
  }
  if (!in.valid) return std::nullopt;
  SlotLutOutputs out = reset_outputs();
  if (in.row < rows_) {
    const bool known = in.op != kReserved;
    const SlotLutOp op = known ? static_cast<SlotLutOp>(in.op) : SlotLutOp::query;
    const SlotLutResponse response = lut_.request({.op = op, .row = in.row, .slots = in.slots.slot_set()});
    out = {.ok = known && response.ok, .free = Bits::of(response.free), .first = response.first.value_or(0)};
  }
  ++counts_[in.op][out.ok ? 1 : 0];
  return out;
}

SlotSet SlotLutReference::free(std::uint32_t row) const { return row < rows_ ? lut_.free(row) : SlotSet(slots_); }

SlotLutDriver::SlotLutDriver(const SlotLutReference& reference, Mode mode, std::uint64_t seed)
    : reference_(&reference),
      random_(seed, "slot_lut driver"),
      pace_(mode, random_),
      row_numbers_(row_numbers(reference.rows())),
      hot_row_(static_cast<std::uint32_t>(random_.below(reference.rows()))) {}

std::uint32_t SlotLutDriver::random_row() {
  const auto number = static_cast<std::uint32_t>(random_.below(row_numbers_));
  if (number >= reference_->rows() && random_.below(4) != 0) return number % reference_->rows();
  return random_.below(3) == 0 ? number : hot_row_;
}

Bits SlotLutDriver::random_mask(std::uint32_t row) {
  const std::uint32_t slots = reference_->slots();
  Bits any = Bits::random(random_, slots);
  const SlotSet free = reference_->free(row);
  SlotSet mask = any.slot_set();
  const auto one = [&] { return static_cast<std::size_t>(random_.below(slots)); };
  switch (random_.below(10)) {
    case 0:
      return any;
    case 1:
      return Bits(slots);
    case 2:
      return Bits::ones(slots);
    case 3:
      return Bits::of(free);
    case 4:
      return Bits::of(~free);
    case 5:
      mask &= free;
      break;
    case 6:
      mask -= free;
      break;
    case 7:  // all slots of one kind, and one slot that may be of the other
      mask = random_.below(2) == 0 ? free : ~free;
      mask.set(one());
      break;
    default:  // a few slots
      mask.reset();
      mask.set(one());
      if (random_.below(2) == 0) mask.set(one());
      break;
  }
  return Bits::of(mask);
}

SlotLutInputs SlotLutDriver::next() {
  if (random_.below(64) == 0) hot_row_ = static_cast<std::uint32_t>(random_.below(reference_->rows()));
  SlotLutInputs in;
  in.valid = pace_.next(random_);  // idle cycles have anything on the other pins
  in.row = random_row();
  in.slots = random_mask(in.row);
  in.op = static_cast<std::uint32_t>(random_.below(13) % 4);  // the reserved operation a little less often
  return in;
}

std::deque<SlotLutInputs> slot_lut_corners(std::uint32_t rows, std::uint32_t slots) {
  std::deque<SlotLutInputs> script;
  const Bits none(slots);
  const Bits all = Bits::ones(slots);
  const auto ask = [&](std::uint32_t op, std::uint32_t row, const Bits& mask) {
    script.push_back({.valid = true, .op = op, .row = row, .slots = mask});
  };
  const auto bit = [&](std::uint32_t slot) {
    Bits mask(slots);
    mask.set(slot, 1, 1);
    return mask;
  };
  for (std::uint32_t row = 0; row < row_numbers(rows); ++row) {
    for (const std::uint32_t op : {kQuery, kReserve, kRelease, kReserved}) ask(op, row, none);
    ask(kQuery, row, all);
    ask(kRelease, row, all);
    ask(kReserved, row, all);
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
      ask(kReserve, row, bit(slot));
      ask(slot % 2 == 0 ? kReserve : kQuery, row, all);  // a slot is taken: refused; the lowest free one follows it
    }
    ask(kQuery, row, all);
    ask(kRelease, row, all);
    ask(kRelease, row, all);
    ask(kReserve, row, all);
    for (std::uint32_t slot = slots; slot-- > 0;) {
      ask(kRelease, row, bit(slot));
      ask(slot % 2 == 0 ? kRelease : kQuery, row, all);
    }
    ask(kReserved, row, all);
    ask(kQuery, row, all);
    ask(kReserve, row, bit(row % slots));  // a different vector stays in every row
  }
  for (std::uint32_t row = 0; row < row_numbers(rows); ++row) {
    ask(kQuery, row, all);
    for (std::uint32_t idle = 0; idle < 1 + row % 3; ++idle) {
      script.push_back({.valid = false, .op = idle % 4, .row = row, .slots = idle % 2 == 0 ? all : none});
    }
    ask(kRelease, row, bit(row % slots));
    script.push_back({.valid = false, .op = kReserve, .row = row, .slots = all});
  }
  return script;
}

}  // namespace weft::pins
