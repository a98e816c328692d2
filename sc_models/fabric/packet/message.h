#pragma once
// Messages of packet networks and the pool they live in. A message is routed as a whole (virtual cut-through), so it is
// the unit of every event; where its flits are follows from its cycles. Queues are linked through the messages
// themselves, and the pool reuses what was delivered: once a run is warm, nothing is allocated.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/ids.h"
#include "base/prefetch.h"
#include "base/units.h"
#include "fabric/packet/parameters.h"

namespace weft {

/// What every hop needs comes first, in one line of the cache.
struct alignas(64) PacketMessage {
  PacketMessage* next = nullptr;
  Cycle ready = 0;  ///< from this cycle on the next stage may take it
  Cycle head = 0;   ///< first flit is in the present buffer
  NodeId source = kNoId;
  NodeId destination = kNoId;
  std::uint32_t flits = 0;
  std::uint32_t choice = 0;    ///< random number of its source, for routing with a choice
  std::uint32_t sequence = 0;  ///< in order of generation in the network
  PacketHop hop;               ///< where it may leave the switch it is in
  VirtualLane lane = 0;        ///< VL of the link it is on, or came by
  ServiceLevel level = 0;
  std::uint8_t lane_class = 0;  ///< of the routing, on that link
  std::uint8_t channel = 0;     ///< OPA: its service channel (SC) on that link
  Cycle generated = 0;          ///< handed to the NIC by its source
  Cycle sent = 0;               ///< first flit on the link of its NIC
};
static_assert(offsetof(PacketMessage, generated) <= 64);

/// First in, first out; linked through PacketMessage::next.
class MessageQueue {
 public:
  bool empty() const { return first_ == nullptr; }
  PacketMessage* front() const { return first_; }
  void push(PacketMessage& m) {
    m.next = nullptr;
    (first_ == nullptr ? first_ : last_->next) = &m;
    last_ = &m;
  }
  /// Flits of all messages in it.
  std::int64_t flits() const {
    std::int64_t sum = 0;
    for (const PacketMessage* m = first_; m != nullptr; m = m->next) sum += m->flits;
    return sum;
  }
  PacketMessage& pop() {
    PacketMessage& m = *first_;
    first_ = m.next;
    return m;
  }
  /// Brings the first message into the cache.
  void fetch_front() const { prefetch(first_, first_ + 1); }

 private:
  PacketMessage* first_ = nullptr;
  PacketMessage* last_ = nullptr;
};

class MessagePool {
 public:
  /// The one given back last, which is most likely still in the cache.
  PacketMessage& take() {
    if (free_ == nullptr) grow();
    PacketMessage& m = *free_;
    free_ = m.next;
    m = PacketMessage{};
    ++in_use_;
    return m;
  }
  void give_back(PacketMessage& m) {
    link(m);
    --in_use_;
  }
  std::uint64_t in_use() const { return in_use_; }
  /// Times memory was allocated; constant once the run is warm.
  std::uint64_t allocations() const { return blocks_.size(); }

 private:
  void grow() {
    constexpr std::size_t kBlock = 1024;
    blocks_.push_back(std::make_unique<PacketMessage[]>(kBlock));
    for (std::size_t i = kBlock; i-- > 0;) link(blocks_.back()[i]);
  }
  void link(PacketMessage& m) {
    m.next = free_;
    free_ = &m;
  }
  std::vector<std::unique_ptr<PacketMessage[]>> blocks_;
  PacketMessage* free_ = nullptr;  // linked through next
  std::uint64_t in_use_ = 0;
};

}  // namespace weft
