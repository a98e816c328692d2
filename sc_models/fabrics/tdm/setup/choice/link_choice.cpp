#include "fabrics/tdm/setup/choice/link_choice.h"

#include <optional>

namespace weft {
namespace {

bool is_first(const SetupMessage& request) { return request.route->hops[request.hop].parent == kNoHop; }

void take(const Graph& graph, LinkId link, RouteBranch& branch, CircuitRoute& route) {
  const PortRef driver = graph.driver(link);
  branch.out = driver.port;
  branch.link = link;
  if (branch.next == kNoHop) return;
  route.hops[branch.next].in = graph.peer(driver.sw, driver.port).port;
  route.hops[branch.next].link = link;
}

}  // namespace

SlotSet choose_links(const Graph& graph, SwitchAccess& access, Cycle now, const SetupMessage& request,
                     bool slot_update) {
  if (!request.open) return {};
  CircuitRoute& route = *request.open;
  RouteHop& hop = route.hops[request.hop];
  const auto ask = [&](std::uint32_t row, const SlotSet& slots) {
    return access.ask(now, {SlotLutOp::query, row, slots}, request.key.flow).free;
  };
  const bool first = is_first(request);
  SlotSet possible = request.common;
  if (slot_update) {
    possible.set();
  } else if (first) {
    possible = ask(std::uint32_t{graph.ports(hop.sw)} + hop.in, possible);
  }
  SlotSet common = possible;  // on the links taken so far
  for (RouteBranch& branch : hop.branches) {
    const auto bundle = graph.bundle(branch.link);
    if (bundle.empty()) {
      possible = ask(branch.out, possible);
      common &= possible;
      continue;
    }
    SlotSet any(possible.size());
    std::optional<SlotSet> best;
    LinkId chosen = kNoId;
    bool enough = false;
    for (const LinkId link : bundle) {
      const PortId port = graph.driver(link).port;
      if (!access.usable(now, port)) continue;
      const SlotSet free = ask(port, possible);
      any |= free;
      const SlotSet here = free & common;
      const bool chooses = first || slot_update;
      const bool fits = chooses ? here.count() >= request.wanted : request.slots.is_subset_of(free);
      if (enough || (best && !fits && here.count() <= best->count())) continue;
      enough = fits;
      best = here;
      chosen = link;
    }
    if (!best) return {};  // all links are down: the unit refuses the request
    take(graph, chosen, branch, route);
    possible = any;
    common = *best;
  }
  return slot_update ? SlotSet{} : possible;
}

void carry_possible(const SlotSet& possible, const SetupMessage& request, std::size_t begin,
                    std::vector<SetupSend>& sent) {
  if (possible.empty()) return;
  using Kind = SetupMessage::Kind;
  for (std::size_t i = begin; i < sent.size(); ++i) {
    SetupMessage& m = sent[i].message;
    const bool refusal = m.kind == Kind::teardown && m.cause == TeardownCause::no_slots;
    if (m.kind != Kind::request && (!refusal || is_first(request))) continue;
    m.common = possible;
    if (refusal && request.slots.is_subset_of(possible)) m.common.reset(request.slots.find_first());
  }
}

}  // namespace weft
