#pragma once
// A Deficit Table laid out in the arbitration tables of an InfiniBand port, which have 64 high-priority and 64
// low-priority entries of {VL, weight}, weights of 8 bits:
//
//   high 0 .. 63   the DTable's entries
//   low  0 .. 15   deficit counters of SL 0 to 15, in the weight field
//   low  63        the accumulated weight
//   low  16 .. 62  unused, 47 entries
//
// Counters wider than 8 bits take more entries: byte k of the deficit of SL s lies in entry 16 k + s, byte k of the
// accumulated weight in entry 63 - k. So 24 bits fit and leave 13 entries unused.
//
// Source: Cano-Cano et al., "QoS provision in hierarchical and non-hierarchical switch architectures", section 4.1 and
// figure 4; the order of the wider counters' bytes is ours, the paper only says that adjacent entries can be used.
// 8 bits overflow easily, says the paper; here they saturate, and DeficitTable counts how often and what is lost by it.

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "algorithms/qos/deficit_table.h"

namespace weft {

class IbTableImage {
 public:
  static constexpr std::size_t kEntries = 64;  ///< of each table
  static constexpr std::uint32_t kLevels = 16;
  static constexpr std::uint32_t kLargestWeight = 255;
  static constexpr unsigned kMostCounterBits = 24;

  /// One entry as the standard has it.
  struct Entry {
    std::uint8_t vl = 0;  ///< 4 bits
    std::uint8_t weight = 0;
    bool operator==(const Entry&) const = default;
  };

  /// Why such a table and counters do not fit, as a sentence for the user; nothing when they do.
  static std::optional<std::string> limit(const ArbitrationTable& table, unsigned counter_bits);

  /// The image of a scheduler as it is now. Throws std::invalid_argument when limit() has something to say.
  explicit IbTableImage(const DeficitTable& scheduler);

  const std::array<Entry, kEntries>& high() const { return high_; }
  const std::array<Entry, kEntries>& low() const { return low_; }
  /// The counters, read from the image.
  std::uint32_t deficit(ServiceLevel sl) const;
  std::uint32_t accumulated_weight() const;
  /// Low-priority entries that hold nothing.
  std::size_t unused() const { return kEntries - bytes_ * (kLevels + 1); }
  /// Contents of an entry, in words. Precondition: entry < kEntries.
  std::string high_holds(std::size_t entry) const;
  std::string low_holds(std::size_t entry) const;

 private:
  std::array<Entry, kEntries> high_{};
  std::array<Entry, kEntries> low_{};
  std::size_t entries_;  // of the DTable
  std::size_t bytes_;    // of a counter
};

}  // namespace weft
