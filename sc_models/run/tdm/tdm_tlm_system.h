#pragma once
// A FiC network as a component of somebody else's SystemC design: base-protocol TLM-2.0 sockets at the chosen nodes,
// memory-mapped onto each other through the network.
//
//   weft::TdmTlmSystem tdm("tdm", config, {0, 5});     // bridges at nodes 0 and 5
//   tdm.map(0x1000, 4096, 5);                          // 0x1000..0x1fff live at node 5
//   cpu.socket.bind(tdm.node(0).initiator_side);
//   tdm.node(5).target_side.bind(memory.socket);
//
// The circuits come from the configuration; its `sources` are not used. Bridges that talk need circuits in both
// directions. Blocks are model, RTL or lockstep as the configuration says.

#include <memory>
#include <systemc>
#include <vector>

#include "cosim/tdm/tdm_blocks.h"
#include "fabrics/tdm/keys/tdm_config.h"
#include "fabrics/tdm/tdm_network.h"
#include "fabrics/tdm/tlm_bridge.h"
#include "kernel/clock_domain.h"
#include "run/tdm/tdm_platform.h"

namespace weft {

class TdmTlmSystem : public sc_core::sc_module {
 public:
  /// Throws InputError as TdmPlatform does, and for nodes that the network does not have or that are named twice.
  TdmTlmSystem(sc_core::sc_module_name name, const TdmConfig& config, const std::vector<NodeId>& nodes);

  TlmBridge& node(NodeId node) { return bridges_->at(node); }
  void map(sc_dt::uint64 base, sc_dt::uint64 size, NodeId node) { bridges_->map(base, size, node); }
  TdmNetwork& network() { return *network_; }
  const TdmPlatform& platform() const { return platform_; }

 private:
  TdmConfig config_;
  TdmPlatform platform_;
  TdmBlocks blocks_;
  QueueSupply supply_;
  ClockDomain domain_;
  std::unique_ptr<TdmNetwork> network_;
  std::unique_ptr<TlmBridges> bridges_;
};

}  // namespace weft
