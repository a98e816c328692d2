#include "algorithms/dlt/branches.h"

#include <algorithm>
#include <deque>
#include <random>
#include <tuple>

#include "algorithms/dlt/linear_program.h"

namespace weft::dlt {
namespace {

constexpr std::uint32_t kNone = 0xffffffff;

// Splits the nodes that are no sources into connected parts, each with one given node (its head), of sizes as equal
// as it can: first the smallest part that can takes a neighbour, then nodes move from larger to smaller parts, also
// through parts in between, for as long as that helps. Relays count nothing.
class Split {
 public:
  Split(const Network& network, const std::vector<Source>& sources) : network_(network), part_(network.nodes.size()) {
    std::fill(part_.begin(), part_.end(), kNone);
    neighbours_.resize(network.nodes.size());
    for (const Link& l : network.links) {
      auto& list = neighbours_[l.from];
      if (std::find(list.begin(), list.end(), l.to) == list.end()) list.push_back(l.to);
    }
    for (const Source& s : sources) part_[s.node] = kSource;
    // Sources take turns, so that a neighbour of several is not always the first one's.
    bool more = true;
    for (std::size_t turn = 0; more; ++turn) {
      more = false;
      for (const Source& s : sources) {
        if (turn >= neighbours_[s.node].size()) continue;
        more = true;
        const NodeIndex n = neighbours_[s.node][turn];
        if (part_[n] != kNone) continue;
        part_[n] = static_cast<std::uint32_t>(heads_.size());
        heads_.push_back({s, n});
        size_.push_back(weight(n));
      }
    }
  }

  struct Head {
    Source source;
    NodeIndex node;
  };

  void run() {
    grow();
    std::size_t tries = part_.size() <= kSmall ? 400 : 10;
    do {
      while (improve()) {
      }
    } while (tries-- > 0 && !balanced() && drift());
  }

  const std::vector<Head>& heads() const { return heads_; }
  std::uint32_t part(NodeIndex n) const { return part_[n]; }

 private:
  static constexpr std::uint32_t kSource = 0xfffffffe;
  static constexpr std::size_t kSmall = 256;  // nodes; in larger networks a node more or less hardly counts

  bool balanced() const {
    const auto [least, most] = std::minmax_element(size_.begin(), size_.end());
    return size_.empty() || *most - *least <= 1;
  }

  // Moves a node to a part smaller by one, which changes no size but the shapes: a way out of a dead end.
  bool drift() {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::uint32_t a = 0; a < size_.size(); ++a) {
      for (std::uint32_t b = 0; b < size_.size(); ++b) {
        if (size_[a] == size_[b] + 1) pairs.emplace_back(a, b);
      }
    }
    std::shuffle(pairs.begin(), pairs.end(), random_);
    for (const auto& [from, to] : pairs) {
      const NodeIndex node = movable(from, to, static_cast<NodeIndex>(random_() % part_.size()));
      if (node == kNone) continue;
      part_[node] = to;
      --size_[from];
      ++size_[to];
      return true;
    }
    return false;
  }

  std::uint64_t weight(NodeIndex n) const { return network_.nodes[n].computes ? 1 : 0; }

  void grow() {
    std::vector<std::uint32_t> open(heads_.size());
    for (std::uint32_t p = 0; p < open.size(); ++p) open[p] = p;
    while (!open.empty()) {
      const auto smallest = std::min_element(
          open.begin(), open.end(), [&](auto a, auto b) { return std::tuple(size_[a], a) < std::tuple(size_[b], b); });
      const NodeIndex node = best_to_take(*smallest);
      if (node == kNone) {
        open.erase(smallest);
        continue;
      }
      part_[node] = *smallest;
      size_[*smallest] += weight(node);
    }
  }

  // The free neighbour of a part with the fewest free neighbours of its own: the one most easily left over.
  NodeIndex best_to_take(std::uint32_t part) const {
    NodeIndex best = kNone;
    std::size_t best_free = 0;
    for (NodeIndex n = 0; n < part_.size(); ++n) {
      if (part_[n] != part) continue;
      for (const NodeIndex next : neighbours_[n]) {
        if (part_[next] != kNone) continue;
        const auto free = static_cast<std::size_t>(std::count_if(neighbours_[next].begin(), neighbours_[next].end(),
                                                                 [&](NodeIndex x) { return part_[x] == kNone; }));
        if (best != kNone && std::tuple(free, next) >= std::tuple(best_free, best)) continue;
        best = next;
        best_free = free;
      }
    }
    return best;
  }

