#include "fabrics/packet/iq/iq_occupancy.h"

#include <algorithm>

namespace weft {

IqOccupancy::IqOccupancy(IqNetwork& network, const Graph& graph)
    : network_(network), graph_(graph), whole_(network.is_whole()), held_(graph.switches()) {
  if (whole_) network.add_observer(*this);
}

void IqOccupancy::measure_from(Cycle first) {
  window_ = {first, Window::kOpen};
  asleep_ = stands_ = false;
  distance_ = kFirst;
  samples_ = time_ = 0;
  empty_.clear();
  std::fill(held_.begin(), held_.end(), 0);
  network_.domain().schedule(std::max(first, network_.domain().next_cycle()), Phase::prepare, *this, ++turn_);
}

IqOccupancy::Sample IqOccupancy::new_sample(Cycle now) {
  const Cycle next = profile_ == nullptr
                         ? distance_
                         : std::min(distance_, std::max<Cycle>(1, profile_->width_at(now) / kSamplesPerWindow));
  if (++samples_ % kDouble == 0) distance_ *= 2;
  return {now, next};
}

void IqOccupancy::count(const Sample& sample) {
  if (profile_ != nullptr) profile_->sample(sample.at);
  time_ += static_cast<std::uint64_t>(sample.next);
}

void IqOccupancy::count_empty(Cycle end) {
  for (const Sample& sample : empty_) {
    if (sample.at < end) count(sample);
  }
  empty_.clear();
}

// At the begin of a cycle, before anything moves.
void IqOccupancy::due(Cycle now, std::uint32_t token) {
  if (token != turn_ || !window_.holds(now)) return;
  const Sample sample = new_sample(now);
  next_ = now + sample.next;
  empty_.push_back(sample);
  asleep_ = whole_ && network_.accounting().outstanding() == 0;
  if (asleep_) return;
  bool empty = true;
  for (SwitchId s = 0; s < graph_.switches(); ++s) {
    if (!network_.has_router(s)) continue;
    const std::uint64_t flits = network_.router(s).flits();
    empty = empty && flits == 0;
    held_[s] += flits * static_cast<std::uint64_t>(sample.next);
    if (profile_ != nullptr && flits > 0) profile_->hold(s, now, flits);
  }
  if (!empty) count_empty(next_);
  asleep_ = stands_ = whole_ && network_.domain().idle();
  if (!asleep_) network_.domain().schedule(next_, Phase::prepare, *this, turn_);
}

void IqOccupancy::make_up(Cycle end) {
  count_empty(next_);
  std::vector<std::uint64_t> standing;
  for (SwitchId s = 0; stands_ && s < graph_.switches(); ++s) standing.push_back(network_.router(s).flits());
  while (next_ < std::min(end, window_.last)) {
    const Sample sample = new_sample(next_);
    count(sample);
    for (SwitchId s = 0; s < standing.size(); ++s) {
      held_[s] += standing[s] * static_cast<std::uint64_t>(sample.next);
      if (profile_ != nullptr) profile_->hold(s, sample.at, standing[s]);
    }
    next_ += sample.next;
  }
  stands_ = false;
}

// A sample of this cycle would have come before the packet.
void IqOccupancy::wake() {
  asleep_ = false;
  make_up(network_.domain().now() + 1);
  if (next_ < window_.last) network_.domain().schedule(next_, Phase::prepare, *this, turn_);
}

void IqOccupancy::close(Cycle now) {
  window_.last = now;
  count_empty(now);
  if (asleep_) make_up(now);
}

std::vector<double> IqOccupancy::occupancy() const {
  std::vector<double> out;
  if (time_ == 0) return out;
  for (const std::uint64_t h : held_) out.push_back(static_cast<double>(h) / static_cast<double>(time_));
  return out;
}

}  // namespace weft
