#include "fabrics/tdm/switch_sites.h"

namespace weft {
namespace {

// Port with a link behind it, in a network with adapters.
bool may_have_adapter(const Graph& graph, SwitchId sw, PortId port, const std::vector<Cycle>& adapters) {
  return !adapters.empty() && !graph.is_free({sw, port});
}

}  // namespace

BlockSite make_site(const TdmConfig& config, const Graph& graph, SwitchId sw, const std::vector<Cycle>& adapters) {
  BlockSite site;
  site.sw = sw;
  site.ports = graph.ports(sw);
  site.slots = config.tdm_switch.slots;
  for (PortId p = 0; p < site.ports; ++p) {
    const bool link = graph.peer(sw, p).sw != kNoId;
    site.input_latency.push_back(
        (link ? config.tdm_switch.pipeline + config.tdm_switch.serdes : 0) +
        (may_have_adapter(graph, sw, p, adapters) ? adapters[graph.other_way(graph.out_link(sw, p))] : 0));
  }
  return site;
}

TdmSwitchPorts make_ports(const TdmConfig& config, const Graph& graph, SwitchId sw,
                          const std::vector<Cycle>& adapters) {
  TdmSwitchPorts ports;
  for (PortId p = 0; p < graph.ports(sw); ++p) {
    const bool link = graph.peer(sw, p).sw != kNoId;
    ports.connected.push_back(link || graph.node_at(sw, p) != kNoId);
    ports.output_latency.push_back(config.tdm_switch.pipeline + (link ? config.tdm_switch.serdes : 0));
    ports.adapter.push_back(may_have_adapter(graph, sw, p, adapters) ? adapters[graph.out_link(sw, p)] : 0);
  }
  return ports;
}

HostSite make_host_site(const TdmConfig& config, const Graph& graph, NodeId node, const std::vector<Cycle>& adapters) {
  HostSite site;
  site.node = node;
  site.links = graph.node_links();
  site.slots = config.tdm_switch.slots;
  site.ejection_latency = config.tdm_switch.pipeline;
  if (!adapters.empty()) {
    const PortRef at = graph.attachment(node);
    site.ejection_latency += adapters[graph.out_link(at.sw, at.port)];
  }
  return site;
}

}  // namespace weft
