#include "fabrics/packet/iq/iq_link_stats.h"

#include <algorithm>
#include <utility>

namespace weft {

IqLinkStats::IqLinkStats(IqNetwork& network, const Graph& graph)
    : network_(network),
      graph_(graph),
      whole_(network.is_whole()),
      before_(graph.link_count()),
      flits_(graph.link_count()) {
  groups_.push_back({.nics = true});
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    if (network.has_router(s)) group_of(network.router(s).sending_time()).routers.push_back(s);
  }
}

IqLinkStats::Group& IqLinkStats::group_of(Cycle ahead) {
  for (Group& g : groups_) {
    if (!g.nics && g.ahead == ahead) return g;
  }
  return groups_.emplace_back(Group{.ahead = ahead});
}

void IqLinkStats::record(NetworkProfile& profile) {
  profile_ = &profile;
  if (whole_) network_.add_observer(*this);
}

template <class Visit>
void IqLinkStats::each_count(const Group& group, Visit&& visit) const {
  for (const SwitchId s : group.routers) {
    const IqRouterModule& router = network_.router(s);
    for (PortId p = 0; p < router.ports(); ++p) visit(graph_.out_link(s, p), router.sent(p));
  }
  if (!group.nics) return;
  for (NodeId n = 0; n < graph_.nodes(); ++n) {
    if (network_.has_nic(n)) visit(graph_.injection_link(n), network_.nic(n).sent());
  }
}

// A window that begins too early to read the counts before it begins when nothing has been sent.
void IqLinkStats::measure_from(Cycle first) {
  window_ = {first, Window::kOpen};
  ++turn_;
  std::fill(flits_.begin(), flits_.end(), 0);
  for (Group& g : groups_) {
    g.counted.reset();
    g.asleep = false;
    if (first - g.ahead < network_.domain().next_cycle()) {
      begin(g);
    } else {
      schedule(g, first);
    }
  }
}

void IqLinkStats::measure_until(Cycle last) {
  window_.last = last;
  if (last == Window::kOpen) return;
  for (Group& g : groups_) {
    if (last - g.ahead >= network_.domain().next_cycle()) {
      schedule(g, last);
    } else if (g.counted) {
      count(g, last);
    }
  }
}

void IqLinkStats::schedule(const Group& group, Cycle edge) {
  const auto number = static_cast<std::uint32_t>(&group - groups_.data());
  network_.domain().schedule(edge - group.ahead, Phase::prepare, *this,
                             turn_ * static_cast<std::uint32_t>(groups_.size()) + number);
}

// At the begin of a cycle, before anything is sent.
void IqLinkStats::due(Cycle now, std::uint32_t token) {
  const auto groups = static_cast<std::uint32_t>(groups_.size());
  if (token / groups != turn_) return;
  Group& group = groups_[token % groups];
  if (!group.counted) return begin(group);
  const Cycle edge = now + group.ahead;
  if (edge <= *group.counted || edge > window_.last) return;
  count(group, edge);
  plan(group);
}

void IqLinkStats::begin(Group& group) {
  each_count(group, [&](LinkId link, std::uint64_t sent) { before_[link] = sent; });
  group.counted = window_.first;
  skip_edges(group, network_.domain().next_cycle());
  plan(group);
}

// Nothing is sent that would have to be counted at an edge before this cycle.
void IqLinkStats::skip_edges(Group& group, Cycle before) {
  if (profile_ == nullptr) return;
  while (*group.counted < window_.last && next_edge(group) - group.ahead < before) group.counted = next_edge(group);
}

void IqLinkStats::count(Group& group, Cycle until) {
  each_count(group, [&](LinkId link, std::uint64_t sent) {
    const std::uint64_t flits = sent - std::exchange(before_[link], sent);
    flits_[link] += flits;
    if (profile_ != nullptr && flits > 0) profile_->carry(link, *group.counted, flits);
  });
  group.counted = until;
}

// Of the profile, which may still be told where the measurement begins when that is where it stands.
Cycle IqLinkStats::next_edge(const Group& group) const {
  const Cycle from = *group.counted;
  const Cycle width = from == window_.first ? std::max<Cycle>(1, profile_->shape().window) : profile_->width_at(from);
  return std::min(from + width, window_.last);
}

// The end of the measurement has been planned when it became known.
void IqLinkStats::plan(Group& group) {
  if (profile_ == nullptr || *group.counted >= window_.last) return;
  group.asleep = whole_ && network_.accounting().outstanding() == 0;
  if (!group.asleep) schedule(group, next_edge(group));
}

void IqLinkStats::on_inject(const PacketMessage&) {
  for (Group& g : groups_) {
    if (!g.asleep) continue;
    skip_edges(g, network_.domain().now() + 1);
    plan(g);
  }
}

void IqLinkStats::close(Cycle now) {
  window_.last = std::clamp(now + 1, window_.first, window_.last);
  for (Group& g : groups_) {
    if (g.counted && *g.counted < window_.last) count(g, window_.last);
  }
}

std::vector<std::uint64_t> IqLinkStats::numbers() const {
  std::vector<std::uint64_t> out = flits_;
  out.push_back(flit_hops());
  return out;
}

void IqLinkStats::set_numbers(const std::vector<std::uint64_t>& numbers) {
  flits_.assign(numbers.begin(), numbers.end() - 1);
  flit_hops_ = numbers.back();
}

}  // namespace weft
