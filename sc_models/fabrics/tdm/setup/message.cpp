#include "fabrics/tdm/setup/message.h"

namespace weft {

std::vector<Cycle> SetupTiming::transits(const CircuitRoute& route) const {
  std::vector<Cycle> out(route.destinations.size(), 0);
  for (std::uint32_t h = 0; h < route.hops.size(); ++h) {
    for (const RouteBranch& b : route.hops[h].branches) {
      if (b.next == kNoHop) out[route.index_of(b.host)] = departure(route, h) + ejection + adapter(b.link);
    }
  }
  return out;
}

}  // namespace weft
