#include "fabrics/packet/common/shared_buffer.h"

#include <algorithm>
#include <limits>
#include <memory>

namespace weft {

SharedBuffer::SharedBuffer(const BufferShares& shares) : SharedBuffer() {
  shares_ = &shares;
  shared_ = static_cast<std::int32_t>(shares.capacity);
  for (const std::uint32_t minimum : shares.minimum) shared_ -= static_cast<std::int32_t>(minimum);
  if (shares.capacity > std::numeric_limits<std::int16_t>::max() || shares.minimum.size() > kFewLanes) widen();
}

SharedBuffer& SharedBuffer::operator=(const SharedBuffer& other) {
  if (this == &other) return *this;
  std::unique_ptr<More> more = other.wide_ ? std::make_unique<More>(*other.more_) : nullptr;
  if (wide_) delete more_;
  counted_ = other.counted_;
  shares_ = other.shares_;
  shared_ = other.shared_;
  drains_ = other.drains_;
  start_ = other.start_;
  ahead_ = other.ahead_;
  flits_ = other.flits_;
  lane_ = other.lane_;
  rate_ = other.rate_;
  wide_ = other.wide_;
  wanted_ = other.wanted_;
  if (wide_) {
    more_ = more.release();
  } else {
    few_ = other.few_;
  }
  return *this;
}

// From now on it lies elsewhere.
void SharedBuffer::widen() {
  auto more = std::make_unique<More>();
  for (std::size_t v = 0; v < std::min<std::size_t>(shares_->minimum.size(), kFewLanes); ++v) more->used[v] = few_[v];
  for (std::uint32_t i = 0; i < drains_; ++i) more->first[i] = load(i, counted_);
  more_ = more.release();
  wide_ = true;
}

void SharedBuffer::add_slowly(VirtualLane lane, const Drain& drain, Cycle now) {
  if (now - counted_ > kFar) release(now);
  const Pending added(drain, lane);
  if (added.start <= counted_) give_back(lane, added.gone(counted_));
  if (drains_ > 0) {
    if (const Pending first = load(0, counted_); first.over(now)) {
      give_back(first.lane, first.flits - first.gone(counted_));
      store(0, added, counted_);
      return;
    }
    if (drains_ == places()) make_place(now);
  }
  store(drains_, added, counted_);
  ++drains_;
}

// When all places are in use some of the drains there may be over.
void SharedBuffer::make_place(Cycle now) {
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < drains_; ++i) {
    const Pending p = load(i, counted_);
    if (p.over(now)) {
      give_back(p.lane, p.flits - p.gone(counted_));
    } else {
      store(kept++, p, counted_);
    }
  }
  drains_ = kept;
  if (drains_ < places()) return;
  if (wide_) {
    more_->others.resize(places());
  } else {
    widen();
  }
}

void SharedBuffer::release(Cycle now) {
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < drains_; ++i) {
    const Pending p = load(i, counted_);
    const std::uint32_t gone = p.gone(now);
    if (const std::uint32_t before = p.gone(counted_); gone != before) give_back(p.lane, gone - before);
    if (gone < p.flits) store(kept++, p, now);
  }
  drains_ = kept;
  counted_ = now;
}

Cycle SharedBuffer::earliest(Cycle now, std::int64_t more) const {
  const Pending first = load(0, counted_);
  if (drains_ == 1) {
    const auto wanted = std::min<std::int64_t>(first.flits, first.gone(counted_) + more);
    return std::max(now + 1, first.drain().when(static_cast<std::uint32_t>(wanted)));
  }
  Cycle start = first.start;
  std::int64_t rate = 0;
  for (std::uint32_t i = 0; i < drains_; ++i) {
    const Pending p = load(i, counted_);
    start = std::min(start, p.start);
    rate += p.rate;
  }
  return std::max({now + 1, start, now + (more + rate - 1) / rate});
}

std::int64_t SharedBuffer::used() const {
  std::int64_t sum = 0;
  for (std::size_t v = 0; v < shares_->minimum.size(); ++v) sum += count(static_cast<VirtualLane>(v));
  return sum;
}

std::int64_t SharedBuffer::held(VirtualLane lane) const {
  std::int64_t sum = count(lane);
  for (std::uint32_t i = 0; i < drains_; ++i) {
    const Pending p = load(i, counted_);
    sum -= p.lane == lane ? p.flits - p.gone(counted_) : 0;
  }
  return sum;
}

}  // namespace weft
