#include "fabric/optweb/hbm.h"

#include <algorithm>

namespace weft {
namespace {

// Words of a stream that lie in each of the interfaces it passes, in order.
template <class F>
void for_each_interface(const OptwebConfig& config, std::uint64_t address, std::uint64_t words, F&& f) {
  while (words > 0) {
    const std::uint64_t interface = address / config.interface_bytes;
    const std::uint64_t room = (interface + 1) * config.interface_bytes - address;
    const std::uint64_t here = std::min(words, (room + config.word_bytes - 1) / config.word_bytes);
    f(static_cast<std::uint32_t>(interface), here);
    words -= here;
    address += here * config.word_bytes;
  }
}

}  // namespace

void MemoryCrossbars::read(std::uint64_t address, std::uint64_t words) {
  for_each_interface(*parameters_.config, address, words,
                     [&](std::uint32_t i, std::uint64_t n) { interfaces_.count_read(i, n); });
}

void MemoryCrossbars::written(std::uint64_t address, std::uint64_t words) {
  for_each_interface(*parameters_.config, address, words,
                     [&](std::uint32_t i, std::uint64_t n) { interfaces_.count_write(i, n); });
}

Hbm::Hbm(sc_core::sc_module_name name, const OptwebParameters& parameters, NodeId node)
    : sc_module(name),
      bytes_(2 * parameters.config->interface_bytes * parameters.config->stripes, parameters.config->seed, node),
      interfaces_("interfaces", parameters),
      crossbars_("crossbars", parameters, interfaces_) {}

}  // namespace weft
