#include "fabric/packet/packet_agenda.h"

#include <algorithm>
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

}  // namespace

void PacketAgenda::serve_switches(Cycle now) {
  using Part = std::span<PacketSwitch* const>;
  if (fetches_ && !now_.switches.empty()) {
    const PacketSwitch& any = *now_.switches.front();
    const auto heads_of = [&](std::size_t number) -> std::vector<Look>& { return heads_[number % heads_.size()]; };
    in_steps(
        now_.switches,
        [](std::size_t, Part part) {
          for (const PacketSwitch* s : part) s->fetch();
        },
        [now](std::size_t, Part part) {
          for (const PacketSwitch* s : part) s->fetch_looks(now);
        },
        [&](std::size_t number, Part part) {
          std::vector<Look>& looks = looks_[number % looks_.size()];
          looks.clear();
          for (const PacketSwitch* s : part) s->find_looks(now, looks);
        },
        [&](std::size_t number, Part) {
          std::vector<Look>& heads = heads_of(number);
          heads.clear();
          for (const Look& l : looks_[number % looks_.size()]) l.sw->find_heads(l.number, heads);
        },
        [&](std::size_t number, Part) { any.fetch_hops(heads_of(number)); },
        [&](std::size_t number, Part) { any.fetch_ports(heads_of(number), now); },
        [now](std::size_t, Part part) {
          for (PacketSwitch* s : part) s->serve(now);
        });
  } else {
    for (PacketSwitch* const s : now_.switches) s->serve(now);
  }
  now_.switches.clear();
}

void PacketAgenda::serve_ports(Cycle now) {
  using Part = std::span<EgressPort* const>;
  if (fetches_) {
    in_steps(
        now_.ports,
        [](std::size_t, Part part) {
          for (const EgressPort* p : part) p->fetch();
        },
        [](std::size_t, Part part) {
          for (const EgressPort* p : part) p->fetch_next();
        },
        [](std::size_t, Part part) {
          for (const EgressPort* p : part) p->fetch_receiver();
        },
        [now](std::size_t, Part part) {
          for (EgressPort* p : part) p->decide(now);
        });
  } else {
    for (EgressPort* const p : now_.ports) p->decide(now);
  }
  now_.ports.clear();
}

void PacketAgenda::serve_fills(Cycle now) {
  for (Nic* const n : fills_) n->fill(now);
  fills_.clear();
}

void PacketAgenda::serve_arrivals(Cycle now) {
  using Part = std::span<Nic* const>;
  if (fetches_) {
    in_steps(
        now_.arrivals,
        [](std::size_t, Part part) {
          for (const Nic* n : part) n->fetch_arrival();
        },
        [](std::size_t, Part part) {
          for (const Nic* n : part) n->fetch_arriving();
        },
        [now](std::size_t, Part part) {
          for (Nic* n : part) n->arrive(now);
        });
  } else {
    for (Nic* const n : now_.arrivals) n->arrive(now);
  }
  now_.arrivals.clear();
}

void PacketAgenda::due(Cycle now, std::uint32_t token) {
  Bucket& b = wheel_[static_cast<std::size_t>(now) % kAhead];
  RandomStream* const random = domain_.order();
  if (token == kArrivals) {
    now_.arrivals.swap(b.arrivals);
    shuffle(random, now_.arrivals);
    serve_arrivals(now);
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
  serve_fills(now);
  serve_switches(now);
  serve_ports(now);
}

}  // namespace weft
