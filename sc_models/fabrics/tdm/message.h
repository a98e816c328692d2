#pragma once
// Messages under way in a TDM network, kept in a pool whose places are used again after delivery.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "fabrics/tdm/train.h"

namespace weft {

/// Words of `word_bits` that a message of `size` takes, at least 1.
inline std::uint64_t words_of(DataSize size, std::int64_t word_bits) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(1, (size.bits + word_bits - 1) / word_bits));
}

struct TdmMessage {
  CircuitId circuit = 0;
  std::uint64_t sequence = 0;  ///< counts the messages of the circuit
  std::uint32_t words = 0;
  /// Destinations that have not got it yet, on one of several ranks those there and the trains that are to leave for
  /// other ranks; 0: place is free.
  std::uint32_t open_deliveries = 0;
  Cycle generated = 0;     ///< the application made it
  Cycle head = 0;          ///< it stood first in the queue of its circuit: previous message gone, ready for its slot
  Cycle injected = 0;      ///< its first word left the host
  std::uint64_t user = 0;  ///< for the owner of the circuit, carried along untouched
};

class MessageStore {
 public:
  MessageId add(const TdmMessage& message) {
    ++total_;
    return take_over(message);
  }
  /// One that another rank has added.
  MessageId take_over(const TdmMessage& message) {
    ++outstanding_;
    if (free_.empty()) {
      messages_.push_back(message);
      return static_cast<MessageId>(messages_.size() - 1);
    }
    const MessageId id = free_.back();
    free_.pop_back();
    messages_[id] = message;
    return id;
  }
  const TdmMessage& operator[](MessageId id) const { return messages_[id]; }
  /// Its first word leaves the host in cycle `at`.
  void inject(MessageId id, Cycle at) { messages_[id].injected = at; }
  /// One destination has the whole message, or a train of it has left for another rank.
  void delivered(MessageId id) {
    if (--messages_[id].open_deliveries > 0) return;
    --outstanding_;
    free_.push_back(id);
  }
  std::uint64_t outstanding() const { return outstanding_; }
  std::uint64_t total() const { return total_; }
  /// Places ever made; does not grow once the number of messages under way has levelled off.
  std::size_t capacity() const { return messages_.size(); }
  const std::vector<TdmMessage>& all() const { return messages_; }

 private:
  std::vector<TdmMessage> messages_;
  std::vector<MessageId> free_;
  std::uint64_t outstanding_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace weft
