#include "fabrics/optweb/keys/optweb_boxes.h"

#include <fmt/format.h>

#include <algorithm>

#include "network/keys/port_range.h"

namespace weft {

std::vector<NodeId> observed_nodes(const Given<std::vector<Placed<std::uint32_t>>>& raw, const std::string& path,
                                   std::uint32_t nodes, Diagnostics& diagnostics) {
  std::vector<NodeId> out;
  for (std::size_t i = 0; i < raw.value.size(); ++i) {
    const auto& [node, where, valid] = raw.value[i];
    const bool told = node > nodes && in_range_of_previous(raw.value, i);
    if (valid && node >= nodes && !told) {
      diagnostics.error(where, fmt::format("{}: expected nodes from 0 to {}, got {}", path, nodes - 1, node));
    }
    out.push_back(node);
  }
  return out;
}

std::optional<OptwebBoxChoice> resolve_boxes(const Given<RawNodeBoxes>& raw, std::uint32_t nodes,
                                             Diagnostics& diagnostics) {
  if (!raw.given || !raw.valid) return {};
  const RawNodeBoxes& r = raw.value;
  OptwebBoxChoice out;
  out.nodes = observed_nodes(r.nodes, "observe.boxes.nodes", nodes, diagnostics);
  std::sort(out.nodes.begin(), out.nodes.end());
  out.nodes.erase(std::unique(out.nodes.begin(), out.nodes.end()), out.nodes.end());
  out.from = r.from.value;
  if (!r.until.given) return out;
  out.until = r.until.value;
  if (r.until.valid && r.from.valid && r.until.value <= r.from.value) {
    diagnostics.error(r.until.where, fmt::format("observe.boxes.until: must be after from ({}), got '{}'",
                                                 to_string(r.from.value), to_string(r.until.value)));
  }
  return out;
}

}  // namespace weft
