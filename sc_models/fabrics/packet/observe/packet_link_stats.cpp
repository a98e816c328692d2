#include "fabrics/packet/observe/packet_link_stats.h"

#include <algorithm>
#include <utility>

#include "base/hot_memory.h"
#include "fabrics/packet/observe/link_table.h"

namespace weft {

PacketLinkStats::PacketLinkStats(const Graph& graph, Window window) : graph_(graph), links_(graph.link_count()) {
  set_window(window);
}

void PacketLinkStats::count_buffers(PacketLinks links) {
  ways_ = std::move(links);
  edges_.resize(graph_.switches());
  for (LinkId l = 0; l < graph_.link_count(); ++l) longest_delay_ = std::max(longest_delay_, ways_[l].delay);
  set_window(window_);
}

void PacketLinkStats::set_window(Window window) {
  window_ = window;
  sure_ = window.last - longest_delay_;
}

void PacketLinkStats::on_inject(const PacketMessage& message) {
  carry(graph_.injection_link(message.source), kNoId, message.flits, message.sent());
}

void PacketLinkStats::on_hop(SwitchId sw, PortId out, const PacketMessage& message, Cycle first) {
  ++message_hops_;
  carry(graph_.out_link(sw, out), sw, message.flits, first);
}

void PacketLinkStats::change(SwitchId sw, std::int64_t sign, Cycle cycle) {
  if (cycle < window_.last) edges_[sw].add(sign, std::max(cycle, window_.first));
}

// What levels() takes from the sums of the link is taken back here where it is not so.
void PacketLinkStats::carry_at_edge(LinkId link, SwitchId from, std::uint32_t flits, Cycle first) {
  if (from != kNoId) {
    other_flit_hops_ += flits - static_cast<std::uint64_t>(window_.overlap(first, first + flits));
  }
  if (first >= window_.last) return;
  const bool buffers = !edges_.empty();
  const PacketLinks::Link way = buffers ? ways_[link] : PacketLinks::Link{};
  for (Cycle c = first; c < first + flits; ++c) {
    const bool inside = window_.holds(c);
    if (inside) {
      ++links_[link].flits;
      links_[link].double_cycles += 2 * c;
    }
    if (!buffers) continue;
    if (from != kNoId && !inside) change(from, -1, c);
    if (way.to == kNoId) continue;
    change(way.to, 1, c + way.delay);
    if (inside) edges_[way.to].add(-1, c + way.delay);
  }
}

void PacketLinkStats::expect_hop(SwitchId sw, PortId out) const { prefetch(&links_[graph_.out_link(sw, out)]); }

// What is in a switch by now is there when the window begins.
void PacketLinkStats::measure_from(Cycle first) {
  other_flit_hops_ = flit_hops();
  edges_ = levels();
  for (Sum& e : edges_) e.cycles = e.flits * first;
  std::fill(links_.begin(), links_.end(), Link{});
  set_window({first, Window::kOpen});
}

void PacketLinkStats::close(Cycle now) {
  set_window({window_.first, std::clamp(now + 1, window_.first, window_.last)});
}

std::vector<std::uint64_t> PacketLinkStats::numbers() const {
  std::vector<std::uint64_t> out{other_flit_hops_, message_hops_};
  const auto add = [&](std::int64_t number) { out.push_back(static_cast<std::uint64_t>(number)); };
  for (const Link& l : links_) {
    add(l.flits);
    add(l.double_cycles);
    add(l.earlier);
  }
  for (const Sum& e : edges_) {
    add(e.flits);
    add(e.cycles);
  }
  return out;
}

void PacketLinkStats::set_numbers(const std::vector<std::uint64_t>& numbers) {
  other_flit_hops_ = numbers[0];
  message_hops_ = numbers[1];
  auto from = numbers.begin() + 2;
  const auto next = [&] { return static_cast<std::int64_t>(*from++); };
  for (Link& l : links_) {
    l.flits = next();
    l.double_cycles = next();
    l.earlier = next();
  }
  for (Sum& e : edges_) {
    e.flits = next();
    e.cycles = next();
  }
}

std::uint64_t PacketLinkStats::flit_hops() const {
  std::uint64_t out = other_flit_hops_;
  for (LinkId l = 0; l < links_.size(); ++l) {
    if (!graph_.is_injection(l)) out += static_cast<std::uint64_t>(links_[l].flits + links_[l].earlier);
  }
  return out;
}

std::vector<PacketLinkStats::Sum> PacketLinkStats::levels() const {
  std::vector<Sum> out = edges_;
  if (out.empty()) return out;
  for (LinkId l = 0; l < links_.size(); ++l) {
    const Link& link = links_[l];
    const std::int64_t cycles = link.double_cycles / 2;
    if (!graph_.is_injection(l)) {
      Sum& from = out[graph_.driver(l).sw];
      from.flits -= link.flits;
      from.cycles -= cycles;
      from.add(-link.earlier, window_.first);
    }
    if (ways_[l].to == kNoId) continue;
    Sum& to = out[ways_[l].to];
    to.flits += link.flits;
    to.cycles += cycles + link.flits * ways_[l].delay;
    to.add(link.earlier, window_.first);
  }
  return out;
}

std::vector<double> PacketLinkStats::occupancy() const {
  std::vector<double> out;
  if (window_.length() <= 0) return out;
  for (const Sum& s : levels()) {
    out.push_back(static_cast<double>(s.flits * window_.last - s.cycles) / static_cast<double>(window_.length()));
  }
  return out;
}

Table PacketLinkStats::links() const {
  return link_table(graph_, window_, [this](LinkId l) { return links_[l].flits; });
}

}  // namespace weft
