#include "fabrics/optweb/distributed_switch.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "algorithms/optweb/program.h"
#include "base/diagnostics.h"
#include "base/random.h"

namespace weft {

DistributedSwitch::DistributedSwitch(sc_core::sc_module_name name, NodeClock& clock, const OptwebParameters& parameters,
                                     NodeId node, MDmac& dmac, const Hbm& memory, const OptwebNames& names,
                                     const OptwebObservers& observers, const MakeLinkSync& make_link_sync,
                                     std::unique_ptr<optweb::SwitchControlIf> decisions, OptwebModules& modules)
    : sc_module(name),
      control("to_control_register"),
      notifications("to_notifications"),
      buffers("to_buffers"),
      link_notifications("to_links"),
      done("done"),
      clock_(clock),
      parameters_(parameters),
      node_(node),
      neighbours_(optweb::neighbours_of(*parameters.config)),
      own_(neighbours_.place(node, 0)),
      dmac_(dmac),
      memory_(memory),
      names_(names),
      observers_(observers),
      boxes_(node, clock, observers),
      links_(parameters, clock, neighbours_.dmacs(), own_),
      decisions_(std::move(decisions)),
      expected_(neighbours_.dmacs()),
      unsent_(neighbours_.dmacs()),
      drains_(neighbours_.dmacs()),
      most_fed_(neighbours_.dmacs()),
      most_(neighbours_.dmacs()),
      emptied_(neighbours_.dmacs()) {
  bind(modules);
  links_.make([&](std::uint32_t p, LinkOwner& owner) {
    return std::make_unique<LinkIp>(fmt::format("link[{}]", peer(p)).c_str(), parameters, clock, p, owner,
                                    make_link_sync(peer(p)), serial_clock(peer(p)));
  });
}

SerialClock DistributedSwitch::serial_clock(NodeId peer) const {
  const std::optional<OptwebSerial>& serial = parameters_.config->link.serial;
  if (!serial) return {};
  std::int64_t phase = 0;
  if (serial->phase == OptwebPhase::random) {
    constexpr std::int64_t kPerSecond = 1'000'000'000'000;  // picoseconds
    RandomStream random(parameters_.config->seed, fmt::format("serial clock of node[{}].link[{}]", node_, peer));
    const auto period = static_cast<std::uint64_t>(kPerSecond / serial->clock.hz);
    phase = static_cast<std::int64_t>(random.below(std::max<std::uint64_t>(1, period)));
  }
  return {serial->clock, phase};
}

void DistributedSwitch::bind(OptwebModules& modules) {
  const auto site = [&](const char* name) { return OptwebModuleSite{name, node_, neighbours_.dmacs(), parameters_}; };
  modules_ = {modules.control_register(site("control_register")),
              modules.distributors(site("distributors")),
              modules.selectors(site("selectors")),
              modules.gate(site("gate")),
              modules.sent_counters(site("sent_counters")),
              modules.notifications(site("notifications")),
              modules.buffers(site("buffers")),
              modules.crossbar(site("crossbar")),
              modules.reduction(site("reduction")),
              modules.received_counters(site("received_counters")),
              {},
              {}};
  control.bind(*modules_.control);
  notifications.bind(*modules_.notifications);
  buffers.bind(*modules_.buffers);
  const auto own = [&](const char* side, WordBoxes& boxes, auto make) {
    for (std::size_t i = 0;; ++i) {
      const std::string box = fmt::format("{}[{}]", side, i);
      std::unique_ptr<WordBox> next = (modules.*make)(site(box.c_str()), i);
      if (next == nullptr) break;
      boxes.add(std::move(next));
    }
  };
  own("sent", modules_.sent, &OptwebModules::sent_box);
  own("received", modules_.received, &OptwebModules::received_box);
  bind_words();
  bind_signals();
}

void DistributedSwitch::configure(DmacPlan plan, std::uint32_t number, Cycle now) {
  set_ = control->write(number, now);
  paths_set_ = false;
  plan_ = std::move(plan);
  stand_ = dmac_.readers().out->pass(sent_words(), plan_.first_word);
  decisions_->write(control_word(), now);
  sent_.reset();
  received_.reset();
  finish_ = 0;
  issued_ = now;
  open_.reset();
  last_ready_ = kNoId;
  clock_.schedule(set_, Phase::generate, *this, token(kSet, 0));
}

const optweb::ControlWord& DistributedSwitch::control_word() {
  word_.rendezvous = plan_.rendezvous;
  word_.barrier.clear();
  word_.sends.clear();
  word_.receives.clear();
  for (const NodeId n : plan_.barrier) word_.barrier.push_back(port(n));
  for (const ReaderStream& r : plan_.readers) {
    for (const NodeId n : r.stream.to) word_.sends.push_back({port(n), r.stream.reader, r.words});
  }
  for (const WriterStream& w : plan_.writers) {
    word_.receives.push_back({port(w.receive.from), w.receive.writer, w.words});
  }
  return word_;
}

// One part of the instruction is over at `boundary`.
void DistributedSwitch::finish_part(Cycle boundary) {
  if (boundary >= optweb::kNever) return;
  finish_ = std::max(finish_, boundary);
  if (--parts_ > 0) return;
  // The pulse is in the cycle before the boundary, and never in the past.
  clock_.schedule(std::max(finish_ - 1, clock_.now()), Phase::transfer, *this, token(kDone, 0));
}

// The boxes that words pass set each its part of the paths, and learn how many words there will be.
void DistributedSwitch::join_paths() {
  for (const ReaderStream& r : plan_.readers) dmac_.readers().out->set(route_of(r));
  for (const WriterStream& w : plan_.writers) {
    const std::uint32_t input = port(w.receive.from);
    buffers->out->set(route_to(w, input, w.words));
  }
}

// What is expected of the instruction, and what has to be finished before it is.
void DistributedSwitch::plan_parts() {
  std::fill(expected_.begin(), expected_.end(), Expected{});
  std::fill(unsent_.begin(), unsent_.end(), false);
  std::uint32_t receivers = 0;
  for (const ReaderStream& r : plan_.readers) {
    for (const NodeId n : r.stream.to) {
      if (n == node_) continue;
      expected_[port(n)].notifications = plan_.rendezvous ? 2 : 1;  // ready, and everything received
      ++receivers;
    }
  }
  for (const NodeId n : plan_.barrier) expected_[port(n)].notifications = 1;
  for (std::uint32_t w = 0; w < plan_.writers.size(); ++w) {
    Expected& e = expected_[port(plan_.writers[w].receive.from)];
    e.data = true;
    e.writer = w;
  }
  stream_due_.assign(plan_.readers.size(), -1);
  parts_ = 1 + (receivers > 0 || !plan_.barrier.empty() ? 1 : 0) + (plan_.readers.empty() ? 0 : 1) +
           (plan_.writers.empty() ? 0 : 1);  // with this one, so that nothing is done before everything is set
}

void DistributedSwitch::set_paths(Cycle now) {
  paths_set_ = true;
  join_paths();
  if (boxes_.wanted()) record_paths(now);
  plan_parts();
  const optweb::ControlEvents decided = decisions_->set(now);

  Cycle sent = now;
  for (const NodeId n : plan_.barrier) {
    if (decisions_->notifies(port(n))) sent = std::max(sent, notify(n, OptwebNotificationKind::barrier, now));
  }
  if (!plan_.barrier.empty() && sent < optweb::kNever) sent_ = sent;
  sent = std::max(sent, notify_sources(OptwebNotificationKind::ready, now));
  for (const WriterStream& w : plan_.writers) open_writer(port(w.receive.from));
  if (plan_.reduction) {
    match_all();
  } else {
    for (const WriterStream& w : plan_.writers) match(port(w.receive.from));
  }
  opening_.reset();
  for (std::uint32_t p = 0; p < expected_.size(); ++p) {
    for (std::uint32_t awaited = expected_[p].notifications; awaited > decisions_->awaited(p); --awaited) {
      use_notification(p, awaited, now);
    }
  }
  if (decided.opens) open_gate(opening_.value_or(now));
  if (decided.noted) finish_part(control->reported(now));
  give_up(now);
  finish_part(plan_.barrier.empty() ? sent : control->reported(sent));
}

// In a rendezvous the first of two notifications says that the receiver is ready.
OptwebNotificationKind DistributedSwitch::expected_kind(std::uint32_t awaited) const {
  if (!plan_.barrier.empty()) return OptwebNotificationKind::barrier;
  return awaited == 2 ? OptwebNotificationKind::ready : OptwebNotificationKind::received;
}

void DistributedSwitch::use_notification(std::uint32_t port, std::uint32_t awaited, Cycle now) {
  if (!notifications->registered(port)) {
    throw RunError(fmt::format("internal: {}: the control has used a notification of node {} that has not come", name(),
                               peer(port)));
  }
  using_ = awaited;
  if (expected_kind(awaited) == OptwebNotificationKind::ready) {
    last_ready_ = now == last_ready_at_ && last_ready_ != kNoId ? std::max(last_ready_, peer(port)) : peer(port);
    last_ready_at_ = now;
  }
  notifications->use(port, now);
}

// Both ends execute the same operations in the same order (fabrics/optweb/transfer_ledger.h), so the kind is right.
void DistributedSwitch::used(std::uint32_t port, const OptwebNotification& notification) {
  const OptwebNotificationKind kind = expected_kind(using_);
  if (kind != notification.kind) {
    throw RunError(fmt::format("internal: {} has misunderstood a notification of {}",
                               names_.instruction(node_, number()),
                               names_.instruction(peer(port), notification.number)));
  }
}

void DistributedSwitch::take_notification(std::uint32_t port, Cycle now) {
  notifications->registers(port);
  const std::uint32_t awaited = busy() && paths_set_ ? decisions_->awaited(port) : 0;
  const optweb::ControlEvents decided = decisions_->notified(port, now);
  if (awaited == 0) return;
  opening_.reset();
  use_notification(port, awaited, now);
  if (decided.opens) open_gate(opening_.value_or(now));
  if (decided.noted) finish_part(control->reported(now));
}

// Data may pass from `now` on; they do when they have come through the sending side.
void DistributedSwitch::open_gate(Cycle now) {
  open_ = now;
  if (boxes_.wanted()) record_gate(now);
  Cycle at = std::max(now, stand());
  for (const ReaderStream& r : plan_.readers) {
    for (const NodeId n : r.stream.to) at = std::max(at, links_.rested(port(n), at));
  }
  if (at < optweb::kNever) clock_.schedule(at, Phase::transfer, *this, token(kStart, 0));
}

// As in notify_sources(); a reader beyond the last one has none.
void DistributedSwitch::fetch_links(std::size_t reader, void (LinkIp::*fetch)() const) {
  if (reader >= plan_.readers.size()) return;
  for (const NodeId n : plan_.readers[reader].stream.to) {
    if (n != node_) (links_.link(port(n))->*fetch)();
  }
}

void DistributedSwitch::start(Cycle now) {
  for (const ReaderStream& r : plan_.readers) {  // a notification may have come in between
    for (const NodeId n : r.stream.to) {
      const Cycle at = links_.rested(port(n), now);
      if (at <= now) continue;
      if (at < optweb::kNever) clock_.schedule(at, Phase::transfer, *this, token(kStart, 0));
      return;
    }
  }
  feeds_.clear();
  for (std::uint32_t i = 0; i < plan_.readers.size(); ++i) {
    fetch_links(i + 2, &LinkIp::fetch);
    fetch_links(i + 1, &LinkIp::fetch_other);
    const ReaderStream& r = plan_.readers[i];
    dmac_.read_begins(r, now, path_pace(r));
    OptwebTrain train;
    train.from = node_;
    train.number = number();
    train.bytes = r.stream.bytes;
    train.words = r.words;
    train.host = dmac_.readers().host_has(r);
    train.time = stream_time(r, now);
    if (parameters_.config->mode == OptwebMode::data) {
      train.memory = &memory_.bytes();
      train.address = r.stream.address;
      pass_sent(r, train);
    }
    const optweb::WordRate pace = stream_pace(r);
    dmac_.readers().out->begin(route_of(r), {now, pace, &train, nullptr});
    stream_due_[i] = now + pace.time(r.words + 1);
    if (parameters_.fifo) feed(i, now);
    clock_.schedule(stream_due_[i], Phase::transfer, *this, token(kEnd, i));
  }
  if (boxes_.wanted()) record_start(now);
}

void DistributedSwitch::stream_ends(Cycle now, std::uint32_t reader) {
  if (reader >= stream_due_.size() || stream_due_[reader] != now) return;  // it ends at another time by now
  const ReaderStream& r = plan_.readers[reader];
  const Cycle end = stream_end(reader, now);
  if (end > now) {  // cut by notifications, or slower than at first, or its links have failed
    stream_due_[reader] = end;
    if (end < optweb::kNever) clock_.schedule(end, Phase::transfer, *this, token(kEnd, reader));
    return;
  }
  stream_due_[reader] = -1;
  if (parameters_.fifo) feed_ends(reader, now);
  if (boxes_.wanted()) record_read(reader, now);
  dmac_.read_done(r);
  sent_ = std::max(sent_.value_or(0), now);
  dmac_.readers().out->clear(route_of(r));
}

void DistributedSwitch::sent_counted(const WordRoute& route) {
  const Cycle now = clock_.now();
  if (decisions_->passed(route.dmac, route.words, now).sent) finish_part(now);
}

void DistributedSwitch::due(Cycle, std::uint32_t token) {
  const Cycle now = clock_.now();
  const std::uint32_t index = token & 0xffffff;
  switch (static_cast<Token>(token >> 24)) {
    case kSet:
      set_paths(now);
      break;
    case kStart:
      start(now);
      break;
    case kEnd:
      stream_ends(now, index);
      break;
    case kLast:
      last_word(now, index);
      break;
    case kCounted:
      counted(now, index);
      break;
    case kNotification:
      take_notification(index, now);
      break;
    case kReduced:
      reduced(now, index);
      break;
    case kComplete:
      complete_receipt(now);
      break;
    case kTimeout:
      give_up(now);
      break;
    case kDone:
      control->clear();
      decisions_->clear(now);
      cleared_ = now;
      if (boxes_.wanted()) record_done(now);
      done->done(optweb::kSwitchUnit, now);
      break;
  }
}

}  // namespace weft
