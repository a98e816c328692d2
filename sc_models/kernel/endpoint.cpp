#include "kernel/endpoint.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"

namespace weft {

void check_transfer(const Endpoints& endpoints, NodeId from, const Transfer& transfer, std::size_t services) {
  const std::uint32_t nodes = endpoints.nodes();
  const auto fail = [&](const std::string& what) {
    throw RunError(fmt::format("a transfer from node {}: {}", from, what));
  };
  if (from >= nodes) fail(fmt::format("there are nodes 0 to {}", nodes - 1));
  if (transfer.service >= services) fail(fmt::format("there is no service {}", transfer.service));
  if (transfer.group.empty()) {
    if (transfer.to >= nodes) fail(fmt::format("there is no node {} to send to", transfer.to));
    return;
  }
  if (!endpoints.of(transfer.service).multicast) fail("this fabric has no multicast");
  for (std::size_t i = 0; i < transfer.group.size(); ++i) {
    const NodeId to = transfer.group[i];
    if (to >= nodes) fail(fmt::format("there is no node {} to send to", to));
    if (std::find(transfer.group.begin() + static_cast<std::ptrdiff_t>(i) + 1, transfer.group.end(), to) !=
        transfer.group.end()) {
      fail(fmt::format("node {} is twice in the group", to));
    }
  }
}

}  // namespace weft
