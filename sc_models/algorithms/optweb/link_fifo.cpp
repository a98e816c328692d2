#include "algorithms/optweb/link_fifo.h"

namespace weft::optweb {
namespace {

// The time of a word at the payload over the round trip of a place, as a fraction below 1.
struct Share {
  WideInteger word = 0;
  WideInteger trip = 1;
};

Share share_of(std::uint32_t stages, const LinkFifoClocks& c) {
  const WideInteger registers = static_cast<WideInteger>(stages + 1) * c.serial.hz + WideInteger{stages} * c.node.hz;
  const WideInteger word = static_cast<WideInteger>(c.word_bits) * c.node.hz * c.serial.hz;
  return {word, registers * c.payload.bits_per_s + word};
}

}  // namespace

std::uint64_t full_rate_depth(std::uint32_t stages, const LinkFifoClocks& clocks) {
  const Share s = share_of(stages, clocks);
  return static_cast<std::uint64_t>((s.trip + s.word - 1) / s.word);
}

// The payload times a fraction below 1, bit by bit, as the product exceeds 128 bits; rounded up, so that a word takes
// no longer than it does.
Rate fifo_rate(const LinkFifoShape& shape, const LinkFifoClocks& clocks) {
  if (shape.depth >= full_rate_depth(shape.stages, clocks)) return clocks.payload;
  const Share s = share_of(shape.stages, clocks);
  const WideInteger part = shape.depth * s.word;
  std::int64_t out = 0;
  WideInteger rest = 0;
  for (int bit = 62; bit >= 0; --bit) {
    out *= 2;
    rest *= 2;
    if (((clocks.payload.bits_per_s >> bit) & 1) != 0) rest += part;
    while (rest >= s.trip) {
      rest -= s.trip;
      ++out;
    }
  }
  return Rate{rest > 0 ? out + 1 : out};
}

}  // namespace weft::optweb
