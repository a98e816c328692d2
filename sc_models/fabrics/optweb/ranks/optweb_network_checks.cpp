// What an OPTWEB network says of itself when it has come to rest: what waits, and whether everything is accounted for.
// On several ranks, of the nodes of all of them.

#include <fmt/format.h>

#include <algorithm>
#include <cereal/archives/binary.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <sstream>

#include "base/diagnostics.h"
#include "fabrics/optweb/optweb_network.h"
#include "parallel/gather.h"

namespace weft {
namespace {

// Of the nodes of one rank.
struct Stalled {
  std::vector<std::string> waits;  // by node: a line, empty where it does not wait
  std::vector<std::string> over;   // by node: a line, empty where its program is not over
  std::vector<NodeId> waited_for;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(waits, over, waited_for);
  }
};

Stalled of_all(Ranks& ranks, const Stalled& mine) {
  std::ostringstream text;
  cereal::BinaryOutputArchive to(text);
  to(mine);
  Stalled all = mine;
  for (const std::string& theirs : ranks.gather(text.str())) {
    std::istringstream in(theirs);
    cereal::BinaryInputArchive from(in);
    Stalled other;
    from(other);
    for (std::size_t n = 0; n < all.waits.size(); ++n) {
      if (!other.waits[n].empty()) all.waits[n] = other.waits[n];
      if (!other.over[n].empty()) all.over[n] = other.over[n];
    }
    all.waited_for.insert(all.waited_for.end(), other.waited_for.begin(), other.waited_for.end());
  }
  return all;
}

}  // namespace

Picoseconds OptwebNetwork::last_cut() const {
  Picoseconds last = -1;
  for (NodeId n = 0; n < nodes(); ++n) {
    if (!has_node(n)) continue;
    const NodeClock& clock = nodes_[n]->clock();
    for (const DistributedSwitch::CutOff& c : nodes_[n]->distributed_switch().cut_off(clock.now(), true)) {
      last = std::max<Picoseconds>(last, clock.time(c.outage->down));
    }
  }
  if (ranks() == nullptr) return last;
  for (const Picoseconds other : gather_rows(ranks(), std::vector{last})) last = std::max(last, other);
  return last;
}

std::string OptwebNetwork::describe_stall(bool at_rest) const {
  Stalled stalled{std::vector<std::string>(nodes()), std::vector<std::string>(nodes()), {}};
  for (NodeId n = 0; n < nodes(); ++n) {
    if (!has_node(n)) continue;
    const OptwebNode& node = *nodes_[n];
    const OptwebSequencer& s = node.sequencer();
    const NodeClock& clock = node.clock();
    if (s.finished()) {
      const Cycle at = node.last_completed();
      stalled.over[n] = s.pushed() == 0 ? fmt::format("\n  node {}: has no program", n)
                                        : fmt::format("\n  node {}: its program is over since {} (cycle {})", n,
                                                      to_string(Duration{clock.time(at)}), at);
      continue;
    }
    std::string& line = stalled.waits[n];
    line = fmt::format("\n  {}: waits for {}", instruction(n, s.completed()), node.describe_wait());
    for (const DistributedSwitch::CutOff& c : node.distributed_switch().cut_off(clock.now(), at_rest)) {
      line += fmt::format("; the link to node {} is down since {} by {}", c.peer,
                          to_string(Duration{clock.time(c.outage->down)}), text_of(config_.faults[c.outage->fault]));
    }
    const std::vector<NodeId> more = node.distributed_switch().waits_for();
    stalled.waited_for.insert(stalled.waited_for.end(), more.begin(), more.end());
  }
  if (ranks() != nullptr) stalled = of_all(*ranks(), stalled);
  std::vector<bool> waited_for(nodes());
  for (const NodeId n : stalled.waited_for) waited_for[n] = true;
  std::string out;
  for (const std::string& line : stalled.waits) out += line;
  for (NodeId n = 0; n < nodes(); ++n) out += waited_for[n] ? stalled.over[n] : std::string();
  return out;
}

