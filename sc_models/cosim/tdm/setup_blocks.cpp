#include "cosim/tdm/setup_blocks.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"
#include "cosim/common/compiled_rtl.h"
#include "fabrics/tdm/setup/choice/slot_choice.h"

namespace weft {
namespace {

std::uint64_t number_of_key(const CircuitKey& key) { return std::uint64_t{key.flow} << 32 | key.number; }
CircuitKey key_of(std::uint64_t number) {
  return {static_cast<std::uint32_t>(number >> 32), static_cast<std::uint32_t>(number)};
}

template <class Holds>
std::uint32_t mask_of_ports(PortId ports, Holds&& holds) {
  std::uint32_t mask = 0;
  for (PortId p = 0; p < ports; ++p) mask |= holds(p) ? 1U << p : 0;
  return mask;
}

std::vector<PortId> ports_of(std::uint32_t mask) {
  std::vector<PortId> out;
  for (PortId p = 0; mask != 0; ++p, mask >>= 1) {
    if ((mask & 1U) != 0) out.push_back(p);
  }
  return out;
}

SlotSet sized(const SlotSet& set, std::uint32_t slots) { return set.empty() ? SlotSet(slots) : set; }

}  // namespace

class RtlCircuits::Surroundings final : public SetupSurroundings {
 public:
  Surroundings(RtlCircuits& owner, Cycle now, const SetupMessage& incoming, std::vector<SetupSend>& out,
               std::vector<std::uint32_t>& flows)
      : owner_(owner), now_(now), incoming_(incoming), out_(out), flows_(flows) {}

  SlotLutResponse lut(SlotLutOp op, bool input, PortId port, const SlotSet& slots, std::uint64_t key) override {
    const std::uint32_t row = (input ? owner_.setup_.ports : 0U) + port;
    if (op == SlotLutOp::release) owner_.from_.erase(key_of(key));
    return owner_.access_.ask(now_, {op, row, slots}, key_of(key).flow);
  }
  Cycle table_question(std::uint32_t columns) override { return owner_.access_.in_force(now_, columns); }
  Cycle table_change(bool set, PortId in, std::uint32_t outs, const SlotSet& slots, const std::vector<Slot>& from,
                     std::uint64_t key) override {
    if (!from.empty()) owner_.from_[key_of(key)] = from;
    return owner_.access_.change(now_, {set, set ? in : kNoPort, ports_of(outs), slots, from});
  }
  void send(PortId port, const SetupPins& message) override {
    out_.push_back({port, owner_.message_of(message, port, incoming_)});
  }
  void drain_begins(std::uint32_t ports) override {
    for (const PortId p : ports_of(ports)) owner_.access_.drain_begins(p);
  }
  void drain_ends(std::uint32_t ports) override {
    for (const PortId p : ports_of(ports)) owner_.access_.drain_ends(now_, p);
  }
  void lost(std::uint64_t key) override { flows_.push_back(key_of(key).flow); }
  void full() override {
    throw RunError(
        fmt::format("{}.setup_unit: cycle {}: the RTL has no room for another circuit; use implementation: "
                    "model for it",
                    owner_.site_.path, now_));
  }

