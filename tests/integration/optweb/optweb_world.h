#pragma once
// Hierarchy of full meshes as a test sees it: places of nodes, their stripes, and memories as arrays.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "support/optweb_memories.h"

namespace weft::test {

/// Places at each level, and what lies in the memories of the nodes.
class World {
 public:
  /// `interface`: K.
  World(std::vector<std::uint32_t> levels, std::uint64_t interface) : levels_(std::move(levels)), k_(interface) {}
  std::vector<Bytes> memory;  ///< by node

  std::uint64_t interface() const { return k_; }

  std::size_t levels() const { return levels_.size(); }
  std::uint32_t places(std::size_t level) const { return levels_[level]; }
  std::uint32_t nodes() const { return stride(levels()); }
  std::uint32_t stripes() const {
    std::uint32_t out = 1;
    for (const std::uint32_t places : levels_) out += places - 1;
    return out;
  }
  std::uint32_t place(NodeId n, std::size_t level) const { return n / stride(level) % levels_[level]; }
  /// Node `n` in the place of `like` at a level.
  NodeId moved(NodeId n, std::size_t level, NodeId like) const {
    return n - place(n, level) * stride(level) + place(like, level) * stride(level);
  }
  /// The levels at which two nodes differ.
  std::vector<std::size_t> apart(NodeId a, NodeId b) const {
    std::vector<std::size_t> out;
    for (std::size_t l = 0; l < levels(); ++l) {
      if (place(a, l) != place(b, l)) out.push_back(l);
    }
    return out;
  }
  bool linked(NodeId a, NodeId b) const { return apart(a, b).size() < 2; }

  /// The stripe that node `of` has for node `n`: places of the own group first, then the other groups, ascending, then
  /// the other groups of groups.
  std::uint64_t stripe(NodeId of, NodeId n) const {
    const std::vector<std::size_t> apart = this->apart(of, n);
    EXPECT_LT(apart.size(), 2u) << of << " has no stripe for " << n;
    if (apart.empty()) return place(of, 0);
    std::uint64_t before = apart[0] == 0 ? 0 : levels_[0];
    for (std::size_t l = 1; l < apart[0]; ++l) before += levels_[l] - 1;
    return before + place(n, apart[0]) - (apart[0] > 0 && n > of ? 1 : 0);
  }

  struct Spot {
    NodeId node;
    NodeId of;  /// in the stripe for this node
    std::uint64_t address;
  };
  std::size_t offset(const Spot& s) const { return s.address + 2 * k_ * stripe(s.node, s.of); }

  /// What is read is what was there before the instruction.
  void begin() { before_ = memory; }
  void copy(const Spot& from, const Spot& to, std::uint64_t bytes) {
    std::copy_n(before_[from.node].begin() + static_cast<std::ptrdiff_t>(offset(from)), bytes,
                memory[to.node].begin() + static_cast<std::ptrdiff_t>(offset(to)));
  }
  Elements elements(const Spot& s, std::uint64_t bytes) const { return elements_at(before_[s.node], offset(s), bytes); }
  void store(const Spot& s, const Elements& data) { store_elements(data, memory[s.node], offset(s)); }

 private:
  std::uint32_t stride(std::size_t level) const {
    std::uint32_t out = 1;
    for (std::size_t l = 0; l < level; ++l) out *= levels_[l];
    return out;
  }

  std::vector<std::uint32_t> levels_;
  std::uint64_t k_;
  std::vector<Bytes> before_;
};

}  // namespace weft::test
