#pragma once
// Options and result of a run of a packet network.

#include <cstdint>
#include <functional>
#include <vector>

#include "fabrics/packet/common/observer.h"
#include "run/run_options.h"

namespace weft {

class IqNetwork;
class PacketNetwork;

struct PacketRunOptions : RunOptions {
  std::vector<PacketObserver*> observers;       ///< further observers
  std::function<void(PacketNetwork&)> prepare;  ///< called with the network before time begins
  std::function<void(IqNetwork&)> prepare_iq;   ///< the same for input-queued routers
};

struct PacketRunResult : RunResult {
  std::uint64_t flit_hops = 0;            ///< flits sent by switch outputs
  std::uint64_t message_hops = 0;         ///< messages sent by them
  std::uint64_t message_allocations = 0;  ///< times the pool of messages grew
};

}  // namespace weft
