#pragma once
// Networks whose state does not fit the cache of one processor core.

#include "base/hot_memory.h"
#include "network/graph.h"

namespace weft {

/// More ports than fit a second-level cache of 1 to 2 MiB, at 1 to 2 KiB each.
inline bool is_large(const Graph& graph) { return graph.total_ports() > 1024; }

/// For the beginning of a simulation, when everything has been built.
inline void join_pages_of_large(const Graph& graph) {
  if (is_large(graph)) join_pages();
}

}  // namespace weft
