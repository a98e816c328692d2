#pragma once
// The allocations of one cycle in all switches of one architecture, with what they need fetched ahead step by step: the
// switch, what it looks at, the messages there, what the crossbar keeps of the outputs that these ask for, the outputs.

#include <span>
#include <vector>

#include "fabric/packet/in_steps.h"
#include "fabric/packet/packet_switch.h"

namespace weft {

/// `Switch`: IbSwitch or OpaSwitch, which all of the list are; it has these steps. Without `fetches` only the last.
template <class Switch>
void allocate_all(std::span<PacketSwitch* const> list, Cycle now, bool fetches, AllocationLists& lists) {
  const auto each = [](const auto& part, const auto& step) {
    for (PacketSwitch* const s : part) step(static_cast<Switch&>(*s));
  };
  const auto serve = [&](std::size_t, const auto& part) { each(part, [&](Switch& s) { s.serve(now); }); };
  if (!fetches) return serve(0, list);
  const auto looks_of = [&](std::size_t part) -> LookList& { return lists.looks[part % lists.looks.size()]; };
  const auto heads_of = [&](std::size_t part) -> LookList& { return lists.heads[part % lists.heads.size()]; };
  const auto find_looks = [&](std::size_t number, const auto& part) {
    looks_of(number).clear();
    each(part, [&](const Switch& s) {
      s.looks().peek(now, [&](std::uint32_t input) {
        s.fetch_look(input);
        looks_of(number).push_back({&s, input});
      });
    });
  };
  const auto find_heads = [&](std::size_t number, const auto&) {
    heads_of(number).clear();
    for (const Look& l : looks_of(number)) static_cast<const Switch&>(*l.sw).find_heads(l.number, heads_of(number));
  };
  in_steps(
      list, [&](std::size_t, const auto& part) { each(part, [](const Switch& s) { s.fetch(); }); },
      [&](std::size_t, const auto& part) { each(part, [&](const Switch& s) { s.fetch_looks(now); }); }, find_looks,
      find_heads, [&](std::size_t number, const auto&) { Switch::fetch_hops(heads_of(number)); },
      [&](std::size_t number, const auto&) { Switch::fetch_ports(heads_of(number), now); }, serve);
}

}  // namespace weft
