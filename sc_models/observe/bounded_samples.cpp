#include "observe/bounded_samples.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace weft {
namespace {

// Values of up to 11 bits stand for themselves, larger ones keep their 11 leading bits.
std::int64_t class_of(std::int64_t value) {
  const int drop = std::max(0, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value))) - 11);
  return value >> drop << drop;
}

double class_of(double value) {
  constexpr double kBits = 2048;
  int exponent = 0;
  const double leading = std::frexp(value, &exponent);
  return std::ldexp(std::floor(leading * kBits) / kBits, exponent);
}

}  // namespace

template <class T>
void BoundedSamplesOf<T>::add(T value) {
  ++count_;
  sum_ += static_cast<double>(value);
  max_ = std::max(max_, value);
  if (!classes_.empty()) {
    ++classes_[class_of(value)];
    return;
  }
  values_.push_back(value);
  if (values_.size() <= most_exact_) return;
  for (const T v : values_) ++classes_[class_of(v)];
  values_ = {};
}

template <class T>
std::optional<double> BoundedSamplesOf<T>::mean() const {
  if (count_ == 0) return std::nullopt;
  return sum_ / static_cast<double>(count_);
}

template <class T>
std::optional<T> BoundedSamplesOf<T>::max() const {
  return count_ == 0 ? std::nullopt : std::optional<T>(max_);
}

template <class T>
std::optional<T> BoundedSamplesOf<T>::percentile(std::uint32_t percent) const {
  if (count_ == 0) return std::nullopt;
  const std::uint64_t rank = std::max<std::uint64_t>(1, (count_ * percent + 99) / 100);
  if (exact()) {
    const auto nth = values_.begin() + static_cast<std::ptrdiff_t>(rank - 1);
    std::nth_element(values_.begin(), nth, values_.end());
    return *nth;
  }
  std::uint64_t seen = 0;
  for (const auto& [value, n] : classes_) {
    seen += n;
    if (seen >= rank) return value;
  }
  return max_;
}

template class BoundedSamplesOf<std::int64_t>;
template class BoundedSamplesOf<double>;

}  // namespace weft
