#include "fabrics/packet/common/packet_agenda.h"

#include <functional>
#include <span>

#include "fabrics/packet/common/egress_port.h"
#include "fabrics/packet/common/in_steps.h"
#include "fabrics/packet/common/nic.h"
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

}  // namespace weft
