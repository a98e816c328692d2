#pragma once
// Collectives of the nodes of a torus over all links of a node at once. Every message goes to a neighbour, and in each
// round a link has one direction's share of the data, so no two messages wait for each other.
//
//   allgather  the data of a rank are cut into 2 d parts for d dimensions. Part (s, direction) goes around the rings of
//              dimension s, then, with what it has met, around those of s + 1, and so on (bucket algorithm). Each link
//              carries (ranks - 1) / (2 d) of a rank's data, the least possible
//   alltoall   the data for a rank are cut into d parts; part s goes along dimension s, then s + 1, and so on. In each
//              dimension it takes the shorter way from neighbour to neighbour, half of it each way where both are alike
//   reduce_scatter  the allgather backwards: what came along a ring goes back, and each rank adds its own
//   allreduce  reduce_scatter of the ranks' shares of the data, then their allgather
//   broadcast  the data are cut into one part per directed ring over all nodes, and each part into chunks, which follow
//              each other around the ring. One dimension has a ring in both directions, a square torus two rings that
//              share no link (Bae and Bose, IEEE Trans. Computers 52(11), 2003), so four directions

#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/collectives/node_list.h"
#include "algorithms/collectives/rounds.h"
#include "algorithms/collectives/schedule_builder.h"

namespace weft::collectives {

/// Dimensions of a torus of ranks; rank r has coordinate r mod dims[0] in the first one.
using TorusShape = std::vector<std::uint32_t>;

/// The torus that nodes of a torus network are: all of it, or all nodes that share some coordinates. None: they are no
/// such set.
std::optional<TorusShape> torus_of(const std::vector<std::uint32_t>& network, const NodeList& group);

/// Rings over all ranks that share no link, each as the ranks in their order: one of one dimension, two of two. None:
/// there are no such rings, or none are known.
std::vector<std::vector<Rank>> disjoint_rings(const TorusShape& shape);

/// Blocks in pieces: block b is b * 2 d + part.
Schedule torus_allgather(const Collective& c, const Wanted& wanted, const TorusShape& shape);
/// Blocks in pieces as in the allgather.
Schedule torus_reduce_scatter(const Collective& c, const Wanted& wanted, const TorusShape& shape);
Schedule torus_allreduce(const Collective& c, const Wanted& wanted, const TorusShape& shape);
/// Block b is (b * d + part) * 2 + half.
Schedule torus_alltoall(const Collective& c, const Wanted& wanted, const TorusShape& shape);
/// Block: part * chunks of a part + chunk. Precondition: there are disjoint rings.
Schedule torus_broadcast(const Collective& c, const Wanted& wanted, const TorusShape& shape, std::uint64_t chunk);

}  // namespace weft::collectives
