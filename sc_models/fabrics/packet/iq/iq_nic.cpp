#include "fabrics/packet/iq/iq_nic.h"

#include <fmt/format.h>

#include <bit>

#include "base/diagnostics.h"

namespace weft {

IqNic::IqNic(sc_core::sc_module_name name, ClockDomain& domain, IqAgenda& agenda, NodeId node,
             const IqParameters& parameters, const PacketObservers& observers, DeliveryHandler& handler)
    : sc_module(name),
      domain_(domain),
      agenda_(agenda),
      observers_(observers),
      handler_(handler),
      member_(agenda.add(*this)),
      node_(node),
      vcs_(parameters.vcs),
      credits_(std::bit_ceil(static_cast<std::size_t>(parameters.vcs) * parameters.buffer)),
      parameters_(parameters),
      link_delay_(domain.time_of(parameters.link)),
      credit_delay_(domain.time_of(parameters.link + parameters.credit)),
      in_(*this, 0),
      out_(this, 0) {
  for (Vc& vc : vcs_) vc.credits = parameters.buffer;
}

void IqNic::end_of_elaboration() {
  path_.resolve(out_);
  answer_path_.resolve(in_);
  if (const auto* peer = out_.peer(); peer != nullptr) {
    straight_ = true;
    if (const auto* router = dynamic_cast<IqRouter*>(&peer->owner()); router != nullptr) {
      down_ = &router->core();
      down_vc_ = router->index(peer->port(), 0);
    }
  }
  if (const auto* peer = in_.peer(); peer != nullptr) {
    if (const auto* router = dynamic_cast<IqRouter*>(peer->owner()); router != nullptr) {
      up_ = &router->core();
      up_vc_ = router->index(peer->port(), 0);
    }
  }
}

void IqNic::submit(PacketMessage& message, Cycle now) {
  message.generated = now;
  observers_.tell_end([&](PacketObserver& o) { o.on_generate(message); });
  queue_.push(message);
  ++backlog_;
  if (planned_ || blocked_) return;
  plan(now);
}

void IqNic::withdraw() {
  while (!queue_.empty()) handler_.take_back(queue_.pop());
  backlog_ = 0;
}

void IqNic::due(Cycle now, std::uint32_t token) {
  if (token == kDelivery) {
    handler_.take_delivery(arriving_.pop(), now);
    return;
  }
  planned_ = false;
  acted_ = now;
  // Where it would go on with the credits it knows of, it need not look for more: many at once are less work.
  const std::uint32_t known = vcs_[current_ != nullptr ? vc_ : pointer_].credits;
  if (known == 0 || parameters_.reuse == IqReuse::when_empty) take_credits(now);
  if (current_ == nullptr && !start_packet(now)) return;
  if (vcs_[vc_].credits == 0) {
    wait_for_credit();
    return;
  }
  send_flit(now);
  if (current_ == nullptr && queue_.empty()) return;
  plan(now + 1);
}

void IqNic::take_credits(Cycle now) {
  while (credits_coming_ > 0 && credits_[first_credit_].at <= now) {
    ++vcs_[credits_[first_credit_].vc].credits;
    first_credit_ = (first_credit_ + 1) & (credits_.size() - 1);
    --credits_coming_;
  }
}

bool IqNic::start_packet(Cycle now) {
  if (queue_.empty() || stopped_) return false;
  const auto n = static_cast<std::uint32_t>(vcs_.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t v = pointer_ + i < n ? pointer_ + i : pointer_ + i - n;
    const bool can_take =
        parameters_.reuse == IqReuse::after_tail ? vcs_[v].credits > 0 : vcs_[v].credits == parameters_.buffer;
    if (!can_take) continue;
    vc_ = v;
    pointer_ = v + 1 < n ? v + 1 : 0;
    current_ = &queue_.pop();
    --backlog_;
    next_flit_ = 0;
    current_->set_sent(now);
    current_->lane = static_cast<VirtualLane>(v);
    observers_.tell([&](PacketObserver& o) { o.on_inject(*current_); });
    return true;
  }
  wait_for_credit();
  return false;
}

void IqNic::send_flit(Cycle now) {
  const bool tail = next_flit_ + 1 == current_->flits;
  const IqFlit flit(*current_, next_flit_ == 0, tail);
  --vcs_[vc_].credits;
  ++next_flit_;
  ++sent_;
  if (tail) {
    observers_.tell_tail([&](PacketObserver& o) { o.on_tail(*current_, now); });
    current_ = nullptr;
  }
  if (down_ != nullptr) {
    down_->take_flit(down_vc_ + vc_, flit, now + parameters_.link);
    return;
  }
  IqTransfer transfer{flit, now + parameters_.link, static_cast<VirtualLane>(vc_)};
  path_.send(transfer, link_delay_);
}

void IqNic::wait_for_credit() {
  if (credits_coming_ == 0) {
    blocked_ = true;
    return;
  }
  plan(credits_[first_credit_].at);
}

void IqNic::take_credit(std::uint32_t vc, Cycle at) {
  credits_[(first_credit_ + credits_coming_++) & (credits_.size() - 1)] = {at, vc};
  if (!blocked_) return;
  blocked_ = false;
  plan(at);
}

void IqNic::take_flit(std::uint32_t v, IqFlit flit, Cycle at) {
  Vc& vc = vcs_[v];
  PacketMessage& m = flit.message();
  if (flit.head() != (vc.arriving == nullptr) || (vc.arriving != nullptr && vc.arriving != &m)) {
    throw RunError(fmt::format("{}: packets are mixed up in VC {}", this->name(), v));
  }
  vc.arriving = &m;
  ++vc.arrived;
  if (flit.tail()) {
    if (m.destination != node_ || vc.arrived != m.flits) {
      throw RunError(fmt::format("{}: {} of {} flits of a packet for node {} arrived", this->name(), vc.arrived,
                                 m.flits, m.destination));
    }
    vc.arriving = nullptr;
    vc.arrived = 0;
    arriving_.push(m);
    domain_.schedule(at, Phase::settle, *this, kDelivery);
  }
  if (up_ != nullptr) {
    up_->take_credit(up_vc_ + v, at + parameters_.credit);
    return;
  }
  IqTransfer credit{{}, at + parameters_.credit, static_cast<VirtualLane>(v)};
  answer_path_.answer(credit, credit_delay_);
}

void IqNic::set_link(bool up, Cycle now) {
  stopped_ = !up;
  if (up && !planned_ && !blocked_ && !queue_.empty()) plan(now);
}

void IqNic::each_on_wire(const std::function<void(const PacketMessage&)>& visit) const {
  for (const Vc& vc : vcs_) {
    if (vc.arriving != nullptr) visit(*vc.arriving);
  }
  for (const PacketMessage* m = arriving_.front(); m != nullptr; m = m->next.get()) visit(*m);
}

std::uint32_t IqNic::coming(std::uint32_t vc, Cycle last) const {
  std::uint32_t n = 0;
  for (std::size_t i = 0; i < credits_coming_; ++i) {
    const Credit& credit = credits_[(first_credit_ + i) & (credits_.size() - 1)];
    n += credit.vc == vc && credit.at <= last ? 1 : 0;
  }
  return n;
}

std::string IqNic::leftovers() const {
  if (current_ != nullptr || !queue_.empty()) return "packets that were not sent";
  for (std::uint32_t v = 0; v < vcs_.size(); ++v) {
    if (vcs_[v].arriving != nullptr) return fmt::format("a part of a packet in VC {}", v);
    if (credits(v) != parameters_.buffer) {
      return fmt::format("{} of {} credits back of VC {}", credits(v), parameters_.buffer, v);
    }
  }
  return "";
}

}  // namespace weft
