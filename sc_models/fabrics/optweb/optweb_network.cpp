#include "fabrics/optweb/optweb_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "algorithms/optweb/host_traffic.h"
#include "base/diagnostics.h"
#include "fabrics/optweb/observer.h"

namespace weft {

OptwebNetwork::OptwebNetwork(sc_core::sc_module_name name, ClockDomain& domain, const OptwebConfig& config,
                             const optweb::MachinePrograms& programs, optweb::BlockFactory& blocks,
                             OptwebModules* modules)
    : sc_module(name),
      config_(config),
      programs_(programs),
      parameters_(config),
      domain_(domain),
      ledger_(config.nodes, [this](NodeId node, std::uint32_t number) { return instruction(node, number); }) {
  OptwebModules of_the_paper;
  for (NodeId n = 0; n < config.nodes; ++n) {
    nodes_.push_back(std::make_unique<OptwebNode>(fmt::format("node[{}]", n).c_str(), domain_, parameters_,
                                                  optweb::view_of(config, programs, n), blocks, *this, observers_,
                                                  ledger_, modules != nullptr ? *modules : of_the_paper));
  }
  const optweb::Neighbours& links = optweb::neighbours_of(config);
  for (NodeId a = 0; a < config.nodes; ++a) {
    for (std::uint32_t d = 0; d < links.dmacs(); ++d) {
      const NodeId b = links.peer(a, d);
      if (b == a) continue;
      LinkAdapter<OptwebProtocol>* adapter = nullptr;
      if (const Cycle delay = config.adapter(a, b); delay > 0) {
        const sc_core::sc_time time(static_cast<double>(delay * config.period.ps), sc_core::SC_PS);
        adapters_.push_back(
            std::make_unique<LinkAdapter<OptwebProtocol>>(fmt::format("adapter[{}][{}]", a, b).c_str(), delay, time));
        adapter = adapters_.back().get();
      }
      nodes_[a]->distributed_switch().link(b)->connect(*nodes_[b]->distributed_switch().link(a), adapter);
    }
  }
}

void OptwebNetwork::load_programs() {
  for (const auto& node : nodes_) {
    for (const optweb::MachineInstruction& i : programs_.nodes[node->node()].instructions) node->sequencer().push(i);
    node->start_program();
  }
}

void OptwebNetwork::load_host_traffic() {
  std::vector<std::uint32_t> order(config_.host.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return config_.host[a].at < config_.host[b].at; });
  for (const std::uint32_t i : order) {
    const OptwebHostAccess& a = config_.host[i];
    OptwebNode& node = *nodes_[a.node];
    HostAccess access;
    access.write = a.write;
    access.address = a.address;
    access.bytes = a.bytes;
    if (a.write && config_.mode == OptwebMode::data) {
      access.move = [this, i, &node] { optweb::write_host_data(config_, i, node.memory().bytes(), parameters_.stop); };
    }
    access.over = [this, i, &node](Cycle opened, Cycle now) {
      const OptwebHostEvent event{i, node.node(), node.clock().time(opened), node.clock().time(now)};
      observers_.tell([&](OptwebObserver& o) { o.on_host(event); });
    };
    node.host_master().ask(std::move(access), node.clock().at_or_after(a.at.ps));
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
  if (number >= p.lines.size()) {
    return host_names_ ? fmt::format("node {}, {}", node, host_names_(node, number))
                       : fmt::format("node {}, instruction {} of the host", node, number);
  }
  const ProgramInstruction& in = optweb::instruction_at(config_, p.lines[number]);
  const auto same = [&](std::size_t other) { return other < p.lines.size() && p.lines[other] == p.lines[number]; };
  const std::string part = same(std::size_t{number} + 1) || same(std::size_t{number} - 1)  // of 0: beyond the end
                               ? fmt::format(", its {}", optweb::opcode_name(p.instructions[number].opcode))
                               : std::string();
  return fmt::format("node {}, {}{} ({})", node, in.name, part, in.where.text());
}

optweb::StagedEnds OptwebNetwork::staged(NodeId node, std::uint32_t number) const {
  const std::vector<optweb::StagedEnds>& staged = programs_.nodes[node].staged;
  return number < staged.size() ? staged[number] : optweb::StagedEnds{};  // else of the host
}

std::string OptwebNetwork::short_name(NodeId node, std::uint32_t number) const {
  const optweb::MachineProgram& p = programs_.nodes[node];
  if (number >= p.lines.size()) return host_names_ ? host_names_(node, number) : "of the host";
  const ProgramInstruction& in = optweb::instruction_at(config_, p.lines[number]);
  const optweb::MachineInstruction& i = p.instructions[number];
  std::string out = in.name;
  if (in.op != ProgramOp::barrier && in.op != ProgramOp::fence && in.op != ProgramOp::compute) {
    out += " " + to_string(DataSize{static_cast<std::int64_t>(in.bytes) * 8});
  }
  const std::string_view part = optweb::opcode_name(i.opcode);
  return part == to_string(in.op) || in.op == ProgramOp::transfer ? out : fmt::format("{}: {}", out, part);
}

std::string OptwebNetwork::describe_stall() const {
  std::string out;
  std::vector<bool> over(nodes());
  for (const auto& node : nodes_) {
    const OptwebSequencer& s = node->sequencer();
    if (s.finished()) continue;
    out += fmt::format("\n  {}: waits for {}", instruction(node->node(), s.completed()), node->describe_wait());
    for (const NodeId n : node->distributed_switch().waits_for()) over[n] = nodes_[n]->sequencer().finished();
  }
  for (NodeId n = 0; n < nodes(); ++n) {
    if (!over[n]) continue;
    const Cycle at = nodes_[n]->last_completed();
    out += nodes_[n]->sequencer().pushed() == 0 ? fmt::format("\n  node {}: has no program", n)
                                                : fmt::format("\n  node {}: its program is over since {} (cycle {})", n,
                                                              to_string(Duration{nodes_[n]->clock().time(at)}), at);
  }
  return out;
}

void OptwebNetwork::check_conservation() const {
  const std::string unmatched = ledger_.unmatched();
  if (!unmatched.empty()) throw RunError("the programs are over, but do not match:" + unmatched);
  for (NodeId a = 0; a < nodes(); ++a) {
    for (NodeId b = 0; b < nodes(); ++b) {
      const LinkIp* const found = nodes_[a]->distributed_switch().link(b);
      if (found == nullptr) continue;
      const LinkIp& link = *found;
      const DistributedSwitch& receiver = nodes_[b]->distributed_switch();
      const auto compare = [&](const char* what, std::uint64_t sent, std::uint64_t received) {
        if (sent == received) return;
        throw RunError(fmt::format("{} {} were sent from node {} to node {}, but {} have been used there", sent, what,
                                   a, b, received));
      };
      compare("words", nodes_[a]->distributed_switch().words_sent(b), receiver.words_received(a));
      compare("notifications", link.notifications_sent(), receiver.notifications_received(a));
      link.check_lane();
    }
  }
}

}  // namespace weft
