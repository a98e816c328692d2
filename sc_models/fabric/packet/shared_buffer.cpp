#include "fabric/packet/shared_buffer.h"

namespace weft {

SharedBuffer::SharedBuffer(const BufferShares& shares)
    : shared_(static_cast<std::int32_t>(shares.capacity)), lanes_(shares.minimum.size()), capacity_(shared_) {
  for (std::size_t v = 0; v < shares.minimum.size(); ++v) {
    lanes_[v] = {0, static_cast<std::int32_t>(shares.minimum[v]), static_cast<std::int32_t>(shares.maximum[v])};
    shared_ -= lanes_[v].minimum;
  }
}

void SharedBuffer::release(Cycle now) {
  std::size_t kept = 0;
  for (Pending& p : drains_) {
    const std::uint32_t gone = p.drain().gone(now);
    if (gone != p.done) {
      Lane& l = lanes_[p.lane];
      set(l, l.used - static_cast<std::int32_t>(gone - p.done));
      p.done = gone;
    }
    if (gone < p.flits) drains_[kept++] = p;
  }
  drains_.erase(drains_.begin() + static_cast<std::ptrdiff_t>(kept), drains_.end());
  look_at_ = static_cast<std::uint32_t>(std::max<std::size_t>(kFew, 2 * kept));
}

Cycle SharedBuffer::earliest(Cycle now, std::int64_t more) const {
  const Pending& first = drains_.front();
  if (drains_.size() == 1) {
    const auto wanted = std::min<std::int64_t>(first.flits, first.done + more);
    return std::max(now + 1, first.drain().when(static_cast<std::uint32_t>(wanted)));
  }
  Cycle start = first.start;
  std::int64_t rate = 0;
  for (const Pending& p : drains_) {
    start = std::min(start, p.start);
    rate += p.rate;
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
  for (const Pending& p : drains_) sum -= p.lane == lane ? p.flits - p.done : 0;
  return sum;
}

}  // namespace weft
