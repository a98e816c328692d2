#include "run/port_ranges.h"

#include <fmt/format.h>

namespace weft {

std::string range_problem(const PortRange& range, const Graph& graph) {
  const std::uint32_t count = range.nic ? graph.nodes() : graph.switches();
  if (range.last >= count) {
    const char* kind = range.nic ? "nic" : "sw";
    return fmt::format("there is no {}[{}], the last is {}[{}]", kind, range.last, kind, count - 1);
  }
  for (SwitchId s = range.first; range.port && s <= range.last; ++s) {
    if (*range.port < graph.ports(s) && !graph.is_free({s, static_cast<PortId>(*range.port)})) continue;
    return fmt::format("sw[{}] has nothing connected at port {}", s, *range.port);
  }
  return {};
}

}  // namespace weft
