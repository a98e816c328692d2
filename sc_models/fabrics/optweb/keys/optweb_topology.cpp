#include "fabrics/optweb/keys/optweb_topology.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace weft {
namespace {

constexpr std::uint32_t kMostLinks = 64;  // of an FPGA, section 5.3 of the paper

void resolve_dragonfly(const RawOptweb& raw, OptwebConfig& out, Diagnostics& diagnostics) {
  const std::uint32_t g = raw.groups.value;
  if (!raw.groups.given) {
    diagnostics.error(raw.topology.where, "topology: a dragonfly needs the key 'groups'");
  } else if (out.nodes % g != 0) {
    diagnostics.error(raw.groups.where,
                      fmt::format("groups: {} nodes are not {} groups of the same size", out.nodes, g));
  } else {
    out.levels = {out.nodes / g, g};
    if (out.links() <= kMostLinks) return;
    diagnostics.error(raw.groups.where,
                      fmt::format("groups: {} groups of {} nodes need {} links per node, an FPGA has {}", g,
                                  out.nodes / g, out.links(), kMostLinks));
  }
}

void resolve_hierarchy(const RawOptweb& raw, OptwebConfig& out, Diagnostics& diagnostics) {
  if (!raw.levels.given) {
    diagnostics.error(raw.topology.where, "topology: a hierarchy needs the key 'levels'");
    return;
  }
  std::vector<std::uint32_t> levels;
  std::uint64_t nodes = 1;
  for (const Placed<std::uint32_t>& level : raw.levels.value) {
    levels.push_back(level.value);
    nodes *= level.value;
  }
  if (nodes != out.nodes) {
    diagnostics.error(raw.levels.where, fmt::format("levels: {} are {} nodes, the network has {}",
                                                    fmt::join(levels, " x "), nodes, out.nodes));
    return;
  }
  out.levels = std::move(levels);
  if (out.links() <= kMostLinks) return;
  diagnostics.error(raw.levels.where,
                    fmt::format("levels: {} need {} links per node, an FPGA has {}; more levels of fewer places need "
                                "less",
                                fmt::join(out.levels, " x "), out.links(), kMostLinks));
}

}  // namespace

bool resolve_topology(const RawOptweb& raw, OptwebConfig& out, Diagnostics& diagnostics) {
  out.topology = raw.topology.value;
  out.levels = {out.nodes};
  if (!raw.topology.valid || (raw.groups.given && !raw.groups.valid)) return false;
  if (raw.levels.given && !raw.levels.valid) return false;
  const std::size_t before = diagnostics.errors();
  const bool mesh = out.topology == OptwebTopology::full_mesh;
  if (raw.levels.given && out.topology != OptwebTopology::hierarchy) {
    diagnostics.error(raw.levels.key_where,
                      fmt::format("levels: a {} has none; for topology: hierarchy", mesh ? "full mesh" : "dragonfly"));
  }
  if (raw.groups.given && out.topology != OptwebTopology::dragonfly) {
    diagnostics.error(raw.groups.key_where,
                      fmt::format("groups: a {}; for topology: dragonfly",
                                  mesh ? "full mesh has no groups" : "hierarchy has 'levels' instead"));
  }
  if (mesh && out.nodes > kMostLinks) {
    diagnostics.error(raw.nodes.where,
                      fmt::format("nodes: a full mesh has at most {}; more are possible with topology: "
                                  "dragonfly or hierarchy",
                                  kMostLinks));
  }
  if (out.topology == OptwebTopology::dragonfly) resolve_dragonfly(raw, out, diagnostics);
  if (out.topology == OptwebTopology::hierarchy) resolve_hierarchy(raw, out, diagnostics);
  return diagnostics.errors() == before;
}

}  // namespace weft
