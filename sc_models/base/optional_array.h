#pragma once
// An array of objects that cannot move, some of which may be missing: like a vector of std::optional, but without space
// between the objects, and in hot memory.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "base/hot_memory.h"

namespace weft {

template <class T>
class OptionalArray {
 public:
  explicit OptionalArray(std::size_t size)
      : objects_(static_cast<T*>(allocate_hot(size * sizeof(T), alignof(T)))),
        present_(make_hot_array<bool>(size)),
        size_(static_cast<std::uint32_t>(size)) {}
  OptionalArray(const OptionalArray&) = delete;
  OptionalArray& operator=(const OptionalArray&) = delete;
  ~OptionalArray() {
    for (std::size_t i = 0; i < size_; ++i) {
      if (has(i)) std::destroy_at(objects_ + i);
    }
    free_hot(objects_);
  }

  /// Precondition: !has(i).
  template <class... Arguments>
  void emplace(std::size_t i, Arguments&&... arguments) {
    std::construct_at(objects_ + i, std::forward<Arguments>(arguments)...);
    present_[i] = true;
  }
  bool has(std::size_t i) const { return present_[i]; }
  /// Null where there is none.
  T* find(std::size_t i) const { return has(i) ? objects_ + i : nullptr; }
  /// Precondition: has(i).
  T& operator[](std::size_t i) const { return objects_[i]; }

 private:
  T* const objects_;
  const HotArray<bool> present_;
  const std::uint32_t size_;
};

}  // namespace weft
