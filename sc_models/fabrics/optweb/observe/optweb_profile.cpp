#include "fabrics/optweb/observe/optweb_profile.h"

#include <fmt/format.h>

namespace weft {

void OptwebProfile::shape(std::uint32_t nodes, double words_per_second, ProfileShape& shape) {
  shape.links = std::size_t{nodes} * nodes;
  shape.link_name = [nodes](std::size_t link) {
    return fmt::format("node[{}] -> node[{}]", link / nodes, link % nodes);
  };
  shape.link_flits = words_per_second * static_cast<double>(shape.tick.ps) / 1e12;
}

void OptwebProfile::on_deliver(const OptwebDelivery& d) {
  profile_.carry_evenly(std::size_t{d.from} * nodes_ + d.to, tick(d.first), tick(d.last), d.words);
  if (accepts_) profile_.accept(tick(d.counted), d.words);
}

}  // namespace weft
