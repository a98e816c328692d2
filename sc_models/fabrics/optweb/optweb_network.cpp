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

// Now, in the cycles in which the configuration gives times.
Cycle cycle_of(const OptwebConfig& config, const ClockDomain& domain) {
  return domain.now() * domain.period().ps / config.period.ps;
}

}  // namespace

OptwebNetwork::OptwebNetwork(sc_core::sc_module_name name, ClockDomain& domain, const OptwebConfig& config,
                             const optweb::MachinePrograms& programs, optweb::BlockFactory& blocks,
                             OptwebModules* modules, Part part)
    : sc_module(name),
      config_(config),
      part_(std::move(part)),
      programs_(programs),
      parameters_(config),
      domain_(domain),
      ledger_(config.nodes, [this](NodeId node, std::uint32_t number) { return instruction(node, number); }),
      nodes_(config.nodes),
      far_clocks_(config.nodes) {
  OptwebModules of_the_paper;
  if (!config.faults.empty() && !config.programs.empty())
    routes_ = std::make_unique<optweb::RouteChoice>(config, programs);
  for (NodeId n = 0; n < config.nodes; ++n) {
    if (!part_.whole() && part_.node_owners[n] != part_.ranks->rank()) {
      far_clocks_[n] = std::make_unique<NodeClock>(domain_, config, n);
      continue;
    }
    optweb::NodeView view = optweb::view_of(config, programs, n);
    if (routes_) {
      view.groups = &routes_->groups();
      if (config.link.detour != OptwebDetour::none) view.detours = &routes_->detours();
    }
    nodes_[n] = std::make_unique<OptwebNode>(fmt::format("node[{}]", n).c_str(), domain_, parameters_, view, blocks,
                                             *this, observers_, ledger_, modules != nullptr ? *modules : of_the_paper);
    nodes_[n]->set_routes(routes_.get());
  }
  if (!part_.whole()) {
    cut_ = std::make_unique<OptwebCut>(
        OptwebCut::Network{domain_, parameters_, part_, ledger_, observers_,
                           [this](NodeId n) -> DistributedSwitch& { return nodes_[n]->distributed_switch(); },
                           [this](NodeId a, NodeId b) { return const_cast<optweb::LinkTimeline*>(timeline(a, b)); }});
    observers_.add(*cut_);
  }
  connect(blocks);
  if (cut_) cut_->start();
}

void OptwebNetwork::connect(optweb::BlockFactory& blocks) {
  const optweb::Neighbours& links = optweb::neighbours_of(config_);
  const std::vector<std::vector<optweb::Outage>> outages = optweb::outages_of(config_);
  if (!outages.empty() || config_.link.errors) timelines_.resize(std::size_t{config_.nodes} * links.dmacs());
  for (NodeId a = 0; a < config_.nodes; ++a) {
    for (std::uint32_t d = 0; d < links.dmacs(); ++d) {
      const NodeId b = links.peer(a, d);
      if (b == a) continue;
      optweb::LinkTimeline* const timeline =
          make_timeline(a, b, outages.empty() ? std::vector<optweb::Outage>() : outages[a * links.dmacs() + d]);
      if (!has_node(a) && !has_node(b)) continue;
      LinkAdapter<OptwebProtocol>* adapter = nullptr;
      if (const Cycle delay = config_.adapter(a, b); delay > 0) {
        const sc_core::sc_time time(static_cast<double>(delay * config_.period.ps), sc_core::SC_PS);
        adapters_.push_back(
            std::make_unique<LinkAdapter<OptwebProtocol>>(fmt::format("adapter[{}][{}]", a, b).c_str(), delay, time));
        adapter = adapters_.back().get();
      }
      end_of(a, b, blocks).connect(end_of(b, a, blocks), adapter, timeline);
    }
  }
  for (const auto& node : nodes_) {
    if (node != nullptr) node->distributed_switch().watch_links();
  }
}

const NodeClock& OptwebNetwork::clock_of(NodeId n) const { return has_node(n) ? nodes_[n]->clock() : *far_clocks_[n]; }

LinkIp* OptwebNetwork::link_end(NodeId node, NodeId peer) const {
  return has_node(node) ? nodes_[node]->distributed_switch().link(peer) : cut_->far_end(node, peer);
}

