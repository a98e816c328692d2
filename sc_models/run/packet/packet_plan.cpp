#include "run/packet/packet_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "fabrics/packet/switch_architectures.h"
#include "network/places.h"
#include "network/routing/routing_algorithm.h"
#include "observe/columns.h"
#include "observe/vocabulary.h"
#include "parallel/joined_switches.h"
#include "run/adapters_report.h"
#include "run/packet/built_packet.h"
#include "run/packet/narrow_counters.h"
#include "run/packet/packet_network_type.h"
#include "run/packet/packet_system.h"
#include "run/program_report.h"
#include "run/simulation.h"
#include "run/simulation_report.h"
#include "run/waves/rank_wave_file.h"

namespace weft {
namespace {

// Messages of a level from one NIC to another stay in order when they have one path: one route, and one way through
// each switch. Links that fail change that where others may be taken instead: what waits for such a link is overtaken.
bool keeps_order(const PacketPlatform& platform) {
  const bool others = platform.config().routing.algorithm->detours != nullptr || platform.routing().any_parallel_link();
  if (!platform.config().faults.empty() && others) return false;
  const auto own = platform.architecture().keeps_order;
  return platform.routing().single_path() && (own == nullptr || own(platform.own_parameters()));
}

// A node with all its NICs is on one rank.
std::vector<SwitchId> joined_by_nodes(const PacketPlatform& platform) {
  const PacketConfig& c = platform.config();
  return joined_switches(platform.graph(), c.programs.empty() ? 1 : c.endpoints.nics);
}

Workload workload_of(const PacketPlatform& platform) {
  const PacketConfig& c = platform.config();
  Workload w;
  w.traffic = traffic_of(c);
  w.run = c.run;
  w.message_log = c.message_log;
  w.profile = c.profile;
  w.wave_trigger = c.waves.times.trigger;
  w.wave_transfers = c.waves.times.transfers;
  const EndpointsConfig& e = c.endpoints;
  w.programs = {e.where,         c.programs,
                e.nodes,         e.sl,
                e.send_overhead, e.receive_overhead,
                e.combine,       static_cast<std::uint64_t>(c.link.flit.bits + 7) / 8 * 8 * e.nics};
  w.programs.algorithms = platform.algorithms();
  return w;
}

// NIC 2 d of a node is that of its link to the next node in dimension d, 2 d + 1 that of the link to the one before.
// Routes take the dimensions in the order of the routing, so the first one of it in which two nodes differ says by
// which link a message leaves, and the last one by which it arrives.
std::function<std::pair<std::uint32_t, std::uint32_t>(NodeId, NodeId)> nics_by_link(const GridShape& grid,
                                                                                    std::vector<std::uint32_t> order) {
  if (order.empty()) {
    order.resize(grid.dims.size());
    std::iota(order.begin(), order.end(), 0U);
  }
  std::vector<std::uint32_t> strides(1, 1);
  for (const std::uint32_t n : grid.dims) strides.push_back(strides.back() * n);
  return [grid, order, strides](NodeId from, NodeId to) {
    std::optional<std::uint32_t> leaves;
    std::uint32_t arrives = 0;
    for (const std::uint32_t d : order) {
      const std::uint32_t n = grid.dims[d];
      const std::uint32_t x = from / strides[d] % n;
      const std::uint32_t y = to / strides[d] % n;
      if (x == y) continue;
      const bool forward = grid.torus ? (y + n - x) % n <= n / 2 : y > x;
      if (!leaves) leaves = 2 * d + (forward ? 0 : 1);
      arrives = 2 * d + (forward ? 1 : 0);
    }
    return std::pair(leaves.value_or(0), arrives);
  };
}

}  // namespace

PacketFabricOptions fabric_options(const PacketPlatform& platform) {
  const PacketConfig& c = platform.config();
  PacketFabricOptions out;
  out.nics = c.programs.empty() ? 1 : c.endpoints.nics;
  if (c.endpoints.spread == NicSpread::links) out.nics_of = nics_by_link(platform.graph().grid(), c.routing.order);
  out.nodes = platform.graph().nodes() / out.nics;
  out.flit_bits = static_cast<std::uint64_t>(c.link.flit.bits);
  out.pipeline = c.packet_switch.output;
  out.watchdog_interval = watchdog_interval(platform);
  out.ordered = keeps_order(platform);
  for (const LevelConfig& l : c.levels) out.services.push_back({l.bytes(), l.message, l.packet});
  return out;
}

PacketPlan::PacketPlan(const PacketConfig& config, const BlockCatalog& blocks)
    : own_platform_(std::make_unique<PacketPlatform>(config, blocks.packet)),
      platform_(*own_platform_),
      options_(own_options_),
      workload_(workload_of(platform_)) {
  check_waves(workload_, workload_.traffic, fabric_options(platform_).nodes);
}

PacketPlan::PacketPlan(const PacketPlatform& platform, const PacketRunOptions& options)
    : platform_(platform), options_(options), workload_(workload_of(platform)) {}

std::vector<Diagnostic> PacketPlan::warnings() const { return narrow_counters_warnings(platform_); }

ReportData PacketPlan::header() const {
  ReportData report = packet_report_header(platform_);
  add_packet_network(platform_, report);
  return report;
}

std::vector<Figure> PacketPlan::program_links() const {
  const PacketConfig& c = platform_.config();
  const EndpointsConfig& e = c.endpoints;
  return {{{"nics_per_node", "1", "of a node"}, std::int64_t{e.nics}, true},
          {{"node_rate", "Gb/s", "of all NICs of a node, one direction"},
           static_cast<double>(c.link.rate.bits_per_s) * e.nics / 1e9,
           true},
          {{"packet", "B", "largest packet"},
           static_cast<std::int64_t>(c.levels[e.sl].packet) * c.link.flit.bits / 8,
           false}};
}

std::string PacketPlan::undivided(const RunOptions& options) const {
  const PacketConfig& c = platform_.config();
  if (options.ranks != nullptr && options.ranks->size() > graph().switches()) {
    return fmt::format("a network cannot be cut into more parts than switches ({})", graph().switches());
  }
  if (narrow_counters(platform_)) return "counters of limited width ('qos.dtable') are simulated by one process";
  if (platform_.has_rtl_schedulers()) {
    return fmt::format("RTL in the loop ('qos.{}') is simulated by one process", c.scheduler->name);
  }
  if (platform_.has_rtl_routers()) {
    return fmt::format("routers in RTL ('switch.{}') are simulated by one process", platform_.architecture().section);
  }
  const RankId most = most_parts(joined_by_nodes(platform_));
  if (options.ranks != nullptr && options.ranks->size() > most) {
    return fmt::format(
        "nodes with NICs at several switches ('endpoints.nics') are on one rank with all of these: here the network "
        "has "
        "at most {} {}",
        most, most == 1 ? "part" : "parts");
  }
  return options.waves.empty() ? std::string() : undivided_waves(workload_);
}

Part PacketPlan::part(Ranks& ranks) const {
  return {&ranks, cut_network(graph(), ranks.size(), joined_by_nodes(platform_))};
}

std::unique_ptr<BuiltFabric> PacketPlan::build(ClockDomain& domain, const Part& part) const {
  return packet_network_type(platform_.architecture()).build(domain, platform_, options_, part);
}

RunResult PacketPlan::run(const RunOptions& options) const {
  RunResult result = simulate(*this, options);
  result.notes = {{"report.json, *.csv", workload_.has_programs()
                                             ? "for programs: operations, nodes, instructions, links"
                                             : "for programs: levels, latency histogram, links"}};
  return result;
}

RunResult PacketPlan::known() const {
  RunResult result;
  result.report = header();
  const PacketConfig& c = platform_.config();
  struct Row {
    const LevelConfig& level;
    Cycle latency;
  };
  std::vector<Row> rows;
  for (std::size_t l = 0; l < c.levels.size(); ++l) {
    rows.push_back({c.levels[l], platform_.zero_load_latency(static_cast<ServiceLevel>(l), 1)});
  }
  const Columns<Row> columns{
      {vocabulary::kService, [](const Row& r) { return r.level.name; }},
      {{"lane", "", "virtual lanes (VLs), one for each lane class of the routing"},
       [](const Row& r) { return fmt::format("{}", fmt::join(r.level.lanes, ", ")); }},
      {{"message", "flits", "size of its messages"}, [](const Row& r) { return r.level.message; }},
      {{"packet", "flits", "largest packet that they are cut into"}, [](const Row& r) { return r.level.packet; }},
      {{"latency_1_switch", "ns", "over one switch without contention" + other_crossings("; {1} for {0}")},
       [&](const Row& r) { return static_cast<double>(r.latency * c.link.period.ps) / 1000.0; }}};
  if (workload_.has_programs()) result.report.sections.push_back(program_section(*this));
  result.report.tables.push_back(make_table(
      {"services", "Service levels", "One line per service level: values known before the run."}, columns, rows));
  add_adapters(c.adapters, platform_.graph(), c.link.period, result.report);
  const auto cycles = [&](Duration time) { return whole_cycles(time, c.link.period); };
  const Cycle window =
      c.run.until == RunUntil::steady ? cycles(c.run.at_most) : cycles(c.run.warm_up) + cycles(c.run.measure);
  result.report.notes = fault_notes(c.faults, platform_.graph(), window + cycles(c.run.drain));
  return result;
}

PacketRunResult run_packet(const PacketPlatform& platform, const PacketRunOptions& options) {
  const PacketPlan plan(platform, options);
  PacketRunResult result;
  static_cast<RunResult&>(result) = simulate(plan, options, [&](BuiltFabric& built) {
    if (const auto* network = dynamic_cast<BuiltPacketNetwork*>(&built)) network->fill(result);
  });
  return result;
}

RunResult plan_packet(const PacketPlatform& platform) {
  const PacketRunOptions options;
  return PacketPlan(platform, options).known();
}

}  // namespace weft
