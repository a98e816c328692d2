#pragma once
// Symmetries of all-to-all exchange on a grid: maps of the connections onto each other that keep which of them share a
// link, a sender or a receiver. A schedule that is put through one stays valid, so a search may look for schedules
// that a group of symmetries leaves as they are, and has that much less to decide.
//
// A symmetry moves the nodes and may turn the connections round. Mirror images and half turns keep X-first routes what
// they are; transposing the grid makes Y-first routes of them, and turning every connection round (its destination
// becomes its source) makes them X-first again. So a square has all eight symmetries, a rectangle four; on tori of
// even size shifts by half the size are used instead, because half-way routes always go in the + direction.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "algorithms/alltoall/schedule.h"

namespace weft::alltoall {

using NodePair = std::pair<std::uint32_t, std::uint32_t>;  ///< source, destination of a connection

struct Symmetry {
  std::vector<std::uint32_t> node;  ///< where each node goes
  bool reverse = false;             ///< the image of a connection goes from the destination's image to the source's

  NodePair image(NodePair c) const {
    return reverse ? NodePair{node[c.second], node[c.first]} : NodePair{node[c.first], node[c.second]};
  }
  bool operator==(const Symmetry&) const = default;
};

Symmetry identity(const Grid& grid);
/// First `second`, then `first`.
Symmetry product(const Symmetry& first, const Symmetry& second);

Symmetry mirror_x(const Grid& grid);
Symmetry mirror_y(const Grid& grid);
/// By parts of the size, for a torus.
Symmetry shift(const Grid& grid, std::uint32_t dx, std::uint32_t dy);
/// Along the main diagonal, connections turned round. Precondition: the grid is square.
Symmetry transpose(const Grid& grid);

/// True when the symmetry maps links, senders and receivers onto each other such that routes become routes: then it
/// keeps what connections share. Decided by walking every route.
bool holds(const Grid& grid, const Symmetry& symmetry);

/// A set of elements of a group, by number.
using ElementSet = std::uint32_t;

/// All products of some symmetries, element 0 being the identity. At most 32 elements.
class SymmetryGroup {
 public:
  SymmetryGroup(const Grid& grid, const std::vector<Symmetry>& generators);

  std::uint32_t size() const { return static_cast<std::uint32_t>(elements_.size()); }
  const Symmetry& operator[](std::uint32_t element) const { return elements_[element]; }
  std::uint32_t product(std::uint32_t first, std::uint32_t second) const { return products_[first * size() + second]; }
  /// The elements of the subgroup that some symmetries of the group make up.
  ElementSet subgroup(const std::vector<Symmetry>& generators) const;

 private:
  std::vector<Symmetry> elements_;
  std::vector<std::uint32_t> products_;
};

}  // namespace weft::alltoall