// Of a link that leads to another rank, this one has both ends.
LinkIp& OptwebNetwork::end_of(NodeId node, NodeId peer, optweb::BlockFactory& blocks) {
  if (has_node(node)) return *nodes_[node]->distributed_switch().link(peer);
  return cut_->far_end(node, peer, *far_clocks_[node], [&](NodeId) {
    const auto block = [&](const char* lane) {
      return blocks.link_sync({node, fmt::format("{}.far_link[{}][{}].{}", name(), node, peer, lane), {}},
                              config_.link.gap);
    };
    return LinkSyncs{block("transmitter"), block("receiver")};
  });
}

OptwebNetwork::~OptwebNetwork() {
  cut_.reset();
  tear_down(nodes_, adapters_);
}

void OptwebNetwork::start_of_simulation() {
  constexpr std::uint32_t kManyEnds = 1024;  // of links, a KiB each
  if (nodes() * optweb::neighbours_of(config_).dmacs() > kManyEnds) join_pages();
}

// In the clock of the sending end.
optweb::LinkTimeline* OptwebNetwork::make_timeline(NodeId from, NodeId to, std::vector<optweb::Outage> outages) {
  if (outages.empty() && !config_.link.errors) return nullptr;
  const auto here = [&](Cycle nominal) {
    return nominal >= optweb::kNever ? nominal : clock_of(from).at_or_after(nominal * config_.period.ps);
  };
  for (optweb::Outage& o : outages) o = {here(o.down), here(o.up), o.fault};
  const optweb::Neighbours& links = optweb::neighbours_of(config_);
  auto& timeline = timelines_[std::size_t{from} * links.dmacs() + links.dmac(from, to).value()];
  timeline = std::make_unique<optweb::LinkTimeline>(
      optweb::link_timing(config_, parameters_.link, config_.adapter(from, to)), std::move(outages),
      RandomStream(config_.seed, fmt::format("bit errors of node[{}].link[{}]", from, to)));
  return timeline.get();
}

const optweb::LinkTimeline* OptwebNetwork::timeline(NodeId from, NodeId to) const {
  const optweb::Neighbours& links = optweb::neighbours_of(config_);
  const auto port = links.dmac(from, to);
  return timelines_.empty() || !port ? nullptr : timelines_[std::size_t{from} * links.dmacs() + *port].get();
}

bool OptwebNetwork::any_down() const {
  const Cycle now = cycle_of(config_, domain_);
  return std::any_of(config_.faults.begin(), config_.faults.end(),
                     [&](const FaultConfig& f) { return f.down <= now && now < f.up.value_or(optweb::kNever); });
}

bool OptwebNetwork::down_for_good() const {
  const Cycle now = cycle_of(config_, domain_);
  return std::any_of(config_.faults.begin(), config_.faults.end(),
                     [&](const FaultConfig& f) { return f.down <= now && !f.up; });
}

Cycle OptwebNetwork::undisturbed_in(Cycle rest) const {
  std::vector<std::pair<Cycle, Cycle>> failures;  // in cycles of the domain
  const auto cycle = [&](Cycle c) { return c * config_.period.ps / domain_.period().ps; };
  for (const FaultConfig& f : config_.faults) {
    if (f.up) failures.emplace_back(cycle(f.down), cycle(*f.up));
  }
  std::sort(failures.begin(), failures.end());
  Cycle end = domain_.now() + rest;
  for (const auto& [down, up] : failures) {
    if (down > end) break;
    end = std::max(end, up + rest);
  }
  return end - domain_.now();
}

bool OptwebNetwork::failures_over() const {
  const Cycle now = cycle_of(config_, domain_);
  return std::all_of(config_.faults.begin(), config_.faults.end(),
                     [&](const FaultConfig& f) { return f.down <= now && f.up.value_or(now) <= now; });
}

void OptwebNetwork::load_programs() {
  for (const auto& node : nodes_) {
    if (node == nullptr) continue;
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
    if (!has_node(a.node)) continue;
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
    if (node != nullptr && !node->sequencer().finished()) return false;
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

}  // namespace weft
