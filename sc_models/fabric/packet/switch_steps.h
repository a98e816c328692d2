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
  const auto find_looks = [&](std::size_t number, const auto& part) {
    LookList& looks = looks_of(number);
    looks.clear();
    each(part, [&](const Switch& s) {
      s.looks().peek(now, [&](std::uint32_t input) {
        s.fetch_look(input);
        looks.push_back({&s, input});
      });
    });
  };
  const auto each_look = [&](const auto& step) {
    return [&looks_of, &step](std::size_t number, const auto&) {
      for (const Look& l : looks_of(number)) step(static_cast<const Switch&>(*l.sw), l.number);
    };
  };
  const auto fetch_heads = [&](const Switch& s, std::uint32_t number) { s.fetch_heads(number, now); };
  const auto fetch_hops = [&](const Switch& s, std::uint32_t number) { s.fetch_hops(number, now); };
  const auto fetch_port = [&](const Switch& s, std::uint32_t number) { s.fetch_port(number, now); };
  in_steps(
      list, [&](std::size_t, const auto& part) { each(part, [](const Switch& s) { s.fetch(); }); },
      [&](std::size_t, const auto& part) { each(part, [&](const Switch& s) { s.fetch_looks(now); }); }, find_looks,
      each_look(fetch_heads), each_look(fetch_hops), each_look(fetch_port), serve);
}

}  // namespace weft
