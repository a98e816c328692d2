#include "algorithms/dlt/flow.h"

#include <algorithm>
#include <limits>

#include "algorithms/dlt/linear_program.h"

namespace weft::dlt {
namespace {

bool loads_given(const std::vector<Source>& sources) { return sources.front().load > 0; }

// Below this part of the load a flow is rounding.
constexpr double kNothing = 1e-12;

struct Program {
  LinearProgram lp;
  std::vector<int> node_columns;  // 0: does not compute
  std::vector<int> link_columns;
  std::vector<std::vector<LinearProgram::Term>> balance;
};

void add_sources(Program& p, const std::vector<Source>& sources) {
  const bool given = loads_given(sources);
  int total = 0;
  for (const Source& s : sources) {
    if (total == 0 || !given) total = p.lp.variable(LinearProgram::kNoLimit, 0);
    p.balance[s.node].push_back({total, given ? s.load : 1});
  }
}

// A path from a source to a node that still has flow for it, along links with the most flow left.
class Peeler {
 public:
  Peeler(const Network& network, const FlowSolution& flow, std::vector<double> supply)
      : network_(network),
        left_(flow.link_loads),
        demand_(flow.shares),
        supply_(std::move(supply)),
        in_(network.nodes.size()) {
    for (LinkIndex l = 0; l < network.links.size(); ++l) in_[network.links[l].to].push_back(l);
  }

  // Walks from the node back to a source; the flow has no cycles, so the walk ends.
  void peel(NodeIndex node, std::vector<Message>& out) {
    while (demand_[node] > kNothing) {
      double amount = demand_[node];
      std::vector<LinkIndex> path;
      NodeIndex at = node;
      while (supply_[at] <= kNothing) {
        const LinkIndex l = widest(at);
        if (l == kNone || path.size() > network_.nodes.size()) return;  // rounding left a little without a source
        amount = std::min(amount, left_[l]);
        path.push_back(l);
        at = network_.links[l].from;
      }
      amount = std::min(amount, supply_[at]);
      for (const LinkIndex l : path) left_[l] -= amount;
      supply_[at] -= amount;
      demand_[node] -= amount;
      std::reverse(path.begin(), path.end());
      out.push_back({node, amount, std::move(path), 0});
    }
  }

 private:
  static constexpr LinkIndex kNone = 0xffffffff;

  LinkIndex widest(NodeIndex node) const {
    LinkIndex best = kNone;
    for (const LinkIndex l : in_[node]) {
      if (left_[l] > kNothing && (best == kNone || left_[l] > left_[best])) best = l;
    }
    return best;
  }

  const Network& network_;
  std::vector<double> left_;
  std::vector<double> demand_;
  std::vector<double> supply_;
  std::vector<std::vector<LinkIndex>> in_;
};

}  // namespace

FlowSolution best_flow(const Network& network, const std::vector<Source>& sources) {
  Program p;
  p.balance.resize(network.nodes.size());
  for (NodeIndex n = 0; n < network.nodes.size(); ++n) {
    p.node_columns.push_back(0);
    if (!network.nodes[n].computes) continue;
    p.node_columns.back() = p.lp.variable(1 / network.nodes[n].time, 1);
    p.balance[n].push_back({p.node_columns.back(), -1});
  }
  for (const Link& link : network.links) {
    const int column = p.lp.variable(1 / link.time, 0);
    p.link_columns.push_back(column);
    p.balance[link.from].push_back({column, -1});
    p.balance[link.to].push_back({column, 1});
  }
  add_sources(p, sources);
  for (const auto& terms : p.balance) p.lp.row(0, 0, terms);

  FlowSolution out;
  const double rate = p.lp.maximize();
  for (const int c : p.node_columns) out.node_prices.push_back(c == 0 ? 0 : p.lp.price(c));
  for (const int c : p.link_columns) out.link_prices.push_back(p.lp.price(c));

  // The same rate with the least traffic.
  std::vector<LinearProgram::Term> total;
  for (const int c : p.node_columns) {
    if (c == 0) continue;
    total.push_back({c, 1});
    p.lp.objective(c, 0);
  }
  p.lp.row(rate * (1 - 1e-12), LinearProgram::kNoLimit, total);
  for (LinkIndex l = 0; l < network.links.size(); ++l) p.lp.objective(p.link_columns[l], -network.links[l].time);
  p.lp.maximize();

  double sum = 0;
  for (const int c : p.node_columns) {
    out.shares.push_back(c == 0 ? 0 : p.lp.value(c));
    sum += out.shares.back();
  }
  for (const int c : p.link_columns) out.link_loads.push_back(p.lp.value(c) / sum);
  for (double& share : out.shares) share /= sum;
  out.finish = 1 / rate;
  return out;
}

std::vector<Message> flow_messages(const Network& network, const std::vector<Source>& sources, const FlowSolution& flow,
                                   std::uint32_t rounds) {
  std::vector<double> supply(network.nodes.size());
  for (const Source& s : sources) supply[s.node] = loads_given(sources) ? s.load : 1;
  Peeler peeler(network, flow, supply);
  std::vector<Message> paths;
  // What a source computes itself never travels, so it is taken from its supply first.
  for (const Source& s : sources) peeler.peel(s.node, paths);
  for (NodeIndex n = 0; n < network.nodes.size(); ++n) peeler.peel(n, paths);
  std::vector<Message> messages;
  for (std::uint32_t k = 0; k < rounds; ++k) {
    for (Message m : paths) {
      m.amount /= rounds;
      m.stage = flow.finish / rounds;
      m.release = k * m.stage;
      messages.push_back(std::move(m));
    }
  }
  return messages;
}

std::size_t longest_path(const std::vector<Message>& messages) {
  std::size_t longest = 0;
  for (const Message& m : messages) longest = std::max(longest, m.path.size());
  return longest;
}

double reference_time(const Network& network, const std::vector<Source>& sources) {
  double fastest = std::numeric_limits<double>::infinity();
  for (const Source& s : sources) {
    if (network.nodes[s.node].computes) fastest = std::min(fastest, network.nodes[s.node].time);
  }
  if (fastest < std::numeric_limits<double>::infinity()) return fastest;
  for (const Node& n : network.nodes) {
    if (n.computes) fastest = std::min(fastest, n.time);
  }
  return fastest;
}

double speedup_bound(const Network& network, const std::vector<Source>& sources) {
  double at_sources = 0;
  for (const Source& s : sources) {
    if (network.nodes[s.node].computes) at_sources += 1 / network.nodes[s.node].time;
    for (const LinkIndex l : network.out[s.node]) at_sources += 1 / network.links[l].time;
  }
  double everywhere = 0;
  for (const Node& n : network.nodes) everywhere += n.computes ? 1 / n.time : 0;
  return std::min(at_sources, everywhere) * reference_time(network, sources);
}

}  // namespace weft::dlt
