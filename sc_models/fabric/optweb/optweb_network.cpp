#include "fabric/optweb/optweb_network.h"

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "fabric/observer.h"

namespace weft {

OptwebNetwork::OptwebNetwork(sc_core::sc_module_name name, const OptwebConfig& config,
                             const optweb::MachinePrograms& programs, optweb::BlockFactory& blocks)
    : sc_module(name), config_(config), programs_(programs), parameters_(config), domain_("clock", config.period) {
  for (NodeId n = 0; n < config.nodes; ++n) {
    nodes_.push_back(std::make_unique<OptwebNode>(fmt::format("node[{}]", n).c_str(), domain_, parameters_,
                                                  optweb::view_of(config, programs, n), blocks, *this, observers_));
  }
  for (NodeId a = 0; a < config.nodes; ++a) {
    for (NodeId b = 0; b < config.nodes; ++b) {
      if (a == b) continue;
      LinkIp& from = *nodes_[a]->distributed_switch().link(b);
      LinkIp& to = *nodes_[b]->distributed_switch().link(a);
      from.out().socket.bind(to.in().socket);
    }
  }
}

void OptwebNetwork::load_programs() {
  for (const auto& node : nodes_) {
    for (const optweb::Instruction& i : programs_.nodes[node->node()].instructions) node->sequencer().push(i);
    node->sequencer().start();
  }
}

bool OptwebNetwork::finished() const {
  for (const auto& node : nodes_) {
    if (!node->sequencer().finished()) return false;
  }
  return true;
}

std::string OptwebNetwork::instruction(NodeId node, std::uint32_t number) const {
  const optweb::MachineProgram& p = programs_.nodes[node];
  if (number >= p.lines.size()) return fmt::format("node {}, instruction {} of the host", node, number);
  const OptwebInstruction& in = optweb::instruction_at(config_, p.lines[number]);
  const std::string part = optweb::takes_all_paths(config_, in)
                               ? fmt::format(", its {}", optweb::opcode_name(p.instructions[number].opcode))
                               : std::string();
  return fmt::format("node {}, {}{} ({})", node, in.name, part, in.where.text());
}

std::string OptwebNetwork::describe_stall() const {
  std::string out;
  for (const auto& node : nodes_) {
    const OptwebSequencer& s = node->sequencer();
    if (s.finished()) continue;
    out += fmt::format("\n  {}: waits for {}", instruction(node->node(), s.completed()), node->describe_wait());
  }
  return out;
}

void OptwebNetwork::check_conservation() const {
  for (NodeId a = 0; a < nodes(); ++a) {
    for (NodeId b = 0; b < nodes(); ++b) {
      if (a == b) continue;
      const LinkIp& link = *nodes_[a]->distributed_switch().link(b);
      const DistributedSwitch& receiver = nodes_[b]->distributed_switch();
      const auto compare = [&](const char* what, std::uint64_t sent, std::uint64_t received) {
        if (sent == received) return;
        throw RunError(fmt::format("{} {} were sent from node {} to node {}, but {} have been used there", sent, what,
                                   a, b, received));
      };
      compare("words", link.words_sent(), receiver.words_received(a));
      compare("notifications", link.notifications_sent(), receiver.notifications_received(a));
    }
  }
}

}  // namespace weft