  // Nodes of `part` reached from its head, `without` left out.
  std::vector<bool> reached(std::uint32_t part, NodeIndex without) const {
    std::vector<bool> seen(part_.size());
    std::deque<NodeIndex> queue{heads_[part].node};
    seen[heads_[part].node] = true;
    for (; !queue.empty(); queue.pop_front()) {
      for (const NodeIndex n : neighbours_[queue.front()]) {
        if (part_[n] != part || n == without || seen[n]) continue;
        seen[n] = true;
        queue.push_back(n);
      }
    }
    return seen;
  }

  bool may_leave(NodeIndex node) const {
    const std::uint32_t part = part_[node];
    if (heads_[part].node == node) return false;
    const std::vector<bool> seen = reached(part, node);
    for (NodeIndex n = 0; n < part_.size(); ++n) {
      if (part_[n] == part && n != node && !seen[n]) return false;
    }
    return true;
  }

  // A node of `from` that may go over to `to`, searched from node `begin` on.
  NodeIndex movable(std::uint32_t from, std::uint32_t to, NodeIndex begin = 0) const {
    for (NodeIndex i = 0; i < part_.size(); ++i) {
      const auto n = static_cast<NodeIndex>((begin + i) % part_.size());
      if (part_[n] != from || weight(n) == 0) continue;
      const bool touches =
          std::any_of(neighbours_[n].begin(), neighbours_[n].end(), [&](NodeIndex x) { return part_[x] == to; });
      if (touches && may_leave(n)) return n;
    }
    return kNone;
  }

  // Moves one node along a chain of parts from a large one to one smaller by two or more; false if there is none.
  bool improve() {
    std::vector<std::uint32_t> order(heads_.size());
    for (std::uint32_t p = 0; p < order.size(); ++p) order[p] = p;
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return size_[a] > size_[b]; });
    for (const std::uint32_t large : order) {
      std::vector<std::uint32_t> before(heads_.size(), kNone);
      std::deque<std::uint32_t> queue{large};
      before[large] = large;
      for (; !queue.empty(); queue.pop_front()) {
        const std::uint32_t at = queue.front();
        if (size_[at] + 2 <= size_[large] && shift(before, large, at)) return true;
        for (std::uint32_t next = 0; next < heads_.size(); ++next) {
          if (before[next] != kNone || movable(at, next) == kNone) continue;
          before[next] = at;
          queue.push_back(next);
        }
      }
    }
    return false;
  }

  // Each step was possible by itself; the steps before may have changed that, so all are undone if one fails.
  bool shift(const std::vector<std::uint32_t>& before, std::uint32_t large, std::uint32_t small) {
    const std::vector<std::uint32_t> old = part_;
    for (std::uint32_t to = small; to != large; to = before[to]) {
      const NodeIndex node = movable(before[to], to);
      if (node == kNone) {
        part_ = old;
        return false;
      }
      part_[node] = to;
    }
    --size_[large];
    ++size_[small];
    return true;
  }

  const Network& network_;
  std::vector<std::uint32_t> part_;  // by node
  std::vector<std::vector<NodeIndex>> neighbours_;
  std::vector<Head> heads_;
  std::vector<std::uint64_t> size_;
  std::mt19937 random_;  // the same sequence in every run
};

}  // namespace

double slowest(const Network& network, const Message& m) {
  double time = 0;
  for (const LinkIndex l : m.path) time = std::max(time, network.links[l].time);
  return time;
}

Branch widest_tree(const Network& network, const Source& source, NodeIndex head, const std::vector<bool>& members) {
  struct Label {
    double slowest;
    std::size_t hops;
    LinkIndex by;
    bool done;
  };
  std::vector<Label> labels(network.nodes.size(), {0, 0, kNone, false});
  labels[source.node].done = true;
  const auto relax = [&](NodeIndex from) {
    for (const LinkIndex l : network.out[from]) {
      const NodeIndex to = network.links[l].to;
      if (!members[to] || labels[to].done || (from == source.node && to != head)) continue;
      const double slowest = std::max(labels[from].slowest, network.links[l].time);
      const std::size_t hops = labels[from].hops + 1;
      if (labels[to].by == kNone || std::tuple(slowest, hops) < std::tuple(labels[to].slowest, labels[to].hops)) {
        labels[to] = {slowest, hops, l, false};
      }
    }
  };
  Branch branch{source, {}};
  for (NodeIndex at = source.node; at != kNone;) {
    relax(at);
    at = kNone;
    for (NodeIndex n = 0; n < labels.size(); ++n) {
      if (labels[n].done || labels[n].by == kNone) continue;
      if (at == kNone ||
          std::tuple(labels[n].slowest, labels[n].hops) < std::tuple(labels[at].slowest, labels[at].hops)) {
        at = n;
      }
    }
    if (at == kNone) break;
    labels[at].done = true;
    if (!network.nodes[at].computes) continue;
    Message message{at, 0, {}, 0};
    for (NodeIndex n = at; n != source.node; n = network.links[labels[n].by].from) {
      message.path.insert(message.path.begin(), labels[n].by);
    }
    branch.queue.push_back(std::move(message));
  }
  return branch;
}

