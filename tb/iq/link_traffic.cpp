#include "iq/link_traffic.h"

#include <fmt/format.h>

#include <bit>

namespace weft::pins {

std::uint32_t bits_of(std::uint32_t numbers) {
  return numbers < 2 ? 1 : static_cast<std::uint32_t>(std::bit_width(numbers - 1));
}

std::uint32_t LinkShape::vc_bits() const { return bits_of(vcs); }

LinkPins::LinkPins(const LinkShape& s)
    : valid(s.ends),
      vc(s.ends * s.vc_bits()),
      head(s.ends),
      tail(s.ends),
      data(std::size_t{s.ends} * s.width),
      credit_valid(s.ends),
      credit_vc(s.ends * s.vc_bits()) {}

std::string LinkPins::text() const {
  return fmt::format("credits {} VCs {}, flits {} VCs {} heads {} tails {} data {}", credit_valid.hex(),
                     credit_vc.hex(), valid.hex(), vc.hex(), head.hex(), tail.hex(), data.hex());
}

LinkTraffic::LinkTraffic(const sc_core::sc_module_name& name, ClockDomain& domain, const LinkShape& shape)
    : sc_module(name),
      domain_(domain),
      shape_(shape),
      inputs_(shape),
      next_(shape),
      upstream_(shape.ends, std::vector<Upstream>(shape.vcs, {shape.buffer, nullptr, 0})),
      arrived_(shape.ends),
      held_(shape.ends, std::vector<std::uint32_t>(shape.vcs)) {}

void LinkTraffic::begin(Cycle from, std::uint64_t seed) {
  random_.emplace(seed, "router traffic");
  from_ = from;
  running_ = true;
  change_pace();
  domain_.schedule(from - 1, Phase::prepare, *this, 0);
}

void LinkTraffic::change_pace() {
  load_ = 1 + random_->below(16);
  drain_ = random_->below(4) == 0 ? 2 : 4 + random_->below(13);
  longest_ = static_cast<std::uint32_t>(random_->below(3) == 0 ? 1 : 1 + random_->below(9));
  favourite_ = static_cast<std::uint32_t>(random_->below(shape_.ends));
  even_ = random_->below(17);
}

std::uint32_t LinkTraffic::random_end() {
  return random_->below(16) < even_ ? static_cast<std::uint32_t>(random_->below(shape_.ends)) : favourite_;
}

std::uint64_t LinkTraffic::word(const PacketMessage& packet, std::uint32_t flit) const {
  std::uint64_t all = (std::uint64_t{packet.sequence} * 16 + flit + 1) * 0x9e3779b97f4a7c15;  // all bits differ
  all ^= all >> 32;
  return shape_.width < 64 ? all & ((std::uint64_t{1} << shape_.width) - 1) : all;
}

LinkPins& LinkTraffic::expected(Cycle at) { return outputs_.try_emplace(at, shape_).first->second; }

LinkPins LinkTraffic::outputs(Cycle now) {
  const auto found = outputs_.find(now);
  LinkPins out = found == outputs_.end() ? LinkPins(shape_) : found->second;
  outputs_.erase(outputs_.begin(), outputs_.upper_bound(now));
  return out;
}

void LinkTraffic::due(Cycle now, std::uint32_t) {
  if (!running_) return;
  domain_.schedule(now + 1, Phase::prepare, *this, 0);
  if ((now - from_) % 200 == 199) change_pace();
  inputs_ = next_;
  next_ = LinkPins(shape_);
  for (; !returning_.empty() && returning_.front().at <= now; returning_.pop_front()) {
    ++upstream_[returning_.front().end][returning_.front().vc].credits;
  }
  for (std::uint32_t e = 0; e < shape_.ends; ++e) {
    send(e, now + 1);
    give_back(e, now + 1);
  }
}

void LinkTraffic::set_flit(LinkPins& pins, std::uint32_t end, const IqTransfer& transfer, std::uint64_t data) const {
  pins.valid.set(end, 1, 1);
  pins.vc.set(std::size_t{end} * shape_.vc_bits(), shape_.vc_bits(), transfer.vc);
  pins.head.set(end, 1, transfer.flit.head() ? 1 : 0);
  pins.tail.set(end, 1, transfer.flit.tail() ? 1 : 0);
  pins.data.set(std::size_t{end} * shape_.width, shape_.width, data);
}

void LinkTraffic::set_credit(LinkPins& pins, std::uint32_t end, std::uint32_t vc) const {
  pins.credit_valid.set(end, 1, 1);
  pins.credit_vc.set(std::size_t{end} * shape_.vc_bits(), shape_.vc_bits(), vc);
}

void LinkTraffic::send(std::uint32_t end, Cycle at) {
  if (random_->below(16) >= load_) return;
  const auto vc = static_cast<std::uint32_t>(random_->below(shape_.vcs));
  Upstream& up = upstream_[end][vc];
  if (up.credits == 0) return;
  if (up.packet == nullptr) {
    PacketMessage& packet = pool_.take();
    packet.flits = static_cast<std::uint32_t>(1 + random_->below(longest_));
    address(packet);
    packet.sequence = ++packets_;
    up.packet = &packet;
    up.sent = 0;
  }
  PacketMessage& packet = *up.packet;
  const bool head = up.sent == 0;
  const bool tail = up.sent + 1 == packet.flits;
  const IqTransfer transfer{IqFlit(packet, head, tail), at, static_cast<VirtualLane>(vc)};
  give_flit(end, transfer);
  set_flit(next_, end, transfer, word(packet, up.sent));
  show(end, packet, head);
  --up.credits;
  ++up.sent;
  if (tail) up.packet = nullptr;
}

void LinkTraffic::give_back(std::uint32_t end, Cycle at) {
  auto& arrived = arrived_[end];
  for (; !arrived.empty() && arrived.front().at < at; arrived.pop_front()) ++held_[end][arrived.front().vc];
  if (random_->below(16) >= drain_) return;
  const auto vc = static_cast<std::uint32_t>(random_->below(shape_.vcs));
  if (held_[end][vc] == 0) return;
  --held_[end][vc];
  give_credit(end, {{}, at, static_cast<VirtualLane>(vc)});
  set_credit(next_, end, vc);
}

// The model says when a flit arrives behind the link.
void LinkTraffic::receive(PortId end, const IqTransfer& transfer) {
  PacketMessage& packet = transfer.flit.message();
  set_flit(expected(transfer.at - shape_.flit_time), end, transfer, word(packet, seen_[&packet]++));
  arrived_[end].push_back({transfer.at, transfer.vc});
  ++flits_;
  if (!transfer.flit.tail()) return;
  seen_.erase(&packet);
  pool_.give_back(packet);
}

// And when the sender may use the place.
void LinkTraffic::answer(PortId end, const IqTransfer& transfer) {
  set_credit(expected(transfer.at - shape_.credit_time), end, transfer.vc);
  returning_.push_back({transfer.at, end, transfer.vc});
}

}  // namespace weft::pins
