#pragma once
// Routes up and down a tree while links are down. On the way up a message takes, in cyclic order from the port its
// source drew, the first one over which its destination can still be reached; where no such port is left it turns down
// as soon as it can, and a message that would have turned at the nearest common ancestor goes further up if the way
// down from there is broken. Messages still never turn up again, so no deadlock becomes possible.

#include <memory>

#include "network/routing/link_state.h"

namespace weft {

/// `to_root`: messages go up to the root that their source drew (Valiant). All references must outlive the result.
std::unique_ptr<FaultyRouting> make_tree_detours(bool to_root, const Graph& graph, const LinkState& links);

}  // namespace weft
