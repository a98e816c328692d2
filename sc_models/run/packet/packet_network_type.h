#pragma once
// Networks that packets run on, one record for each kind: switches that grant whole packets, and routers that move
// flits in a network of their own. The record of an architecture says which one its switches stand in
// (fabrics/packet/common/switch_architecture.h); a network of a new kind is a folder beside this file and a line in
// packet_network_types.cpp.

#include <memory>

#include "run/fabric_plan.h"
#include "run/packet/packet_run.h"

namespace weft {

class PacketPlatform;
struct SwitchArchitecture;

/// Packet network of a run with its statistics.
class BuiltPacketNetwork : public BuiltFabric {
 public:
  /// Adds what a run of packets knows beside its report.
  virtual void fill(PacketRunResult& result) const = 0;
};

struct PacketNetworkType {
  bool flit_by_flit;  ///< as the architectures it is for
  std::unique_ptr<BuiltPacketNetwork> (*build)(ClockDomain& domain, const PacketPlatform& platform,
                                               const PacketRunOptions& options, const Part& part);
  /// Throws InputError when its routers in RTL cannot stand for the models. Null: it has none.
  void (*check_routers)(const PacketPlatform& platform) = nullptr;
};

const PacketNetworkType& packet_network_type(const SwitchArchitecture& architecture);

}  // namespace weft
