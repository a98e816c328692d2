#pragma once
// Distribution of any number of values, whole or not, in bounded memory: exact up to a million values, beyond that in
// classes less than a thousandth wide. Mean and largest value do not come from the classes.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace weft {

template <class T>
class BoundedSamplesOf {
 public:
  explicit BoundedSamplesOf(std::size_t exact = 1'000'000) : most_exact_(exact) {}
  void add(T value);  ///< 0 or more
  std::uint64_t count() const { return count_; }
  bool exact() const { return classes_.empty(); }
  std::optional<double> mean() const;
  std::optional<T> max() const;
  /// Nearest rank: the least value that at least `percent` % of all do not exceed; of a class, its least value.
  std::optional<T> percentile(std::uint32_t percent) const;

 private:
  std::size_t most_exact_;
  mutable std::vector<T> values_;       // sorted when asked
  std::map<T, std::uint64_t> classes_;  // by least value
  std::uint64_t count_ = 0;
  double sum_ = 0;
  T max_ = 0;
};

extern template class BoundedSamplesOf<std::int64_t>;
extern template class BoundedSamplesOf<double>;
using BoundedSamples = BoundedSamplesOf<std::int64_t>;
using BoundedRatios = BoundedSamplesOf<double>;

}  // namespace weft
