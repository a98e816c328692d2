#pragma once
// An array whose length is fixed when it is made and that lies in the object itself while it is short: what belongs to
// one port then shares its cache lines.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace weft {

template <class T, std::size_t Few>
class InlineArray {
 public:
  InlineArray() = default;
  explicit InlineArray(std::size_t size) { resize(size); }
  InlineArray(const InlineArray& other) { *this = other; }
  InlineArray& operator=(const InlineArray& other) {
    if (this == &other) return *this;
    resize(other.size_);
    std::copy_n(other.data_, size_, data_);
    return *this;
  }
  ~InlineArray() { clear(); }

  /// All elements begin anew.
  void resize(std::size_t size) {
    clear();
    size_ = static_cast<std::uint32_t>(size);
    if (size > Few) data_ = std::make_unique<T[]>(size).release();
  }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  /// Where element i lies in the object itself, if it does: for a prefetch, which must not wait for the object.
  const void* place(std::size_t i) const { return &few_[i % Few]; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

 private:
  void clear() {
    if (data_ != few_) std::default_delete<T[]>()(data_);
    data_ = few_;
    std::fill_n(few_, Few, T{});
  }

  T* data_ = few_;
  std::uint32_t size_ = 0;
  T few_[Few]{};
};

}  // namespace weft
