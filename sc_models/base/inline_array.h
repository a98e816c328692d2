#pragma once
// An array whose length is fixed when it is made and that lies in the object itself while it is short: what belongs to
// one port then shares its cache lines.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace weft {

template <class T, std::size_t Few>
class InlineArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  InlineArray() : few_{} {}
  explicit InlineArray(std::size_t size) : InlineArray() { resize(size); }
  InlineArray(const InlineArray& other) : InlineArray() { *this = other; }
  InlineArray& operator=(const InlineArray& other) {
    if (this == &other) return *this;
    resize(other.size_);
    std::copy_n(other.begin(), size_, data());
    return *this;
  }
  ~InlineArray() { clear(); }

  /// All elements begin anew.
  void resize(std::size_t size) {
    clear();
    size_ = static_cast<std::uint32_t>(size);
    if (size > Few) many_ = std::make_unique<T[]>(size).release();
  }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return begin()[i]; }
  const T* begin() const { return size_ <= Few ? few_ : many_; }
  const T* end() const { return begin() + size_; }

 private:
  T* data() { return size_ <= Few ? few_ : many_; }
  void clear() {
    if (size_ > Few) std::default_delete<T[]>()(many_);
    size_ = 0;
    std::fill_n(few_, Few, T{});
  }

  std::uint32_t size_ = 0;
  union {
    T few_[Few];
    T* many_;
  };
};

}  // namespace weft
