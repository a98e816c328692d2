#pragma once
// A queue that is short and most of the time empty, and then takes no memory: nodes have three of them per link.

#include <cstddef>
#include <utility>
#include <vector>

namespace weft {

template <class T>
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
  std::vector<T> items_;
};

}  // namespace weft
