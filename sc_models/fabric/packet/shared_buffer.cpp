#include "fabric/packet/shared_buffer.h"

namespace weft {

SharedBuffer::SharedBuffer(const BufferShares& shares)
    : shared_(static_cast<std::int32_t>(shares.capacity)), capacity_(shared_), lanes_(shares.minimum.size()) {
  for (std::size_t v = 0; v < shares.minimum.size(); ++v) {
    lanes_[v] = {0, static_cast<std::int32_t>(shares.minimum[v]), static_cast<std::int32_t>(shares.maximum[v])};
    shared_ -= lanes_[v].minimum;
  }
}

void SharedBuffer::grow() {
  const InlineArray<Pending, kFew> old = drains_;
  drains_.resize(2 * old.size());
  for (std::uint32_t i = 0; i < count_; ++i) drains_[i] = old[(first_ + i) % old.size()];
  first_ = 0;
}

void SharedBuffer::release(Cycle now) {
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    Pending& p = pending(i);
    const std::uint32_t gone = p.drain().gone(now);
    if (gone != p.done) {
      give_back(lanes_[p.lane], gone - p.done);
      p.done = gone;
    }
    if (gone < p.flits) pending(kept++) = p;
  }
  count_ = kept;
}

Cycle SharedBuffer::earliest(Cycle now, std::int64_t more) const {
  const Pending& first = pending(0);
  if (count_ == 1) {
    const auto wanted = std::min<std::int64_t>(first.flits, first.done + more);
    return std::max(now + 1, first.drain().when(static_cast<std::uint32_t>(wanted)));
  }
  Cycle start = first.start;
  std::int64_t rate = 0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    start = std::min(start, pending(i).start);
    rate += pending(i).rate;
  }
  return std::max({now + 1, start, now + (more + rate - 1) / rate});
}

std::int64_t SharedBuffer::used() const {
  std::int64_t sum = 0;
  for (const Lane& l : lanes_) sum += l.used;
  return sum;
}

std::int64_t SharedBuffer::held(VirtualLane lane) const {
  std::int64_t sum = lanes_[lane].used;
  for (std::uint32_t i = 0; i < count_; ++i) {
    const Pending& p = pending(i);
    sum -= p.lane == lane ? p.flits - p.done : 0;
  }
  return sum;
}

}  // namespace weft
