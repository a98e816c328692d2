#include "algorithms/dlt/simulate.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace weft::dlt {
namespace {

constexpr LinkIndex kNoLink = 0xffffffff;

// Dimension in which the ends of a link differ.
std::size_t dimension_of(const Network& network, const Link& link) {
  NodeIndex a = link.from;
  NodeIndex b = link.to;
  std::size_t d = 0;
  for (; d < network.dims.size() && a % network.dims[d] == b % network.dims[d]; ++d) {
    a /= network.dims[d];
    b /= network.dims[d];
  }
  return d;
}

class Tree {
 public:
  Tree(const Network& network, NodeIndex source, const std::vector<double>& shares, DltRoutes rule)
      : network_(network),
        source_(source),
        shares_(shares),
        rule_(rule),
        distance_(hop_distances(network, {{source, 0}})),
        feed_(network.nodes.size(), kNoLink),
        branch_(network.nodes.size(), kNoLink),
        count_(network.links.size()),
        load_(network.links.size()) {}

  std::vector<Message> grow() {
    std::vector<std::vector<LinkIndex>> in(network_.nodes.size());
    for (LinkIndex l = 0; l < network_.links.size(); ++l) in[network_.links[l].to].push_back(l);
    std::vector<NodeIndex> order(network_.nodes.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](NodeIndex a, NodeIndex b) { return distance_[a] < distance_[b]; });
    std::vector<Message> messages;
    for (const NodeIndex node : order) {
      if (distance_[node] == 0 || distance_[node] == kUnreached) continue;
      join(node, in[node]);
      if (shares_[node] > 0) messages.push_back({node, shares_[node], path(node), 0});
    }
    return messages;
  }

 private:
  void join(NodeIndex node, const std::vector<LinkIndex>& in) {
    LinkIndex best = kNoLink;
    for (const LinkIndex l : in) {
      if (distance_[network_.links[l].from] + 1 != distance_[node]) continue;
      if (best == kNoLink || better(l, best)) best = l;
    }
    feed_[node] = best;
    branch_[node] = root_link(best);
    ++count_[branch_[node]];
    load_[branch_[node]] += shares_[node];
  }

  LinkIndex root_link(LinkIndex l) const {
    const NodeIndex from = network_.links[l].from;
    return from == source_ ? l : branch_[from];
  }

  bool better(LinkIndex a, LinkIndex b) const {
    const LinkIndex ra = root_link(a);
    const LinkIndex rb = root_link(b);
    const auto from = [&](LinkIndex l) { return network_.links[l].from; };
    switch (rule_) {
      case DltRoutes::fewest_nodes:
        return std::tuple(count_[ra], from(a)) < std::tuple(count_[rb], from(b));
      case DltRoutes::least_load:
        return std::tuple(load_[ra], from(a)) < std::tuple(load_[rb], from(b));
      case DltRoutes::dimension_order:
        return std::tuple(dimension_of(network_, network_.links[b]), from(a)) <
               std::tuple(dimension_of(network_, network_.links[a]), from(b));
    }
    return false;
  }

  std::vector<LinkIndex> path(NodeIndex node) const {
    std::vector<LinkIndex> links;
    for (; node != source_; node = network_.links[feed_[node]].from) links.push_back(feed_[node]);
    std::reverse(links.begin(), links.end());
    return links;
  }

  const Network& network_;
  NodeIndex source_;
  const std::vector<double>& shares_;
  DltRoutes rule_;
  std::vector<std::uint32_t> distance_;
  std::vector<LinkIndex> feed_;       // by node: link that feeds it
  std::vector<LinkIndex> branch_;     // by node: link out of the source its load takes
  std::vector<std::uint32_t> count_;  // by link out of the source
  std::vector<double> load_;
};

}  // namespace

std::vector<Message> tree_messages(const Network& network, NodeIndex source, const std::vector<double>& shares,
                                   DltRoutes rule, const Location& where) {
  if (rule == DltRoutes::dimension_order && network.dims.empty()) {
    throw InputError(where, "routes: dimension_order needs a mesh, torus or hypercube");
  }
  return Tree(network, source, shares, rule).grow();
}

}  // namespace weft::dlt
