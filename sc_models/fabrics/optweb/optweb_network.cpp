#include "fabrics/optweb/optweb_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "algorithms/optweb/faults/link_failures.h"
#include "algorithms/optweb/host_traffic.h"
#include "base/diagnostics.h"
#include "base/hot_memory.h"
#include "base/random.h"
#include "fabrics/optweb/observer.h"
#include "kernel/large_network.h"

namespace weft {
namespace {

// Part of an instruction that has several.
std::string part_name(const optweb::MachineProgram& program, std::uint32_t number) {
  switch (program.steps[number]) {
    case optweb::DetourStep::to_relay:
      return "way to the relay";
    case optweb::DetourStep::from_relay:
      return "way from the relay";
    default:
      return std::string(optweb::opcode_name(program.instructions[number].opcode));
  }
}

}  // namespace

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
  if (!config.faults.empty() && !config.programs.empty())
    routes_ = std::make_unique<optweb::RouteChoice>(config, programs);
  for (NodeId n = 0; n < config.nodes; ++n) {
    optweb::NodeView view = optweb::view_of(config, programs, n);
    if (routes_) {
      view.groups = &routes_->groups();
      if (config.link.detour != OptwebDetour::none) view.detours = &routes_->detours();
    }
    nodes_.push_back(std::make_unique<OptwebNode>(fmt::format("node[{}]", n).c_str(), domain_, parameters_, view,
                                                  blocks, *this, observers_, ledger_,
                                                  modules != nullptr ? *modules : of_the_paper));
    nodes_.back()->set_routes(routes_.get());
  }
  const optweb::Neighbours& links = optweb::neighbours_of(config);
  const std::vector<std::vector<optweb::Outage>> outages = optweb::outages_of(config);
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
      optweb::LinkTimeline* const timeline =
          make_timeline(a, b, outages.empty() ? std::vector<optweb::Outage>() : outages[a * links.dmacs() + d]);
      nodes_[a]->distributed_switch().link(b)->connect(*nodes_[b]->distributed_switch().link(a), adapter, timeline);
    }
    nodes_[a]->distributed_switch().watch_links();
  }
}

OptwebNetwork::~OptwebNetwork() { tear_down(nodes_, adapters_); }

void OptwebNetwork::start_of_simulation() {
  constexpr std::uint32_t kManyEnds = 1024;  // of links, a KiB each
  if (nodes() * optweb::neighbours_of(config_).dmacs() > kManyEnds) join_pages();
}

// In the clock of the sending end.
optweb::LinkTimeline* OptwebNetwork::make_timeline(NodeId from, NodeId to, std::vector<optweb::Outage> outages) {
  if (outages.empty() && !config_.link.errors) return nullptr;
  const auto here = [&](Cycle nominal) {
    return nominal >= optweb::kNever ? nominal : nodes_[from]->clock().at_or_after(nominal * config_.period.ps);
  };
  for (optweb::Outage& o : outages) o = {here(o.down), here(o.up), o.fault};
  timelines_.push_back(std::make_unique<optweb::LinkTimeline>(
      optweb::link_timing(config_, parameters_.link, config_.adapter(from, to)), std::move(outages),
      RandomStream(config_.seed, fmt::format("bit errors of node[{}].link[{}]", from, to))));
  return timelines_.back().get();
}

const optweb::LinkTimeline* OptwebNetwork::timeline(NodeId from, NodeId to) const {
  const LinkIp* const link = nodes_[from]->distributed_switch().link(to);
  return link == nullptr ? nullptr : link->timeline();
}

bool OptwebNetwork::any_down() const {
  const Cycle now = domain_.now() * domain_.period().ps / config_.period.ps;
  return std::any_of(config_.faults.begin(), config_.faults.end(),
                     [&](const FaultConfig& f) { return f.down <= now && now < f.up.value_or(optweb::kNever); });
}

Cycle OptwebNetwork::repairs_in() const {
  Cycle last = 0;
  for (const FaultConfig& f : config_.faults) last = std::max(last, f.up.value_or(0));
  return std::max<Cycle>(0, last * config_.period.ps / domain_.period().ps - domain_.now());
}

bool OptwebNetwork::failures_over() const {
  const Cycle now = domain_.now() * domain_.period().ps / config_.period.ps;
  return std::all_of(config_.faults.begin(), config_.faults.end(),
                     [&](const FaultConfig& f) { return f.down <= now && f.up.value_or(now) <= now; });
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
                               ? fmt::format(", its {}", part_name(p, number))
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
  std::string out = in.name;
  if (in.op != ProgramOp::barrier && in.op != ProgramOp::fence && in.op != ProgramOp::compute) {
    out += " " + to_string(DataSize{static_cast<std::int64_t>(in.bytes) * 8});
  }
  const std::string part = part_name(p, number);
  return part == to_string(in.op) || in.op == ProgramOp::transfer ? out : fmt::format("{}: {}", out, part);
}

std::string OptwebNetwork::describe_stall() const {
  std::string out;
  std::vector<bool> over(nodes());
  for (const auto& node : nodes_) {
    const OptwebSequencer& s = node->sequencer();
    if (s.finished()) continue;
    out += fmt::format("\n  {}: waits for {}", instruction(node->node(), s.completed()), node->describe_wait());
    const NodeClock& clock = node->clock();
    for (const DistributedSwitch::CutOff& c : node->distributed_switch().cut_off(clock.now())) {
      out += fmt::format("; the link to node {} is down since {} by {}", c.peer,
                         to_string(Duration{clock.time(c.outage->down)}), text_of(config_.faults[c.outage->fault]));
    }
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

void OptwebNetwork::check_words() const {
  for (NodeId a = 0; a < nodes(); ++a) {
    const DistributedSwitch& sender = nodes_[a]->distributed_switch();
    for (NodeId b = 0; b < nodes(); ++b) {
      const LinkIp* const link = sender.link(b);
      if (link == nullptr) continue;
      const DistributedSwitch& receiver = nodes_[b]->distributed_switch();
      const std::uint64_t counted = receiver.words_received(a);
      const std::uint64_t coming = receiver.words_coming(a);
      if (link->words_sent() == counted + coming) continue;
      throw RunError(
          fmt::format("{} words were sent from node {} to node {}, but {} have been counted there and {} are "
                      "on their way",
                      link->words_sent(), a, b, counted, coming));
    }
  }
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
