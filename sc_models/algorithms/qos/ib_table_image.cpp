#include "algorithms/qos/ib_table_image.h"

#include <fmt/format.h>

#include <stdexcept>

namespace weft {
namespace {

std::size_t deficit_entry(std::size_t sl, std::size_t byte) { return IbTableImage::kLevels * byte + sl; }
std::size_t accumulated_entry(std::size_t byte) { return IbTableImage::kEntries - 1 - byte; }
std::uint8_t byte_of(std::uint64_t value, std::size_t byte) { return static_cast<std::uint8_t>(value >> (8 * byte)); }

}  // namespace

std::optional<std::string> IbTableImage::limit(const ArbitrationTable& table, unsigned counter_bits) {
  if (counter_bits == 0 || counter_bits > kMostCounterBits) {
    return fmt::format("counters of {} bits; the InfiniBand tables hold 1 to {}",
                       counter_bits == 0 ? "any number of" : std::to_string(counter_bits), kMostCounterBits);
  }
  if (table.size() > kEntries) {
    return fmt::format("a table of {} entries; the high-priority table has {}", table.size(), kEntries);
  }
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].sl >= kLevels) {
      return fmt::format("table entry {} names SL {}; InfiniBand has SLs 0 to {}", i, table[i].sl, kLevels - 1);
    }
    if (table[i].weight > kLargestWeight) {
      return fmt::format("table entry {} has weight {}; InfiniBand's are at most {}", i, table[i].weight,
                         kLargestWeight);
    }
  }
  return std::nullopt;
}

IbTableImage::IbTableImage(const DeficitTable& scheduler)
    : entries_(scheduler.table().size()), bytes_((scheduler.counter_bits() + 7) / 8) {
  const ArbitrationTable& table = scheduler.table();
  if (const auto why = limit(table, scheduler.counter_bits())) throw std::invalid_argument(*why);
  for (std::size_t i = 0; i < table.size(); ++i) {
    high_[i] = {static_cast<std::uint8_t>(table[i].sl), static_cast<std::uint8_t>(table[i].weight)};
  }
  for (std::size_t byte = 0; byte < bytes_; ++byte) {
    for (ServiceLevel sl = 0; sl < kLevels; ++sl) {
      low_[deficit_entry(sl, byte)].weight = byte_of(scheduler.deficit(sl), byte);
    }
    low_[accumulated_entry(byte)].weight = byte_of(scheduler.accumulated_weight(), byte);
  }
}

std::uint32_t IbTableImage::deficit(ServiceLevel sl) const {
  std::uint32_t value = 0;
  for (std::size_t byte = bytes_; byte-- > 0;) value = value << 8 | low_[deficit_entry(sl, byte)].weight;
  return value;
}

std::uint32_t IbTableImage::accumulated_weight() const {
  std::uint32_t value = 0;
  for (std::size_t byte = bytes_; byte-- > 0;) value = value << 8 | low_[accumulated_entry(byte)].weight;
  return value;
}

std::string IbTableImage::high_holds(std::size_t entry) const {
  return entry < entries_ ? fmt::format("entry {} of the Deficit Table", entry) : "unused";
}

std::string IbTableImage::low_holds(std::size_t entry) const {
  for (std::size_t byte = 0; byte < bytes_; ++byte) {
    const std::string which = bytes_ > 1 ? fmt::format(", byte {}", byte) : "";
    if (entry == accumulated_entry(byte)) return "accumulated weight" + which;
    if (entry / kLevels == byte) return fmt::format("deficit of SL {}", entry % kLevels) + which;
  }
  return "unused";
}

}  // namespace weft
