#pragma once
// Table of a packet network's links for its report.

#include <cstdint>
#include <functional>

#include "network/graph.h"
#include "observe/report.h"
#include "observe/window.h"

namespace weft {

/// Every directed link that carried something in the window. `flits`: on the link in the window.
Table link_table(const Graph& graph, const Window& window, const std::function<std::int64_t(LinkId)>& flits);

}  // namespace weft
