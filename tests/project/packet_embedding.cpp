// A packet network that a program of its own builds and runs with weft::fabrics alone: neither run nor cosim is linked.
// One message crosses a line of three switches; later the link behind the first switch fails and takes another one.

#include <systemc>

#include <cstdio>
#include <memory>
#include <vector>

#include "algorithms/qos/scheduler_factory.h"
#include "algorithms/qos/schedulers.h"
#include "fabrics/packet/packet_link_faults.h"
#include "fabrics/packet/packet_network.h"
#include "network/routing/routing_algorithms.h"
#include "network/routing/shortest_path.h"

namespace {

using namespace weft;

class RoundRobins final : public EgressSchedulerFactory {
 public:
  std::unique_ptr<EgressScheduler> scheduler(const EgressSite&) override {
    return make_scheduler({.type = &kRoundRobinScheduler});
  }
};

// Sends a message of 4 flits from node 0 to node 2 in each of two cycles.
class Source final : public Agent, public PacketObserver {
 public:
  Source(PacketNetwork& network, Cycle first, Cycle second) : network_(network) {
    for (const Cycle at : {first, second}) network.domain().schedule(at, Phase::generate, *this, 0);
  }
  void due(Cycle, std::uint32_t) override { network_.submit(0, 2, 0, 4, 0); }
  void on_deliver(const PacketMessage& m, Cycle now) override { delivered.push_back(now - m.generated); }
  void on_lose(const PacketMessage&, LossCause, Cycle) override { ++lost; }
  std::vector<Cycle> delivered;
  int lost = 0;

 private:
  PacketNetwork& network_;
};

Graph line_of_three() {
  Graph graph("line");
  for (int s = 0; s < 3; ++s) graph.add_switch(3);
  for (SwitchId s = 0; s < 3; ++s) graph.attach_node({s, 0});
  for (SwitchId s = 0; s < 2; ++s) graph.connect({s, 1}, {s + 1, 2});
  return graph;
}

}  // namespace

int sc_main(int, char**) {
  sc_core::sc_report_handler::set_actions("/IEEE_Std_1666/deprecated", sc_core::SC_DO_NOTHING);
  const Graph graph = line_of_three();
  PacketParameters parameters;
  for (BufferShares* shares : {&parameters.input, &parameters.output, &parameters.nic, &parameters.nic_input}) {
    *shares = {.capacity = 16, .minimum = {0}, .maximum = {16}};
  }
  parameters.bubble = {0};
  PacketRoutingOptions options;
  options.routing.algorithm = &kShortestPath;
  const auto routing = make_packet_routing(options, graph);
  Diagnostics diagnostics;
  const LaneTables tables({.levels = {{.lanes = {0}, .channels = {}}}, .channel_lanes = {}, .exceptions = {}}, graph,
                          diagnostics);
  const LaneRouter router(*routing, tables);
  const PortRange cable{.where = {}, .first = 0, .last = 0, .port = 1, .peer = {}, .text = "sw[0].port1"};
  PacketRerouting rerouting(
      {.routing = options, .faults = {{.name = "faults.0", .place = cable, .down = 500, .up = {}}}}, router, graph);
  RoundRobins schedulers;
  ClockDomain clock("clock", Duration{1000});
  PacketNetwork network("packet", clock, graph, parameters, rerouting, schedulers);
  rerouting.attach(network);
  Source source(network, 100, 1000);
  network.add_observer(source);
  sc_core::sc_start(network.domain().time_of(2000));
  network.check_conservation(3000);

  // Out of the NIC and over its link; per switch five stages and a link, each one cycle; the flits behind the head.
  constexpr Cycle kExpected = 2 + 3 * 6 + 3;
  const bool right =
      source.delivered == std::vector<Cycle>{kExpected} && source.lost == 1 && network.outstanding() == 0;
  std::printf("%s\n", right ? "ok" : "wrong");
  return right ? 0 : 1;
}
