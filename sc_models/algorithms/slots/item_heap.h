#pragma once
// Priority queue of items whose keys only grow: a binary heap that knows where each item is, so that raising
// a key moves the item instead of leaving an old entry behind. With tens of millions of raises per run that
// decides about memory.

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace weft {

class IndexedHeap {
 public:
  /// Items 0..keys.size()-1, all different keys.
  explicit IndexedHeap(std::vector<std::uint64_t> keys)
      : keys_(std::move(keys)), heap_(keys_.size()), place_(keys_.size()) {
    std::iota(heap_.begin(), heap_.end(), 0u);
    std::iota(place_.begin(), place_.end(), 0u);
    for (std::size_t i = heap_.size() / 2; i-- > 0;) sink(i);
  }
  bool empty() const { return heap_.empty(); }

  /// Takes out the item with the largest key.
  std::uint32_t pop() {
    const std::uint32_t top = heap_.front();
    put(0, heap_.back());
    heap_.pop_back();
    if (!heap_.empty()) sink(0);
    return top;
  }

  /// Adds to the key of an item that is still inside.
  void raise(std::uint32_t item, std::uint64_t by) {
    keys_[item] += by;
    std::size_t i = place_[item];
    while (i > 0 && keys_[heap_[(i - 1) / 2]] < keys_[item]) {
      put(i, heap_[(i - 1) / 2]);
      i = (i - 1) / 2;
    }
    put(i, item);
  }

 private:
  void put(std::size_t i, std::uint32_t item) {
    heap_[i] = item;
    place_[item] = static_cast<std::uint32_t>(i);
  }

  void sink(std::size_t i) {
    const std::uint32_t item = heap_[i];
    for (std::size_t child = 2 * i + 1; child < heap_.size(); child = 2 * i + 1) {
      if (child + 1 < heap_.size() && keys_[heap_[child + 1]] > keys_[heap_[child]]) ++child;
      if (keys_[heap_[child]] < keys_[item]) break;
      put(i, heap_[child]);
      i = child;
    }
    put(i, item);
  }

  std::vector<std::uint64_t> keys_;   // per item
  std::vector<std::uint32_t> heap_;   // items, largest key first
  std::vector<std::uint32_t> place_;  // per item: position in heap_
};

}  // namespace weft
