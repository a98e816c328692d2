#pragma once
// The allocations of one cycle in all switches of one architecture, with what they need fetched ahead step by step: the
// switch with what its crossbar keeps of the outputs, what it looks at, the messages there, the outputs they ask for.

#include <cstddef>
#include <span>

#include "fabrics/packet/common/in_steps.h"
#include "fabrics/packet/common/packet_switch.h"

namespace weft {

/// `Switch`: class of an architecture, which all of the list are; it has these steps. Without `fetches` those that only
/// fetch are left out.
template <class Switch>
void allocate_all(std::span<PacketSwitch* const> list, Cycle now, bool fetches, AllocationLists& lists) {
  const auto each = [](const auto& part, const auto& step) {
    for (PacketSwitch* const s : part) step(static_cast<Switch&>(*s));
  };
  if (!fetches) {
    RequestList& requests = lists.requests.front();
    each(list, [&](Switch& s) {
      requests.clear();
      s.find_requests(now, requests);
      for (AllocationRequest& l : requests) s.choose(l, now);
      s.serve({requests.begin(), requests.end()}, now);
    });
    return;
  }
  const auto requests_of = [&](std::size_t part) -> RequestList& {
    return lists.requests[part % lists.requests.size()];
  };
  const auto find_requests = [&](std::size_t number, const auto& part) {
    requests_of(number).clear();
    each(part, [&](Switch& s) { s.find_requests(now, requests_of(number)); });
  };
  const auto each_request = [&](const auto& step) {
    return [&requests_of, &step](std::size_t number, const auto&) {
      for (AllocationRequest& l : requests_of(number)) step(static_cast<Switch&>(*l.sw), l);
    };
  };
  const auto choose = [&](Switch& s, AllocationRequest& l) { s.choose(l, now); };
  const auto serve = [&](std::size_t number, const auto& part) {
    AllocationRequest* first = requests_of(number).begin();
    AllocationRequest* const end = requests_of(number).end();
    each(part, [&](Switch& s) {
      AllocationRequest* last = first;
      while (last != end && last->sw == &s) ++last;
      s.serve({first, last}, now);
      first = last;
    });
  };
  const auto fetch_heads = [&](const Switch& s, const AllocationRequest& l) { s.fetch_heads(l, now); };
  in_steps(
      list, [&](std::size_t, const auto& part) { each(part, [](const Switch& s) { s.fetch(); }); },
      [&](std::size_t, const auto& part) { each(part, [&](const Switch& s) { s.fetch_requests(now); }); },
      find_requests, each_request(fetch_heads), each_request(choose), serve);
}

}  // namespace weft
