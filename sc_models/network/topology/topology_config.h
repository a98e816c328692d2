#pragma once
// Description of a topology: kind and numbers, checked, with defaults filled in.

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/words.h"

namespace weft {

enum class TopologyKind { mesh, torus, tree, full_mesh, dragonfly, file };
template <>
inline constexpr auto kWords<TopologyKind> = words("mesh", "torus", "tree", "full_mesh", "dragonfly", "file");

struct TopologyConfig {
  Location where;
  TopologyKind kind = TopologyKind::mesh;
  std::vector<std::uint32_t> dims;      ///< mesh, torus: switches per dimension, x first
  std::uint32_t nodes_per_switch = 1;   ///< mesh, torus
  std::uint32_t trunk = 1;              ///< mesh, torus: parallel links between neighbours
  std::uint32_t arity = 0;              ///< tree: k of the k-ary n-tree
  std::uint32_t levels = 0;             ///< tree: n of the k-ary n-tree
  std::uint32_t switches = 0;           ///< full_mesh: number of switches
  std::uint32_t groups = 0;             ///< dragonfly
  std::uint32_t routers_per_group = 0;  ///< dragonfly: a
  std::uint32_t nodes_per_router = 0;   ///< dragonfly: p
  std::uint32_t global_links = 0;       ///< dragonfly: h, global links per router
  std::string file;                     ///< file: path, resolved against the folder of the YAML that names it
};

}  // namespace weft
