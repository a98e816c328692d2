#include "tdm/pin_bits.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::pins {
namespace {

std::uint64_t low_bits(std::size_t width) { return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1; }

}  // namespace

Bits Bits::random(RandomStream& random, std::size_t size) {
  Bits bits(size);
  for (std::size_t low = 0; low < size; low += 64) bits.set(low, std::min<std::size_t>(64, size - low), random());
  return bits;
}

Bits Bits::ones(std::size_t size) {
  Bits bits(size);
  for (std::size_t low = 0; low < size; low += 64) bits.set(low, std::min<std::size_t>(64, size - low), ~0ULL);
  return bits;
}

Bits Bits::of(const SlotSet& set) {
  Bits bits(set.size());
  boost::to_block_range(set, bits.blocks_.begin());
  return bits;
}

bool Bits::any() const {
  return std::any_of(blocks_.begin(), blocks_.end(), [](std::uint64_t block) { return block != 0; });
}

std::uint64_t Bits::get(std::size_t low, std::size_t width) const {
  if (width == 0) return 0;
  const std::size_t shift = low % 64;
  std::uint64_t value = blocks_[low / 64] >> shift;
  if (shift + width > 64) value |= blocks_[low / 64 + 1] << (64 - shift);
  return value & low_bits(width);
}

void Bits::set(std::size_t low, std::size_t width, std::uint64_t value) {
  if (width == 0) return;
  const std::uint64_t mask = low_bits(width);
  const std::size_t shift = low % 64;
  value &= mask;
  std::uint64_t& first = blocks_[low / 64];
  first = (first & ~(mask << shift)) | (value << shift);
  if (shift + width > 64) {
    std::uint64_t& second = blocks_[low / 64 + 1];
    second = (second & ~(mask >> (64 - shift))) | (value >> (64 - shift));
  }
}

Bits Bits::slice(std::size_t low, std::size_t width) const {
  Bits part(width);
  for (std::size_t done = 0; done < width; done += 64) {
    const std::size_t take = std::min<std::size_t>(64, width - done);
    part.set(done, take, get(low + done, take));
  }
  return part;
}

void Bits::insert(std::size_t low, const Bits& part) {
  for (std::size_t done = 0; done < part.size(); done += 64) {
    const std::size_t take = std::min<std::size_t>(64, part.size() - done);
    set(low + done, take, part.get(done, take));
  }
}

SlotSet Bits::slot_set() const {
  SlotSet set(size_);
  boost::from_block_range(blocks_.begin(), blocks_.end(), set);
  return set;
}

std::string Bits::hex() const {
  std::string text;
  for (std::size_t low = (size_ + 63) / 64 * 64; low > 0; low -= 64) {
    const std::size_t width = std::min<std::size_t>(64, size_ - (low - 64));
    text += fmt::format("{:0{}x}", get(low - 64, width), (width + 3) / 4);
  }
  return text;
}

}  // namespace weft::pins
