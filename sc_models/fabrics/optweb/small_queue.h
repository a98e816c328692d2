#pragma once
// A queue that is short and most of the time empty: nodes have several of them per link. So many items lie in the queue
// itself; those that hold one now and then need no other line of the cache.

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <utility>

namespace weft {

template <class T, std::size_t kInside = 0>
class SmallQueue {
 public:
  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }
  T& front() { return items_.front(); }
  const T& front() const { return items_.front(); }
  T& back() { return items_.back(); }
  void push_back(T item) { items_.push_back(std::move(item)); }
  T take() {
    T out = std::move(items_.front());
    items_.erase(items_.begin());
    return out;
  }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

 private:
  boost::container::small_vector<T, kInside> items_;
};

}  // namespace weft
