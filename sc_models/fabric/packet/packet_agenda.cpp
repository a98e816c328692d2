#include "fabric/packet/packet_agenda.h"

#include <algorithm>
#include <functional>
#include <span>

#include "fabric/packet/egress_port.h"
#include "fabric/packet/nic.h"
#include "fabric/packet/packet_switch.h"
#include "fabric/shuffled.h"

namespace weft {
namespace {

// Members of a list that go through a step together. A step takes longer than memory, so that what it asks for is there
// at the next one; all that is under way together still fits the first-level cache, nearly.
constexpr std::size_t kPart = 4;

// Takes the parts of a list through all steps: a part makes one step, then the part behind it, and so on, before it
// makes the next. step(part number, part).
template <class T, class... Steps>
void in_steps(const std::vector<T*>& list, const Steps&... steps) {
  const std::span<T* const> all(list);
  const std::size_t parts = (all.size() + kPart - 1) / kPart;
  for (std::size_t time = 0; time + 1 < parts + sizeof...(steps); ++time) {
    std::size_t part = time;  // below 0: far above `parts`
    ((part < parts ? steps(part, all.subspan(part * kPart, std::min(kPart, all.size() - part * kPart))) : void(),
      --part),
     ...);
  }
}

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
    in_steps(list, fetches..., last);
  } else {
    last(0, list);
  }
  list.clear();
}

void PacketAgenda::serve_switches(Cycle now) {
  const auto looks_of = [&](std::size_t part) -> std::vector<Look>& { return looks_[part % looks_.size()]; };
  const auto heads_of = [&](std::size_t part) -> std::vector<Look>& { return heads_[part % heads_.size()]; };
  const auto find_looks = [&](std::size_t number, const auto& part) {
    looks_of(number).clear();
    for (const PacketSwitch* const s : part) s->find_looks(now, looks_of(number));
  };
  const auto find_heads = [&](std::size_t number, const auto&) {
    heads_of(number).clear();
    for (const Look& l : looks_of(number)) l.sw->find_heads(l.number, heads_of(number));
  };
  // All switches of a network are of one architecture.
  const auto fetch_hops = [&](std::size_t number, const auto& part) { part.front()->fetch_hops(heads_of(number)); };
  const auto fetch_ports = [&](std::size_t number, const auto& part) {
    part.front()->fetch_ports(heads_of(number), now);
  };
  serve(now_.switches, each<&PacketSwitch::serve>(now), each<&PacketSwitch::fetch>(),
        each<&PacketSwitch::fetch_looks>(now), find_looks, find_heads, fetch_hops, fetch_ports);
}

void PacketAgenda::serve_ports(Cycle now) {
  serve(now_.ports, each<&EgressPort::decide>(now), each<&EgressPort::fetch>(), each<&EgressPort::fetch_next>(),
        each<&EgressPort::fetch_receiver>());
}

void PacketAgenda::remind(EgressPort& port, Cycle at) { domain_.schedule(at - kReminder, Phase::prepare, port, 0); }

void PacketAgenda::remind(Nic& nic, Cycle at) { domain_.schedule(at - kReminder, Phase::prepare, nic, 0); }

void PacketAgenda::due(Cycle now, std::uint32_t token) {
  Bucket& b = wheel_[static_cast<std::size_t>(now) % kAhead];
  RandomStream* const random = domain_.order();
  if (token == kArrivals) {
    now_.arrivals.swap(b.arrivals);
    shuffle(random, now_.arrivals);
    serve(now_.arrivals, each<&Nic::arrive>(now), each<&Nic::fetch_arrival>(), each<&Nic::fetch_arriving>());
    return;
  }
  b.planned = false;
  now_.switches.swap(b.switches);
  now_.ports.swap(b.ports);
  shuffle(random, fills_);
  shuffle(random, now_.switches);
  shuffle(random, now_.ports);
  const bool ports_first = random != nullptr && random->below(2) == 0;
  if (ports_first) serve_ports(now);
  serve(fills_, each<&Nic::fill>(now));
  serve_switches(now);
  serve_ports(now);
}

}  // namespace weft
