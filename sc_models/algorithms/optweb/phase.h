#pragma once
// Phase of an instruction at a node: pieces of memory that go out and come in.

#include <cstdint>
#include <vector>

#include "algorithms/optweb/reduction.h"
#include "base/ids.h"

namespace weft::optweb {

struct Piece {
  NodeId peer = 0;
  std::uint64_t address = 0;  ///< physical
  std::uint64_t bytes = 0;
  bool done = false;
};

/// A part of an instruction that a node executes at once.
struct Phase {
  std::vector<Piece> out;
  std::vector<Piece> in;
  bool reduces = false;  ///< what comes in, by rank, is combined into `bytes` at `address`
  Reduction reduction;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

}  // namespace weft::optweb
