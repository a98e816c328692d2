#include "algorithms/optweb/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace weft::optweb {

MessageAssembler::MessageAssembler(const OptwebConfig& config) : config_(config), assembler_(config) {
  std::vector<NodeId> nodes(config.nodes);
  std::iota(nodes.begin(), nodes.end(), NodeId{0});
  everyone_ = std::move(nodes);
  const std::uint64_t k = config.interface_bytes;
  in_.receive = k;
  in_.scratch = k + k / 2;
  in_.scratch2 = k / 2;
}

std::vector<MessageAssembler::Part> MessageAssembler::parts(NodeId from, const std::vector<NodeId>& to,
                                                            std::uint64_t bytes) {
  std::vector<NodeId> nodes{from};
  in_.bytes = std::max<std::uint64_t>(1, bytes);
  in_.group = everyone_;
  if (to.size() > 1) {
    in_.op = ProgramOp::broadcast;
    in_.root = from;
    nodes.insert(nodes.end(), to.begin(), to.end());
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    in_.group = nodes;
  } else {
    in_.op = from == to.front() ? ProgramOp::sendrecv : ProgramOp::transfer;
    in_.source = from;
    in_.destination = to.front();
    const Neighbours& neighbours = neighbours_of(config_);
    if (from != to.front()) nodes = neighbours.route(from, to.front());
  }
  assembler_.add(in_, {}, nodes);
  if (programs().groups.size() > kMostGroups) {
    throw RunError(fmt::format("messages to more than {} different groups of nodes: the group register table is full",
                               kMostGroups - 1));
  }
  std::vector<Part> out;
  for (const NodeId n : nodes) {
    for (const MachineInstruction& i : assembler_.take(n).instructions) out.push_back({n, i});
  }
  return out;
}

MessageAssembler::Places MessageAssembler::places(NodeId from, NodeId to, bool broadcast) const {
  const Neighbours& neighbours = neighbours_of(config_);
  const std::vector<NodeId> route = neighbours.route(from, to);
  const NodeId first = route.size() > 1 ? route[1] : to;
  const NodeId last = route.size() > 1 ? route[route.size() - 2] : from;
  const auto in_stripe = [&](NodeId of, NodeId n, std::uint64_t address) {
    return 2 * config_.interface_bytes * *neighbours.dmac(of, n) + address;
  };
  return {in_stripe(from, broadcast ? from : first, in_.send), in_stripe(to, last, in_.receive)};
}

}  // namespace weft::optweb