std::vector<std::uint64_t> BranchPlan::sizes() const {
  std::vector<std::uint64_t> out;
  for (const Branch& b : branches) out.push_back(b.queue.size());
  return out;
}

std::vector<Message> BranchPlan::messages() const {
  std::vector<Message> out;
  std::vector<double> kept = shares;
  for (const Branch& b : branches) {
    for (const Message& m : b.queue) {
      kept[m.node] = 0;
      if (m.amount > 0) out.push_back(m);
    }
  }
  for (NodeIndex n = 0; n < kept.size(); ++n) {
    if (kept[n] > 0) out.push_back({n, kept[n], {}, 0});
  }
  return out;
}

bool equal_branches_are_best(const Network& network, const std::vector<Source>& sources) {
  if (sources.size() > 1 && sources.front().load > 0) return false;
  const auto slower = [](const auto& a, const auto& b) { return a.time < b.time; };
  std::vector<Node> nodes = network.nodes;
  std::erase_if(nodes, [](const Node& n) { return !n.computes; });
  const auto [fast, slow] = std::minmax_element(nodes.begin(), nodes.end(), slower);
  const auto [quick, late] = std::minmax_element(network.links.begin(), network.links.end(), slower);
  return fast->time == slow->time && (network.links.empty() || quick->time == late->time);
}

BranchPlan make_branches(const Network& network, const std::vector<Source>& sources) {
  BranchPlan plan;
  if (!equal_branches_are_best(network, sources)) {
    plan.branches = best_split(network, sources);
    return plan;
  }
  Split split(network, sources);
  split.run();
  for (std::uint32_t p = 0; p < split.heads().size(); ++p) {
    std::vector<bool> members(network.nodes.size());
    for (NodeIndex n = 0; n < members.size(); ++n) members[n] = split.part(n) == p;
    plan.branches.push_back(widest_tree(network, split.heads()[p].source, split.heads()[p].node, members));
    if (plan.branches.back().queue.empty()) plan.branches.pop_back();
  }
  return plan;
}

bool best_branches(const Network& network, const std::vector<Source>& sources, BranchPlan& plan) {
  // Times are in units of the finish time: message k of a branch starts at start_k <= 1, and what is computed in that
  // unit of time is the rate that is made as large as possible.
  LinearProgram lp;
  constexpr double kNoLimit = LinearProgram::kNoLimit;
  const bool given = sources.front().load > 0;
  const int total = given ? lp.variable(kNoLimit, 0) : 0;
  std::vector<std::vector<LinearProgram::Term>> from_source(network.nodes.size());
  std::vector<int> kept(network.nodes.size());
  for (const Source& s : sources) {
    if (!network.nodes[s.node].computes) continue;
    kept[s.node] = lp.variable(1 / network.nodes[s.node].time, 1);
    from_source[s.node].push_back({kept[s.node], 1});
  }
  std::vector<std::vector<int>> amounts;
  for (const Branch& branch : plan.branches) {
    amounts.emplace_back();
    int start = 0;  // column; 0: time 0
    for (std::size_t k = 0; k < branch.queue.size(); ++k) {
      const Message& m = branch.queue[k];
      const double pace = slowest(network, m);
      const int amount = lp.variable(kNoLimit, 1);
      amounts.back().push_back(amount);
      from_source[branch.source.node].push_back({amount, 1});
      std::vector<LinearProgram::Term> ends{{amount, std::max(pace, network.nodes[m.node].time)}};
      if (start != 0) ends.push_back({start, 1});
      lp.row(-kNoLimit, 1, ends);
      const int next = lp.variable(kNoLimit, 0);
      std::vector<LinearProgram::Term> follows{{next, 1}, {amount, -pace}};
      if (start != 0) follows.push_back({start, -1});
      lp.row(0, 0, follows);
      start = next;
    }
  }
  for (const Source& s : sources) {
    if (!given) break;
    auto terms = from_source[s.node];
    terms.push_back({total, -s.load});
    lp.row(0, 0, terms);
  }
  const double rate = lp.maximize();
  if (!(rate > 0)) return false;
  plan.finish = 1 / rate;
  plan.shares.assign(network.nodes.size(), 0);
  for (const Source& s : sources) {
    if (kept[s.node] != 0) plan.shares[s.node] = lp.value(kept[s.node]) / rate;
  }
  for (std::size_t b = 0; b < amounts.size(); ++b) {
    for (std::size_t k = 0; k < amounts[b].size(); ++k) {
      Message& m = plan.branches[b].queue[k];
      m.amount = lp.value(amounts[b][k]) / rate;
      plan.shares[m.node] = m.amount;
    }
  }
  return true;
}

}  // namespace weft::dlt
