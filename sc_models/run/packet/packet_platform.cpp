#include "run/packet/packet_platform.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/diagnostics.h"
#include "base/resource_need.h"
#include "network/places.h"
#include "network/routing/deadlock_check.h"
#include "network/routing/routing_algorithms.h"
#include "network/topology/build_topology.h"
#include "run/packet/packet_network_type.h"
#include "workload/program_schema.h"

namespace weft {
namespace {

LaneParameters lane_parameters(const PacketConfig& c) {
  LaneParameters p;
  p.channels = c.packet_switch.architecture->vocabulary == LaneVocabulary::channels;
  p.classes = c.lane_classes;
  for (const LevelConfig& l : c.levels) p.levels.push_back({l.lanes, l.channels});
  p.channel_lanes = c.channel_lanes;
  p.exceptions = c.lane_maps;
  return p;
}

ArbitrationTable table_of(const std::vector<TableEntryConfig>& entries) {
  ArbitrationTable out;
  for (const TableEntryConfig& e : entries) out.push_back({static_cast<ServiceLevel>(e.sl), e.weight});
  return out;
}

Graph packet_graph(const PacketConfig& config) {
  Graph graph = build_topology(config.topology);
  if (!config.programs.empty() && config.endpoints.nics > 1) graph.name_nodes_nics();
  return graph;
}

}  // namespace

PacketPlatform::PacketPlatform(const PacketConfig& config, const PacketRtlBlocks& blocks)
    : PacketPlatform(config, blocks, Diagnostics()) {}

PacketPlatform::PacketPlatform(const PacketConfig& config, const PacketRtlBlocks& blocks, Diagnostics diagnostics)
    : config_(config),
      blocks_(blocks),
      graph_(packet_graph(config)),
      routing_(make_packet_routing(config.routing_options(), graph_)),
      tables_(lane_parameters(config), graph_, diagnostics),
      router_(*routing_, tables_),
      largest_(config.lanes) {
  for (SwitchId s = 0; s < graph_.switches(); ++s) {
    if (graph_.ports(s) > kMaxPacketPorts) {
      throw InputError(config.topology.where, fmt::format("switch {} has {} ports, packet switches have at most {}", s,
                                                          graph_.ports(s), kMaxPacketPorts));
    }
  }
  const bool routed =
      diagnostics.ok() && (config.deadlock_check || architecture().flit_by_flit);  // there are routes to check
  const bool open = !routed || passes([&] { check_deadlock(); }, diagnostics);
  for (std::size_t l = 0; l < config.levels.size(); ++l) {
    for (const std::uint32_t v : tables_.lanes_of(static_cast<ServiceLevel>(l))) {
      largest_[v] = std::max(largest_[v], config.levels[l].packet);
    }
  }
  const bool fits = passes([&] { check_architecture(open); }, diagnostics);
  const auto check_routers = packet_network_type(architecture()).check_routers;
  if (check_routers != nullptr && fits) passes([&] { check_routers(*this); }, diagnostics);
  if (!architecture().flit_by_flit) {
    passes([&] { set_parameters(); }, diagnostics);
    const bool scheduler = passes([&] { set_scheduler(); }, diagnostics);
    passes([&] { check_instances(scheduler); }, diagnostics);
    passes([&] { check_egress_ports(scheduler); }, diagnostics);
  }
  passes([&] { check_sources(traffic_of(config), graph_, "NIC"); }, diagnostics);
  passes([&] { check_endpoints(); }, diagnostics);
  const std::size_t before = diagnostics.errors();
  check_adapters(config.adapters, graph_, diagnostics);
  if (diagnostics.errors() == before) parameters_.adapters = adapter_delays(config.adapters, graph_);
  check_faults(config.faults, graph_, diagnostics);
  for (std::size_t i = 0; i < config.waves.places.size(); ++i) {
    const PortRange& r = config.waves.places[i];
    if (const std::string problem = range_problem(r, graph_); !problem.empty()) {
      diagnostics.error(r.where, fmt::format("observe.waves.switches.{}: {}", i, problem));
    }
  }
  diagnostics.sort();
  diagnostics.throw_if_errors();
}

// Topologies from files say here how many nodes they have. Messages are cut into packets.
void PacketPlatform::check_endpoints() const {
  const EndpointsConfig& e = config_.endpoints;
  if (config_.programs.empty()) return;
  if (graph_.nodes() == e.nodes * e.nics) {
    const auto packet = static_cast<std::uint64_t>(config_.levels[e.sl].packet) *
                        static_cast<std::uint64_t>(config_.link.flit.bits) / 8;
    check_algorithms();
    return need_program_memory(
        config_.programs, [&](std::uint64_t bytes) { return std::max<std::uint64_t>(1, bytes / packet); },
        algorithms());
  }
  throw InputError(e.where, fmt::format("the programs are written for {} nodes with {} NICs each, the network has {} "
                                        "NICs",
                                        e.nodes, e.nics, graph_.nodes()));
}

collectives::CollectiveAlgorithms PacketPlatform::algorithms() const {
  collectives::CollectiveAlgorithms out = config_.endpoints.algorithms;
  const GridShape& grid = graph_.grid();
  if (grid.torus && grid.nodes_per_switch == config_.endpoints.nics) out.torus = grid.dims;
  return out;
}

void PacketPlatform::check_algorithms() const {
  Diagnostics diagnostics;
  const EndpointsConfig& e = config_.endpoints;
  const GridShape& grid = graph_.grid();
  const bool nic_per_link = !grid.dims.empty() && grid.nodes_per_switch == e.nics && e.nics == 2 * grid.dims.size();
  if (e.spread == NicSpread::links && !nic_per_link) {
    diagnostics.error(e.spread_where,
                      "endpoints.spread: 'links' is for meshes and tori with two NICs per dimension on "
                      "each switch ('nics' and 'nodes_per_switch'), all of one node");
  }
  if (e.spread == NicSpread::links && !config_.routing.algorithm->takes_order) {
    diagnostics.error(
        e.spread_where,
        fmt::format(
            "endpoints.spread: 'links' needs a routing.algorithm that takes the dimensions in order, which says by "
            "which link a message leaves, it is '{}'",
            config_.routing.algorithm->name));
  }
  weft::check_algorithms(config_.programs, algorithms(), diagnostics);
  diagnostics.sort();
  diagnostics.throw_if_errors();
}

void PacketPlatform::check_deadlock() const {
  need_seconds(deadlock_check_seconds(*routing_, graph_, tables_.uniform() ? 0 : tables_.levels()),
               config_.topology.where,
               fmt::format("looking for deadlocks on {} with {} switches", graph_.name(), graph_.switches()));
  const std::string cycle =
      tables_.uniform() ? find_deadlock(*routing_, graph_) : find_deadlock(*routing_, graph_, tables_);
  if (cycle.empty()) return;
  const std::string circle = "messages can wait for each other in a cycle: " + cycle;
  const LaneException* map = exception_at_fault();
  if (map != nullptr) {
    throw InputError(map->at.where, fmt::format("{}: with this exception {}", map->key, circle));
  }
  const Topology& kind = *config_.topology.kind;
  const std::string& advice =
      architecture().flit_by_flit && !kind.wormhole_advice.empty() ? kind.wormhole_advice : kind.deadlock_advice;
  throw InputError(config_.routing.where,
                   fmt::format("routing: {}; {}", circle,
                               tables_.uniform() ? advice : "the exceptions in qos.lane_maps do not prevent it"));
}

// Precondition: there is a circle. The exception with which those up to it close one and those before it do not;
// nothing when there is one without any.
const LaneException* PacketPlatform::exception_at_fault() const {
  if (tables_.uniform() || !find_deadlock(*routing_, graph_).empty()) return nullptr;
  std::size_t open = 0;
  std::size_t closed = config_.lane_maps.size();
  while (closed - open > 1) {
    const std::size_t half = open + (closed - open) / 2;
    LaneParameters some = tables_.parameters();
    some.exceptions.resize(half);
    Diagnostics told;
    const bool circle = !find_deadlock(*routing_, graph_, LaneTables(some, graph_, told)).empty();
    (circle ? closed : open) = half;
  }
  return &config_.lane_maps[closed - 1];
}

void PacketPlatform::check_architecture(bool open) const {
  if (architecture().check == nullptr) return;
  Diagnostics diagnostics;
  architecture().check(config_.packet_switch.own,
                       {*routing_, graph_, config_.topology.where, config_.routing.where, config_.ring_where,
                        config_.link.delay_where, config_.link.credit_delay_where, open},
                       diagnostics);
  diagnostics.sort();
  diagnostics.throw_if_errors();
}

void PacketPlatform::set_parameters() {
  const PacketSwitchConfig& s = config_.packet_switch;
  PacketParameters& p = parameters_;
  p.architecture = s.architecture;
  p.own = s.own.parameters;
  p.lanes = config_.lanes;
  p.levels = static_cast<std::uint32_t>(config_.levels.size());
  p.stages = {s.input, s.routing, s.allocation, s.crossbar, s.output, config_.link.delay, config_.link.credit_delay};
  p.crossbar_rate = s.crossbar_rate;
  p.iterations = s.iterations;
  p.lane_pointer = s.lane_pointer;
  p.trunk = config_.trunk;
  Diagnostics diagnostics;
  set_buffers(diagnostics);
  diagnostics.throw_if_errors();
}

void PacketPlatform::set_scheduler() {
  scheduler_.type = config_.scheduler;
  scheduler_.table = table_of(config_.table);
  scheduler_.counter_bits = config_.counter_bits;
  scheduler_.high = table_of(config_.high);
  scheduler_.low = table_of(config_.low);
  scheduler_.limit_of_high_priority = config_.limit_of_high_priority;
  std::vector<ServiceLevel> order(config_.levels.size());
  std::iota(order.begin(), order.end(), ServiceLevel{0});
  std::stable_sort(order.begin(), order.end(), [&](ServiceLevel a, ServiceLevel b) {
    return config_.levels[a].priority < config_.levels[b].priority;
  });
  scheduler_.order = order;
  for (const LevelConfig& l : config_.levels) {
    scheduler_.quanta.push_back(l.quantum);
    scheduler_.shares.push_back(l.share);
  }
  Diagnostics diagnostics;
  for (const std::string& error : scheduler_errors(scheduler_)) {
    diagnostics.error(config_.scheduler_where, fmt::format("qos.scheduler {}: {}", config_.scheduler->name, error));
  }
  diagnostics.throw_if_errors();
  const std::uint32_t served = served_levels(scheduler_);
  const auto largest = largest_message(scheduler_);
  for (std::size_t l = 0; l < config_.levels.size(); ++l) {
    const LevelConfig& level = config_.levels[l];
    if ((served >> l & 1U) == 0) {
      diagnostics.error(level.where, fmt::format("qos.levels.{}: no entry of positive weight serves this level, its "
                                                 "messages would wait forever",
                                                 level.name));
    }
    if (largest && level.packet > *largest) {
      diagnostics.error(
          level.where, fmt::format("qos.levels.{}: a message of {} flits never fits in counters of {} bits", level.name,
                                   level.packet, config_.counter_bits));
    }
  }
  check_weights(diagnostics);
  diagnostics.throw_if_errors();
}

// What an entry gives beyond the width of the counters would be lost in every round: the table would not give the
// shares it says. The same for the model and the RTL.
void PacketPlatform::check_weights(Diagnostics& diagnostics) const {
  if (scheduler_.type != &kDtableScheduler || scheduler_.counter_bits == 0) return;
  const std::uint64_t most = (std::uint64_t{1} << scheduler_.counter_bits) - 1;
  for (std::size_t i = 0; i < config_.table.size(); ++i) {
    const TableEntryConfig& e = config_.table[i];
    if (e.weight <= most) continue;
    diagnostics.error(e.weight_where,
                      fmt::format("qos.dtable.table.{}.weight: weight {} does not fit in counters of {} bits "
                                  "(qos.dtable.counter_bits), at most {}; give the level several entries",
                                  i, e.weight, scheduler_.counter_bits, most));
  }
}

const BlockChoice& PacketPlatform::implementation(const EgressSite& site) const {
  const bool nic = site.sw == kNoId;
  const std::uint32_t number = nic ? site.node : site.sw;
  const BlockChoice* out = &config_.scheduler_block;
  for (const PortInstances& i : config_.scheduler_instances) {
    const PortRange& r = i.range;
    if (r.nic == nic && number >= r.first && number <= r.last && (!r.port || *r.port == site.port)) out = &i.block;
  }
  return *out;
}

bool PacketPlatform::has_rtl_schedulers() const {
  const auto in_rtl = [](const PortInstances& i) { return !i.block.is_model(); };
  return !config_.scheduler_block.is_model() ||
         std::any_of(config_.scheduler_instances.begin(), config_.scheduler_instances.end(), in_rtl);
}

Cycle PacketPlatform::zero_load_latency(ServiceLevel level, std::uint32_t switches) const {
  const std::uint32_t flits = config_.levels[level].message;
  if (architecture().zero_load_latency != nullptr) {
    return architecture().zero_load_latency(own_parameters(), switches, flits);
  }
  const StageLatencies& s = parameters_.stages;
  const Cycle hop = s.input + s.routing + s.allocation + s.crossbar + s.output + s.link;
  return s.output + s.link + static_cast<Cycle>(switches) * hop + flits - 1;
}

TrafficConfig traffic_of(const PacketConfig& c) {
  TrafficConfig t;
  t.seed = c.seed;
  t.period = c.link.period;
  t.services.assign(c.levels.begin(), c.levels.end());
  t.streams = c.streams;
  t.trace = c.trace;
  t.trace_where = c.trace_where;
  return t;
}

const BlockChoice& PacketPlatform::router_implementation(SwitchId sw) const {
  const OwnSwitchConfig& own = config_.packet_switch.own;
  const BlockChoice* out = &own.router;
  for (const RouterInstances& i : own.router_instances) {
    if (sw >= i.range.first && sw <= i.range.last) out = &i.router;
  }
  return *out;
}

bool PacketPlatform::has_rtl_routers() const {
  for (SwitchId s = 0; s < graph_.switches(); ++s) {
    if (!router_implementation(s).is_model()) return true;
  }
  return false;
}

}  // namespace weft
