#include "fabrics/tdm/setup/choice/slot_choice.h"

#include <algorithm>
#include <limits>

#include "algorithms/slots/allocators.h"

namespace weft {

std::optional<ChosenSlots> choose_slots(const SlotSet& host, const SlotSet& out, const SetupMessage& request,
                                        const SetupTiming& timing) {
  const RouteHop& hop = request.route->hops[request.hop];
  const bool first = hop.parent == kNoHop;
  if (out.count() < request.wanted || (first && host.count() < request.wanted)) return std::nullopt;
  ChosenSlots chosen;
  chosen.lanes = request.lanes;
  chosen.in = request.slots;
  for (auto s = host.find_first(); first && chosen.lanes.size() < request.wanted; s = host.find_next(s)) {
    chosen.lanes.push_back({static_cast<Cycle>(s), static_cast<Cycle>(s)});
    chosen.in.set(s);
  }
  std::vector<Cycle> arrivals;
  for (const SetupMessage::Lane& lane : chosen.lanes) arrivals.push_back(lane.left + timing.wire(hop));
  const std::vector<Cycle> departures = soonest_departures(out, arrivals);
  const auto frame = static_cast<Cycle>(timing.slots);
  std::vector<std::pair<Slot, Slot>> entries;  // out, in
  chosen.shortest = std::numeric_limits<Cycle>::max();
  for (std::size_t i = 0; i < departures.size(); ++i) {
    SetupMessage::Lane& lane = chosen.lanes[i];
    entries.emplace_back(static_cast<Slot>(departures[i] % frame), static_cast<Slot>(lane.left % frame));
    lane.left = departures[i];
    chosen.shortest = std::min(chosen.shortest, lane.left - lane.sent);
  }
  std::sort(entries.begin(), entries.end());
  chosen.out = SlotSet(timing.slots);
  for (const auto& [to, from] : entries) {
    chosen.out.set(to);
    chosen.from.push_back(from);
  }
  return chosen;
}

std::vector<SetupMessage::Lane> lanes_in_order(const SlotSet& source, const SlotSet& slots, Cycle lag) {
  const auto frame = static_cast<Cycle>(slots.size());
  std::vector<SetupMessage::Lane> lanes;
  for (const Slot sent : slot_list(source)) {
    Cycle left = sent + lag;
    if (!lanes.empty()) {  // the next occurrence of one of the slots
      const Cycle before = lanes.back().left;
      auto next = slots.find_next(static_cast<std::size_t>(before % frame));
      if (next == SlotSet::npos) next = slots.find_first();
      left = before + (static_cast<Cycle>(next) - before % frame + frame - 1) % frame + 1;
    }
    lanes.push_back({static_cast<Cycle>(sent), left});
  }
  return lanes;
}

}  // namespace weft
