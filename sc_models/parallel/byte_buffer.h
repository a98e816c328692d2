#pragma once
// Bytes that one rank writes for another: numbers one behind the other, as the ranks of one program read them.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "base/diagnostics.h"

namespace weft {

/// Bytes that grow at their end. Unlike a vector's, they are written only once.
class ByteBuffer {
 public:
  ByteBuffer() = default;
  ByteBuffer(ByteBuffer&& other) noexcept { swap(other); }
  ByteBuffer& operator=(ByteBuffer&& other) noexcept {
    swap(other);
    return *this;
  }
  void swap(ByteBuffer& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const std::byte* data() const { return bytes_.get(); }
  void clear() { size_ = 0; }
  void append(const void* from, std::size_t bytes) {
    if (capacity_ - size_ < bytes) [[unlikely]]
      grow(bytes);
    if (bytes != 0) std::memcpy(bytes_.get() + size_, from, bytes);
    size_ += bytes;
  }
  operator std::span<const std::byte>() const { return {data(), size_}; }
  std::string text() const { return {reinterpret_cast<const char*>(data()), size_}; }

 private:
  void grow(std::size_t bytes) {
    capacity_ = std::max({std::size_t{256}, 2 * capacity_, size_ + bytes});
    std::unique_ptr<std::byte[]> larger(new std::byte[capacity_]);
    if (size_ != 0) std::memcpy(larger.get(), bytes_.get(), size_);
    bytes_ = std::move(larger);
  }

  std::unique_ptr<std::byte[]> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

class ByteWriter {
 public:
  explicit ByteWriter(ByteBuffer& to) : to_(to) {}
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    to_.append(&value, sizeof(T));
  }

 private:
  ByteBuffer& to_;
};

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> from) : from_(from) {}
  bool empty() const { return from_.empty(); }
  template <class T>
  T get() {
    T value;
    if (from_.size() < sizeof(T)) throw RunError("internal: a message between ranks is too short");
    std::memcpy(&value, from_.data(), sizeof(T));
    from_ = from_.subspan(sizeof(T));
    return value;
  }

 private:
  std::span<const std::byte> from_;
};

}  // namespace weft
