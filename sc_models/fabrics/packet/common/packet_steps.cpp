// Steps of a cycle that lead from one part of a packet network to the next: from the agenda to switches, ports and
// NICs, and from an egress port over its link to what stands at the other end. Their classes know each other by name
// only; this is the one file that knows them all.

#include <bit>
#include <functional>
#include <memory>
#include <span>

#include "fabrics/packet/common/egress_port.h"
#include "fabrics/packet/common/in_steps.h"
#include "fabrics/packet/common/nic.h"
#include "fabrics/packet/common/packet_agenda.h"
#include "fabrics/packet/common/packet_switch.h"
#include "kernel/clock_domain.h"

namespace weft {
namespace {

// A step that calls the same function for each member of a part.
template <auto kFunction, class... Arguments>
auto each(Arguments... arguments) {
  return [=](std::size_t, const auto& part) {
    for (auto* const member : part) std::invoke(kFunction, *member, arguments...);
  };
}

}  // namespace

template <class T, class Last, class... Fetches>
void PacketAgenda::serve(std::vector<T*>& list, const Last& last, const Fetches&... fetches) {
  if (fetches_) {
    in_steps(std::span<T* const>(list), fetches..., last);
  } else {
    last(0, list);
  }
  list.clear();
}

void PacketAgenda::begin(Cycle at) {
  domain_.schedule(at, Phase::transfer, *this, kTransfer);
  planned_[list_of(at)] = true;
}

void PacketAgenda::serve_switches(Cycle now) {
  if (now_.switches.empty()) return;
  now_.switches.front()->serve_all(now_.switches, now, fetches_);  // all of one architecture
  now_.switches.clear();
}

void PacketAgenda::serve_ports(Cycle now) {
  serve(now_.ports, each<&EgressPort::decide>(now), each<&EgressPort::fetch>(), each<&EgressPort::fetch_next>(),
        each<&EgressPort::fetch_receiver>(now));
}

void PacketAgenda::remind(EgressPort& port, Cycle at) { domain_.schedule(at - kReminder, Phase::prepare, port, 0); }

void PacketAgenda::remind(NicCore& nic, Cycle at) { domain_.schedule(at - kReminder, Phase::prepare, nic.module(), 0); }

void PacketAgenda::due(Cycle now, std::uint32_t token) {
  const std::size_t list = list_of(now);
  RandomStream* const random = domain_.order();
  if (token == kArrivals) {
    arrivals_.take(list, now_.arrivals);
    shuffle(random, now_.arrivals);
    serve(now_.arrivals, each<&NicCore::arrive>(now), each<&NicCore::fetch_arrival>(), each<&NicCore::fetch_arriving>(),
          each<&NicCore::fetch_following>());
    return;
  }
  planned_[list] = false;
  switches_.take(list, now_.switches);
  ports_.take(list, now_.ports);
  shuffle(random, fills_);
  shuffle(random, now_.switches);
  shuffle(random, now_.ports);
  const bool ports_first = random != nullptr && random->below(2) == 0;
  if (ports_first) serve_ports(now);
  serve(fills_, each<&NicCore::fill>(now));
  serve_switches(now);
  serve_ports(now);
}

void EgressPort::resolve(PacketOutPort& out) {
  cold_->path.resolve(out);
  if (auto* const sw = dynamic_cast<PacketSwitch*>(cold_->path.straight())) {
    link_end_ = LinkEnd::sw;
    next_switch_ = HotNumber<PacketSwitch>(sw);
    next_port_ = static_cast<std::uint8_t>(out.peer()->port());
    credits_ = HotNumber<SharedBuffer>(&sw->credits_for(next_port_));
  } else if (auto* const nic = dynamic_cast<Nic*>(cold_->path.straight())) {
    link_end_ = LinkEnd::nic;
    next_nic_ = HotNumber<NicCore>(&nic->core());
  }
  if (credits_) return;
  cold_->credits = std::make_unique<SharedBuffer>(cold_->next_buffer);
  credits_ = HotNumber<SharedBuffer>(cold_->credits.get());
}

void EgressPort::fetch_next() const {
  credits_->fetch();
  prefetch(&*scheduler_);
  if (link_end_ == LinkEnd::sw) next_switch_->fetch();
  if (link_end_ == LinkEnd::nic) next_nic_->fetch_arrival();
  if (sw_ != kNoId) common_.observers.tell_hop([&](const PacketObserver& o) { o.expect_hop(sw_, port_); });
  for (std::uint32_t left = occupied_; left != 0; left &= left - 1) {
    queues_[static_cast<std::size_t>(std::countr_zero(left))].fetch_front();
  }
}

void EgressPort::fetch_receiver(Cycle now) const {
  if (link_end_ == LinkEnd::sw) {
    next_switch_->fetch_input(next_port_, now + common_.output_latency() + common_.link_latency());
  }
  for (std::uint32_t left = occupied_; left != 0; left &= left - 1) {
    queues_[static_cast<std::size_t>(std::countr_zero(left))].fetch_second();
  }
}

void EgressPort::send(ServiceLevel level, Cycle now) {
  const VirtualLane lane = common_.lane_of[level];
  PacketMessage& m = queues_[lane].pop();
  if (queues_[lane].empty()) occupied_ &= ~(1U << lane);
  if (queues_.size() > 1) last_lane(level) = lane;
  credits_->take(lane, common_.places(lane, m.flits));
  const Cycle first = now + common_.output_latency();
  common_.give_back(
      lane,
      {first, first, 1, m.flits}, [&](const Drain& d) __attribute__((always_inline)) { space_.add(lane, d, now); });
  free_at_ = now + m.flits;
  ++common_.sent;
  if (owner_waits_) owner_.space_coming(port_, first);
  if (sw_ == kNoId) {
    m.set_sent(first);
    common_.observers.tell([&](PacketObserver& o) { o.on_inject(m); });
  } else {
    common_.observers.tell_hop([&](PacketObserver& o) { o.on_hop(sw_, port_, m, first); });
  }
  // The message belongs to the receiver from here on.
  const Cycle head = first + common_.link_latency();
  switch (link_end_) {
    case LinkEnd::sw:
      next_switch_->take(next_port_, m, head);
      break;
    case LinkEnd::nic:
      next_nic_->take(m, head);
      break;
    case LinkEnd::socket:
      send_by_socket(m, head);
      break;
  }
}

}  // namespace weft
