#include "fabrics/packet/observe/packet_link_stats.h"

#include <algorithm>
#include <utility>

#include "base/hot_memory.h"
#include "observe/columns.h"
#include "observe/vocabulary.h"

namespace weft {

void PacketLinkStats::count_buffers(PacketLinks links) {
  ways_ = std::move(links);
  levels_.resize(graph_.switches());
}

void PacketLinkStats::on_inject(const PacketMessage& message) {
  const LinkId link = graph_.injection_link(message.source);
  link_flits_[link] += window_.overlap(message.sent(), message.sent() + message.flits);
  if (!levels_.empty()) count_injected(link, message);
}

void PacketLinkStats::on_hop(SwitchId sw, PortId out, const PacketMessage& message, Cycle first) {
  ++message_hops_;
  flit_hops_ += message.flits;
  const LinkId link = graph_.out_link(sw, out);
  link_flits_[link] += window_.overlap(first, first + message.flits);
  if (!levels_.empty()) count_hop(sw, link, message.flits, first);
}

// Flits before the window count as if they had come or gone with it, those behind it do not count.
void PacketLinkStats::count_at_edge(SwitchId sw, std::int64_t sign, std::uint32_t flits, Cycle first) {
  if (first >= window_.last) return;
  if (first + flits <= window_.first) {
    const std::int64_t n = sign * static_cast<std::int64_t>(flits);
    levels_[sw].flits += n;
    levels_[sw].cycles += n * window_.first;
    return;
  }
  for (Cycle c = first; c < first + flits && c < window_.last; ++c) {
    levels_[sw].flits += sign;
    levels_[sw].cycles += sign * std::max(c, window_.first);
  }
}

void PacketLinkStats::expect_hop(SwitchId sw, PortId out) const { prefetch(&link_flits_[graph_.out_link(sw, out)]); }

void PacketLinkStats::measure_from(Cycle first) {
  window_ = {first, Window::kOpen};
  std::fill(link_flits_.begin(), link_flits_.end(), 0);
  for (Level& l : levels_) l.cycles = l.flits * first;
}

void PacketLinkStats::close(Cycle now) { window_.last = std::clamp(now + 1, window_.first, window_.last); }

std::vector<std::uint64_t> PacketLinkStats::numbers() const {
  std::vector<std::uint64_t> out{flit_hops_, message_hops_};
  out.insert(out.end(), link_flits_.begin(), link_flits_.end());
  for (const Level& l : levels_) {
    out.push_back(static_cast<std::uint64_t>(l.flits));
    out.push_back(static_cast<std::uint64_t>(l.cycles));
  }
  return out;
}

void PacketLinkStats::set_numbers(const std::vector<std::uint64_t>& numbers) {
  flit_hops_ = numbers[0];
  message_hops_ = numbers[1];
  auto from = numbers.begin() + 2;
  for (std::int64_t& l : link_flits_) l = static_cast<std::int64_t>(*from++);
  for (Level& l : levels_) {
    l.flits = static_cast<std::int64_t>(*from++);
    l.cycles = static_cast<std::int64_t>(*from++);
  }
}

std::vector<double> PacketLinkStats::occupancy() const {
  std::vector<double> out;
  if (window_.length() <= 0) return out;
  for (const Level& l : levels_) {
    out.push_back(static_cast<double>(l.flits * window_.last - l.cycles) / static_cast<double>(window_.length()));
  }
  return out;
}

Table PacketLinkStats::links() const {
  namespace v = vocabulary;
  std::vector<LinkId> used;
  for (LinkId l = 0; l < link_flits_.size(); ++l) {
    if (link_flits_[l] > 0) used.push_back(l);
  }
  const Columns<LinkId> columns{{v::kLink, [this](LinkId l) { return graph_.link_name(l); }},
                                {{"flits", "1", "flits in the window"}, [this](LinkId l) { return link_flits_[l]; }},
                                {v::kUtilization, [this](LinkId l) {
                                   return 100.0 * static_cast<double>(link_flits_[l]) /
                                          static_cast<double>(window_.length());
                                 }}};
  Table t = make_table({"links", "Links", "Every directed link that carried something in the measurement window."},
                       columns, used);
  t.bars = bars_of(t, v::kUtilization.key);
  return t;
}

}  // namespace weft
