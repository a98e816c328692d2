#pragma once
// Protocol of links (kernel/link.h) between input-queued routers and their NICs: one call per flit forward, one per
// credit backward.

#include <cstdint>
#include <tlm>

#include "fabrics/packet/common/message.h"
#include "kernel/link.h"

namespace weft {

/// A flit of a packet in one word: the packet's address, plus 1 for the head and 2 for the tail.
class IqFlit {
 public:
  IqFlit() = default;
  IqFlit(PacketMessage& message, bool head, bool tail)
      : word_(reinterpret_cast<char*>(&message) + (head ? 1 : 0) + (tail ? 2 : 0)) {}
  bool empty() const { return word_ == nullptr; }
  PacketMessage& message() const { return *reinterpret_cast<PacketMessage*>(word_ - marks()); }
  bool head() const { return (marks() & 1) != 0; }
  bool tail() const { return (marks() & 2) != 0; }
  /// One of two without a branch, where the processor cannot predict which.
  static IqFlit select(bool first, IqFlit a, IqFlit b) {
    const std::uintptr_t mask = -std::uintptr_t{first};
    a.word_ = reinterpret_cast<char*>((reinterpret_cast<std::uintptr_t>(a.word_) & mask) |
                                      (reinterpret_cast<std::uintptr_t>(b.word_) & ~mask));
    return a;
  }

 private:
  static_assert(alignof(PacketMessage) >= 4);
  std::uintptr_t marks() const { return reinterpret_cast<std::uintptr_t>(word_) & 3; }
  char* word_ = nullptr;
};

struct IqTransfer {
  IqFlit flit;         ///< forward
  Cycle at = 0;        ///< forward: the flit arrives; backward: the sender can use the place
  VirtualLane vc = 0;  ///< of the link, either way
};

struct IqProtocol {
  using tlm_payload_type = IqTransfer;
  using tlm_phase_type = tlm::tlm_phase;
  /// By an adapter.
  static void delay(IqTransfer& transfer, Cycle cycles) { transfer.at += cycles; }
};

using IqReceiver = LinkReceiver<IqProtocol>;
using IqSender = LinkSender<IqProtocol>;
using IqInPort = LinkInPort<IqProtocol>;
using IqOutPort = LinkOutPort<IqProtocol>;

}  // namespace weft
