#include "fabrics/packet/observe/packet_link_stats.h"

#include <algorithm>

#include "base/hot_memory.h"
#include "observe/columns.h"
#include "observe/vocabulary.h"

namespace weft {

void PacketLinkStats::on_inject(const PacketMessage& message) {
  link_flits_[graph_.injection_link(message.source)] += window_.overlap(message.sent(), message.sent() + message.flits);
}

void PacketLinkStats::on_hop(SwitchId sw, PortId out, const PacketMessage& message, Cycle first) {
  ++message_hops_;
  flit_hops_ += message.flits;
  link_flits_[graph_.out_link(sw, out)] += window_.overlap(first, first + message.flits);
}

void PacketLinkStats::expect_hop(SwitchId sw, PortId out) const { prefetch(&link_flits_[graph_.out_link(sw, out)]); }

void PacketLinkStats::measure_from(Cycle first) {
  window_ = {first, Window::kOpen};
  std::fill(link_flits_.begin(), link_flits_.end(), 0);
}

void PacketLinkStats::close(Cycle now) { window_.last = std::clamp(now + 1, window_.first, window_.last); }

std::vector<std::uint64_t> PacketLinkStats::numbers() const {
  std::vector<std::uint64_t> out{flit_hops_, message_hops_};
  out.insert(out.end(), link_flits_.begin(), link_flits_.end());
  return out;
}

void PacketLinkStats::set_numbers(const std::vector<std::uint64_t>& numbers) {
  flit_hops_ = numbers[0];
  message_hops_ = numbers[1];
  std::copy(numbers.begin() + 2, numbers.end(), link_flits_.begin());
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
