#pragma once
// The allocations of one cycle in all switches of one architecture, with what they need fetched ahead step by step: the
// switch with what its crossbar keeps of the outputs, what it looks at, the messages there, the outputs they ask for.

#include <cstddef>
#include <span>

#include "fabrics/packet/common/in_steps.h"
#include "fabrics/packet/common/packet_switch.h"

namespace weft {

/// `Switch`: IbSwitch or OpaSwitch, which all of the list are; it has these steps. Without `fetches` those that only
/// fetch are left out.
template <class Switch>
void allocate_all(std::span<PacketSwitch* const> list, Cycle now, bool fetches, AllocationLists& lists) {
  const auto each = [](const auto& part, const auto& step) {
    for (PacketSwitch* const s : part) step(static_cast<Switch&>(*s));
  };
  if (!fetches) {
    LookList& looks = lists.looks.front();
    each(list, [&](Switch& s) {
      looks.clear();
      s.find_looks(now, looks);
      for (Look& l : looks) s.choose(l, now);
      s.serve({looks.begin(), looks.end()}, now);
    });
    return;
  }
  const auto looks_of = [&](std::size_t part) -> LookList& { return lists.looks[part % lists.looks.size()]; };
  const auto find_looks = [&](std::size_t number, const auto& part) {
    looks_of(number).clear();
    each(part, [&](Switch& s) { s.find_looks(now, looks_of(number)); });
  };
  const auto each_look = [&](const auto& step) {
    return [&looks_of, &step](std::size_t number, const auto&) {
      for (Look& l : looks_of(number)) step(static_cast<Switch&>(*l.sw), l);
    };
  };
  const auto choose = [&](Switch& s, Look& l) { s.choose(l, now); };
  const auto serve = [&](std::size_t number, const auto& part) {
    Look* first = looks_of(number).begin();
    Look* const end = looks_of(number).end();
    each(part, [&](Switch& s) {
      Look* last = first;
      while (last != end && last->sw == &s) ++last;
      s.serve({first, last}, now);
      first = last;
    });
  };
  const auto fetch_heads = [&](const Switch& s, const Look& l) { s.fetch_heads(l, now); };
  in_steps(
      list, [&](std::size_t, const auto& part) { each(part, [](const Switch& s) { s.fetch(); }); },
      [&](std::size_t, const auto& part) { each(part, [&](const Switch& s) { s.fetch_looks(now); }); }, find_looks,
      each_look(fetch_heads), each_look(choose), serve);
}

}  // namespace weft
