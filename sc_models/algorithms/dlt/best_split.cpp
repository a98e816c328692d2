#include "algorithms/dlt/branches.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace weft::dlt {
namespace {

using Set = std::uint32_t;
constexpr double kImpossible = -std::numeric_limits<double>::infinity();

// Calls visit(subset) for all subsets of a set, the empty one last.
template <class Visit>
void visit_subsets(Set set, Visit&& visit) {
  for (Set subset = set;; subset = (subset - 1) & set) {
    visit(subset);
    if (subset == 0) return;
  }
}

class Splits {
 public:
  Splits(const Network& network, const std::vector<Source>& sources) : network_(network), sources_(sources) {
    for (NodeIndex n = 0; n < network.nodes.size(); ++n) {
      if (std::none_of(sources.begin(), sources.end(), [&](const Source& s) { return s.node == n; })) {
        nodes_.push_back(n);
      }
    }
    all_ = (Set{1} << nodes_.size()) - 1;
  }

  std::vector<Branch> best() {
    const bool given = sources_.front().load > 0;
    // By set: the best that the sources so far make of it: their rates together, or, with given loads, the smallest
    // rate over load.
    std::vector<double> rates(all_ + 1, kImpossible);
    rates[0] = given ? -kImpossible : 0;
    std::vector<std::vector<Set>> taken_by_source;
    std::vector<SourceSplit> splits;
    for (const Source& source : sources_) {
      splits.push_back(split_of(source));
      const double own = network_.nodes[source.node].computes ? 1 / network_.nodes[source.node].time : 0;
      std::vector<double> next(all_ + 1, kImpossible);
      taken_by_source.emplace_back(all_ + 1, Set{0});
      for (Set set = 0; set <= all_; ++set) {
        visit_subsets(set, [&](Set subset) {
          const double mine = splits.back().rate[subset] + own;
          const double rate = given ? std::min(rates[set & ~subset], mine / source.load) : rates[set & ~subset] + mine;
          if (rate > next[set]) next[set] = rate, taken_by_source.back()[set] = subset;
        });
      }
      rates = std::move(next);
    }
    std::vector<Branch> branches;
    Set left = all_;
    for (std::size_t s = sources_.size(); s-- > 0;) {
      const Set mine = taken_by_source[s][left];
      collect(splits[s], mine, branches);
      left &= ~mine;
    }
    return branches;
  }

 private:
  // How one source best shares sets of nodes among its root links.
  struct SourceSplit {
    Source source;
    std::vector<NodeIndex> heads;
    std::vector<double> rate;             // by set
    std::vector<std::vector<Set>> taken;  // [head][set]: part of the set behind that head
  };

  SourceSplit split_of(const Source& source) const {
    SourceSplit out{source, {}, std::vector<double>(all_ + 1, kImpossible), {}};
    out.rate[0] = 0;
    for (const LinkIndex l : network_.out[source.node]) {
      const NodeIndex head = network_.links[l].to;
      if (std::find(nodes_.begin(), nodes_.end(), head) == nodes_.end()) continue;
      if (std::find(out.heads.begin(), out.heads.end(), head) == out.heads.end()) out.heads.push_back(head);
    }
    for (const NodeIndex head : out.heads) {
      const std::vector<double> alone = branch_rates(source, head);
      std::vector<double> next(all_ + 1, kImpossible);
      out.taken.emplace_back(all_ + 1, Set{0});
      for (Set set = 0; set <= all_; ++set) {
        visit_subsets(set, [&](Set subset) {
          const double rate = out.rate[set & ~subset] + alone[subset];
          if (rate > next[set]) next[set] = rate, out.taken.back()[set] = subset;
        });
      }
      out.rate = std::move(next);
    }
    return out;
  }

  // Rate of every set as one branch behind `head`.
  std::vector<double> branch_rates(const Source& source, NodeIndex head) const {
    std::vector<double> rates(all_ + 1, kImpossible);
    rates[0] = 0;
    for (Set set = 1; set <= all_; ++set) {
      if (const auto branch = branch_of(source, head, set)) rates[set] = rate_of(*branch);
    }
    return rates;
  }

  // Nothing when a node that computes cannot be reached within the set.
  std::optional<Branch> branch_of(const Source& source, NodeIndex head, Set set) const {
    std::vector<bool> members(network_.nodes.size());
    std::size_t computing = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if ((set >> i & 1) == 0) continue;
      members[nodes_[i]] = true;
      computing += network_.nodes[nodes_[i]].computes ? 1 : 0;
    }
    if (!members[head] && computing > 0) return std::nullopt;
    Branch branch = widest_tree(network_, source, head, members);
    if (branch.queue.size() != computing) return std::nullopt;
    return branch;
  }

  double rate_of(const Branch& branch) const {
    double left = 1, rate = 0;
    for (const Message& m : branch.queue) {
      const double pace = slowest(network_, m);
      const double time = std::max(pace, network_.nodes[m.node].time);
      rate += left / time;
      left *= 1 - pace / time;
    }
    return rate;
  }

  void collect(const SourceSplit& split, Set set, std::vector<Branch>& branches) const {
    for (std::size_t h = split.heads.size(); h-- > 0;) {
      const Set mine = split.taken[h][set];
      set &= ~mine;
      if (auto branch = branch_of(split.source, split.heads[h], mine); branch && !branch->queue.empty()) {
        branches.push_back(std::move(*branch));
      }
    }
  }

  const Network& network_;
  const std::vector<Source>& sources_;
  std::vector<NodeIndex> nodes_;  // that are no sources; bit i of a set is nodes_[i]
  Set all_ = 0;
};

}  // namespace

std::vector<Branch> best_split(const Network& network, const std::vector<Source>& sources) {
  return Splits(network, sources).best();
}

}  // namespace weft::dlt
