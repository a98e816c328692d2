#include "fabrics/packet/common/link_faults.h"

#include <algorithm>

namespace weft {

LinkFaults::LinkFaults(const Graph& graph, LinkState& state, FaultyRouting& routing, std::vector<LinkEvent> events)
    : graph_(graph),
      state_(state),
      routing_(routing),
      events_(std::move(events)),
      number_of_(graph.link_count(), kUnconcerned) {
  std::stable_sort(events_.begin(), events_.end(),
                   [](const LinkEvent& a, const LinkEvent& b) { return a.cycle < b.cycle; });
  for (const LinkEvent& e : events_) {
    for (const LinkId link : {e.link, graph_.other_way(e.link)}) {
      if (links_.try_emplace(link).second) number_of_[link] = static_cast<std::uint32_t>(links_.size() - 1);
    }
  }
}

void LinkFaults::start(ClockDomain& domain) {
  domain_ = &domain;
  if (!events_.empty()) domain.schedule(events_.front().cycle, Phase::prepare, *this, 0);
}

void LinkFaults::due(Cycle now, std::uint32_t) {
  // First all changes, so that nothing is routed by half of them.
  std::vector<std::pair<LinkId, bool>> changed;
  for (; next_ < events_.size() && events_[next_].cycle == now; ++next_) {
    for (const LinkId link : {events_[next_].link, graph_.other_way(events_[next_].link)}) {
      std::vector<std::uint32_t>& holders = links_[link];
      const bool was_up = holders.empty();
      if (events_[next_].up) {
        holders.erase(std::find(holders.begin(), holders.end(), events_[next_].fault));
      } else {
        holders.push_back(events_[next_].fault);
      }
      if (was_up == holders.empty()) continue;
      changed.emplace_back(link, !was_up);
    }
  }
  for (const auto& [link, up] : changed) {
    state_.set(link, up);
    if (!up) cut_wire(link, now);
  }
  routing_.update();
  for (const auto& [link, up] : changed) {
    down_ += up ? -1U : 1U;
    change(link, up, now);
  }
  if (!changed.empty()) reroute(now);
  if (next_ < events_.size()) domain_->schedule(events_[next_].cycle, Phase::prepare, *this, 0);
}

void LinkFaults::lose_on_wire(std::uint32_t sequence, LinkId link) {
  if (cut_.emplace(sequence, holder(link)).second) ++cuts_;
}

std::optional<LossCause> LinkFaults::take_cut(std::uint32_t sequence) {
  const auto found = cut_.find(sequence);
  if (found == cut_.end()) return std::nullopt;
  const LossCause cause{true, found->second};
  cut_.erase(found);
  return cause;
}

LossCause LinkFaults::no_route(std::uint32_t sequence) {
  const auto found = blamed_.find(sequence);
  const LossCause lost{false, found->second};
  blamed_.erase(found);
  forget(sequence);
  return cut(sequence).value_or(lost);
}

}  // namespace weft
