#include "fabrics/tdm/plan/circuit_colours.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "algorithms/slots/allocation.h"
#include "base/diagnostics.h"
#include "fabrics/tdm/plan/spread_routes.h"

namespace weft {

std::string flow_name(const Ends& ends) {
  return ends.second.size() == 1 ? fmt::format("{}-{}", ends.first, ends.second.front())
                                 : fmt::format("{}-{}_nodes", ends.first, ends.second.size());
}

ColouredCircuits CircuitColouring::colour(const std::vector<Ends>& ends, const Location& where) const {
  ColouredCircuits out;
  Diagnostics diagnostics;
  for (const Ends& e : ends) {
    NodePairs pairs;
    for (const NodeId d : e.second) pairs.emplace_back(e.first, d);
    out.flows.push_back(make_flow(graph_, routing_, flow_name(e), "", 1, pairs, where, diagnostics));
    for (const CircuitTree& t : out.flows.back().trees) {
      for (const std::uint32_t edge : t.ejection_edge) out.longest = std::max(out.longest, way(t, edge));
    }
  }
  diagnostics.throw_if_errors();
  allocate(out);
  const std::optional<ColouredCircuits> other = on_other_routes(out);
  const auto better = [&] { return other && slots_needed(*other) < slots_needed(out) ? *other : out; };
  const std::uint32_t nodes = graph_.nodes();
  const bool alltoall = ends.size() == std::size_t{nodes} * (nodes - 1) &&
                        std::all_of(ends.begin(), ends.end(), [](const Ends& e) { return e.second.size() == 1; });
  if (!alltoall) return better();
  const std::optional<SpreadSchedule> schedule = systematic_schedule(config_, graph_);
  if (!schedule || schedule->plan.time_slots >= std::min(out.colours, other ? other->colours : out.colours)) {
    return better();
  }
  take(*schedule, ends, out);
  return out;
}

void CircuitColouring::take(const SpreadSchedule& schedule, const std::vector<Ends>& ends, ColouredCircuits& c) const {
  c.scheduled = true;
  c.channels = {schedule.plan.wavelengths, schedule.plan.planes};
  c.colours = schedule.plan.time_slots;
  c.links.clear();
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const std::uint32_t slot =
        schedule.schedule.slot_of[std::size_t{ends[i].first} * graph_.nodes() + ends[i].second.front()];
    c.colour[i] = schedule.plan.time[slot];
    if (graph_.has_bundles())
      c.links.push_back(alltoall::links_of_channel(graph_, c.flows[i], schedule.plan.channel[slot]));
  }
}

void CircuitColouring::allocate(ColouredCircuits& c) const {
  c.load = minimum_slots(graph_, c.flows).slots;
  AllocationOptions options = options_;
  options.slot_update = false;
  const Allocation found = allocate_unbounded(graph_, c.flows, options);
  c.colours = found.slots_used;
  for (const FlowSlots& f : found.flows) {
    c.colour.push_back(f.common.front());
    if (graph_.has_bundles()) c.links.push_back(f.links);
  }
}

std::optional<ColouredCircuits> CircuitColouring::on_other_routes(const ColouredCircuits& c) const {
  // Routes are looked for circuit by circuit, each in all ports.
  constexpr std::uint64_t kMostSteps = 100'000'000;
  if (config_.setup.routes < 2 || std::uint64_t{c.flows.size()} * graph_.total_ports() > kMostSteps) return {};
  ColouredCircuits out;
  out.longest = c.longest;
  out.flows = spread_routes(graph_, routing_, *config_.routing.algorithm, c.flows, config_.setup.routes);
  allocate(out);
  return out;
}

// At the host's input the latency of a link hides in the frame as well.
Cycle CircuitColouring::way(const CircuitTree& tree, std::uint32_t ejection) const {
  const Cycle frame = options_.slots;
  Cycle out = timing_.pipeline;
  for (auto e = static_cast<std::int32_t>(ejection); tree.edges[static_cast<std::size_t>(e)].parent >= 0;) {
    e = tree.edges[static_cast<std::size_t>(e)].parent;
    out += frame * ((e == 0 ? 0 : timing_.link()) / frame + 1);
  }
  return out;
}

std::uint32_t CircuitColouring::least_parts(const ColouredCircuits& c) const {
  return slots_needed(c) <= options_.slots ? 1 : (c.colours + options_.slots - 1) / options_.slots;
}

std::uint32_t CircuitColouring::best_parts(const ColouredCircuits& c, std::uint64_t bytes) const {
  const Cycle frame = options_.slots;
  const std::int64_t word = config_.tdm_switch.word_bits();
  const Cycle words = std::max<Cycle>(1, (static_cast<std::int64_t>(bytes) * 8 + word - 1) / word);
  const TdmEndpointsConfig& nodes = config_.endpoints;
  const Cycle beside = frame + c.longest + nodes.send_overhead + nodes.receive_overhead;
  const auto time_of = [&](std::uint32_t parts) {
    const std::uint32_t colours = parts == 1 ? slots_needed(c) : (c.colours + parts - 1) / parts;
    const Cycle slots = options_.slots / colours;
    const Cycle step = (words + slots - 1) / slots * frame + beside;
    return parts * std::max(step, parts == 1 ? 0 : frame * config_.tdm_switch.reconfiguration);
  };
  std::uint32_t best = least_parts(c);
  for (std::uint32_t parts = best + 1; parts <= c.colours; ++parts) {
    if (time_of(parts) < time_of(best)) best = parts;
  }
  return best;
}

}  // namespace weft
