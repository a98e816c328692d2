#pragma once
// Branch: the nodes behind one link out of a source, fed as a queue (algorithms/dlt/branches.h).

#include <vector>

#include "algorithms/dlt/simulate.h"

namespace weft::dlt {

struct Branch {
  Source source;
  std::vector<Message> queue;  ///< in the order of sending; amounts are filled in by best_branches
};

/// The branch of the nodes `members` behind the link to `head`, one of them: along the paths whose slowest link is as
/// fast as possible, then with fewest hops; the fastest way first. Only nodes that compute and can be reached are in
/// it.
Branch widest_tree(const Network& network, const Source& source, NodeIndex head, const std::vector<bool>& members);
/// Time per load of the slowest link on a message's way.
double slowest(const Network& network, const Message& m);

}  // namespace weft::dlt
