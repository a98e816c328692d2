#pragma once
// Accounting of the messages of a packet network: makes each and closes it once, as delivered, as lost on a link that
// fails, or as withdrawn (stopped before it entered the network). The number of open messages is known at any time, and
// when there should be none, a sum over all messages shows whether every single one was closed once.

#include <bit>
#include <cstdint>

#include "base/ids.h"
#include "fabrics/packet/common/message.h"
#include "fabrics/packet/common/observer.h"
#include "fabrics/packet/common/packet_on_wire.h"
#include "kernel/observer_list.h"
#include "parallel/ranks.h"

namespace weft {

class MessageAccounting {
 public:
  explicit MessageAccounting(const PacketObservers& observers) : observers_(observers) {}
  /// Of one rank of several: no two of them give a message the same number, modulo 2^32 either.
  void number_as(const Ranks& ranks) {
    stride_ = std::bit_ceil(ranks.size());
    offset_ = ranks.rank();
  }

  PacketMessage& make(NodeId source, NodeId destination, ServiceLevel level, std::uint32_t flits, std::uint32_t choice);
  /// Of a message that leaves its source's queue and enters the network; it lies elsewhere from then on.
  PacketMessage& admit(PacketMessage& message) { return pool_.admit(message); }
  /// Throw RunError when the message has been closed before.
  void deliver(PacketMessage& message, Cycle now);
  void withdraw(PacketMessage& message);
  void lose(PacketMessage& message, LossCause cause, Cycle now);
  /// One that has left for another rank, which closes it or hands it on, and one that has come from there.
  void hand_over(PacketMessage& message);
  PacketMessage& take_over(const PacketOnWire& message);

  std::uint64_t generated() const { return generated_; }
  /// Sequence number of the last one, in more than 32 bits.
  std::uint64_t last_number() const { return generated_ * stride_ + offset_; }
  std::uint64_t next_number() const { return last_number() + stride_; }
  std::uint64_t delivered() const { return delivered_; }
  std::uint64_t withdrawn() const { return withdrawn_; }
  std::uint64_t lost() const { return lost_; }
  std::uint64_t outstanding() const { return generated_ - delivered_ - withdrawn_ - lost_; }
  const MessagePool& pool() const { return pool_; }
  /// Throws RunError unless every message was closed exactly once. Precondition: outstanding() == 0.
  void check_closed() const;
  /// 0 once every message was closed exactly once, in sum over all ranks modulo 2^64.
  std::uint64_t unclosed() const { return open_; }

 private:
  void close(PacketMessage& message);

  const PacketObservers& observers_;
  MessagePool pool_;
  std::uint64_t generated_ = 0;
  std::uint32_t stride_ = 1;
  std::uint32_t offset_ = 0;
  std::uint64_t delivered_ = 0;
  std::uint64_t withdrawn_ = 0;
  std::uint64_t lost_ = 0;
  std::uint64_t open_ = 0;  // sum of the signatures of the open messages, modulo 2^64
};

}  // namespace weft
