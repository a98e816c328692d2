// Parts of the report of a packet network that are known before it runs.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "network/places.h"
#include "network/routing/routing_algorithm.h"
#include "observe/vocabulary.h"
#include "run/adapters_report.h"
#include "run/network_view.h"
#include "run/packet/narrow_counters.h"
#include "run/packet/packet_plan.h"

namespace weft {

ReportData packet_report_header(const PacketPlatform& platform) {
  const PacketConfig& c = platform.config();
  ReportData r;
  r.title = c.title;
  r.config_file = c.file;
  r.seed = c.seed;
  if (platform.architecture().flit_by_flit) {
    const OwnSwitchConfig& own = c.packet_switch.own;
    r.implementation = fmt::format("{}: {}", platform.architecture().routers, to_string(own.router));
    for (const RouterInstances& i : own.router_instances) {
      r.implementation += fmt::format("; {}: {}", text_of(i.range), to_string(i.router));
    }
    return r;
  }
  r.implementation = "scheduler " + std::string(c.scheduler->name);
  if (platform.blocks().scheduler(*c.scheduler)) {
    r.implementation += ": " + to_string(c.scheduler_block);
    for (const PortInstances& i : c.scheduler_instances) {
      r.implementation += fmt::format("; {}: {}", i.range.text, to_string(i.block));
    }
  }
  if (platform.has_rtl_egress_ports()) {
    r.implementation += "; egress ports: " + to_string(c.packet_switch.egress);
    for (const PortInstances& i : c.packet_switch.egress_instances) {
      r.implementation += fmt::format("; {}: {}", i.range.text, to_string(i.block));
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
                     {{"architecture", "", "of the switches"}, std::string(c.packet_switch.architecture->name), true},
                     {{"routing", "", "routing algorithm"}, std::string(c.routing.algorithm->name), true},
                     {{"switches", "1", "packet switches"}, std::int64_t{g.switches()}, true},
                     {v::kNodes, std::int64_t{c.programs.empty() ? g.nodes() : c.endpoints.nodes}, false},
                     {{"nics", "1", "network interfaces"}, std::int64_t{g.nodes()}, true},
                     {{"directed_links", "1", "directed links between switches"}, links, false},
                     {v::kCycle, static_cast<double>(c.link.period.ps) / 1000.0, true},
                     {v::kLinkRate, static_cast<double>(c.link.rate.bits_per_s) / 1e9, false},
                     {{"lanes", "1", "virtual lanes (VLs) in use"}, std::int64_t{c.lanes}, false}};
  add_adapters(platform.adapters(), network);
  report.sections.push_back(std::move(network));
  page_of(report).network = network_view(g);
  if (narrow_counters(platform)) report.sections.push_back(narrow_counters_section(platform));
}

}  // namespace weft
