#pragma once
// Networks whose state does not fit the cache of one processor core.

#include <algorithm>
#include <cstddef>

#include "base/hot_memory.h"
#include "network/graph.h"

namespace weft {

/// More ports than fit a second-level cache of 1 to 2 MiB, at 1 to 2 KiB each.
inline bool is_large(const Graph& graph) { return graph.total_ports() > 1024; }

/// For the beginning of a simulation, when everything has been built.
inline void join_pages_of_large(const Graph& graph) {
  if (is_large(graph)) join_pages();
}

/// Destroys the modules of a network. SystemC looks a module that goes up from the front of its lists and puts the last
/// one in its place. So the first two go first: the module that SystemC has made for itself, behind all others, takes
/// the place of the one, and the last made that of the other. It is next, and the one before it takes its place. In any
/// other order the teardown of a large network takes longer than its run. `lists`: vectors of pointers, in the order of
/// making.
template <class List, class... Lists>
void tear_down(List& first, Lists&... more) {
  for (std::size_t i = 0; i < std::min<std::size_t>(2, first.size()); ++i) first[i].reset();
  const auto empty = [](auto& list) {
    while (!list.empty()) list.pop_back();
  };
  // Backwards.
  const auto last_first = [&](auto&& self, auto& list, auto&... rest) -> void {
    if constexpr (sizeof...(rest) > 0) self(self, rest...);
    empty(list);
  };
  last_first(last_first, first, more...);
}

}  // namespace weft
