#include "algorithms/qos/schedulers.h"

#include <utility>

namespace weft {

StrictPriority::StrictPriority(std::vector<ServiceLevel> order) : order_(std::move(order)) {}

std::optional<ServiceLevel> StrictPriority::pick(const EgressView& view) {
  for (const ServiceLevel sl : order_) {
    if (view.is_active(sl)) return sl;
  }
  return std::nullopt;
}

}  // namespace weft
