#include "algorithms/optweb/faults/route_choice.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <set>

#include "algorithms/optweb/faults/link_failures.h"
#include "algorithms/optweb/hops/steps.h"
#include "algorithms/optweb/program.h"
#include "algorithms/optweb/step.h"

namespace weft::optweb {
namespace {

bool is_down(const OptwebConfig& config, const std::vector<std::vector<Outage>>& outages, NodeId a, NodeId b,
             Cycle at) {
  if (a == b) return false;
  const std::size_t dmac = config.neighbours->dmac(a, b).value();
  const std::vector<Outage>& all = outages[std::size_t{a} * config.neighbours->dmacs() + dmac];
  const auto o = std::partition_point(all.begin(), all.end(), [&](const Outage& x) { return x.up <= at; });
  return o != all.end() && o->down <= at;
}

std::vector<NodeId> routes_at(const OptwebConfig& config, const std::vector<std::vector<Outage>>& outages,
                              const std::vector<NodeId>& all, NodeId from, NodeId to, Cycle at) {
  std::vector<NodeId> out;
  for (const NodeId n : all) {
    if (!is_down(config, outages, from, n, at) && !is_down(config, outages, n, to, at)) out.push_back(n);
  }
  return out;
}

// Pairs of nodes that have nothing for each other need no link. Of several hops, data go through the node of a line
// that is in the place of the root: in broadcasts and reductions in the lines of all nodes that are like the root at
// the levels below, in the others in those of nodes that are like it at the levels above.
bool has_something(const OptwebConfig& config, const ProgramInstruction& in, const std::optional<NodeGrid>& grid,
                   NodeId a, NodeId b) {
  if (!uses_root(in.op) || takes_all_paths(config, in)) return true;
  if (!grid) return a == in.root || b == in.root;
  std::size_t d = 0;
  while (grid->same(a, b, d, d + 1)) ++d;
  const NodeId through = grid->toward(a, d, in.root);
  if (a != through && b != through) return false;
  const bool spreads = in.op == ProgramOp::broadcast || in.op == ProgramOp::reduce;
  return spreads ? grid->same(a, in.root, 0, d) : grid->same(a, in.root, d + 1, grid->levels());
}

std::vector<Detour> detours_at(const OptwebConfig& config, const std::vector<std::vector<Outage>>& outages,
                               const ProgramInstruction& in, Cycle at) {
  std::vector<Detour> out;
  const std::optional<NodeGrid> grid = step_grid(config, in);
  const auto linked = [&](NodeId a, NodeId b) { return neighbours_of(config).hops(a, b) == 1; };
  const auto down = [&](NodeId a, NodeId b) { return is_down(config, outages, a, b, at); };
  const auto relay = [&](NodeId a, NodeId b) {
    return std::find_if(in.group.begin(), in.group.end(), [&](NodeId c) {
      const auto taken = [&](const Detour& d) { return d.by == c && (d.a == a || d.a == b || d.b == a || d.b == b); };
      return linked(a, c) && linked(c, b) && !down(a, c) && !down(c, b) && std::none_of(out.begin(), out.end(), taken);
    });
  };
  for (const NodeId a : in.group) {
    for (const NodeId b : in.group) {
      if (a >= b || !linked(a, b) || !down(a, b) || !has_something(config, in, grid, a, b)) continue;
      const auto by = relay(a, b);
      if (by == in.group.end()) return {};
      out.push_back({a, b, *by});
    }
  }
  return out;
}

bool by_all_paths(const MachineInstruction& in) {
  return in.flags == kChunked && (in.opcode == Opcode::kScatter || in.opcode == Opcode::kGather) &&
         in.source != in.destination;
}

}  // namespace

RouteChoice::RouteChoice(const OptwebConfig& config, const MachinePrograms& programs)
    : config_(config),
      programs_(programs),
      groups_(programs.groups),
      registers_(programs.detours),
      outages_(outages_of(config)) {}

bool RouteChoice::chooses(const MachinePrograms& programs) {
  return std::any_of(programs.nodes.begin(), programs.nodes.end(), [](const MachineProgram& p) {
    return std::any_of(p.instructions.begin(), p.instructions.end(), by_all_paths) ||
           std::any_of(p.steps.begin(), p.steps.end(), [](DetourStep s) { return s != DetourStep::none; });
  });
}

MachineInstruction RouteChoice::routed(const MachineInstruction& in, NodeId node, std::uint32_t number,
                                       std::int64_t time) {
  const std::vector<Line>& lines = programs_.nodes[node].lines;
  if (number >= lines.size()) return in;
  if (programs_.nodes[node].steps[number] != DetourStep::none) return detour(in, node, number, time);
  if (!by_all_paths(in)) return in;
  const auto [at, is_new] = choice_.try_emplace({lines[number].program, lines[number].index}, in.group);
  if (is_new) {
    std::vector<NodeId> left =
        routes_at(config_, outages_, groups_[in.group], in.source, in.destination, time / config_.period.ps);
    if (!left.empty() && left.size() < groups_[in.group].size()) {
      const auto known = std::find(groups_.begin(), groups_.end(), left);
      at->second = static_cast<std::uint32_t>(known - groups_.begin());
      if (known == groups_.end()) groups_.push_back(std::move(left));
    }
  }
  MachineInstruction out = in;
  out.group = at->second;
  return out;
}

MachineInstruction RouteChoice::detour(const MachineInstruction& in, NodeId node, std::uint32_t number,
                                       std::int64_t time) {
  const Line& line = programs_.nodes[node].lines[number];
  const ProgramInstruction& of = instruction_at(config_, line);
  const auto [at, is_new] = detours_.try_emplace({line.program, line.index});
  if (is_new) at->second = detours_at(config_, outages_, of, time / config_.period.ps);
  if (at->second.empty()) return in;
  const std::vector<Detour> within = detours_within(groups_[in.group], at->second);
  if (within.empty()) return in;
  const DetourStep step = programs_.nodes[node].steps[number];
  MachineInstruction out = in;
  out.group = writer_.number(in.group, step, within);
  if (step == DetourStep::instruction && combines_later(in, node, within)) {
    out.receive_address = detour_area(config_, of);
  }
  return out;
}

std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Detour>> RouteChoice::detoured() const {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Detour>> out;
  std::copy_if(detours_.begin(), detours_.end(), std::inserter(out, out.end()),
               [](const auto& d) { return !d.second.empty(); });
  return out;
}

std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<NodeId>> RouteChoice::chosen() const {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<NodeId>> out;
  for (const auto& [line, group] : choice_) {
    const ProgramInstruction& in = config_.programs[line.first].instructions[line.second];
    if (groups_[group] != paths_of(config_, in)) out[line] = groups_[group];
  }
  return out;
}

std::vector<OptwebConfig> with_failures(const OptwebConfig& config) {
  constexpr std::size_t kMost = 64;
  constexpr std::size_t kMostChanges = 4096;
  std::vector<OptwebConfig> out;
  if (config.faults.empty()) return out;
  const std::vector<std::vector<Outage>> outages = outages_of(config);
  std::set<Cycle> changes;  // of those that come again often, the first ones
  for (const FaultConfig& f : config.faults) {
    if (changes.size() >= kMostChanges) break;
    changes.insert(f.down);
    if (f.up) changes.insert(*f.up);
  }
  std::set<std::pair<decltype(OptwebConfig::routes), decltype(OptwebConfig::detours)>> seen;
  for (const Cycle at : changes) {
    decltype(OptwebConfig::routes) routes;
    decltype(OptwebConfig::detours) detours;
    for (std::uint32_t p = 0; p < config.programs.size(); ++p) {
      for (std::uint32_t i = 0; i < config.programs[p].instructions.size(); ++i) {
        const ProgramInstruction& in = config.programs[p].instructions[i];
        if (may_detour(config, in)) {
          std::vector<Detour> round = detours_at(config, outages, in, at);
          if (!round.empty()) detours[{p, i}] = std::move(round);
        }
        if (in.op != ProgramOp::transfer || !takes_all_paths(config, in)) continue;
        const std::vector<NodeId> all = paths_of(config, in);
        std::vector<NodeId> left = routes_at(config, outages, all, *in.source, *in.destination, at);
        if (!left.empty() && left.size() < all.size()) routes[{p, i}] = std::move(left);
      }
    }
    if ((routes.empty() && detours.empty()) || !seen.insert({routes, detours}).second) continue;
    OptwebConfig& state = out.emplace_back(config);
    state.routes = std::move(routes);
    state.detours = std::move(detours);
    if (out.size() == kMost) break;
  }
  return out;
}

}  // namespace weft::optweb
