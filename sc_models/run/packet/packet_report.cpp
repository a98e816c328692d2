#include "run/packet/packet_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "network/places/port_ranges.h"
#include "observe/columns.h"
#include "observe/vocabulary.h"
#include "run/packet/narrow_counters.h"
#include "run/program_report.h"

namespace weft {

Cycle whole_cycles(const PacketConfig& config, Duration time) {
  return CycleSpan{false, time.ps}.cycles(config.link.period);
}

ReportData packet_report_header(const PacketPlatform& platform) {
  const PacketConfig& c = platform.config();
  ReportData r;
  r.title = c.title;
  r.config_file = c.file;
  r.seed = c.seed;
  if (platform.input_queued()) {
    r.implementation = "input-queued routers: model";
    return r;
  }
  r.implementation = "scheduler " + to_string(c.scheduler);
  if (c.scheduler == SchedulerKind::dtable) {
    r.implementation += ": " + to_string(c.dtable);
    for (const SchedulerInstances& i : c.scheduler_instances) {
      r.implementation += fmt::format("; {}: {}", i.range.text, to_string(i.dtable));
    }
  }
  return r;
}

void add_packet_network(const PacketPlatform& platform, ReportData& report) {
  const PacketConfig& c = platform.config();
  const Graph& g = platform.graph();
  std::int64_t links = 0;
  for (SwitchId s = 0; s < g.switches(); ++s) {
    for (PortId p = 0; p < g.ports(s); ++p) links += g.peer(s, p).sw != kNoId ? 1 : 0;
  }
  namespace v = vocabulary;
  ReportSection network{"network", "Network", {}};
  network.figures = {{v::kTopology, g.name(), true},
                     {{"architecture", "", "of the switches"}, to_string(c.packet_switch.architecture), true},
                     {{"routing", "", "routing algorithm"}, to_string(c.routing.algorithm), true},
                     {{"switches", "1", "packet switches"}, std::int64_t{g.switches()}, true},
                     {v::kNodes, std::int64_t{c.programs.empty() ? g.nodes() : c.endpoints.nodes}, false},
                     {{"nics", "1", "network interfaces"}, std::int64_t{g.nodes()}, true},
                     {{"directed_links", "1", "directed links between switches"}, links, false},
                     {v::kCycle, static_cast<double>(c.link.period.ps) / 1000.0, true},
                     {v::kLinkRate, static_cast<double>(c.link.rate.bits_per_s) / 1e9, false},
                     {{"lanes", "1", "virtual lanes (VLs) in use"}, std::int64_t{c.lanes}, false}};
  report.sections.push_back(std::move(network));
  if (narrow_counters(platform)) report.sections.push_back(narrow_counters_section(platform));
}

PacketRunResult plan_packet(const PacketPlatform& platform) {
  PacketRunResult result;
  result.report = packet_report_header(platform);
  add_packet_network(platform, result.report);
  const PacketConfig& c = platform.config();
  struct Row {
    const LevelConfig& level;
    Cycle latency;
  };
  std::vector<Row> rows;
  for (std::size_t l = 0; l < c.levels.size(); ++l) {
    rows.push_back({c.levels[l], platform.zero_load_latency(static_cast<ServiceLevel>(l), 1)});
  }
  const Columns<Row> columns{
      {vocabulary::kService, [](const Row& r) { return r.level.name; }},
      {{"lane", "", "virtual lane (VL), and its second one with datelines"},
       [](const Row& r) { return fmt::format("{}", fmt::join(r.level.lanes, ", ")); }},
      {{"message", "flits", "size of its messages"}, [](const Row& r) { return r.level.message; }},
      {{"latency_1_switch", "ns", "over one switch when it meets nobody; inside an MPort for opa"},
       [&](const Row& r) { return static_cast<double>(r.latency * c.link.period.ps) / 1000.0; }}};
  if (!c.programs.empty()) result.report.sections.push_back(program_section(c));
  result.report.tables.push_back(make_table(
      {"services", "Service levels", "One line per service level: what is known before the run."}, columns, rows));
  const Cycle window = c.run.until == RunUntil::steady
                           ? whole_cycles(c, c.run.at_most)
                           : whole_cycles(c, c.run.warm_up) + whole_cycles(c, c.run.measure);
  result.report.notes = fault_notes(c.faults, platform.graph(), window + whole_cycles(c, c.run.drain));
  return result;
}

ReportSection program_section(const PacketConfig& config) {
  const EndpointsConfig& e = config.endpoints;
  return program_section(config.programs, {e.nodes, e.send_overhead, e.receive_overhead, config.link.period},
                         {{{"nics_per_node", "1", "that packets of a node take in turn"}, std::int64_t{e.nics}, true},
                          {{"node_rate", "Gb/s", "of all NICs of a node, one direction"},
                           static_cast<double>(config.link.rate.bits_per_s) * e.nics / 1e9,
                           true},
                          {{"packet", "B", "largest packet"},
                           static_cast<std::int64_t>(config.levels[e.sl].message) * config.link.flit.bits / 8,
                           false}});
}

}  // namespace weft
