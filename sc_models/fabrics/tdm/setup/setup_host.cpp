#include "fabrics/tdm/setup/setup_host.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"

namespace weft {
namespace {

template <class Map>
auto take_due(Map& map, Cycle now) {
  typename Map::mapped_type all{};
  while (!map.empty() && map.begin()->first <= now) {
    auto& some = map.begin()->second;
    if constexpr (requires { all.merge(some); }) {
      all.merge(some);
    } else {
      all.insert(all.end(), some.begin(), some.end());
    }
    map.erase(map.begin());
  }
  return all;
}

}  // namespace

SetupHost::SetupHost(sc_core::sc_module_name name, NodeId node, const Graph& graph, const Network& network)
    : sc_module(name), node_(node), first_port_(graph.attachment(node).port), net_(network), control_(*this) {
  for (std::uint32_t i = 0; i < graph.node_links(); ++i) {
    const LinkId injection = graph.injection_link(node, i);
    const PortRef at = graph.entry(injection);
    wires_.push_back(std::make_unique<Wire>(*this, i, net_.links.at(at.sw, at.port), injection, net_.timing));
  }
}

void SetupHost::add_source(const TimedFlow& flow, std::uint32_t index, FlowSource::Routes routes,
                           const RetryPolicy& policy) {
  FlowSource::Outside outside;
  outside.send = [this](SetupMessage m, const CircuitRoute& route) { send(std::move(m), first_wire(route)); };
  outside.link_usable = [this](Cycle now, const CircuitRoute& route) {
    return net_.links.usable(wires_[first_wire(route)]->link, now);
  };
  outside.link_holder = [this](const CircuitRoute& route) {
    return net_.links.holder(wires_[first_wire(route)]->link);
  };
  outside.wake = [this, index](Cycle at) {
    flows_due_[at].insert(index);
    plan_end(at);
  };
  outside.cut = [this, index](const TrainCut& cut) { send_cut(cut, first_wire(sources_.at(index)->current_route())); };
  sources_.emplace(index, std::make_unique<FlowSource>(flow, index, std::move(routes), net_.timing, policy, net_.runs,
                                                       std::move(outside)));
}

void SetupHost::add_sink(std::uint32_t flow, std::size_t index) {
  sinks_.emplace(flow, std::make_unique<Sink>(Sink{FlowSink(flow, index, net_.timing.slots, net_.runs), -1, {}}));
}

void SetupHost::submit(std::uint32_t flow, std::uint32_t words) {
  const Cycle now = net_.domain.now();
  source(flow).submit(now, words);
  flows_due_[now].insert(flow);
  plan_end(now);
}

void SetupHost::begin() {
  for (const auto& [index, source] : sources_) {
    flows_due_[source->begin()].insert(index);
    plan_end(source->begin());
  }
}

void SetupHost::plan_end(Cycle cycle) {
  if (ends_planned_.insert(cycle).second) net_.domain.schedule(cycle, Phase::settle, *this, kEnd);
}

void SetupHost::plan_train(FlowSource& source, std::uint32_t flow) {
  const Cycle at = source.next_train();
  if (at < 0) return;
  const auto [it, is_new] = trains_due_.try_emplace(at);
  it->second.insert(flow);
  if (is_new) net_.domain.schedule(at, Phase::transfer, *this, kTrains);
}

void SetupHost::due(Cycle now, std::uint32_t token) {
  if (token == kTrains) {
    announce_trains(now);
  } else {
    end_of_cycle(now);
  }
}

void SetupHost::announce_trains(Cycle now) {
  for (const std::uint32_t flow : take_due(trains_due_, now)) {
    FlowSource& source = *sources_.at(flow);
    if (source.next_train() != now) continue;  // stopped in the meantime
    const std::uint32_t number = first_wire(source.current_route());
    Wire& wire = *wires_[number];
    TdmTransfer transfer;
    transfer.kind = TdmTransfer::Kind::train;
    transfer.train = source.announce();
    net_.observers.tell([&](TdmObserver& o) { o.on_inject(node_, number, transfer.train); });
    if (wire.adapter > 0 && net_.failures) {
      std::erase_if(wire.on_it, [&](const Train& t) { return t.last(net_.timing.slots) + wire.adapter < now; });
      wire.on_it.push_back(transfer.train);
    }
    wire.out.send(transfer, sc_core::SC_ZERO_TIME);
    plan_train(source, flow);
  }
}

void SetupHost::send_cut(const TrainCut& cut, std::uint32_t wire) {
  net_.observers.tell([&](TdmObserver& o) { o.on_inject_cut(node_, wire, cut); });
  for (Train& t : wires_[wire]->on_it) {
    if (cut.names(t)) t.words = std::min(t.words, cut.words);
  }
  TdmTransfer transfer;
  transfer.kind = TdmTransfer::Kind::cut;
  transfer.cut = cut;
  wires_[wire]->out.send(transfer, sc_core::SC_ZERO_TIME);
}

void SetupHost::receive(PortId, const TdmTransfer& transfer) {
  const bool cut = transfer.kind == TdmTransfer::Kind::cut;
  const std::uint32_t flow = cut ? net_.runs.flow_of(transfer.cut.message) : transfer.train.circuit;
  const auto it = sinks_.find(flow);
  if (it == sinks_.end()) {
    // Of a run that is over; or led astray: after a failure a circuit is cleared away from the break on, so the words
    // of the next owner of a slot, ahead of their request, may meet an entry further on that is still in force. That
    // request is refused as late, the words are sent again.
    const bool failures = std::find(net_.broken.begin(), net_.broken.end(), true) != net_.broken.end();
    if (failures) {
      WordAccount& account = net_.runs.ledger().of(cut ? transfer.cut.message : transfer.train.message);
      if (cut) account.astray -= transfer.cut.announced - transfer.cut.words;
      if (!cut) account.astray += transfer.train.words;
      return;
    }
    throw RunError(fmt::format("{}: cycle {}: a word of {} arrives at a node it was not sent to", name(),
                               net_.domain.now(), net_.runs.text(flow)));
  }
  Cycle last = -1;
  if (cut) {
    last = it->second->words.cut(transfer.cut);
    if (last < 0) return;
  } else {
    it->second->words.begins(transfer.train);
    last = transfer.train.last(net_.timing.slots);
    expect_release(net_.domain.now(), flow, *it->second);
  }
  // What ranks tell each other comes when the cycle is over. A cut adds nothing to what has come, so it may wait.
  const Cycle at = std::max(last, net_.domain.now() + (cut && net_.divided ? 1 : 0));
  words_due_[at].insert(flow);
  plan_end(at);
}

void SetupHost::receive(PortId in, const SetupMessage& message) {
  const Cycle arrival = message.sent + wires_[in]->control_way;
  messages_[arrival].push_back({message, in});
  plan_end(arrival);
}

void SetupHost::end_of_cycle(Cycle now) {
  ends_planned_.erase(now);
  for (const std::uint32_t flow : take_due(words_due_, now)) take_words(now, flow);
  std::vector<Arrived> messages = take_due(messages_, now);
  std::stable_sort(messages.begin(), messages.end(), [](const auto& a, const auto& b) { return a.wire < b.wire; });
  for (const auto& [m, wire] : messages) {
    if (net_.links.last_failure(wires_[wire]->link) > m.sent) continue;
    last_event_ = now;
    if (m.kind == SetupMessage::Kind::request || m.kind == SetupMessage::Kind::release ||
        (m.kind == SetupMessage::Kind::teardown && m.forward)) {
      for_sink(now, m, wire);
    } else {
      FlowSource& source = *sources_.at(m.key.flow);
      source.on_message(now, m);
      plan_train(source, m.key.flow);
    }
  }
  std::set<std::uint32_t> flows = take_due(flows_due_, now);
  if (restored_) {
    for (const auto& [index, source] : sources_) flows.insert(index);
    restored_ = false;
  }
  for (const std::uint32_t flow : flows) {
    FlowSource& source = *sources_.at(flow);
    source.due(now);
    plan_train(source, flow);
  }
}

void SetupHost::take_words(Cycle now, std::uint32_t flow) {
  Sink& sink = *sinks_.at(flow);
  const std::uint64_t before = sink.words.messages();
  const std::uint64_t words = sink.words.received() + sink.words.dropped();
  sink.words.take(now, net_.broken[flow]);
  if (sink.words.received() + sink.words.dropped() > words) last_event_ = now;
  if (sink.words.messages() > before) sink.last_delivery = now;
  std::erase_if(sink.releases, [&](const Arrived& release) {
    const SetupMessage& m = release.message;
    if (sink.words.reached(m.circuit) < m.words) return false;
    if (m.words > 0) sink.words.circuits_before_are_over(m.circuit);
    answer(m, release.wire, SetupMessage::Kind::released, sink.words.received());
    return true;
  });
}

void SetupHost::for_sink(Cycle now, const SetupMessage& m, std::uint32_t wire) {
  Sink& sink = *sinks_.at(m.key.flow);
  if (m.kind == SetupMessage::Kind::teardown) {
    std::erase_if(sink.releases, [&](const Arrived& r) { return r.message.key == m.key; });
    return;
  }
  if (m.kind == SetupMessage::Kind::release) sink.releases.push_back({m, wire});
  take_words(now, m.key.flow);
  expect_release(now, m.key.flow, sink);
  if (m.kind == SetupMessage::Kind::request) answer(m, wire, SetupMessage::Kind::accept, sink.words.received());
}

// A release is answered in the cycle in which the last word before it arrives.
void SetupHost::expect_release(Cycle now, std::uint32_t flow, Sink& sink) {
  for (const auto& [m, wire] : sink.releases) {
    if (m.words == 0) continue;
    const Cycle at = sink.words.arrival_of(m.circuit, m.words - 1);
    if (at < now) continue;
    words_due_[at].insert(flow);
    plan_end(at);
  }
}

void SetupHost::answer(const SetupMessage& m, std::uint32_t wire, SetupMessage::Kind kind, std::uint64_t words) {
  SetupMessage a;
  a.kind = kind;
  a.key = m.key;
  a.slots = m.slots;
  a.words = words;
  send(std::move(a), wire);
}

void SetupHost::send(SetupMessage m, std::uint32_t number) {
  const Cycle now = net_.domain.now();
  Wire& wire = *wires_[number];
  if (!net_.links.usable(wire.link, now)) return;
  m.sent = now;
  wire.control_out.send(m, net_.domain.time_of(wire.control_way));
}

void SetupHost::link_failed(Cycle now, PortId port, std::uint32_t fault) {
  const std::uint32_t wire = port - first_port_;
  const auto uses = [&](const CircuitRoute& route) { return first_wire(route) == wire; };
  for (const auto& [index, source] : sources_) source->link_failed(now, fault, uses);
  lose_words_under_way(now, *wires_[wire], fault);
  for (const auto& [index, sink] : sinks_) {
    std::erase_if(sink->releases, [&](const Arrived& r) { return r.wire == wire; });
  }
}

// Words that an adapter holds when the link fails; the sources have stopped.
void SetupHost::lose_words_under_way(Cycle now, Wire& wire, std::uint32_t fault) {
  for (const Train& t : wire.on_it) {
    const std::uint32_t arrived = t.words_before(now - wire.adapter, net_.timing.slots);
    if (arrived >= t.words) continue;
    net_.runs.ledger().lost_before_switch(t.message, fault, t.words - arrived);
    TdmTransfer transfer;
    transfer.kind = TdmTransfer::Kind::cut;
    transfer.cut = {t.message, t.first_word, t.slot, arrived, t.words};
    wire.out.send(transfer, sc_core::SC_ZERO_TIME);
  }
  wire.on_it.clear();
}

void SetupHost::link_restored(Cycle now) {
  restored_ = true;
  plan_end(now);
}

}  // namespace weft
