#pragma once
// Network read from a topology file (key file): one statement per line, words separated by blanks, `#`
// starts a comment. Statements may stand in any order.
//
//   switches N ports P    N switches, numbered 0..N-1, of P ports each; exactly once
//   ports S P             switch S has P ports instead
//   node N S:P            end node N is at port P of switch S; nodes are numbered 0..n-1 without gaps
//   link S:P S:P          full-duplex link between two ports; switches may have several links

#include "network/topology/topology.h"

namespace weft {

/// Building throws InputError with every error of the file, each with line and column.
const Topology& file_topology();

}  // namespace weft
