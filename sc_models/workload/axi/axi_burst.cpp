#include "workload/axi/axi_burst.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace weft::axi {
namespace {

std::uint64_t aligned(std::uint64_t address, std::uint64_t bytes) { return address / bytes * bytes; }

// Of a WRAP burst: where it goes on after its end.
std::uint64_t lower_end(const Address& a) { return aligned(a.address, std::uint64_t{a.beats} * a.bytes); }

}  // namespace

Beat beat(const Address& a, std::uint32_t number, std::uint32_t bus) {
  std::uint64_t address = a.address;
  if (a.burst != Burst::fixed && number > 0) address = aligned(a.address, a.bytes) + std::uint64_t{number} * a.bytes;
  if (a.burst == Burst::wrap) {
    const std::uint64_t all = std::uint64_t{a.beats} * a.bytes;
    if (address >= lower_end(a) + all) address -= all;
  }
  return {address, static_cast<std::uint32_t>(address % bus), static_cast<std::uint32_t>(a.bytes - address % a.bytes)};
}

std::uint32_t stray_lane(const Beat& beat, const std::vector<bool>& strobes) {
  std::uint32_t lane = 0;
  while (lane < strobes.size() && !(strobes[lane] && (lane < beat.lane || lane >= beat.lane + beat.bytes))) ++lane;
  return lane;
}

std::string violation(const Address& a, std::uint32_t bus) {
  if (a.bytes > bus) return fmt::format("beats of {} bytes on a bus of {}", a.bytes, bus);
  if (a.beats < 1 || a.beats > 256) return fmt::format("{} beats", a.beats);
  if (a.burst == Burst::fixed && a.beats > 16) return fmt::format("FIXED burst of {} beats", a.beats);
  if (a.burst == Burst::wrap) {
    if (a.beats < 2 || a.beats > 16 || !std::has_single_bit(a.beats)) {
      return fmt::format("WRAP burst of {} beats", a.beats);
    }
    if (a.address % a.bytes != 0) return fmt::format("WRAP burst at {:#x}, not a multiple of {}", a.address, a.bytes);
  }
  if (a.burst == Burst::incr) {
    const std::uint64_t last = aligned(a.address, a.bytes) + std::uint64_t{a.beats} * a.bytes - 1;
    if (last / kPage != a.address / kPage) {
      return fmt::format("burst from {:#x} to {:#x} crosses a boundary of 4 KiB", a.address, last);
    }
  }
  return a.burst > Burst::wrap ? "burst of the reserved kind" : "";
}

Range range_of(const Address& a, std::uint32_t bus) {
  const std::uint32_t all = a.beats * a.bytes;
  const std::uint32_t first = beat(a, 0, bus).bytes;
  switch (a.burst) {
    case Burst::fixed:
      return {a.address, a.beats * first, first};
    case Burst::wrap:
      return {lower_end(a), all, all};
    default:
      return {a.address, all - (a.bytes - first), all - (a.bytes - first)};
  }
}

std::uint32_t place(const Address& a, std::uint32_t number, std::uint32_t bus) {
  const Beat b = beat(a, number, bus);
  if (a.burst == Burst::fixed) return number * b.bytes;
  return static_cast<std::uint32_t>(b.address - range_of(a, bus).address);
}

std::vector<Piece> bursts_of(const Range& range, std::uint32_t bus) {
  std::vector<Piece> out;
  for (std::uint32_t done = 0; done < range.length;) {
    const std::uint32_t in_width = done % range.width;
    const std::uint64_t address = range.address + in_width;
    const std::uint64_t most =
        std::min<std::uint64_t>(kPage - address % kPage, 256 * std::uint64_t{bus} - address % bus);
    const auto length =
        static_cast<std::uint32_t>(std::min<std::uint64_t>({range.length - done, range.width - in_width, most}));
    Address a;
    a.address = address;
    a.bytes = bus;
    a.beats = static_cast<std::uint32_t>((address % bus + length + bus - 1) / bus);
    out.push_back({a, done, length});
    done += length;
  }
  return out;
}

}  // namespace weft::axi