 private:
  RtlCircuits& owner_;
  Cycle now_;
  const SetupMessage& incoming_;
  std::vector<SetupSend>& out_;
  std::vector<std::uint32_t>& flows_;
};

RtlCircuits::RtlCircuits(const BlockSite& site, const SetupSite& setup, SwitchAccess& access,
                         std::unique_ptr<SetupUnitRtl> core)
    : site_(site), setup_(setup), access_(access), core_(std::move(core)) {
  std::vector<Cycle> ack;
  std::vector<Cycle> drain;
  for (const LinkId link : setup.host_links) {
    const bool host = link != kNoId;
    ack.push_back(host ? setup.timing.host_way(link) + 1 : 0);
    drain.push_back(host ? setup.timing.host_way(link) + 1 + setup.timing.adapter(link) : 0);
  }
  core_->configure(setup.timing.slots, setup.timing.slot_update, ack, drain);
  number_of({setup.sw, 0, -1});  // of this switch's refusals
}

std::uint32_t RtlCircuits::number_of(const Info& info) {
  const auto at = std::find(infos_.begin(), infos_.end(), info);
  if (at != infos_.end()) return static_cast<std::uint32_t>(at - infos_.begin());
  infos_.push_back(info);
  return static_cast<std::uint32_t>(infos_.size() - 1);
}

SetupCommand RtlCircuits::command(SetupCommand::Op op, Cycle now) const {
  SetupCommand c;
  c.op = op;
  c.now = now;
  c.usable = mask_of_ports(setup_.ports, [&](PortId p) { return access_.usable(now, p); });
  c.failed = mask_of_ports(setup_.ports, [&](PortId p) { return access_.failed(p); });
  c.message.common = c.message.slots = c.message.source = SlotSet(setup_.timing.slots);
  return c;
}

SetupPins RtlCircuits::pins_of(const SetupMessage& m) {
  SetupPins pins;
  pins.kind = static_cast<std::uint32_t>(m.kind);
  pins.key = number_of_key(m.key);
  pins.common = sized(m.common, setup_.timing.slots);
  pins.slots = sized(m.slots, setup_.timing.slots);
  pins.source = SlotSet(setup_.timing.slots);
  for (const SetupMessage::Lane& lane : m.lanes) pins.source.set(static_cast<std::size_t>(lane.sent));
  if (!m.lanes.empty()) {
    pins.lane = static_cast<std::uint32_t>(m.lanes.front().left % Cycle{setup_.timing.slots});
    pins.lag = m.lanes.front().left - m.lanes.front().sent;
  }
  pins.start = m.start;
  pins.late = m.late_by;
  pins.cleared = m.cleared;
  pins.words = m.words;
  pins.cause = static_cast<std::uint32_t>(m.cause);
  pins.withdrawn = m.withdrawn;
  pins.forward = m.forward;
  if (m.kind == SetupMessage::Kind::teardown) pins.info = number_of({m.at, m.fault, m.failed_at});
  return pins;
}

std::vector<SetupMessage::Lane> RtlCircuits::lanes_of(const SetupPins& pins) const {
  std::vector<SetupMessage::Lane> lanes = lanes_in_order(pins.source, pins.slots, pins.lag);
  if (!lanes.empty() && lanes.front().left % Cycle{setup_.timing.slots} != Cycle{pins.lane}) {
    throw RunError(
        fmt::format("{}.setup_unit: the RTL sends a request whose words leave from slot {} on, {} cycles after slot {}",
                    site_.path, pins.lane, pins.lag, lanes.front().sent));
  }
  return lanes;
}

SetupMessage RtlCircuits::message_of(const SetupPins& pins, PortId port, const SetupMessage& incoming) const {
  using Kind = SetupMessage::Kind;
  const auto kind = static_cast<Kind>(pins.kind);
  SetupMessage m;
  if (kind == Kind::request || kind == Kind::release) m = incoming;  // what the block does not look at passes through
  m.kind = kind;
  m.key = key_of(pins.key);
  if (kind == Kind::request) {
    if (setup_.timing.slot_update) m.lanes = lanes_of(pins);
    for (const RouteBranch& b : m.route->hops[incoming.hop].branches) {
      if (b.out == port && b.next != kNoHop) m.hop = b.next;
    }
  }
  if (kind == Kind::request || kind == Kind::teardown) m.common = pins.common;
  if (kind != Kind::withdraw && kind != Kind::teardown) m.slots = pins.slots;
  if (kind == Kind::request || kind == Kind::ack) m.start = pins.start;
  if (kind == Kind::accept || kind == Kind::released) m.words = pins.words;
  if (kind == Kind::released || kind == Kind::teardown) m.cleared = pins.cleared;
  if (kind == Kind::teardown) {
    const Info& info = infos_.at(pins.info);
    m.cause = static_cast<TeardownCause>(pins.cause);
    m.late_by = pins.late;
    m.withdrawn = pins.withdrawn;
    m.forward = pins.forward;
    m.at = info.at;
    m.fault = info.fault;
    m.failed_at = info.failed_at;
  }
  return m;
}

void RtlCircuits::run(const SetupCommand& command, const SetupMessage& incoming, std::vector<SetupSend>& out,
                      std::vector<std::uint32_t>& flows) {
  Surroundings surroundings(*this, command.now, incoming, out, flows);
  core_->run(command, surroundings);
}

void RtlCircuits::handle(Cycle now, PortId from, const SetupMessage& message, std::vector<SetupSend>& out) {
  SetupCommand c = command(SetupCommand::Op::message, now);
  c.from = from;
  c.message = pins_of(message);
  if (message.kind == SetupMessage::Kind::request) {
    const RouteHop& place = message.route->hops[message.hop];
    c.wanted = message.wanted;
    c.hold = message.hold;
    c.first = place.parent == kNoHop;
    c.in = place.in;
    for (const RouteBranch& b : place.branches) {
      c.outs |= 1U << b.out;
      if (b.next == kNoHop) c.hosts |= 1U << b.out;
    }
    c.departure = setup_.timing.departure(*message.route, message.hop);
    if (c.first) c.route_start = route_start(setup_.timing, now, message);
    c.wire = setup_.timing.wire(place);
    for (PortId p = 0; p < setup_.ports; ++p) {
      const bool down = (c.outs & ~c.usable & (1U << p)) != 0;
      c.down_info.push_back(down ? number_of({setup_.sw, access_.holder(p), -1}) : 0);
    }
  }
  std::vector<std::uint32_t> none;
  run(c, message, out, none);
}

void RtlCircuits::drop_failed(Cycle now, std::uint32_t fault, std::vector<SetupSend>& out,
                              std::vector<std::uint32_t>& flows) {
  SetupCommand c = command(SetupCommand::Op::failure, now);
  c.message.info = number_of({setup_.sw, fault, now});
  run(c, {}, out, flows);
}

void RtlCircuits::told(Cycle now, const CircuitKey& key) {
  SetupCommand c = command(SetupCommand::Op::told, now);
  c.message.key = number_of_key(key);
  std::vector<SetupSend> sends;
  std::vector<std::uint32_t> flows;
  run(c, {}, sends, flows);
}

void RtlCircuits::free_due(Cycle now) {
  const Cycle next = core_->next_free();
  if (next < 0 || next > now) return;
  std::vector<SetupSend> sends;
  std::vector<std::uint32_t> flows;
  run(command(SetupCommand::Op::free, now), {}, sends, flows);
}

std::vector<CircuitHolding> RtlCircuits::holdings() {
  std::vector<CircuitHolding> out;
  const auto add = [&](const SetupRecord& r, bool in_table) {
    const auto from = from_.find(key_of(r.key));
    out.push_back({key_of(r.key), r.first, r.in, ports_of(r.outs), r.slots, in_table,
                   from == from_.end() ? std::vector<Slot>() : from->second});
  };
  for (const SetupRecord& r : core_->records(setup_.timing.slots)) add(r, !r.lost);
  for (const SetupRecord& r : core_->draining(setup_.timing.slots)) add(r, false);
  return out;
}

std::unique_ptr<SetupUnitRtl> make_setup_unit_rtl(VerilatedContext& context, const std::string& name) {
  return compiled<decltype(make_setup_unit_rtl)>("setup_unit")(context, name);
}

}  // namespace weft
