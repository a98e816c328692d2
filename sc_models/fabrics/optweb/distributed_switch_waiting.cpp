// Waiting of the distributed switch: what for, links that fail, and when an instruction gives up.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/diagnostics.h"
#include "fabrics/optweb/distributed_switch.h"

namespace weft {

Cycle DistributedSwitch::notify(NodeId to, OptwebNotificationKind kind, Cycle now) {
  const Cycle sent = link_notifications->notify(port(to), now, {kind, number()});
  if (sent >= optweb::kNever) unsent_[port(to)] = true;
  return sent;
}

// All nodes that send something in this instruction. Returns when the last of them has left; 0 without any. A large
// network has more links than a cache holds: those that are next are fetched, first one end, then the other.
Cycle DistributedSwitch::notify_sources(OptwebNotificationKind kind, Cycle now) {
  const std::vector<WriterStream>& all = plan_.writers;
  const auto link_of = [&](std::size_t i) { return i < all.size() ? links_.link(port(all[i].receive.from)) : nullptr; };
  Cycle sent = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (const LinkIp* const next = link_of(i + 2); next != nullptr) next->fetch();
    if (const LinkIp* const next = link_of(i + 1); next != nullptr) next->fetch_other();
    const std::uint32_t from = port(all[i].receive.from);
    const bool told = kind == OptwebNotificationKind::ready ? decisions_->notifies(from) : decisions_->confirms(from);
    if (told) sent = std::max(sent, notify(all[i].receive.from, kind, now));
  }
  return sent;
}

// Instructions look when their paths are set; those that are under way then, when the time is over.
void DistributedSwitch::watch_links() {
  if (!parameters_.config->link.timeout) return;
  const Cycle timeout = *parameters_.config->link.timeout;
  for (std::uint32_t p = 0; p < links_.ports(); ++p) {
    const LinkIp* const link = links_.link(p);
    if (link == nullptr || link->timeline() == nullptr) continue;
    for (const optweb::Outage& o : link->timeline()->outages()) {
      if (o.up - o.down > timeout) clock_.schedule(o.down + timeout, Phase::settle, *this, token(kTimeout, 0));
    }
  }
}

std::uint32_t DistributedSwitch::streams_open() const {
  if (!paths_set_) return 0;
  return static_cast<std::uint32_t>(
      std::count_if(plan_.readers.begin(), plan_.readers.end(),
                    [&](const ReaderStream& r) { return !modules_.distributors->outputs(r.stream.reader).empty(); }));
}

std::uint32_t DistributedSwitch::receipts_missing() const {
  if (!paths_set_) return 0;
  return static_cast<std::uint32_t>(
      std::count_if(expected_.begin(), expected_.end(), [](const Expected& e) { return e.data; }));
}

std::uint32_t DistributedSwitch::notifications_missing() const {
  std::uint32_t out = 0;
  for (std::uint32_t p = 0; paths_set_ && p < expected_.size(); ++p) out += decisions_->awaited(p);
  return out;
}

std::vector<DistributedSwitch::CutOff> DistributedSwitch::cut_off(Cycle now, bool at_rest) const {
  std::vector<CutOff> out;
  if (!busy() || !paths_set_) return out;
  for (const std::uint32_t p : ports_by_node()) {
    if (local(p) || links_.link(p)->timeline() == nullptr) continue;
    const bool needed =
        expected_[p].data || decisions_->awaited(p) > 0 || unsent_[p] || modules_.selectors->joined(p).has_value();
    if (!needed) continue;
    const optweb::Outage* outage = links_.link(p)->timeline()->down(now);
    if (outage == nullptr && at_rest) outage = links_.link(p)->timeline()->down(optweb::kNever - 1);
    if (outage != nullptr) out.push_back({peer(p), outage});
  }
  return out;
}

void DistributedSwitch::give_up(Cycle now) const {
  if (!parameters_.config->link.timeout) return;
  std::string missing;
  for (const CutOff& c : cut_off(now, false)) {
    if (now - c.outage->down < *parameters_.config->link.timeout) continue;
    missing += fmt::format("{}node {}, whose link is down since {} ({})", missing.empty() ? "" : ", ", c.peer,
                           to_string(Duration{clock_.time(c.outage->down)}),
                           text_of(parameters_.config->faults[c.outage->fault]));
  }
  if (missing.empty()) return;
  throw RunError(fmt::format("{} gives up: it misses {}, for longer than link.timeout ({} cycles)",
                             names_.instruction(node_, number()), missing, *parameters_.config->link.timeout));
}

std::shared_ptr<const optweb::StreamTime> DistributedSwitch::stream_time(const ReaderStream& r, Cycle begin) const {
  std::vector<optweb::LinkTimeline*> links;
  for (const NodeId n : r.stream.to) {
    optweb::LinkTimeline* const timeline = n == node_ ? nullptr : link(n)->timeline();
    if (timeline != nullptr) links.push_back(timeline);
  }
  if (links.empty()) return nullptr;
  return std::make_shared<const optweb::StreamTime>(std::move(links), begin);
}

std::vector<optweb::LinkTimeline::Stop> DistributedSwitch::gaps(const OptwebTrain& train) const {
  if (train.time == nullptr) return {};
  if (train.from != node_) return link(train.from)->gaps(train);
  return optweb::joined(train.time->stops(train.last));
}

std::string DistributedSwitch::describe_wait() const {
  if (!busy()) return "nothing";
  std::string data;
  std::string notes;
  std::string links;
  const auto add = [](std::string& list, NodeId n) { list += fmt::format("{}{}", list.empty() ? "" : ", ", n); };
  for (const std::uint32_t p : ports_by_node()) {
    if (expected_[p].data) add(data, peer(p));
    if (decisions_->awaited(p) > 0) add(notes, peer(p));
    if (paths_set_ && !local(p) && unsent_[p]) add(links, peer(p));
  }
  std::string out;
  if (!data.empty()) out = "data from node " + data;
  if (!notes.empty()) {
    out += (out.empty() ? "" : " and ") +
           std::string(plan_.barrier.empty()
                           ? modules_.gate->missing() > 0 ? "readiness of node " : "confirmation of receipt by node "
                           : "node ") +
           notes;
  }
  if (out.empty() && !links.empty()) out = "the link to node " + links;
  return out.empty() ? "nothing" : out;
}

std::vector<NodeId> DistributedSwitch::waits_for() const {
  std::vector<NodeId> out;
  for (const std::uint32_t p : ports_by_node()) {
    if (busy() && (expected_[p].data || decisions_->awaited(p) > 0)) out.push_back(peer(p));
  }
  return out;
}

// In the order of the nodes behind them.
std::vector<std::uint32_t> DistributedSwitch::ports_by_node() const {
  std::vector<std::uint32_t> out(links_.ports());
  std::iota(out.begin(), out.end(), 0U);
  std::sort(out.begin(), out.end(), [&](std::uint32_t a, std::uint32_t b) { return peer(a) < peer(b); });
  return out;
}

}  // namespace weft
