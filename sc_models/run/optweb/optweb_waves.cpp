#include "run/optweb/optweb_waves.h"

#include <algorithm>
#include <cereal/archives/binary.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <sstream>
#include <utility>

#include "algorithms/optweb/neighbours.h"
#include "base/diagnostics.h"
#include "cosim/common/fst_wave_file.h"
#include "observe/gtkw.h"
#include "run/waves/rank_wave_file.h"
#include "run/waves/wave_nodes.h"

namespace weft {
namespace {

// Those that programs use.
std::vector<OptwebWaveView::Link> links_of(const OptwebNetwork& network, const OptwebConfig& config,
                                           const std::vector<NodeId>& nodes, const std::vector<OptwebUses>& uses) {
  const optweb::Neighbours& links = optweb::neighbours_of(config);
  std::vector<OptwebWaveView::Link> out;
  for (const NodeId a : nodes) {
    for (NodeId b = 0; b < network.nodes(); ++b) {
      if (a == b || !links.dmac(a, b)) continue;
      const bool fails = network.timeline(a, b) != nullptr;
      if (!fails && !uses[a].out[b] && !uses[a].in[b]) continue;
      out.push_back({a, b, uses[a].out[b], uses[a].in[b], fails});
    }
  }
  return out;
}

OptwebLane shown(LinkIp::Lane lane) {
  switch (lane) {
    case LinkIp::Lane::data:
      return OptwebLane::data;
    case LinkIp::Lane::notification:
      return OptwebLane::notification;
    case LinkIp::Lane::rest:
      break;
  }
  return OptwebLane::rest;
}

OptwebLinkState shown(LinkIp::State state) {
  switch (state) {
    case LinkIp::State::repeats:
      return OptwebLinkState::repeats;
    case LinkIp::State::down:
      return OptwebLinkState::down;
    case LinkIp::State::up:
      break;
  }
  return OptwebLinkState::up;
}

std::vector<OptwebWaveView::Rtl> rtl_of(const OptwebPlatform& platform) {
  std::vector<OptwebWaveView::Rtl> out(platform.config().nodes);
  for (NodeId n = 0; n < out.size(); ++n) {
    const OptwebImplementations which = platform.config().implementations(n);
    const OptwebRtlBlocks& blocks = platform.blocks();
    if (!which.command_sequencer.is_model()) {
      out[n].sequencer = blocks.command_sequencer.of(which.command_sequencer).module;
    }
    if (!which.stripe_address.is_model()) out[n].addresses = blocks.stripe_address.of(which.stripe_address).module;
    if (!which.switch_control.is_model()) out[n].control = blocks.switch_control.of(which.switch_control).module;
    if (!which.link_sync.is_model()) out[n].links = blocks.link_sync.of(which.link_sync).module;
  }
  return out;
}

// What ranks have by node, of all of them together; throws on each what one of them throws in `mine`, an error of the
// input as one.
template <class Value, class Mine>
std::map<NodeId, Value> of_all_ranks(Ranks& ranks, Mine&& mine) {
  std::ostringstream out;
  cereal::BinaryOutputArchive to(out);
  try {
    const std::map<NodeId, Value> values = mine();
    out << '=';
    to(values);
  } catch (const InputError& e) {
    const Diagnostic& first = e.list().front();
    out << '!';
    to(first.where.file, first.where.line, first.where.column, first.message);
  } catch (const std::exception& e) {
    out << '?' << e.what();
  }
  std::map<NodeId, Value> all;
  for (const std::string& theirs : ranks.compare(std::move(out).str())) {
    if (theirs.front() == '?') throw RunError(theirs.substr(1));
    std::istringstream in(theirs.substr(1));
    cereal::BinaryInputArchive from(in);
    if (theirs.front() == '!') {
      Location where;
      std::string message;
      from(where.file, where.line, where.column, message);
      throw InputError(where, std::move(message));
    }
    std::map<NodeId, Value> values;
    from(values);
    all.merge(values);
  }
  return all;
}

}  // namespace

OptwebWaves::OptwebWaves(const std::string& path, const OptwebWaveChoice& choice, const OptwebPlatform& platform,
                         OptwebNetwork& network, OptwebBlocks& blocks)
    : path_(path),
      platform_(platform),
      network_(network),
      blocks_(blocks),
      window_(choice.times.from, choice.times.until, network.domain().period()),
      nodes_(wave_nodes(choice.nodes, network.nodes())),
      file_(make_wave_file(path, network.part())),
      uses_(optweb_uses(platform.config(), platform.programs())),
      view_(*file_, network.name(), nodes_, rtl_of(platform), links_of(network, platform.config(), nodes_, uses_),
            network.domain().period()),
      seen_(network.nodes()),
      links_(network.nodes()) {
  declare();
  file_->open();
  for (std::size_t i = 0; i < view_.links().size(); ++i) {
    const OptwebWaveView::Link& l = view_.links()[i];
    LinkIp* const end = network.link_end(l.from, l.to);
    if (end == nullptr) continue;
    links_[l.from].push_back(i);
    end->watch();
  }
  hook_ = network.domain().add_cycle_hook([this](Cycle cycle) { on_cycle(cycle); },
                                          [this](Cycle cycle) { return first_needed(cycle); });
}

void OptwebWaves::declare() {
  const auto far = ask_boxes();
  for (const NodeId n : nodes_) {
    const bool here = network_.has_node(n);
    OptwebNode* const node = here ? &network_.node(n) : nullptr;
    boxes_.try_emplace(n, *file_, network_.name(), n, node, uses_[n]);
    memories_.try_emplace(n, *file_, network_.name(), n, node, platform_.config(), uses_[n]);
    if (here) {
      has_own_state_ = has_own_state_ || blocks_.shown(n) || !own_boxes_.at(n).empty();
      own_boxes_.at(n).declare(*file_, network_.name());
    } else {
      OwnBoxSignals::declare_far(*file_, network_.name(), n, far.at(n));
    }
  }
  blocks_.trace(*file_, [&](std::uint32_t node) { return std::binary_search(nodes_.begin(), nodes_.end(), node); });
}

std::map<NodeId, std::vector<OwnBoxSignals::Declared>> OptwebWaves::ask_boxes() {
  const auto mine = [&] {
    std::map<NodeId, std::vector<OwnBoxSignals::Declared>> out;
    for (const NodeId n : nodes_) {
      if (!network_.has_node(n)) continue;
      out[n] = own_boxes_.try_emplace(n, network_.node(n), uses_[n]).first->second.declared();
    }
    return out;
  };
  if (network_.ranks() == nullptr) return mine();
  return of_all_ranks<std::vector<OwnBoxSignals::Declared>>(*network_.ranks(), mine);
}

std::map<NodeId, std::string> OptwebWaves::rows() const {
  const auto mine = [&] {
    std::map<NodeId, std::string> out;
    for (const auto& [n, own] : own_boxes_) out[n] = boxes_.at(n).gtkw() + memories_.at(n).gtkw() + own.gtkw();
    return out;
  };
  if (network_.ranks() == nullptr) return mine();
  return of_all_ranks<std::string>(*network_.ranks(), mine);
}

void OptwebWaves::show_node(NodeId n, bool written) {
  const OptwebNode& node = network_.node(n);
  const OptwebSequencer& s = node.sequencer();
  const DistributedSwitch& sw = node.distributed_switch();
  // A cycle changes registers at its end: what the sequencer was in the cycle is what the one before has left, but
  // for an instruction that is issued or completed in it.
  OptwebNodeState state;
  const bool completed = s.completed() > seen_[n].completed;
  const bool running = s.running() || completed;
  state.state = running ? "run" : seen_[n].busy ? "fetch" : "idle";
  if (running) state.instruction = network_.short_name(n, completed ? s.completed() - 1 : s.completed());
  remember(n);
  state.reading = sw.streams_open();
  state.writing = sw.receipts_missing();
  state.notifications = sw.notifications_missing();
  view_.show_node(n, state);
  boxes_.at(n).show(network_.domain().busy_cycles(), written);
  memories_.at(n).show(written);
  own_boxes_.at(n).show(*file_, written);
}

void OptwebWaves::show_links(NodeId n, Cycle cycle) {
  const Cycle now = network_.clock_of(n).now();
  for (const std::size_t i : links_[n]) {
    const OptwebWaveView::Link& l = view_.links()[i];
    const LinkIp& link = *network_.link_end(n, l.to);
    if (network_.has_node(n)) {
      if (l.fails) view_.show_state(i, shown(link.state(now)));
      view_.show_out(i, window_.shows(cycle) ? cycle : -1, shown(link.lane(now)));
    }
    // What comes from another rank is heard there.
    if (!network_.has_node(n) || network_.has_node(l.to)) view_.show_in(i, shown(link.in_lane(now)));
  }
}

// Falling edges of RTL clocks, each a point in time of its own, as far as they come before `time`; one at that very
// time stands in the dump to come.
void OptwebWaves::fall_before(Picoseconds time) {
  while (!falls_.empty() && falls_.front().first <= time) {
    const Picoseconds at = falls_.front().first;
    for (; !falls_.empty() && falls_.front().first == at; falls_.pop_front()) blocks_.show_half(falls_.front().second);
    if (at < time && shows(at)) file_->dump(static_cast<std::uint64_t>(at));
  }
}

// What RTL and own boxes show depends on the cycles before; ranks may have nothing to do when the window begins. Else
// of each node one edge before the window, so that what its first one brings is known: two cycles, since clocks of
// nodes may have none in one.
Cycle OptwebWaves::first_needed(Cycle cycle) const {
  return window_.first_needed(cycle, has_own_state_ || !network_.part().whole() ? ClockDomain::kNever : 2);
}

void OptwebWaves::on_cycle(Cycle cycle) {
  last_ = cycle;
  if (first_needed(cycle) == cycle) {
    show_cycle(cycle);
  } else if (cycle >= window_.until()) {
    if (std::exchange(over_, true)) return;
    fall_before(window_.until() * network_.domain().period().ps);
    blocks_.end_trace();
  } else if (network_.domain().idle()) {  // the next cycle may be one of the window
    for (const NodeId n : nodes_) {
      if (network_.has_node(n)) remember(n);
    }
  }
}

void OptwebWaves::remember(NodeId n) {
  const OptwebSequencer& s = network_.node(n).sequencer();
  seen_[n] = {s.completed(), !s.resting()};
}

void OptwebWaves::show_cycle(Cycle cycle) {
  edges_.clear();
  for (const NodeId n : nodes_) {
    if (!network_.has_node(n) && links_[n].empty()) continue;
    const NodeClock& clock = network_.clock_of(n);
    if (clock.has_edge()) edges_.emplace_back(clock.time(clock.now()), n);
  }
  std::sort(edges_.begin(), edges_.end());
  for (auto edge = edges_.begin(); edge != edges_.end();) {
    const Picoseconds time = edge->first;
    fall_before(time);
    for (; edge != edges_.end() && edge->first == time; ++edge) {
      blocks_.show_cycle(edge->second);
      if (network_.has_node(edge->second)) show_node(edge->second, shows(time));
      show_links(edge->second, cycle);
      if (blocks_.shown(edge->second)) falls_.emplace_back(time + platform_.config().period.ps / 2, edge->second);
    }
    if (shows(time)) file_->dump(static_cast<std::uint64_t>(time));
  }
}

bool OptwebWaves::shows(Picoseconds time) const { return window_.shows(time / network_.domain().period().ps); }

// A run shows one cycle in which nothing is left to happen. Ranks find out some cycles later that it is so, and have
// shown these as well.
std::vector<std::string> OptwebWaves::close(Cycle last_cycle) {
  network_.domain().remove_cycle_hook(hook_);
  const bool whole = network_.ranks() == nullptr;
  const Cycle now = network_.domain().now();
  if (last_ < now && (whole || now <= last_cycle)) on_cycle(now);
  last_cycle = whole ? last_ : last_cycle + 1;
  const Picoseconds end = (last_cycle + 1) * network_.domain().period().ps;
  fall_before(end);
  if (auto* const divided = dynamic_cast<RankWaveFile*>(file_.get())) {
    divided->hold_end(window_.shows_end(last_cycle));
  } else if (window_.shows_end(last_cycle)) {
    file_->dump(static_cast<std::uint64_t>(end));
  }
  file_->close(static_cast<std::uint64_t>(end));
  view_.set_first_activity(first_of_all(network_.part(), view_.first_activity()));
  const std::map<NodeId, std::string> all = rows();
  view_.add_rows([&](NodeId n) { return all.at(n); });
  if (!writes_results(network_.part())) return {};
  return write_gtkw(path_, [&](const std::string& file) { return view_.gtkw(file); });
}

}  // namespace weft
