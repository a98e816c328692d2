#pragma once
// A design's own boxes in one place of a node's path of words (fabrics/optweb/boxes/word_path.h), in the order in which
// words pass them.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "algorithms/optweb/semantics/sparse_memory.h"
#include "fabrics/optweb/boxes/word_path.h"

namespace weft {

class WordBoxes {
 public:
  void add(std::unique_ptr<WordBox> box) { boxes_.push_back(std::move(box)); }
  bool empty() const { return boxes_.empty(); }
  std::size_t size() const { return boxes_.size(); }
  const WordBox& operator[](std::size_t place) const { return *boxes_[place]; }
  /// Cycles from the entry into the first box to that into box `place`.
  Cycle latency_before(std::size_t place, const PassingWords& words) const;
  /// Binds them one behind the other, the last one to `next`. Returns where words enter.
  WordPathIf& bind(WordPathIf& next);

 private:
  std::vector<std::unique_ptr<WordBox>> boxes_;
};

/// Bytes of a stream that lie in `memory` from `address` on, as they are behind the boxes from `entry` on, from address
/// 0 of the memory returned on. `stop`, asked before every part, ends it early.
std::shared_ptr<const optweb::SparseMemory> carried(WordPathIf& entry, const PassingWords& words,
                                                    const optweb::SparseMemory& memory, std::uint64_t address,
                                                    const std::function<bool()>& stop);

}  // namespace weft
