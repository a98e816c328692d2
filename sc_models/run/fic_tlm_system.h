#pragma once
// A FiC network as a component of somebody else's SystemC design: base-protocol TLM-2.0 sockets at the chosen nodes,
// memory-mapped onto each other through the network.
//
//   weft::FicTlmSystem fic("fic", config, {0, 5});     // bridges at nodes 0 and 5
//   fic.map(0x1000, 4096, 5);                          // 0x1000..0x1fff live at node 5
//   cpu.socket.bind(fic.node(0).initiator_side);
//   fic.node(5).target_side.bind(memory.socket);
//
// The circuits come from the configuration; its `traffic` is not used. Bridges that talk need circuits in both
// directions. Blocks are model, RTL or lockstep as the configuration says.

#include <memory>
#include <systemc>
#include <vector>

#include "config/config.h"
#include "cosim/fic_blocks.h"
#include "fabric/tdm/fic_network.h"
#include "fabric/tdm/tlm_bridge.h"
#include "run/fic_platform.h"

namespace weft {

class FicTlmSystem : public sc_core::sc_module {
 public:
  /// Throws InputError as FicPlatform does, and for nodes that the network does not have or that are named twice.
  FicTlmSystem(sc_core::sc_module_name name, const FicConfig& config, const std::vector<NodeId>& nodes);

  TlmBridge& node(NodeId node) { return bridges_->at(node); }
  void map(sc_dt::uint64 base, sc_dt::uint64 size, NodeId node) { bridges_->map(base, size, node); }
  FicNetwork& network() { return *network_; }
  const FicPlatform& platform() const { return platform_; }

 private:
  FicConfig config_;
  FicPlatform platform_;
  FicBlocks blocks_;
  QueueSupply supply_;
  std::unique_ptr<FicNetwork> network_;
  std::unique_ptr<TlmBridges> bridges_;
};

}  // namespace weft
