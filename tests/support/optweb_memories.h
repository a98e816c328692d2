#pragma once
// Memories of OPTWEB nodes as arrays, and reductions as plain arithmetic: what tests of bytes compare with.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/optweb/semantics/sparse_memory.h"

namespace weft::test {

using Bytes = std::vector<std::byte>;
using Elements = std::vector<std::uint32_t>;  ///< of four bytes, int32 or float32

/// All of a memory.
Bytes whole(const optweb::SparseMemory& memory);

Elements elements_at(const Bytes& memory, std::uint64_t offset, std::uint64_t bytes);
void store_elements(const Elements& elements, Bytes& memory, std::uint64_t offset);

/// Neighbours in pairs, and what comes out once more: `how` is sum, min or max, as a host's arithmetic has it; the only
/// NaN that comes out is 0x7fc00000.
Elements combined_in_pairs(std::vector<Elements> level, const std::string& how, bool floats);

}  // namespace weft::test
