#pragma once
// A value that lies apart from the object it belongs to, and is copied with it: for what is seldom used, so that the
// rest of the object stays small.

#include <memory>

namespace weft {

template <class T>
class Boxed {
 public:
  Boxed() : value_(std::make_unique<T>()) {}
  Boxed(const Boxed& other) : value_(std::make_unique<T>(*other.value_)) {}
  Boxed& operator=(const Boxed& other) {
    *value_ = *other.value_;
    return *this;
  }
  ~Boxed() = default;
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }

 private:
  const std::unique_ptr<T> value_;
};

}  // namespace weft
