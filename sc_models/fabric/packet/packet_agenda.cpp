#include "fabric/packet/packet_agenda.h"

#include <algorithm>

#include "fabric/packet/egress_port.h"
#include "fabric/packet/packet_switch.h"
#include "fabric/shuffled.h"

namespace weft {
namespace {

// Calls serve(list[i]) for all, and each fetch(list[i + its distance]) before it, so that each member has gone through
// one fetch after the other, in this order, when its turn comes.
template <std::size_t... kDistances, class T, class Serve, class... Fetch>
void serve_ahead(const std::vector<T*>& list, const Serve& serve, const Fetch&... fetch) {
  const auto fetch_first = [&](std::size_t distance, const auto& f) {
    for (std::size_t i = 0; i < std::min(distance, list.size()); ++i) f(*list[i]);
  };
  (fetch_first(kDistances, fetch), ...);
  for (std::size_t i = 0; i < list.size(); ++i) {
    ((i + kDistances < list.size() ? fetch(*list[i + kDistances]) : void()), ...);
    serve(*list[i]);
  }
}

}  // namespace

void PacketAgenda::serve_switches(Cycle now) {
  if (fetches_) {
    serve_ahead<20, 16, 12, 8, 4>(
        now_.switches, [now](PacketSwitch& s) { s.serve(now); }, [](const PacketSwitch& s) { s.fetch(); },
        [now](const PacketSwitch& s) { s.fetch_looks(now); }, [now](const PacketSwitch& s) { s.fetch_inputs(now); },
        [now](const PacketSwitch& s) { s.fetch_heads(now); }, [now](const PacketSwitch& s) { s.fetch_outputs(now); });
  } else {
    for (PacketSwitch* const s : now_.switches) s->serve(now);
  }
  now_.switches.clear();
}

void PacketAgenda::serve_ports(Cycle now) {
  if (fetches_) {
    serve_ahead<12, 8, 4>(
        now_.ports, [now](EgressPort& p) { p.decide(now); }, [](const EgressPort& p) { p.fetch(); },
        [](const EgressPort& p) { p.fetch_next(); }, [](const EgressPort& p) { p.fetch_receiver(); });
  } else {
    for (EgressPort* const p : now_.ports) p->decide(now);
  }
  now_.ports.clear();
}

void PacketAgenda::due(Cycle now, std::uint32_t) {
  Bucket& b = wheel_[static_cast<std::size_t>(now) % kAhead];
  b.planned = false;
  now_.switches.swap(b.switches);
  now_.ports.swap(b.ports);
  RandomStream* const random = domain_.order();
  shuffle(random, now_.switches);
  shuffle(random, now_.ports);
  const bool ports_first = random != nullptr && random->below(2) == 0;
  if (ports_first) serve_ports(now);
  serve_switches(now);
  serve_ports(now);
}

}  // namespace weft
