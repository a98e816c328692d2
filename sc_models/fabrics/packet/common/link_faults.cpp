#include "fabrics/packet/common/link_faults.h"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "parallel/cut_links.h"

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

void LinkFaults::start(ClockDomain& domain, Ranks* ranks) {
  domain_ = &domain;
  ranks_ = ranks;
  if (!events_.empty()) domain.schedule(events_.front().cycle, Phase::prepare, *this, 0);
}

void LinkFaults::due(Cycle now, std::uint32_t) {
  // First all changes, so that nothing is routed by half of them.
  std::vector<std::pair<LinkId, bool>> changed;
  for (; next_ < events_.size() && events_[next_].cycle == now; ++next_) {
    for (const LinkId link : {events_[next_].link, graph_.other_way(events_[next_].link)}) {
      std::vector<Holder>& holders = links_[link];
      const bool was_up = holders.empty();
      const LinkEvent& e = events_[next_];
      if (e.up) {
        holders.erase(
            std::find_if(holders.begin(), holders.end(), [&](const Holder& h) { return h.fault == e.fault; }));
      } else {
        const auto behind = std::find_if(holders.begin(), holders.end(),
                                         [&](const Holder& h) { return h.since == now && h.rank > e.rank; });
        holders.insert(behind, {e.fault, e.rank, now});
      }
      if (was_up == holders.empty()) continue;
      changed.emplace_back(link, !was_up);
    }
  }
  if (ranks_ != nullptr) catch_up();
  place_ = 0;
  for (const auto& [link, up] : changed) {
    state_.set(link, up);
    if (!up) cut_wire(link, now);
    ++place_;
  }
  if (ranks_ != nullptr) share_cuts();
  routing_.update();
  for (const auto& [link, up] : changed) {
    down_ += up ? -1U : 1U;
    change(link, up, now);
  }
  if (!changed.empty()) reroute(now);
  if (next_ < events_.size()) domain_->schedule(events_[next_].cycle, Phase::prepare, *this, 0);
}

void LinkFaults::lose_on_wire(std::uint32_t sequence, LinkId link) {
  if (ranks_ != nullptr) {
    cuts_here_.push_back({place_, sequence, link});
  } else if (cut_.emplace(sequence, holder(link)).second) {
    ++cuts_;
  }
}

// Of a message on two wires the first that went down counts, as on one rank. One that was lost on another rank in the
// meantime is on no wire any more.
void LinkFaults::share_cuts() {
  ByteBuffer mine;
  ByteWriter out(mine);
  out.put(cuts_here_.size());
  for (const Cut& c : cuts_here_) out.put(c);
  for (const Loss& l : losses_here_) out.put(l.sequence);
  cuts_here_.clear();
  losses_here_.clear();
  std::vector<Cut> cuts;
  std::unordered_set<std::uint32_t> lost;
  for (const std::string& text : ranks_->gather(mine.text())) {
    ByteReader in(std::as_bytes(std::span(text)));
    for (auto n = in.get<std::size_t>(); n > 0; --n) cuts.push_back(in.get<Cut>());
    while (!in.empty()) lost.insert(in.get<std::uint32_t>());
  }
  std::stable_sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) { return a.place < b.place; });
  for (const Cut& c : cuts) {
    if (lost.count(c.sequence) == 0 && cut_.emplace(c.sequence, holder(c.link)).second) ++cuts_;
  }
  for (const std::uint32_t sequence : lost) forget(sequence);
}

// Nothing is on a wire for as long as kLongest after it was lost.
void LinkFaults::note_loss(std::uint32_t sequence) {
  constexpr Cycle kLongest = 1 << 20;
  constexpr std::size_t kMany = 1 << 16;
  const Cycle now = domain_->now();
  if (losses_here_.size() >= kMany && losses_here_.front().at < now - kLongest) {
    std::erase_if(losses_here_, [&](const Loss& l) { return l.at < now - kLongest; });
  }
  losses_here_.push_back({sequence, now});
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
  if (ranks_ != nullptr) note_loss(sequence);
  return cut(sequence).value_or(lost);
}

}  // namespace weft
