#include "algorithms/optweb/reduction.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace weft::optweb {
namespace {

constexpr std::uint32_t kNan = 0x7fc00000;

// IEEE 754-2019 minimum: by the sign when both are zeros.
float lesser(float a, float b) {
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

std::uint32_t combine_floats(ProgramCombine how, std::uint32_t a, std::uint32_t b) {
  const auto x = std::bit_cast<float>(a);
  const auto y = std::bit_cast<float>(b);
  if (std::isnan(x) || std::isnan(y)) return kNan;
  float z = 0;
  switch (how) {
    case ProgramCombine::sum:
      z = x + y;
      break;
    case ProgramCombine::min:
      z = lesser(x, y);
      break;
    case ProgramCombine::max:
      z = -lesser(-x, -y);
      break;
  }
  return std::isnan(z) ? kNan : std::bit_cast<std::uint32_t>(z);  // infinity less infinity
}

template <class Combine>
void reduce_streams(const Combine& combine, const std::vector<StoredStream>& streams, SparseMemory& to,
                    std::uint64_t address, std::uint64_t bytes, const std::function<bool()>& stop) {
  constexpr std::uint64_t kPart = SparseMemory::kPage;
  std::vector<std::vector<std::uint32_t>> level(streams.size());
  for (std::uint64_t done = 0; done < bytes && !(stop && stop()); done += kPart) {
    const std::uint64_t part = std::min(kPart, bytes - done);
    for (std::size_t i = 0; i < streams.size(); ++i) {
      level[i].resize(part / kElementBytes);
      streams[i].memory->read(streams[i].address + done, std::as_writable_bytes(std::span(level[i])));
    }
    for (std::size_t left = streams.size(); left > 1; left = (left + 1) / 2) {
      for (std::size_t i = 0; i + 1 < left; i += 2) {
        std::vector<std::uint32_t>& a = level[i];
        const std::vector<std::uint32_t>& b = level[i + 1];
        for (std::size_t e = 0; e < a.size(); ++e) a[e] = combine(a[e], b[e]);
        std::swap(level[i / 2], level[i]);
      }
      if (left % 2 == 1) std::swap(level[left / 2], level[left - 1]);
    }
    to.write(address + done, std::as_bytes(std::span(level[0])));
  }
}

}  // namespace

std::uint32_t combine(const Reduction& reduction, std::uint32_t a, std::uint32_t b) {
  if (reduction.element == ProgramElement::float32) return combine_floats(reduction.combine, a, b);
  const auto x = static_cast<std::int32_t>(a);
  const auto y = static_cast<std::int32_t>(b);
  switch (reduction.combine) {
    case ProgramCombine::sum:
      return a + b;
    case ProgramCombine::min:
      return static_cast<std::uint32_t>(std::min(x, y));
    case ProgramCombine::max:
      return static_cast<std::uint32_t>(std::max(x, y));
  }
  return 0;
}

std::uint32_t tree_levels(std::size_t streams) {
  return streams < 2 ? 0 : static_cast<std::uint32_t>(std::bit_width(streams - 1));
}

void reduce(const Reduction& reduction, const std::vector<StoredStream>& streams, SparseMemory& to,
            std::uint64_t address, std::uint64_t bytes, const std::function<bool()>& stop) {
  reduce_streams([&](std::uint32_t a, std::uint32_t b) { return combine(reduction, a, b); }, streams, to, address,
                 bytes, stop);
}

void reduce(const CombineElements& combine, const std::vector<StoredStream>& streams, SparseMemory& to,
            std::uint64_t address, std::uint64_t bytes, const std::function<bool()>& stop) {
  reduce_streams(combine, streams, to, address, bytes, stop);
}

}  // namespace weft::optweb
