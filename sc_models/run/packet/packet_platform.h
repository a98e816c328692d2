#pragma once
// From a checked configuration of a packet network to everything that is fixed before time begins: network, routing,
// VLs, buffer shares, egress schedulers.

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "algorithms/collectives/algorithms.h"
#include "algorithms/qos/scheduler_factory.h"
#include "cosim/packet/packet_rtl.h"
#include "fabrics/packet/common/lane_router.h"
#include "fabrics/packet/common/message_rerouting.h"
#include "fabrics/packet/common/packet_switch.h"
#include "fabrics/packet/keys/packet_config.h"
#include "network/graph.h"
#include "network/routing/packet_routing.h"
#include "workload/stream_sources.h"

namespace weft {

class PacketPlatform {
 public:
  /// Throws InputError for everything that only the network can tell: a routing that does not fit or can deadlock,
  /// buffers smaller than the messages they must take, tables that serve a level never, RTL that is not there or too
  /// small, patterns that do not fit the network, wrong traces. Both must outlive the platform.
  explicit PacketPlatform(const PacketConfig& config,
                          const PacketRtlBlocks& blocks = builtin_blocks<PacketRtlBlocks>());
  PacketPlatform(const PacketPlatform&) = delete;
  PacketPlatform& operator=(const PacketPlatform&) = delete;

  const PacketConfig& config() const { return config_; }
  const PacketRtlBlocks& blocks() const { return blocks_; }
  const Graph& graph() const { return graph_; }
  /// Of the collectives of programs, with the torus of the network.
  collectives::CollectiveAlgorithms algorithms() const;
  const PacketRouting& routing() const { return *routing_; }
  const SwitchArchitecture& architecture() const { return *config_.packet_switch.architecture; }
  /// Parameters of its own that the architecture has. With routers that move flits they alone count, parameters() and
  /// scheduler() do not.
  const std::any& own_parameters() const { return config_.packet_switch.own.parameters; }
  /// Cycles that adapters add to directed links; empty: there are none.
  const std::vector<Cycle>& adapters() const { return parameters_.adapters; }
  const PacketParameters& parameters() const { return parameters_; }
  const SchedulerConfig& scheduler() const { return scheduler_; }

  /// While all links are up.
  const LaneRouter& router() const { return router_; }
  RerouteParameters rerouting() const { return {config_.routing_options(), config_.unroutable, config_.faults}; }
  /// Implementation of the egress scheduler of a switch output, or of a NIC (sw == kNoId).
  const BlockChoice& implementation(const EgressSite& site) const;
  bool has_rtl_schedulers() const;
  /// Implementation of an egress port of a switch.
  const BlockChoice& egress_implementation(SwitchId sw, PortId port) const;
  bool has_rtl_egress_ports() const;
  /// What a block of RTL needs to stand for an egress port; `to_node`: a NIC is behind its link.
  EgressPortNeed egress_need(bool to_node) const;
  /// Implementation of the router of a switch, in networks of routers that move flits.
  const BlockChoice& router_implementation(SwitchId sw) const;
  bool has_rtl_routers() const;
  /// Cycles a message of the level takes over `switches` switches when it meets nobody: the least, when not all ways
  /// through a switch are alike.
  Cycle zero_load_latency(ServiceLevel level, std::uint32_t switches) const;

 private:
  /// `diagnostics`: takes what is wrong with the tables of VLs, so that it is told with everything else.
  PacketPlatform(const PacketConfig& config, const PacketRtlBlocks& blocks, Diagnostics diagnostics);

  void check_endpoints() const;
  void check_algorithms() const;
  void check_deadlock() const;
  const LaneException* exception_at_fault() const;
  /// `open`: no circle has been found; else what is wrong with the routing has been said.
  void check_architecture(bool open) const;
  void set_parameters();
  void set_scheduler();
  void check_weights(Diagnostics& diagnostics) const;
  // RTL of egress schedulers (scheduler_rtl_check.cpp).
  void check_instances(bool scheduler) const;
  /// `call`: makes a block that does; may be empty.
  void report(const SchedulerRtlLimit& limit, const std::string& call, Diagnostics& diagnostics) const;
  // RTL of egress ports (egress_rtl_check.cpp).
  void check_egress_ports(bool scheduler) const;
  void report(const EgressPortLimit& limit, bool to_node, const std::string& call, Diagnostics& diagnostics) const;
  bool bubbles() const;
  bool relies_on_lanes() const;
  // The buffers (packet_buffers.cpp). `wrong`: VLs of which something wrong has been said.
  struct Buffer;
  std::uint32_t minimum(std::uint32_t lane) const;
  std::uint32_t excess(std::uint32_t lane) const;
  std::string flits_text(std::uint64_t flits) const;
  void check_lane_space(std::set<std::uint32_t>& wrong, Diagnostics& diagnostics) const;
  void too_large_minima(const Buffer& buffer, std::set<std::uint32_t>& wrong, Diagnostics& diagnostics) const;
  BufferShares shares(const Buffer& buffer, std::set<std::uint32_t>& wrong, Diagnostics& diagnostics) const;
  void set_buffers(Diagnostics& diagnostics);

  const PacketConfig& config_;
  const PacketRtlBlocks& blocks_;
  Graph graph_;
  std::unique_ptr<PacketRouting> routing_;
  LaneTables tables_;
  LaneRouter router_;
  std::vector<std::uint32_t> largest_;  // per VL: its largest message
  PacketParameters parameters_;
  SchedulerConfig scheduler_;
};

/// Traffic of a configuration, as sources see it.
TrafficConfig traffic_of(const PacketConfig& config);

}  // namespace weft
