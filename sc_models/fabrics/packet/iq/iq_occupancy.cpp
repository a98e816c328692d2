#include "fabrics/packet/iq/iq_occupancy.h"

#include <algorithm>

namespace weft {
namespace {

bool is_whole(const IqNetwork& network, const Graph& graph) {
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    if (!network.has_router(s)) return false;
  }
  return true;
}

}  // namespace

IqOccupancy::IqOccupancy(IqNetwork& network, const Graph& graph)
    : network_(network), graph_(graph), whole_(is_whole(network, graph)), held_(graph.switches()) {
  if (whole_) network.add_observer(*this);
}

void IqOccupancy::measure_from(Cycle first) {
  window_ = {first, Window::kOpen};
  asleep_ = false;
  distance_ = kFirst;
  looks_ = time_ = 0;
  std::fill(held_.begin(), held_.end(), 0);
  network_.domain().schedule(std::max(first, network_.domain().next_cycle()), Phase::prepare, *this, ++turn_);
}

Cycle IqOccupancy::count_look(Cycle now) {
  if (profile_ != nullptr) profile_->look(now);
  const Cycle next =
      profile_ == nullptr ? distance_ : std::min(distance_, std::max<Cycle>(1, profile_->width_at(now) / kLooksPerWindow));
  time_ += static_cast<std::uint64_t>(next);
  if (++looks_ % kDouble == 0) distance_ *= 2;
  return next;
}

// At the begin of a cycle, before anything moves.
void IqOccupancy::due(Cycle now, std::uint32_t token) {
  if (token != turn_ || !window_.holds(now)) return;
  const Cycle next = count_look(now);
  next_ = now + next;
  asleep_ = whole_ && network_.accounting().outstanding() == 0;
  if (asleep_) return;
  for (SwitchId s = 0; s < graph_.switches(); ++s) {
    if (!network_.has_router(s)) continue;
    const std::uint64_t flits = network_.router(s).flits();
    held_[s] += flits * static_cast<std::uint64_t>(next);
    if (profile_ != nullptr) profile_->hold(s, now, flits);
  }
  network_.domain().schedule(next_, Phase::prepare, *this, turn_);
}

void IqOccupancy::make_up(Cycle end) {
  while (next_ < std::min(end, window_.last)) next_ += count_look(next_);
}

// A look of this cycle would have come before the packet.
void IqOccupancy::wake() {
  asleep_ = false;
  make_up(network_.domain().now() + 1);
  network_.domain().schedule(next_, Phase::prepare, *this, turn_);
}

void IqOccupancy::close(Cycle now) {
  window_.last = now;
  if (asleep_) make_up(now);
}

std::vector<double> IqOccupancy::occupancy() const {
  std::vector<double> out;
  if (time_ == 0) return out;
  for (const std::uint64_t h : held_) out.push_back(static_cast<double>(h) / static_cast<double>(time_));
  return out;
}

}  // namespace weft
