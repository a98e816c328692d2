#pragma once
// Options and result of a run of a packet network.

#include <cstdint>
#include <functional>
#include <systemc>
#include <vector>

#include "fabrics/packet/common/observer.h"
#include "run/run_options.h"

namespace weft {

struct PacketRunOptions : RunOptions {
  std::vector<PacketObserver*> observers;            ///< further observers
  std::function<void(sc_core::sc_module&)> prepare;  ///< called with the network before time begins
};

struct PacketRunResult : RunResult {
  std::uint64_t flit_hops = 0;            ///< flits sent by switch outputs
  std::uint64_t message_hops = 0;         ///< messages sent by them; of iq routers not counted
  std::uint64_t message_allocations = 0;  ///< times the pool of messages grew
};

}  // namespace weft
