#include "iq/router_traffic.h"

#include <fmt/format.h>

#include <bit>

namespace weft::pins {
namespace {

std::uint32_t bits_of(std::uint32_t numbers) {  // that many numbers can be told apart
  return numbers < 2 ? 1 : static_cast<std::uint32_t>(std::bit_width(numbers - 1));
}

Graph star(std::uint32_t ports) {
  Graph graph("star");
  const SwitchId sw = graph.add_switch(static_cast<PortId>(ports));
  for (PortId p = 0; p < ports; ++p) graph.attach_node({sw, p});
  return graph;
}

/// Only the first port leads to a NIC; a hop there may take any VC.
SwitchSite site(std::uint32_t ports) {
  SwitchSite out{0, static_cast<PortId>(ports), std::vector<bool>(ports), std::vector<bool>(ports, true)};
  out.to_node[0] = true;
  return out;
}

}  // namespace

std::uint32_t RouterShape::port_bits() const { return bits_of(ports); }
std::uint32_t RouterShape::vc_bits() const { return bits_of(router.vcs); }
std::uint32_t RouterShape::count_bits() const { return bits_of(trunk + 1); }

RouterInputs::RouterInputs(const RouterShape& s)
    : valid(s.ports),
      vc(s.ports * s.vc_bits()),
      head(s.ports),
      tail(s.ports),
      data(std::size_t{s.ports} * s.width),
      hop_first(s.ports * s.port_bits()),
      hop_count(s.ports * s.count_bits()),
      hop_vcs(s.ports * s.router.vcs),
      credit_valid(s.ports),
      credit_vc(s.ports * s.vc_bits()) {}

RouterOutputs::RouterOutputs(const RouterShape& s)
    : credit_valid(s.ports),
      credit_vc(s.ports * s.vc_bits()),
      valid(s.ports),
      vc(s.ports * s.vc_bits()),
      head(s.ports),
      tail(s.ports),
      data(std::size_t{s.ports} * s.width) {}

std::string RouterOutputs::text() const {
  return fmt::format("credits {} VCs {}, flits {} VCs {} heads {} tails {} data {}", credit_valid.hex(),
                     credit_vc.hex(), valid.hex(), vc.hex(), head.hex(), tail.hex(), data.hex());
}

RouteStep AnyHop::step(const RoutePlace&, NodeId, std::uint32_t choice) const {
  RouteStep out;
  out.first = static_cast<PortId>(choice & 0xff);
  out.count = static_cast<std::uint16_t>(choice >> 8 & 0xff);
  out.lane_class = static_cast<std::uint8_t>(choice >> 16);
  return out;
}

// Two that differ, so that the model asks for every packet.
void AnyHop::each_step(const RoutePlace&, NodeId, const std::function<void(const RouteStep&)>& visit) const {
  for (PortId first = 0; first < 2; ++first) {
    RouteStep out;
    out.first = first;
    visit(out);
  }
}

RouterTraffic::RouterTraffic(const sc_core::sc_module_name& name, ClockDomain& domain, const RouterShape& shape)
    : sc_module(name),
      domain_(domain),
      shape_(shape),
      graph_(star(shape.ports)),
      routing_(shape.classes),
      routes_(routing_, graph_),
      agenda_(domain, shape.router, 1),
      core_(domain, agenda_, 0, shape.router, routes_, observers_),
      router_(std::make_unique<IqRouter>("router", core_, site(shape.ports))),
      inputs_(shape),
      next_(shape),
      upstream_(shape.ports, std::vector<Upstream>(shape.router.vcs, {shape.router.buffer, nullptr, 0})),
      arrived_(shape.ports),
      held_(shape.ports, std::vector<std::uint32_t>(shape.router.vcs)) {
  agenda_.add(core_);
  for (PortId p = 0; p < shape.ports; ++p) {
    to_router_.push_back(std::make_unique<IqOutPort>(this, p));
    from_router_.push_back(std::make_unique<IqInPort>(*this, p));
    to_router_.back()->bind(router_->in(p));
    router_->out(p).bind(*from_router_.back());
  }
}

RouterTraffic::~RouterTraffic() = default;

void RouterTraffic::begin(Cycle from, std::uint64_t seed) {
  random_.emplace(seed, "router traffic");
  from_ = from;
  running_ = true;
  change_pace();
  domain_.schedule(from - 1, Phase::prepare, *this, 0);
}

void RouterTraffic::change_pace() {
  load_ = 1 + random_->below(16);
  drain_ = random_->below(4) == 0 ? 2 : 4 + random_->below(13);
  longest_ = static_cast<std::uint32_t>(random_->below(3) == 0 ? 1 : 1 + random_->below(9));
  favourite_ = static_cast<std::uint32_t>(random_->below(shape_.ports));
  even_ = random_->below(17);
}

RouteStep RouterTraffic::random_hop() {
  RouteStep out;
  out.first = static_cast<PortId>(random_->below(16) < even_ ? random_->below(shape_.ports) : favourite_);
  const std::uint64_t most = std::min(shape_.trunk, shape_.ports - out.first);
  out.count = static_cast<std::uint16_t>(out.first == 0 ? 1 : 1 + random_->below(most));
  out.lane_class = static_cast<std::uint8_t>(random_->below(shape_.classes));
  return out;
}

std::uint64_t RouterTraffic::word(const PacketMessage& packet, std::uint32_t flit) const {
  std::uint64_t all = (std::uint64_t{packet.sequence} * 16 + flit + 1) * 0x9e3779b97f4a7c15;  // all bits differ
  all ^= all >> 32;
  return shape_.width < 64 ? all & ((std::uint64_t{1} << shape_.width) - 1) : all;
}

RouterOutputs& RouterTraffic::expected(Cycle at) { return outputs_.try_emplace(at, shape_).first->second; }

RouterOutputs RouterTraffic::outputs(Cycle now) {
  const auto found = outputs_.find(now);
  RouterOutputs out = found == outputs_.end() ? RouterOutputs(shape_) : found->second;
  outputs_.erase(outputs_.begin(), outputs_.upper_bound(now));
  return out;
}

void RouterTraffic::due(Cycle now, std::uint32_t) {
  if (!running_) return;
  domain_.schedule(now + 1, Phase::prepare, *this, 0);
  if ((now - from_) % 200 == 199) change_pace();
  inputs_ = next_;
  next_ = RouterInputs(shape_);
  for (; !returning_.empty() && returning_.front().at <= now; returning_.pop_front()) {
    ++upstream_[returning_.front().in][returning_.front().vc].credits;
  }
  for (PortId p = 0; p < shape_.ports; ++p) {
    send(p, now + 1);
    give_back(p, now + 1);
  }
}

void RouterTraffic::send(PortId in, Cycle at) {
  if (random_->below(16) >= load_) return;
  const auto vc = static_cast<std::uint32_t>(random_->below(shape_.router.vcs));
  Upstream& up = upstream_[in][vc];
  if (up.credits == 0) return;
  if (up.packet == nullptr) {
    PacketMessage& packet = pool_.take();
    packet.destination = 0;
    packet.flits = static_cast<std::uint32_t>(1 + random_->below(longest_));
    packet.choice = AnyHop::choice(random_hop());
    packet.sequence = ++packets_;
    up.packet = &packet;
    up.sent = 0;
  }
  const PacketMessage& packet = *up.packet;
  const bool head = up.sent == 0;
  const bool tail = up.sent + 1 == packet.flits;
  IqTransfer transfer{IqFlit(*up.packet, head, tail), at, static_cast<VirtualLane>(vc)};
  router_->receive(in, transfer);

  next_.valid.set(in, 1, 1);
  next_.vc.set(std::size_t{in} * shape_.vc_bits(), shape_.vc_bits(), vc);
  next_.head.set(in, 1, head ? 1 : 0);
  next_.tail.set(in, 1, tail ? 1 : 0);
  next_.data.set(std::size_t{in} * shape_.width, shape_.width, word(packet, up.sent));
  // The hop counts with heads only: with other flits the pins say anything.
  const RouteStep hop =
      routing_.step({}, 0, head ? packet.choice : static_cast<std::uint32_t>(random_->below(1 << 18)));
  const std::uint32_t of_class = shape_.router.vcs / shape_.classes;
  const std::uint64_t vcs = hop.first == 0 ? (std::uint64_t{1} << shape_.router.vcs) - 1
                                           : ((std::uint64_t{1} << of_class) - 1) << (hop.lane_class * of_class);
  next_.hop_first.set(std::size_t{in} * shape_.port_bits(), shape_.port_bits(), hop.first);
  next_.hop_count.set(std::size_t{in} * shape_.count_bits(), shape_.count_bits(), hop.count);
  next_.hop_vcs.set(std::size_t{in} * shape_.router.vcs, shape_.router.vcs, vcs);

  --up.credits;
  ++up.sent;
  if (tail) up.packet = nullptr;
}

void RouterTraffic::give_back(PortId out, Cycle at) {
  auto& arrived = arrived_[out];
  for (; !arrived.empty() && arrived.front().at < at; arrived.pop_front()) ++held_[out][arrived.front().vc];
  if (random_->below(16) >= drain_) return;
  const auto vc = static_cast<std::uint32_t>(random_->below(shape_.router.vcs));
  if (held_[out][vc] == 0) return;
  --held_[out][vc];
  router_->answer(out, {{}, at, static_cast<VirtualLane>(vc)});
  next_.credit_valid.set(out, 1, 1);
  next_.credit_vc.set(std::size_t{out} * shape_.vc_bits(), shape_.vc_bits(), vc);
}

// The model says when a flit arrives behind the link, which takes a cycle.
void RouterTraffic::receive(PortId out, const IqTransfer& transfer) {
  PacketMessage& packet = transfer.flit.message();
  RouterOutputs& pins = expected(transfer.at - 1);
  pins.valid.set(out, 1, 1);
  pins.vc.set(std::size_t{out} * shape_.vc_bits(), shape_.vc_bits(), transfer.vc);
  pins.head.set(out, 1, transfer.flit.head() ? 1 : 0);
  pins.tail.set(out, 1, transfer.flit.tail() ? 1 : 0);
  pins.data.set(std::size_t{out} * shape_.width, shape_.width, word(packet, seen_[&packet]++));
  arrived_[out].push_back({transfer.at, transfer.vc});
  ++flits_;
  if (!transfer.flit.tail()) return;
  seen_.erase(&packet);
  pool_.give_back(packet);
}

// The sender may use the place a cycle after the block has said so.
void RouterTraffic::answer(PortId in, const IqTransfer& transfer) {
  RouterOutputs& pins = expected(transfer.at - 1);
  pins.credit_valid.set(in, 1, 1);
  pins.credit_vc.set(std::size_t{in} * shape_.vc_bits(), shape_.vc_bits(), transfer.vc);
  returning_.push_back({transfer.at, in, transfer.vc});
}

}  // namespace weft::pins
