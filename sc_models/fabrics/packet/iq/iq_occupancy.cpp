#include "fabrics/packet/iq/iq_occupancy.h"

#include <algorithm>

namespace weft {

IqOccupancy::IqOccupancy(IqNetwork& network, const Graph& graph)
    : network_(network), graph_(graph), held_(graph.switches()) {}

void IqOccupancy::measure_from(Cycle first) {
  window_ = {first, Window::kOpen};
  distance_ = kFirst;
  looks_ = time_ = 0;
  std::fill(held_.begin(), held_.end(), 0);
  network_.domain().schedule(std::max(first, network_.domain().next_cycle()), Phase::prepare, *this, ++turn_);
}

// At the begin of a cycle, before anything moves.
void IqOccupancy::due(Cycle now, std::uint32_t token) {
  if (token != turn_ || !window_.holds(now)) return;
  if (profile_ != nullptr) profile_->look(now);
  const Cycle next =
      profile_ == nullptr ? distance_ : std::min(distance_, std::max<Cycle>(1, profile_->width() / kLooksPerWindow));
  for (SwitchId s = 0; s < graph_.switches(); ++s) {
    if (!network_.has_router(s)) continue;
    const std::uint64_t flits = network_.router(s).flits();
    held_[s] += flits * static_cast<std::uint64_t>(next);
    if (profile_ != nullptr) profile_->hold(s, now, flits);
  }
  time_ += static_cast<std::uint64_t>(next);
  if (++looks_ % kDouble == 0) distance_ *= 2;
  network_.domain().schedule(now + next, Phase::prepare, *this, turn_);
}

std::vector<double> IqOccupancy::occupancy() const {
  std::vector<double> out;
  if (time_ == 0) return out;
  for (const std::uint64_t h : held_) out.push_back(static_cast<double>(h) / static_cast<double>(time_));
  return out;
}

}  // namespace weft
