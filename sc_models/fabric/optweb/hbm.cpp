#include "fabric/optweb/hbm.h"

#include <algorithm>

namespace weft {

Hbm::Hbm(sc_core::sc_module_name name, const OptwebParameters& parameters, NodeId node)
    : sc_module(name),
      parameters_(parameters),
      bytes_(2 * parameters.config->interface_bytes * parameters.config->stripes, parameters.config->seed, node),
      read_(parameters.config->stripes),
      written_(parameters.config->stripes) {}

void Hbm::count_write(std::uint32_t stripe, std::uint64_t words, Cycle at) {
  written_[stripe] += words;
  acknowledged_ = std::max(acknowledged_, at + parameters_.latency().write);
}

}  // namespace weft
