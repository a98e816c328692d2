#pragma once
// A random network of packet switches with random parameters, routing, SL2VL mapping, arbitration tables and messages,
// all from one seed, for comparing models of packet switches message by message. Every case is free of deadlock by
// construction: the paths are those of a tree, up and down in a fat tree, or dimension order in a mesh; in rings and
// tori dimension order with bubble flow control, where VLs share no space; messages of a VL have one size, or take the
// places of its largest.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/qos/deficit_table.h"
#include "fabrics/packet/opa/opa_parameters.h"
#include "network/graph.h"
#include "reference/packet_oracle.h"

namespace weft::test {

struct RandomPacketCase {
  enum class Kind { tree, mesh, ring, fat_tree };
  /// Ports [first, first + count) of a switch, all to the same neighbour.
  struct Trunk {
    PortId first = 0;
    std::uint16_t count = 0;  ///< 0: there is no such neighbour
  };

  std::uint64_t seed = 0;
  std::uint32_t scale = 1;
  Kind kind = Kind::tree;
  Graph graph{"random"};
  PacketParameters parameters;
  std::vector<packet_oracle::OracleMessage> messages;  ///< in the order of their generation
  std::vector<ArbitrationTable> tables;                ///< per link
  std::vector<std::vector<Trunk>> trunks;              ///< [switch][direction]
  std::vector<std::vector<std::uint32_t>> next;        ///< [switch][destination switch]: direction; not in fat trees
  std::vector<std::vector<VirtualLane>> lane;          ///< [switch][SL]: VL of the outputs; row 0 serves the NICs too
  std::uint32_t arity = 0;                             ///< fat trees: k of the k-ary 2-tree
  bool adaptive_up = false;                            ///< fat trees: any up port, not the one that `choice` picks

  PacketHop route(SwitchId at, PortId in, const packet_oracle::OracleMessage& message, VirtualLane arrived_on) const;
  VirtualLane injection_lane(NodeId node, ServiceLevel level) const;
  std::unique_ptr<EgressScheduler> scheduler(LinkId link) const;
  /// Refers to this case, which must live longer.
  packet_oracle::OracleSetup oracle_setup() const;
  std::string describe() const;
};

/// With a `scale` all messages and latencies of stages are so many times as long, so that things are planned far ahead.
RandomPacketCase random_packet_case(std::uint64_t seed, std::uint32_t scale = 1);

}  // namespace weft::test
