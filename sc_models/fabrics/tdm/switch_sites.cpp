#include "fabrics/tdm/switch_sites.h"

namespace weft {

BlockSite make_site(const TdmConfig& config, const Graph& graph, SwitchId sw, const std::vector<Cycle>& adapters) {
  BlockSite site;
  site.sw = sw;
  site.ports = graph.ports(sw);
  site.slots = config.tdm_switch.slots;
  for (PortId p = 0; p < site.ports; ++p) {
    const bool link = graph.peer(sw, p).sw != kNoId;
    const bool longer = !adapters.empty() && (link || graph.node_at(sw, p) != kNoId);
    site.input_latency.push_back((link ? config.tdm_switch.pipeline + config.tdm_switch.serdes : 0) +
                                 (longer ? adapters[graph.other_way(graph.out_link(sw, p))] : 0));
  }
  return site;
}

TdmSwitchPorts make_ports(const TdmConfig& config, const Graph& graph, SwitchId sw) {
  TdmSwitchPorts ports;
  for (PortId p = 0; p < graph.ports(sw); ++p) {
    const bool link = graph.peer(sw, p).sw != kNoId;
    ports.connected.push_back(link || graph.node_at(sw, p) != kNoId);
    ports.output_latency.push_back(config.tdm_switch.pipeline + (link ? config.tdm_switch.serdes : 0));
  }
  return ports;
}

}  // namespace weft
