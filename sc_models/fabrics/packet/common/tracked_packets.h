#pragma once
// Packets of the transfers that a fabric follows.

#include <cstdint>
#include <deque>

namespace weft {

/// The transfers of packets that are followed, by the packets' sequence numbers: a window from the first that is still
/// under way to the last.
class TrackedPackets {
 public:
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  bool any() const { return !window_.empty(); }
  /// Transfer of the packet, kNobody when it has none.
  std::uint32_t of(std::uint32_t sequence) const {
    const std::uint32_t place = sequence - first_;
    return place < window_.size() ? window_[place] : kNobody;
  }
  /// Precondition: packets come in the order of their numbers.
  void add(std::uint32_t sequence, std::uint32_t transfer) {
    if (window_.empty()) first_ = sequence;
    window_.resize(sequence - first_, kNobody);
    window_.push_back(transfer);
  }
  void remove(std::uint32_t sequence) {
    window_[sequence - first_] = kNobody;
    while (!window_.empty() && window_.front() == kNobody) {
      window_.pop_front();
      ++first_;
    }
  }

 private:
  std::deque<std::uint32_t> window_;
  std::uint32_t first_ = 0;  // sequence number of its front
};

}  // namespace weft
