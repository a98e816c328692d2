#include "algorithms/slots/allocators.h"

#include <algorithm>
#include <cassert>

namespace weft {

std::vector<Cycle> departures_in_order(const std::vector<Cycle>& arrivals, std::vector<Slot> chosen, Cycle frame) {
  assert(arrivals.size() == chosen.size() && !arrivals.empty());
  std::sort(chosen.begin(), chosen.end());
  const auto lanes = static_cast<Cycle>(chosen.size());
  // B_i, counted from the start of the frame in which the first word arrives (arrivals are never negative).
  const Cycle start = arrivals.front() / frame * frame;
  const auto occurrence = [&](Cycle i) {
    return start + i / lanes * frame + chosen[static_cast<std::size_t>(i % lanes)];
  };
  Cycle c = 0;
  for (Cycle j = 0; j < lanes; ++j) {
    while (occurrence(j + c) <= arrivals[static_cast<std::size_t>(j)]) ++c;
  }
  std::vector<Cycle> departures;
  departures.reserve(arrivals.size());
  for (Cycle j = 0; j < lanes; ++j) departures.push_back(occurrence(j + c));
  return departures;
}

}  // namespace weft
