#pragma once
// An array of objects that cannot move, some of which may be missing: like a vector of std::optional, but without space
// between the objects, and in hot memory.

#include <cstddef>
#include <memory>
#include <utility>

#include "base/hot_memory.h"

namespace weft {

template <class T>
class OptionalArray {
 public:
  explicit OptionalArray(std::size_t size)
      : objects_(static_cast<T*>(allocate_hot(size * sizeof(T), alignof(T)))),
        held_(new Held(make_hot_array<bool>(size), size)) {}
  OptionalArray(const OptionalArray&) = delete;
  OptionalArray& operator=(const OptionalArray&) = delete;
  ~OptionalArray() {
    for (std::size_t i = 0; i < held_->size; ++i) {
      if (has(i)) std::destroy_at(objects_ + i);
    }
    free_hot(objects_);
  }

  /// Precondition: !has(i).
  template <class... Arguments>
  void emplace(std::size_t i, Arguments&&... arguments) {
    std::construct_at(objects_ + i, std::forward<Arguments>(arguments)...);
    held_->present[i] = true;
  }
  bool has(std::size_t i) const { return held_->present[i]; }
  /// Null where there is none.
  T* find(std::size_t i) const { return has(i) ? objects_ + i : nullptr; }
  /// Precondition: has(i).
  T& operator[](std::size_t i) const { return objects_[i]; }

 private:
  struct Held : HotObject {
    Held(HotArray<bool> of, std::size_t number) : present(std::move(of)), size(number) {}
    const HotArray<bool> present;
    const std::size_t size;
  };
  T* const objects_;
  const std::unique_ptr<const Held> held_;  // apart: it is seldom asked for
};

}  // namespace weft