std::vector<OptwebNetwork::LinkCounts> OptwebNetwork::link_counts() const {
  const optweb::Neighbours& links = optweb::neighbours_of(config_);
  std::vector<LinkCounts> out;
  std::vector<std::uint64_t> numbers;
  for (NodeId a = 0; a < nodes(); ++a) {
    for (NodeId b = 0; b < nodes(); ++b) {
      if (a == b || !links.dmac(a, b)) continue;
      LinkCounts& l = out.emplace_back(LinkCounts{a, b});
      if (has_node(a)) {
        const DistributedSwitch& sender = nodes_[a]->distributed_switch();
        l.begun = sender.link(b)->words_sent();
        l.sent = sender.words_sent(b);
        l.notified = sender.link(b)->notifications_sent();
      }
      if (has_node(b)) {
        const DistributedSwitch& receiver = nodes_[b]->distributed_switch();
        l.received = receiver.words_received(a);
        l.coming = receiver.words_coming(a);
        l.notifications = receiver.notifications_received(a);
      }
    }
  }
  if (ranks() == nullptr) return out;
  for (const LinkCounts& l : out) {
    numbers.insert(numbers.end(), {l.begun, l.sent, l.notified, l.received, l.coming, l.notifications});
  }
  ranks()->sum(numbers);
  auto next = numbers.begin();
  for (LinkCounts& l : out) {
    for (std::uint64_t* n : {&l.begun, &l.sent, &l.notified, &l.received, &l.coming, &l.notifications}) *n = *next++;
  }
  return out;
}

void OptwebNetwork::check_words() const {
  for (const LinkCounts& l : link_counts()) {
    if (l.begun == l.received + l.coming) continue;
    throw RunError(
        fmt::format("{} words were sent from node {} to node {}, but {} have been counted there and {} are "
                    "on their way",
                    l.begun, l.from, l.to, l.received, l.coming));
  }
}

std::string OptwebNetwork::unmatched() const {
  std::string out;
  std::vector<TransferLedger::Unmatched> all = ledger_.unmatched();
  if (ranks() != nullptr) {
    std::ostringstream mine;
    cereal::BinaryOutputArchive to(mine);
    for (const TransferLedger::Unmatched& u : all) to(u.pair, u.line);
    std::vector<TransferLedger::Unmatched> others;
    for (const std::string& theirs : ranks()->gather(mine.str())) {
      std::istringstream in(theirs);
      cereal::BinaryInputArchive from(in);
      while (in.peek() != std::istringstream::traits_type::eof()) {
        TransferLedger::Unmatched& u = others.emplace_back();
        from(u.pair, u.line);
      }
    }
    all = std::move(others);
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.pair < b.pair; });
  }
  for (const TransferLedger::Unmatched& u : all) out += u.line;
  return out;
}

std::string OptwebNetwork::lane_trouble() const {
  return first_trouble(ranks(), [this] {
    for (NodeId a = 0; a < nodes(); ++a) {
      for (NodeId b = 0; has_node(a) && b < nodes(); ++b) {
        const LinkIp* const link = nodes_[a]->distributed_switch().link(b);
        if (link != nullptr) link->check_lane();
      }
    }
    if (cut_) cut_->check_lanes();
  });
}

void OptwebNetwork::check_conservation() const {
  if (const std::string ends = unmatched(); !ends.empty()) {
    throw RunError("the programs are over, but do not match:" + ends);
  }
  for (const LinkCounts& l : link_counts()) {
    const auto compare = [&](const char* what, std::uint64_t sent, std::uint64_t received) {
      if (sent == received) return;
      throw RunError(fmt::format("{} {} were sent from node {} to node {}, but {} have been used there", sent, what,
                                 l.from, l.to, received));
    };
    compare("words", l.sent, l.received);
    compare("notifications", l.notified, l.notifications);
  }
  if (const std::string lanes = lane_trouble(); !lanes.empty()) throw RunError(lanes);
}

}  // namespace weft
