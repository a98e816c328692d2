#pragma once
// k-ary n-tree (keys arity k, levels n): k^n end nodes, n levels of k^(n-1) switches of 2k ports.
//
// Switch <w, l> of level l (0 = leaves) has number l * k^(n-1) + w; the digits of w in base k, lowest first,
// are w_0 .. w_(n-2). Ports 0..k-1 lead down, k..2k-1 up. Up port k + u of <w, l> leads to the switch of
// level l + 1 whose number differs from w at most in digit l, which is u there; the other end is its down
// port w_l. End node w*k + p is at port p of leaf switch w. The up ports of the top level exist and stay
// free, so all switches have 2k ports. Links: (n - 1) * k^n, full duplex. Source: Petrini and Vanneschi,
// "k-ary n-trees", IPPS 1997.

#include "network/topology/topology.h"

namespace weft {

const Topology& tree_topology();

}  // namespace weft
