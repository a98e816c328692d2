#include "fabric/packet/shared_buffer.h"

#include <algorithm>

namespace weft {

SharedBuffer::SharedBuffer(const BufferShares& shares)
    : shared_(static_cast<std::int32_t>(shares.capacity)), shares_(&shares), used_(shares.minimum.size()) {
  for (const std::uint32_t minimum : shares.minimum) shared_ -= static_cast<std::int32_t>(minimum);
}

// When all places are in use some of the drains there may be over.
void SharedBuffer::make_place(Cycle now) {
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    const Pending& p = drains_[i];
    if (p.over(now)) {
      give_back(p.lane, p.flits - p.done);
    } else {
      drains_[kept++] = p;
    }
  }
  count_ = kept;
  if (count_ < drains_.size()) return;
  const InlineArray<Pending, kFew> old = drains_;
  drains_.resize(2 * old.size());
  std::copy_n(old.begin(), old.size(), &drains_[0]);
}

void SharedBuffer::release(Cycle now) {
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    Pending& p = drains_[i];
    const std::uint32_t gone = p.drain().gone(now);
    if (gone != p.done) {
      give_back(p.lane, gone - p.done);
      p.done = gone;
    }
    if (gone < p.flits) drains_[kept++] = p;
  }
  count_ = kept;
}

Cycle SharedBuffer::earliest(Cycle now, std::int64_t more) const {
  const Pending& first = drains_[0];
  if (count_ == 1) {
    const auto wanted = std::min<std::int64_t>(first.flits, first.done + more);
    return std::max(now + 1, first.drain().when(static_cast<std::uint32_t>(wanted)));
  }
  Cycle start = first.start;
  std::int64_t rate = 0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    start = std::min(start, drains_[i].start);
    rate += drains_[i].rate;
  }
  return std::max({now + 1, start, now + (more + rate - 1) / rate});
}

std::int64_t SharedBuffer::used() const {
  std::int64_t sum = 0;
  for (const std::int32_t used : used_) sum += used;
  return sum;
}

std::int64_t SharedBuffer::held(VirtualLane lane) const {
  std::int64_t sum = used_[lane];
  for (std::uint32_t i = 0; i < count_; ++i) {
    const Pending& p = drains_[i];
    sum -= p.lane == lane ? p.flits - p.done : 0;
  }
  return sum;
}

}  // namespace weft
