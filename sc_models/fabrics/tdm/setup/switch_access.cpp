#include "fabrics/tdm/setup/switch_access.h"

#include <algorithm>
#include <limits>

namespace weft {

Cycle route_start(const SetupTiming& timing, Cycle now, const SetupMessage& request) {
  const std::vector<RouteHop>& hops = request.route->hops;
  struct Reached {
    Cycle asked = 0;
    Cycle departure = 0;  // of a word, from the host's slot on
  };
  std::vector<Reached> reached(hops.size());
  reached[0] = {now, timing.step(hops[0])};
  Cycle start = 0;
  for (std::size_t i = 1; i < hops.size(); ++i) {
    const RouteHop& hop = hops[i];
    reached[i].asked = reached[hop.parent].asked + timing.way(hop.link) + timing.processing;
    reached[i].departure = reached[hop.parent].departure + timing.step(hop);
    const Cycle written = reached[i].asked + timing.column * Cycle{request.wanted};
    start = std::max(start, timing.boundary(written) - reached[i].departure);
  }
  return start;
}

}  // namespace weft
