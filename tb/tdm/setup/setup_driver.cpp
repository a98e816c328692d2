#include "tdm/setup/setup_driver.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>

#include "fabrics/tdm/setup/choice/slot_choice.h"

namespace weft::pins {
namespace {

SetupTiming random_timing(const SetupShape& shape, std::uint64_t seed, std::span<const Cycle> adapters,
                          RandomStream& random) {
  SetupTiming t;
  t.slots = shape.frame;
  t.processing = 1 + static_cast<Cycle>(random.below(4));
  t.column = 1 + static_cast<Cycle>(random.below(2));
  t.link = 1 + static_cast<Cycle>(random.below(6));
  t.data_link = t.link;
  t.host_link = 1 + static_cast<Cycle>(random.below(3));
  t.adapters = adapters;
  t.slot_update = ((seed ^ seed >> 4U) & 1U) == 0;
  return t;
}

std::vector<Cycle> random_adapters(const SetupShape& shape, RandomStream& random) {
  std::vector<Cycle> out;
  for (std::uint32_t p = 0; p < shape.ports; ++p) out.push_back(static_cast<Cycle>(random.below(3)));
  return out;
}

}  // namespace

SetupDriver::SetupDriver(const SetupShape& shape, std::uint64_t seed, bool only_releases)
    : shape_(shape),
      random_(seed, "setup_unit driver"),
      only_releases_(only_releases),
      patient_(only_releases || random_.below(2) == 0),
      adapters_(random_adapters(shape, random_)),
      site_{0, static_cast<PortId>(shape.ports), random_timing(shape, seed, adapters_, random_), {}},
      world_(shape, site_.timing),
      model_(
          [&] {
            for (std::uint32_t p = 0; p < shape.ports; ++p) site_.host_links.push_back(p);
            return site_;
          }(),
          world_) {
  number_ = static_cast<std::uint32_t>(random_.below(256));
  const Cycle range = Cycle{1} << (shape.time_bits - 3);  // times are signed, those of messages reach as far again
  latest_ = 2 * range;
  now_ = static_cast<Cycle>(random_.below(static_cast<std::uint64_t>(2 * range))) - range;
}

std::uint32_t SetupDriver::random_bit(std::uint32_t mask) {
  auto skip = random_.below(static_cast<std::uint64_t>(std::popcount(mask)));
  while (skip-- > 0) mask &= mask - 1;
  return static_cast<std::uint32_t>(std::countr_zero(mask));
}

SlotSet SetupDriver::random_slots(std::uint32_t one_of) {
  SlotSet out(shape_.frame);
  for (std::uint32_t s = 0; s < shape_.frame; ++s) out.set(s, random_.below(one_of) != 0);
  return out;
}

// Each circuit may become slots that drain, and each part of it that is released as well.
bool SetupDriver::has_room() { return model_.holdings().size() < shape_.circuits; }

SetupStep SetupDriver::next() {
  SetupStep step;
  now_ = std::min(now_ + static_cast<Cycle>(random_.below(4)), latest_);
  const bool due = model_.next_free() != -1 && model_.next_free() <= now_;
  const std::uint64_t which = only_releases_ ? 17 + random_.below(60) : random_.below(100);
  if (!untold_.empty() && which < 40) {
    step = std::move(untold_.front());
    untold_.pop_front();
  } else if (due || which < 4) {
    step.op = SetupStep::Op::free;
  } else if (which < 12) {
    step = links();
  } else if (which < 17) {
    step = stray();
  } else if (which < 60 && !live_.empty()) {
    step = about(live_[random_.below(live_.size())]);
  } else {
    step = request();
  }
  step.now = now_;
  run(step);
  look();
  return step;
}

SetupStep SetupDriver::request() {
  SetupStep step;
  SetupMessage& m = step.message;
  m.kind = SetupMessage::Kind::request;
  m.key = {static_cast<std::uint32_t>(random_.below(15)), number_ = (number_ + 1) % 256};
  const bool first = random_.below(2) == 0;
  Live live;
  live.key = m.key;
  live.in = step.from = static_cast<PortId>(random_.below(shape_.ports));
  const std::uint32_t others = ((1U << shape_.ports) - 1) & ~(1U << live.in);
  do {
    live.outs = static_cast<std::uint32_t>(random_.below(1U << shape_.ports)) & others;
    if (!only_releases_ && random_.below(3) == 0 && live.outs != 0) live.outs = 1U << random_bit(live.outs);
  } while (live.outs == 0);
  if (random_.below(2) == 0) live.hosts = static_cast<std::uint32_t>(random_.below(1U << shape_.ports)) & live.outs;
  auto route = std::make_shared<CircuitRoute>();
  if (!first) route->hops.push_back({1, 0, 0, kNoHop, 0, {{0, 1, kNoId, live.in}}});
  m.hop = first ? 0 : 1;
  route->hops.push_back({0, live.in, m.hop, first ? kNoHop : 0, live.in, {}});
  std::vector<PortId> outs;
  for (PortId p = 0; p < shape_.ports; ++p) {
    if ((live.outs >> p & 1U) != 0) outs.push_back(p);
  }
  if (random_.below(2) == 0) std::reverse(outs.begin(), outs.end());  // the order of the tree is not that of the ports
  for (const PortId out : outs) {
    const bool host = (live.hosts >> out & 1U) != 0;
    RouteBranch branch{out, kNoHop, host ? out : kNoId, out};
    if (!host) {
      branch.next = static_cast<std::uint32_t>(route->hops.size());
      route->hops.push_back({SwitchId{2} + out, 0, m.hop + 1, m.hop, out, {}});
    }
    route->hops[m.hop].branches.push_back(branch);
  }
  m.route = route;
  if (!has_room()) return stray();
  for (const CircuitHolding& h : model_.holdings()) {
    if (h.key == m.key) return stray();
  }
  m.wanted = 1 + static_cast<std::uint32_t>(random_.below(std::min(shape_.frame, 4U)));
  m.common = random_slots(only_releases_ || random_.below(3) == 0 ? 2 : 12);
  if (random_.below(3) == 0) {  // the lowest slots are chosen: the upper ones have their turn
    for (std::uint32_t s = 0; s < shape_.frame / 2; ++s) m.common.reset(s);
  }
  if (!first) {
    // Mostly slots of the vector, mostly as many as wanted.
    const SlotSet from = random_.below(8) == 0 ? random_slots(2) : m.common;
    m.slots = SlotSet(shape_.frame);
    for (const Slot s : slot_list(from)) {
      if (m.slots.count() < m.wanted && random_.below(4) != 0) m.slots.set(s);
    }
    m.start = now_ + static_cast<Cycle>(random_.below(3 * shape_.frame)) - shape_.frame;
  } else {
    m.hold = static_cast<Cycle>(random_.below(6));
  }
  if (site_.timing.slot_update) give_lanes(m);
  live_.push_back(std::move(live));
  return step;
}

// With slots of each switch's own: those in which the words come are as many as are wanted, and of the words it is
// known when they have left the host.
void SetupDriver::give_lanes(SetupMessage& m) {
  if (m.hop == 0) {
    m.slots = SlotSet(shape_.frame);
    return;
  }
  const auto some = [&] {
    SlotSet out(shape_.frame);
    while (out.count() < m.wanted) out.set(random_.below(shape_.frame));
    return out;
  };
  m.slots = some();
  const std::vector<Slot> slots = slot_list(m.slots);
  const SlotSet source = some();
  const Cycle lane = slots[random_.below(slots.size())] - static_cast<Cycle>(source.find_first());
  m.lanes = lanes_in_order(source, m.slots, lane + (1 + static_cast<Cycle>(random_.below(4))) * Cycle{shape_.frame});
}

SetupMessage SetupDriver::teardown(const CircuitKey& key) {
  const std::uint64_t many = std::uint64_t{1} << (shape_.time_bits - 3);
  SetupMessage m;
  m.kind = SetupMessage::Kind::teardown;
  m.key = key;
  m.cause = static_cast<TeardownCause>(random_.below(3));
  m.withdrawn = random_.below(4) == 0;
  m.common = random_slots(3);
  const Cycle span = random_.below(2) == 0 ? static_cast<Cycle>(2 * many) : 9;
  m.late_by = static_cast<Cycle>(random_.below(static_cast<std::uint64_t>(2 * span))) - span;
  if (random_.below(2) == 0) m.failed_at = 0;
  // Slots that drain for long leave no room for others.
  const bool far = random_.below(only_releases_ ? 40 : 4) == 0;
  m.cleared = now_ + static_cast<Cycle>(random_.below(far ? many : 4 * shape_.frame)) - shape_.frame;
  m.at = static_cast<SwitchId>(random_.below(4));
  m.fault = static_cast<std::uint32_t>(random_.below(8));
  return m;
}

SetupStep SetupDriver::about(Live& live) {
  using Kind = SetupMessage::Kind;
  SetupStep step;
  SetupMessage& m = step.message;
  m.key = live.key;
  const std::uint32_t open = live.outs & ~live.ended;
  const std::uint32_t silent = open & ~live.accepted;
  const std::uint64_t which = patient_ && (only_releases_ || random_.below(8) != 0) ? 19 : random_.below(20);
  if (live.withdrawing && open != 0 && random_.below(4) != 0) {
    m = teardown(live.key);
    step.from = static_cast<PortId>(random_bit(open));
    live.ended |= 1U << step.from;
  } else if (which < 4 && silent != 0) {
    m.kind = Kind::accept;
    m.words = random_.below(1000);
    step.from = static_cast<PortId>(random_bit(silent));
    live.accepted |= 1U << step.from;
  } else if (which < 6 && open != 0) {
    m = teardown(live.key);
    step.from = static_cast<PortId>(random_bit(open));
    live.ended |= 1U << step.from;
    step.withdraws = !live.withdrawing && live.ended != live.outs;
    if (!live.withdrawing) live.ended |= live.hosts;
    live.withdrawing = true;
  } else if (which < 7 && open != 0) {
    m = teardown(live.key);
    m.cause = TeardownCause::fault;
    m.withdrawn = false;
    m.failed_at = now_;
    step.from = static_cast<PortId>(random_bit(open));
  } else if (which < 8) {
    m = teardown(live.key);
    m.cause = TeardownCause::fault;
    m.withdrawn = false;
    m.forward = true;
    step.from = live.in;
  } else if (which < 9) {
    m.kind = Kind::withdraw;
    step.from = live.in;
    step.withdraws = !live.withdrawing;
    if (!live.withdrawing) live.ended |= live.hosts;
    live.withdrawing = true;
  } else if (which < 10) {
    m.kind = Kind::release;
    m.slots = live.slots;
    m.words = random_.below(1000);
    step.from = live.in;
  } else if (live.withdrawing) {
    return stray();
  } else {
    // A branch confirms a release, or the first confirms one more.
    SlotSet free = live.slots;
    for (const Release& r : live.releases) free -= r.slots;
    const std::uint32_t open_releases = std::accumulate(
        live_.begin(), live_.end(), 0U,
        [](std::uint32_t sum, const Live& l) { return sum + static_cast<std::uint32_t>(l.releases.size()); });
    if (open_releases < shape_.circuits && free.any() && (live.releases.empty() || random_.below(3) != 0)) {
      SlotSet some(shape_.frame);
      for (const Slot s : slot_list(free)) some.set(s, random_.below(3) == 0);
      if (some.none()) some.set(free.find_first());
      live.releases.push_back({some, 0});
    }
    if (live.releases.empty()) return stray();
    Release& r = live.releases[random_.below(live.releases.size())];
    const bool last = std::popcount(live.outs & ~r.confirmed) == 1;
    const std::uint64_t waits = only_releases_ ? (open_releases < shape_.circuits ? 6 : 2) : patient_ ? 12 : 4;
    if (last && ((!has_room() && r.slots != live.slots) || random_.below(waits) != 0)) return stray();
    step.from = static_cast<PortId>(random_bit(live.outs & ~r.confirmed));
    r.confirmed |= 1U << step.from;
    m.kind = Kind::released;
    m.slots = r.slots;
    m.cleared = teardown(live.key).cleared;
    if (r.confirmed == live.outs) {
      const SlotSet gone = r.slots;
      std::erase_if(live.releases, [&](const Release& x) { return x.slots == gone; });
    }
  }
  return step;
}

// A message that changes nothing: about a circuit that is not there, from elsewhere, or an acknowledgement.
SetupStep SetupDriver::stray() {
  SetupStep step;
  step.message = teardown({15, static_cast<std::uint32_t>(random_.below(256))});
  step.from = static_cast<PortId>(random_.below(shape_.ports));
  const std::uint64_t which = random_.below(4);
  if (which == 0 || live_.empty()) return step;
  const Live& live = live_[random_.below(live_.size())];
  step.message.key = live.key;
  step.message.kind = SetupMessage::Kind::ack;
  if (which == 1) return step;
  const std::uint32_t elsewhere = ((1U << shape_.ports) - 1) & ~live.outs & ~(1U << live.in);
  constexpr SetupMessage::Kind kKinds[] = {SetupMessage::Kind::accept, SetupMessage::Kind::withdraw,
                                           SetupMessage::Kind::release, SetupMessage::Kind::released,
                                           SetupMessage::Kind::teardown};
  step.message.kind = kKinds[random_.below(5)];
  step.message.slots = live.slots;
  step.message.forward = random_.below(2) == 0;
  using Kind = SetupMessage::Kind;
  const bool onward = step.message.kind == Kind::withdraw || step.message.kind == Kind::release ||
                      (step.message.kind == Kind::teardown && step.message.forward);
  if (elsewhere != 0) {
    step.from = static_cast<PortId>(random_bit(elsewhere));
  } else {
    step.from = onward ? static_cast<PortId>(random_bit(live.outs)) : live.in;
  }
  return step;
}

// Links fail, are repaired, or are not usable for other reasons.
SetupStep SetupDriver::links() {
  SetupStep step;
  const auto all = (1U << shape_.ports) - 1;
  const std::uint32_t failed = world_.failed_ports();
  if (failed != 0 || random_.below(3) != 0) {
    world_.set_links(random_.below(3) == 0 ? all & ~(1U << random_.below(shape_.ports)) : all, 0);
    return stray();
  }
  std::uint32_t fails = 1U << random_.below(shape_.ports);
  if (random_.below(3) == 0) fails |= 1U << random_.below(shape_.ports);
  world_.set_links(all & ~fails, fails);
  step.op = SetupStep::Op::failure;
  step.message.fault = static_cast<std::uint32_t>(random_.below(8));
  return step;
}

void SetupDriver::run(SetupStep& step) {
  std::vector<SetupSend> sends;
  std::vector<std::uint32_t> flows;
  const SetupMessage& m = step.message;
  const std::vector<CircuitHolding> held = model_.holdings();
  world_.take();
  switch (step.op) {
    case SetupStep::Op::message:
      model_.handle(now_, step.from, m, sends);
      break;
    case SetupStep::Op::failure:
      model_.drop_failed(now_, m.fault, sends, flows);
      counts_.failures += 1;
      counts_.lost += flows.size();
      for (const SetupSend& s : sends) {
        SetupStep told;
        told.op = SetupStep::Op::told;
        told.message.key = s.message.key;
        untold_.push_back(std::move(told));
      }
      break;
    case SetupStep::Op::told:
      model_.told(now_, m.key);
      break;
    default:
      model_.free_due(now_);
      break;
  }
  step.events = world_.take();
  if (step.op == SetupStep::Op::failure) {
    step.cycles = failure_cycles(shape_.circuits, flows.size(), sends);
  } else if (step.op == SetupStep::Op::told) {
    step.cycles = 1;
  } else if (step.op == SetupStep::Op::free) {  // ends of draining are events as well
    const auto rows = std::count_if(step.events.begin(), step.events.end(),
                                    [](const SetupEvent& e) { return e.text.starts_with("lut "); });
    const std::size_t freed = held.size() - model_.holdings().size();
    step.cycles = static_cast<std::uint32_t>(1 + freed) + static_cast<std::uint32_t>(rows);
    counts_.freed += freed;
  } else if (m.kind == SetupMessage::Kind::request) {
    const RequestCycles request = request_cycles(step, sends.front().message, site_.timing);
    step.cycles = request.cycles;
    counts_.passed_over += request.passed_over;
  } else {
    const bool known =
        std::any_of(held.begin(), held.end(), [&](const CircuitHolding& h) { return h.in_table && h.key == m.key; });
    step.cycles = message_cycles(step, known, sends);
  }
  if (step.op == SetupStep::Op::message) counts_.add(step, sends);
  for (const SetupSend& s : sends) {
    world_.send(s);
    step.events.push_back(world_.take().front());
  }
  step.next_free = model_.next_free();
}

// Brings what the driver knows about the circuits up to date.
void SetupDriver::look() {
  const std::vector<CircuitHolding> holdings = model_.holdings();
  std::erase_if(live_, [&](Live& live) {
    const auto at = std::find_if(holdings.begin(), holdings.end(),
                                 [&](const CircuitHolding& h) { return h.in_table && h.key == live.key; });
    if (at == holdings.end()) return true;
    live.slots = at->slots;
    return false;
  });
}

}  // namespace weft::pins
