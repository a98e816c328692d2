// Chordal ring, a kind of network that Weft does not have, and the program `weft` with it: one record and one call.
// Every command then knows `kind: chordal_ring`, and networks of all families are built of it.

#include <weft.h>

#include <string>

#include "network/topology/topologies.h"

namespace {

// Ports of a switch: node, next and previous one on the ring, ends of the chords that begin and end here.
enum Port : weft::PortId { kNode, kNext, kPrevious, kChordOut, kChordIn, kPorts };

weft::TopologySize size_of_ring(const weft::TopologyConfig& config) {
  const std::uint32_t switches = config.number("switches");
  return {.switches = switches, .ports_per_switch = kPorts, .nodes = switches};
}

weft::Graph build_ring(const weft::TopologyConfig& config) {
  const std::uint32_t n = config.number("switches");
  const std::uint32_t chord = config.number("chord");
  // Longer ones are shorter the other way round, and those of n / 2 would join two switches twice.
  if (2 * chord >= n) {
    throw weft::InputError(config.where, "topology.chord: expected less than half of the switches, got '" +
                                             std::to_string(chord) + "' of " + std::to_string(n));
  }
  weft::Graph graph("chordal ring " + std::to_string(n) + ", chords of " + std::to_string(chord));
  for (weft::SwitchId s = 0; s < n; ++s) graph.attach_node({graph.add_switch(kPorts), kNode});
  for (weft::SwitchId s = 0; s < n; ++s) {
    graph.connect({s, kNext}, {(s + 1) % n, kPrevious});
    graph.connect({s, kChordOut}, {(s + chord) % n, kChordIn});
  }
  return graph;
}

}  // namespace

int sc_main(int argc, char** argv) {
  weft::topologies().add(
      {.name = "chordal_ring",
       .meaning = "ring of switches with one node each, and a link from every switch to the one `chord` places on",
       .keys = {{.name = "switches", .meaning = "switches of the ring", .least = 5, .most = 4096},
                {.name = "chord", .meaning = "places that a chord skips", .least = 2, .most = 2047}},
       .size = size_of_ring,
       .build = build_ring,
       .port_name = [](const weft::Graph&, weft::SwitchId, weft::PortId port) -> std::string {
         constexpr const char* kNames[kPorts] = {"", "next", "previous", "chord_out", "chord_in"};
         return kNames[port];
       }});
  return weft::cli::main(argc, argv, weft::cli::builtin_families());
}
