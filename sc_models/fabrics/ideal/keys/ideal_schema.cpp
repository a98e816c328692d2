// The one declaration of every key of an ideal network.

#include "fabrics/ideal/keys/ideal_schema.h"

namespace weft {

Section<RawIdeal> ideal_section(const std::vector<std::string>& fabrics) {
  Section<RawIdeal> s("", "Keys at the top level.");
  declare_head(s, fabrics);
  const Section<RawTopology> topology = topology_section(SwitchingKind::packets);
  s.key("topology", &RawIdeal::topology, topology.type(), optional("ideal.nodes says how many nodes there are"),
        "Network that defines the nodes; its switches and links matter only to patterns such as neighbor.");

  Section<RawIdealPair> pair("pair", "Latency from one node to another.");
  pair.key("from", &RawIdealPair::from, whole<std::uint32_t>(0, 999'999), required(), "Sending node.");
  pair.key("to", &RawIdealPair::to, whole<std::uint32_t>(0, 999'999), required(), "Receiving node.");
  pair.key("latency", &RawIdealPair::latency, cycle_span_type(1), required(), "Instead of ideal.latency.");
  Section<RawIdealNetwork> ideal("ideal", "The network: latencies, and the receiving side of its nodes.");
  ideal.key("nodes", &RawIdealNetwork::nodes, whole<std::uint32_t>(1, 65'535), optional("topology has them"),
            "Number of nodes.");
  ideal.key("latency", &RawIdealNetwork::latency, cycle_span_type(1), by_default("1cycle"),
            "Time from a flit's leaving its source to its arrival, whatever the pair of nodes.");
  ideal.key("pairs", &RawIdealNetwork::pairs, list_of(pair.type(), 0, kAnyCount), by_default("[]"),
            "Pairs of nodes with another latency, later ones win.");
  ideal.key("receivers", &RawIdealNetwork::receivers, choice<IdealReceivers>(), by_default("serial"),
            "serial: a node takes one flit per cycle, as over a link, and others wait; parallel: transfers arrive side "
            "by side.");
  s.section("ideal", &RawIdeal::ideal, ideal);

  Section<RawIdealLink> link("link", "The interfaces of the nodes; the time of one flit is the cycle of the network.");
  link.key("rate", &RawIdealLink::rate, rate_type({1'000'000}, {100'000'000'000'000}), by_default("12.5GB/s"),
           "Bandwidth of a node, each direction.");
  link.key("flit", &RawIdealLink::flit, data_size_type({8}, {8 * 65536}), by_default("64B"),
           "Unit of data. Flit over rate must be whole picoseconds.");
  s.section("link", &RawIdeal::link, link);

  declare_workload(s, NodeRecords::waves);
  return s;
}

}  // namespace weft
