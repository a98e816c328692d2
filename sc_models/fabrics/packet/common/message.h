#pragma once
// Messages of packet networks and the pool they live in. A message is routed as a whole (virtual cut-through), so it is
// the unit of every event; where its flits are follows from its cycles. Queues are linked through the messages
// themselves, and the pool reuses what was delivered: once a run is warm, nothing is allocated.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "base/hot_memory.h"
#include "base/ids.h"
#include "base/units.h"
#include "fabrics/packet/common/parameters.h"

namespace weft {

/// A line of the cache.
struct alignas(64) PacketMessage : HotObject {
  HotNumber<PacketMessage> next;  ///< in its queue
  HotNumber<PacketMessage> last;  ///< of the queue it is the first of
  Cycle ready = 0;                ///< from this cycle on the next stage may take it
  Cycle generated = 0;            ///< handed to the NIC by its source
  NodeId source = kNoId;
  NodeId destination = kNoId;
  std::uint32_t flits = 0;
  std::uint32_t choice = 0;    ///< random number of its source, for routing with a choice
  std::uint32_t sequence = 0;  ///< in order of generation in the network; see MessageAccounting
  std::uint32_t lag = 0;       ///< see head()
  std::uint32_t waited = 0;    ///< see sent()
  PacketHop hop;               ///< where it may leave the switch it is in
  VirtualLane lane = 0;        ///< VL of the link it is on, or came by
  ServiceLevel level = 0;
  std::uint8_t lane_class = 0;  ///< of the routing, on that link
  std::uint8_t channel = 0;     ///< its service channel (SC) on that link, where there are any

  /// Its first flit is in the buffer it waits in from this cycle on; one that has been there for 2^32 cycles, and so
  /// has been there as a whole, may be said to have come later.
  Cycle head() const { return ready - lag; }
  void comes(Cycle first_flit, Cycle ready_from) {
    ready = ready_from;
    lag =
        static_cast<std::uint32_t>(std::min<Cycle>(ready_from - first_flit, std::numeric_limits<std::uint32_t>::max()));
  }
  /// First flit on the link of its NIC.
  Cycle sent() const { return generated + waited; }
  /// Throws RunError after 2^32 cycles in the NIC.
  void set_sent(Cycle first_flit) {
    if (first_flit - generated > std::numeric_limits<std::uint32_t>::max()) complain_of_wait();
    waited = static_cast<std::uint32_t>(first_flit - generated);
  }

 private:
  [[noreturn]] void complain_of_wait() const;
};
static_assert(sizeof(PacketMessage) == 64);

/// First in, first out; linked through the messages, the first of which knows the last: a queue is four bytes.
class MessageQueue {
 public:
  bool empty() const { return !first_; }
  PacketMessage* front() const { return first_.get(); }
  /// Precondition: not empty.
  PacketMessage& head() const { return *first_; }
  void push(PacketMessage& m) {
    const HotNumber<PacketMessage> number(&m);
    m.next = {};
    if (first_) {
      PacketMessage& first = *first_;
      first.last->next = number;
      first.last = number;
    } else {
      first_ = m.last = number;
    }
  }
  /// Flits of all messages in it.
  std::int64_t flits() const {
    std::int64_t sum = 0;
    for (const PacketMessage* m = front(); m != nullptr; m = m->next.get()) sum += m->flits;
    return sum;
  }
  PacketMessage& pop() {
    PacketMessage& m = *first_;
    first_ = m.next;
    if (first_) first_->last = m.last;
    return m;
  }
  /// Bring the first message into the cache, and, when that is there, the second, if there is one.
  void fetch_front() const { prefetch(&*first_); }
  void fetch_second() const { prefetch(&*head().next); }

 private:
  HotNumber<PacketMessage> first_;
};

/// Messages that wait to enter the network may be many, so that those under way would come to lie among them, far from
/// each other: with admit() these have lines of their own.
class MessagePool {
 public:
  /// A new one; it is the one given back last, which is most likely still in the cache.
  PacketMessage& take() { return take(free_); }
  /// Moves a message that enters the network to where those under way are.
  PacketMessage& admit(PacketMessage& waiting) {
    admits_ = true;
    PacketMessage& m = unlink(free_under_way_);
    m = waiting;
    waiting.flits = 0;
    link(waiting, free_);
    return m;
  }
  /// A line for a message that comes from another rank: it is under way.
  PacketMessage& take_under_way() { return take(admits_ ? free_under_way_ : free_); }
  void give_back(PacketMessage& m) {
    link(m, admits_ ? free_under_way_ : free_);
    --in_use_;
  }
  std::uint64_t in_use() const { return in_use_; }
  /// Times memory was allocated; constant once the run is warm.
  std::uint64_t allocations() const { return blocks_.size(); }

 private:
  using Free = HotNumber<PacketMessage>;  // the first, linked through next

  PacketMessage& take(Free& free) {
    PacketMessage& m = unlink(free);
    m = PacketMessage{};
    ++in_use_;
    return m;
  }
  PacketMessage& unlink(Free& free) {
    if (!free) grow(free);
    PacketMessage& m = *free;
    free = m.next;
    return m;
  }
  // Seldom: inlined, it would have every taking of a message save more registers.
  [[gnu::noinline]] void grow(Free& free) {
    constexpr std::size_t kBlock = 1024;
    blocks_.push_back(std::make_unique<PacketMessage[]>(kBlock));
    for (std::size_t i = kBlock; i-- > 0;) link(blocks_.back()[i], free);
  }
  static void link(PacketMessage& m, Free& free) {
    m.next = free;
    free = Free(&m);
  }
  std::vector<std::unique_ptr<PacketMessage[]>> blocks_;
  Free free_;
  Free free_under_way_;
  bool admits_ = false;
  std::uint64_t in_use_ = 0;
};

}  // namespace weft
