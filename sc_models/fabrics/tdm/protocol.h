#pragma once
// Protocol of TDM links, between hosts and switches (kernel/link.h).
//
// One forward call per train (or cut), annotated with the delay from now to the first word's arrival at the receiver.
// There is no backward path, since a TDM circuit has no flow control: the bandwidth of its slots is its own.

#include <tlm>

#include "fabrics/tdm/train.h"
#include "kernel/link.h"

namespace weft {

struct TdmTransfer {
  enum class Kind : std::uint8_t { train, cut } kind = Kind::train;
  Train train;  ///< start: cycle in which the first word arrives at the receiver
  TrainCut cut;
};

struct TdmProtocol {
  using tlm_payload_type = TdmTransfer;
  using tlm_phase_type = tlm::tlm_phase;
  /// By an adapter; a cut has no cycle, it says how many words of its train there are.
  static void delay(TdmTransfer& transfer, Cycle cycles) { transfer.train.start += cycles; }
};

using TdmReceiver = LinkReceiver<TdmProtocol>;
using TdmInPort = LinkInPort<TdmProtocol>;
using TdmOutPort = LinkOutPort<TdmProtocol>;

}  // namespace weft
