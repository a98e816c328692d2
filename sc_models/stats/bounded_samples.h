#pragma once
// Distribution of any number of whole values in bounded memory: exact up to a million values, beyond that in classes
// less than a thousandth wide. Mean, least and largest value are exact always.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace weft {

class BoundedSamples {
 public:
  explicit BoundedSamples(std::size_t exact = 1'000'000) : most_exact_(exact) {}
  void add(std::int64_t value);  ///< 0 or more
  std::uint64_t count() const { return count_; }
  bool exact() const { return classes_.empty(); }
  std::optional<double> mean() const;
  std::optional<std::int64_t> max() const;
  /// Nearest rank: the least value that at least `percent` % of all do not exceed; of a class, its least value.
  std::optional<std::int64_t> percentile(std::uint32_t percent) const;

 private:
  static std::int64_t class_of(std::int64_t value);

  std::size_t most_exact_;
  mutable std::vector<std::int64_t> values_;       // sorted when asked
  std::map<std::int64_t, std::uint64_t> classes_;  // by least value
  std::uint64_t count_ = 0;
  double sum_ = 0;
  std::int64_t max_ = 0;
};

}  // namespace weft
