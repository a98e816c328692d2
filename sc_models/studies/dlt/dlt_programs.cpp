// Programs that spread a divisible load.

#include <fmt/format.h>

#include "studies/dlt/dlt_network.h"

namespace weft {
namespace {

std::string compute_line(double per_byte, std::uint64_t bytes) {
  return fmt::format("    - {{ op: compute, name: {}, time: {}ps }}\n", kComputeStep,
                     dlt::StarSpeeds::time(per_byte, bytes));
}

std::string message_line(const char* op, const char* peer, NodeId node, const char* name, std::uint64_t bytes,
                         const char* more = "") {
  return fmt::format("    - {{ op: {}, {}: {}, name: {}, size: {}B{} }}\n", op, peer, node, name, bytes, more);
}

std::string node_program(NodeId node, const std::string& instructions) {
  return instructions.empty() ? "" : fmt::format("  'node[{}]':\n{}", node, instructions);
}

}  // namespace

std::string dlt_programs(const DltNodes& nodes, std::uint32_t all, const dlt::StarMessageSizes& bytes,
                         const dlt::StarSpeeds& speeds) {
  constexpr const char* kAtOnce = ", wait: false";
  std::string root;
  std::vector<std::string> others(nodes.others.size());
  for (const auto& round : bytes.messages) {
    for (std::size_t i = 0; i < round.size(); ++i) {
      if (round[i] == 0) continue;
      root += message_line("send", "destination", nodes.others[i], kShareStep, round[i], kAtOnce);
      others[i] +=
          message_line("recv", "source", nodes.root, kShareStep, round[i]) + compute_line(speeds.nodes[i], round[i]);
    }
  }
  if (bytes.root > 0) root += compute_line(speeds.root, bytes.root);
  for (std::size_t i = 0; i < bytes.results.size(); ++i) {
    if (bytes.results[i] == 0) continue;
    others[i] += message_line("send", "destination", nodes.root, kResultStep, bytes.results[i]);
    root += message_line("recv", "source", nodes.others[i], kResultStep, bytes.results[i]);
  }
  std::string out = fmt::format("title: Divisible load\nnodes: {}\nprograms:\n{}", all, node_program(nodes.root, root));
  for (std::size_t i = 0; i < others.size(); ++i) out += node_program(nodes.others[i], others[i]);
  return out;
}

}  // namespace weft
