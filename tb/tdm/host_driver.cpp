#include "tdm/host_driver.h"

#include <algorithm>
#include <numeric>

namespace weft::pins {

HostDriver::HostDriver(const HostShape& shape, Mode mode, std::uint64_t seed)
    : shape_(shape),
      random_(seed, "host driver"),
      frame_(random_.below(2) == 0 ? shape.slots : 1 + static_cast<std::uint32_t>(random_.below(shape.slots))),
      latency_(static_cast<std::uint32_t>(random_.below(frame_))),
      idle_one_in_(1 + random_.below(8)),
      short_one_in_(1 + random_.below(4)),
      last_one_in_(random_.below(3) == 0 ? 48 : 1 + random_.below(12)) {
  for (std::uint32_t c = 0; c < shape.circuits; ++c) message_paces_.emplace_back(mode, random_);
  for (std::uint32_t l = 0; l < shape.links; ++l) word_paces_.emplace_back(mode, random_);
}

// Each link has another circuit, or a number that no circuit has, or none.
HostColumn HostDriver::random_column() {
  std::vector<std::uint32_t> numbers(random_.below(8) == 0 ? shape_.circuit_numbers() : shape_.circuits);
  std::iota(numbers.begin(), numbers.end(), 0);
  HostColumn column(shape_.links);
  for (auto& entry : column) {
    if (random_.below(idle_one_in_ + 1) == 0 || numbers.empty()) continue;
    const auto at = numbers.begin() + static_cast<std::ptrdiff_t>(random_.below(numbers.size()));
    entry = *at;
    numbers.erase(at);
  }
  return column;
}

HostInputs HostDriver::next(const HostReference& reference) {
  HostInputs in(shape_);
  in.slot = slot_;
  in.label = (slot_ + frame_ - latency_) % frame_;
  slot_ = (slot_ + 1) % frame_;
  for (std::uint32_t c = 0; c < shape_.circuits; ++c) {
    in.message.set(c, 1, message_paces_[c].next(random_) ? 1 : 0);
    const std::uint64_t last = random_.below(short_one_in_) == 0 ? random_() : random_.below(4);
    in.last.set(std::size_t{c} * shape_.size_bits, shape_.size_bits, last);
  }
  in.data = Bits::random(random_, in.data.size());
  in.in_word = Bits::random(random_, in.in_word.size());
  for (std::uint32_t l = 0; l < shape_.links; ++l) {
    in.in_valid.set(l, 1, word_paces_[l].next(random_) ? 1 : 0);
    in.in_last.set(l, 1, random_.below(last_one_in_) == 0 ? 1 : 0);
  }
  reference.keep_short(in);
  in.write_slot = random_.below(16) == 0 ? static_cast<std::uint32_t>(random_.below(shape_.labels())) : write_slot_;
  in.out = random_column();
  in.in = random_column();
  in.write = !reference.pending() && random_.below(8) != 0;
  if (in.write) write_slot_ = (write_slot_ + 1) % frame_;
  in.swap = random_.below(in.slot + 1 == frame_ ? 4 : 16 * frame_) == 0;
  return in;
}

}  // namespace weft::pins
