#pragma once
// Small networks of packet switches for cases that are computed by hand: one end node or more per switch, wide buffers
// and one cycle per stage unless a test says otherwise, VL = SL, and egress schedulers that are easy to follow.

#include <functional>
#include <memory>
#include <vector>

#include "algorithms/qos/deficit_table.h"
#include "fabrics/packet/opa/opa_parameters.h"
#include "reference/packet_oracle.h"

namespace weft::test {

using packet_oracle::OracleMessage;
using packet_oracle::OracleResult;

/// Always the lowest (or the highest) active SL.
class FixedPriority : public EgressScheduler {
 public:
  explicit FixedPriority(bool highest = false) : highest_(highest) {}
  std::optional<ServiceLevel> pick(const EgressView& view) override {
    std::optional<ServiceLevel> found;
    for (ServiceLevel sl = 0; sl < kMaxServiceLevels; ++sl) {
      if (view.is_active(sl) && (highest_ || !found)) found = sl;
    }
    return found;
  }
  void sent(ServiceLevel, const EgressView&) override {}

 private:
  bool highest_;
};

/// Never sends anything.
class Silent : public EgressScheduler {
 public:
  std::optional<ServiceLevel> pick(const EgressView&) override { return std::nullopt; }
  void sent(ServiceLevel, const EgressView&) override {}
};

/// A buffer of `capacity` flits that all VLs share without guarantees.
inline BufferShares shared_by_all(std::uint32_t capacity, std::uint32_t lanes) {
  return {.capacity = capacity, .minimum = std::vector(lanes, 0U), .maximum = std::vector(lanes, capacity)};
}

struct PacketBench {
  explicit PacketBench(Graph network, std::uint32_t lanes = 1) : graph(std::move(network)) {
    parameters.lanes = parameters.levels = lanes;
    for (BufferShares* shares : {&parameters.input, &parameters.output, &parameters.nic, &parameters.nic_input}) {
      *shares = shared_by_all(1000, lanes);
    }
    parameters.bubble.assign(lanes, 0);
  }
  OracleResult run(const std::vector<OracleMessage>& messages, Cycle max_cycles = 100'000) const {
    return run_packet_oracle(
        {.graph = graph,
         .parameters = parameters,
         .route = [this](SwitchId at, PortId in, const OracleMessage& m, VirtualLane) { return route(at, in, m); },
         .injection_lane = [](NodeId, ServiceLevel level) { return VirtualLane{level}; },
         .scheduler = scheduler,
         .stall_after = stall_after},
        messages, max_cycles);
  }

  /// From now on its switches are OPA-like; the parameters of these.
  OpaParameters& opa() {
    parameters.architecture = &kOpaArchitecture;
    if (!parameters.own.has_value()) {
      parameters.own = OpaParameters{.central = shared_by_all(1000, parameters.lanes)};
    }
    return std::any_cast<OpaParameters&>(parameters.own);
  }

  Graph graph;
  PacketParameters parameters;
  std::function<PacketHop(SwitchId, PortId, const OracleMessage&)> route;
  std::function<std::unique_ptr<EgressScheduler>(LinkId)> scheduler = [](LinkId) {
    return std::make_unique<FixedPriority>();
  };
  Cycle stall_after = 20'000;
};

/// One switch with end node n at port n.
inline PacketBench one_switch(NodeId nodes, std::uint32_t lanes = 1) {
  Graph graph("one switch");
  graph.add_switch(static_cast<PortId>(nodes));
  for (PortId p = 0; p < nodes; ++p) graph.attach_node({0, p});
  PacketBench bench(std::move(graph), lanes);
  bench.route = [](SwitchId, PortId, const OracleMessage& m) {
    return PacketHop{.first = static_cast<PortId>(m.destination), .lane = m.level};
  };
  return bench;
}

/// Switches in a row: port 0 has end node s, ports 1 .. trunk lead to switch s + 1, the next ones to switch s - 1.
inline PacketBench chain(SwitchId switches, PortId trunk = 1, bool closed = false) {
  Graph graph("chain");
  for (SwitchId sw = 0; sw < switches; ++sw) {
    graph.add_switch(static_cast<PortId>(1 + 2 * trunk));
    graph.attach_node({sw, 0});
  }
  for (SwitchId sw = 0; sw + (closed ? 0 : 1) < switches; ++sw) {
    for (PortId i = 1; i <= trunk; ++i) {
      graph.connect({sw, i}, {(sw + 1) % switches, static_cast<PortId>(trunk + i)});
    }
  }
  PacketBench bench(std::move(graph));
  bench.route = [trunk](SwitchId at, PortId, const OracleMessage& m) {
    PacketHop hop{.lane = m.level};
    if (m.destination == at) return hop;
    hop.first = m.destination > at ? PortId{1} : static_cast<PortId>(1 + trunk);
    hop.count = trunk;
    return hop;
  };
  return bench;
}

}  // namespace weft::test
