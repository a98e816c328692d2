#pragma once
// Reduction unit of a node: combines the streams that come from several nodes, element by element, into one. It stands
// in the receive path, between the N x N switch and a writer. Beyond the paper named in algorithms/optweb/link_sync.h,
// whose section 6 leaves it to the future.
//
// The unit is a tree of adders or comparators. Streams are ordered by the rank of their nodes in the group; each level
// combines the 1st with the 2nd, the 3rd with the 4th and so on, the last of an odd number goes on as it is. So the
// order does not depend on when words come: float32 sums of 5 streams are ((0 + 1) + (2 + 3)) + 4, with a rounding to
// the nearest after each of them. Words pass at the pace of the slowest stream, `reduce` cycles per level later.
//
// int32: sums modulo 2^32. float32: IEEE 754-2019, minimum and maximum included (-0 is less than +0, and what has a NaN
// among its operands is a NaN); a NaN that comes out is always 0x7fc00000. Elements are little-endian.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "algorithms/optweb/optweb_config.h"
#include "algorithms/optweb/semantics/sparse_memory.h"

namespace weft::optweb {

struct Reduction {
  ProgramCombine combine = ProgramCombine::sum;
  ProgramElement element = ProgramElement::int32;
  bool operator==(const Reduction&) const = default;
};

/// Of two elements, as bits.
std::uint32_t combine(const Reduction& reduction, std::uint32_t a, std::uint32_t b);

/// Levels of the tree for so many streams: 0 for one of them.
std::uint32_t tree_levels(std::size_t streams);

/// A stream as it lies in a memory.
struct StoredStream {
  const SparseMemory* memory = nullptr;
  std::uint64_t address = 0;
};

/// Operation of a unit of another kind on four bytes, which may be several smaller elements; the first operand is that
/// of the lower rank.
using CombineElements = std::function<std::uint32_t(std::uint32_t a, std::uint32_t b)>;

/// Combines `bytes`, a multiple of kElementBytes, of all streams (in the order of their ranks) into `to` from
/// `address` on. Everything is read before it is written only within a page: `to` must not overlap the streams.
/// `stop`, asked before every page, ends it early.
void reduce(const Reduction& reduction, const std::vector<StoredStream>& streams, SparseMemory& to,
            std::uint64_t address, std::uint64_t bytes, const std::function<bool()>& stop = {});
/// The same tree with another operation.
void reduce(const CombineElements& combine, const std::vector<StoredStream>& streams, SparseMemory& to,
            std::uint64_t address, std::uint64_t bytes, const std::function<bool()>& stop = {});

}  // namespace weft::optweb
