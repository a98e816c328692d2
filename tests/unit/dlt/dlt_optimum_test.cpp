// The linear programs: against closed forms where there are any, against bounds, and simulated.

#include <set>

#include "algorithms/dlt/branches.h"
#include "network/topology/topologies.h"
#include "unit/dlt/dlt_support.h"

namespace weft::dlt::test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::UnorderedElementsAre;
using enum DltSwitching;

constexpr double kOptimumSigmas[] = {0.02, 0.2, 0.3, 0.5, 0.8, 0.98};

double message_speedup(const Study& s) { return s.speedup(s.branches->plan.finish); }
double best_speedup(const Study& s) { return s.speedup(s.flow.finish); }

// On a chain and on 2 x n one message per node is what the paper's model sends.
TEST(DltOptimum, WholeMessagesAreTheClosedFormOnChainsAndTwoByN) {
  for (const double sigma : kOptimumSigmas) {
    for (const Dims& dims : {Dims{2}, Dims{8}, Dims{2, 2}, Dims{9, 2}}) {
      const Study s = make_study(mesh(dims, "corner", sigma));
      EXPECT_NEAR(message_speedup(s) / s.predicted->closed.speedup, 1, 1e-9);
      for (std::size_t n = 0; n < s.distance.size(); ++n) {
        if (dims.size() == 1) {
          EXPECT_NEAR(s.branches->plan.shares[n], s.predicted->shares[n], 1e-8);
        }
      }
    }
  }
}

// A star with nodes of different speed: each link feeds one leaf, which is as busy as the root unless its link is too
// slow for it.
TEST(DltOptimum, StarOfUnequalSpeeds) {
  DltConfig config = mesh({3, 3}, "centre", 0.5);
  for (const std::uint32_t corner : {0u, 2u, 6u, 8u}) {
    config.nodes.push_back({{{}, corner, corner}, {}, false});
    config.links.push_back({{}, {{}, corner, corner}, {{}, 0, 8}, {}, true});
  }
  const double w[] = {0.5, 1, 2, 4};
  const double z[] = {0.5, 3, 1, 1};
  const std::uint32_t leaf[] = {1, 3, 5, 7};
  double rate = 1;
  for (int i = 0; i < 4; ++i) {
    config.nodes.push_back({{{}, leaf[i], leaf[i]}, w[i], {}});
    config.links.push_back({{}, {{}, 4, 4}, {{}, leaf[i], leaf[i]}, z[i], false});
    rate += 1 / std::max(w[i], 0.5 * z[i]);
  }
  const Study s = make_study(config);
  EXPECT_NEAR(best_speedup(s), rate, 1e-9);
  EXPECT_NEAR(message_speedup(s), rate, 1e-9);
  EXPECT_FALSE(s.predicted);
}

// A chain whose second link is slow: by hand, node 1 computes all the time, node 2 what the slow link brings.
TEST(DltOptimum, ChainWithASlowLinkAndItsPrices) {
  DltConfig config = mesh({3}, "corner", 0.25);
  config.links.push_back({{}, {{}, 1, 1}, {{}, 2, 2}, 8, false});  // time 2
  const Study s = make_study(config);
  EXPECT_NEAR(best_speedup(s), 2.5, 1e-9);
  EXPECT_NEAR(s.flow.shares[2], 0.5 / 2.5, 1e-9);
  EXPECT_THAT(s.flow.node_prices, ElementsAre(1, 1, 0));
  for (LinkIndex l = 0; l < s.network.links.size(); ++l) {
    EXPECT_EQ(s.flow.link_prices[l], s.network.link_name(l) == "1 -> 2" ? 1 : 0) << s.network.link_name(l);
  }
}

TEST(DltOptimum, NeverWorseThanBalancedBranchesNorBeyondTheBound) {
  for (const double sigma : kOptimumSigmas) {
    std::vector<DltConfig> all;
    for (const char* at : {"corner", "edge", "centre", "6"}) all.push_back(mesh({5, 5}, at, sigma));
    all.push_back(mesh({8, 3}, "corner", sigma));
    all.push_back(load_on("torus", {5, 5}, "corner", sigma));
    all.push_back(load_on("torus", {4, 2}, "corner", sigma));  // parallel links
    all.push_back(load_on("torus", {3, 3, 3}, "centre", sigma));
    all.push_back(mesh({2, 2, 2, 2, 2}, "corner", sigma));
    for (const DltConfig& config : all) {
      const Study s = make_study(config);
      const double formula = branches_speedup(s.branches->plan.sizes(), sigma);
      EXPECT_NEAR(message_speedup(s) / formula, 1, 1e-9);
      EXPECT_GE(best_speedup(s), formula * (1 - 1e-9));
      const double links = static_cast<double>(s.network.out[s.sources[0].node].size());
      EXPECT_LE(best_speedup(s), 1 + links / sigma + 1e-6);
      EXPECT_LE(best_speedup(s), static_cast<double>(s.network.nodes.size()) + 1e-6);
      EXPECT_GE(s.simulated->distribution.makespan, s.flow.finish * (1 - 1e-9));
    }
  }
}

// The figures docs/dlt.md compares.
TEST(DltOptimum, FiveByFiveTorus) {
  const Study s = make_study(load_on("torus", {5, 5}, "corner", 0.3));
  EXPECT_NEAR(s.predicted->closed.speedup, 15.89, 5e-3);
  EXPECT_THAT(s.branches->plan.sizes(), ElementsAre(6, 6, 6, 6));
  EXPECT_NEAR(message_speedup(s), 12.7647, 5e-5);
  EXPECT_GT(message_speedup(s), 12.71);
  EXPECT_NEAR(best_speedup(s), 1 + 4 / 0.3, 1e-9);
  EXPECT_GT(s.predicted->closed.speedup, s.bound);
}

TEST(DltOptimum, BranchesAreAsEqualAsTheNetworkAllows) {
  const auto sizes = [](const DltConfig& config) { return make_study(config).branches->plan.sizes(); };
  EXPECT_THAT(sizes(mesh({5, 5}, "corner", 0.3)), ElementsAre(12, 12));
  EXPECT_THAT(sizes(mesh({5, 5}, "centre", 0.3)), ElementsAre(6, 6, 6, 6));
  EXPECT_THAT(sizes(mesh({5, 5}, "6", 0.3)), ElementsAre(6, 6, 6, 6));
  EXPECT_THAT(sizes(mesh({5, 5}, "edge", 0.3)), ElementsAre(8, 8, 8));
  EXPECT_THAT(sizes(mesh({32, 32}, "corner", 0.3)), UnorderedElementsAre(511, 512));
  EXPECT_THAT(sizes(mesh({9}, "2", 0.3)), UnorderedElementsAre(2, 6));  // no choice on a chain
  EXPECT_THAT(sizes(mesh(Dims(8, 2), "corner", 0.3)), Each(Ge(31)));
}

// Where the network is small enough the flow is the best there is: a brute force over all nodes' cuts (a set of nodes
// cannot compute faster than it computes and is fed) gives the optimum by the theorem of maximal flow and minimal cut.
double smallest_cut(const Network& network, const std::vector<Source>& sources) {
  double best = 1e300;
  for (std::uint32_t set = 0; set < (1u << network.nodes.size()); ++set) {  // nodes that are never short of load
    bool sources_in = true;
    for (const Source& s : sources) sources_in = sources_in && ((set >> s.node) & 1) != 0;
    if (!sources_in) continue;
    double cut = 0;
    for (NodeIndex n = 0; n < network.nodes.size(); ++n) {
      if (((set >> n) & 1) != 0 && network.nodes[n].computes) cut += 1 / network.nodes[n].time;
    }
    for (const Link& l : network.links) {
      if (((set >> l.from) & 1) != 0 && ((set >> l.to) & 1) == 0) cut += 1 / l.time;
    }
    best = std::min(best, cut);
  }
  return best;
}

TEST(DltOptimum, FlowIsTheMinimalCut) {
  std::mt19937 random(7);
  int checked = 0;
  while (checked < 60) {
    DltConfig config = random_case(random);
    for (DltInjection& i : config.inject) i.load = 0;
    const Network network = build_network(config);
    if (network.nodes.size() > 12) continue;
    const auto sources = find_sources(config, network);
    EXPECT_NEAR(1 / best_flow(network, sources).finish / smallest_cut(network, sources), 1, 1e-8);
    ++checked;
  }
}

TEST(DltOptimum, SeveralInjectionPoints) {
  // Both ends of a chain of 10, each link at rate 1/0.3: twice a chain of five.
  DltConfig config = mesh({10}, "0", 0.3);
  config.inject.push_back({{}, "9", 0});
  Study s = make_study(config);
  EXPECT_NEAR(best_speedup(s), 2 * (1 + 1 / 0.3), 1e-9);
  EXPECT_NEAR(message_speedup(s), 2 * branches_speedup({4}, 0.3), 1e-8);
  EXPECT_EQ(s.refused, "the closed form is for one injection point");
  // One tenth at the far end: the near end's link is what all the rest must leave by.
  config.inject[0].load = 0.9;
  config.inject[1].load = 0.1;
  s = make_study(config);
  EXPECT_NEAR(best_speedup(s), (1 + 1 / 0.3) / 0.9, 1e-9);
  double kept = 0;
  for (std::size_t n = 0; n < 10; ++n) kept += s.flow.shares[n];
  EXPECT_NEAR(kept, 1, 1e-12);
}

// Whatever the network: the flow respects every limit, the simulation of both plans agrees with the linear programs.
TEST(DltOptimum, RandomNetworksSimulated) {
  std::mt19937 random(20);
  int planned = 0;
  for (int i = 0; i < 150; ++i) {
    const DltConfig config = random_case(random);
    const Study s = make_study(config);
    const FlowSolution& f = s.flow;
    std::vector<double> balance(s.network.nodes.size());
    for (LinkIndex l = 0; l < s.network.links.size(); ++l) {
      const Link& link = s.network.links[l];
      EXPECT_LE(f.link_loads[l] * link.time, f.finish * (1 + 1e-7));
      balance[link.to] += f.link_loads[l];
      balance[link.from] -= f.link_loads[l];
    }
    double sum = 0;
    for (NodeIndex n = 0; n < s.network.nodes.size(); ++n) {
      EXPECT_LE(f.shares[n] * s.network.nodes[n].time, f.finish * (1 + 1e-7));
      if (!s.network.nodes[n].computes) {
        EXPECT_EQ(f.shares[n], 0);
      }
      balance[n] -= f.shares[n];
      sum += f.shares[n];
    }
    EXPECT_NEAR(sum, 1, 1e-9);
    for (const Source& source : s.sources) {
      if (source.load > 0) {
        EXPECT_NEAR(balance[source.node], -source.load, 1e-7);
      }
      balance[source.node] = 0;
    }
    for (const double b : balance) EXPECT_NEAR(b, 0, 1e-7);
    EXPECT_LE(best_speedup(s), s.bound * (1 + 1e-9));

    // In pieces: never before the optimum, and near it as the rounds say.
    for (const std::uint32_t rounds : {1u, 16u, 256u}) {
      const auto messages = flow_messages(s.network, s.sources, f, rounds);
      double amount = 0;
      for (const Message& m : messages) amount += m.amount;
      EXPECT_NEAR(amount, 1, 1e-7);
      for (const DltSwitching switching : kSwitchings) {
        const double makespan = simulate(s.network, messages, switching).makespan;
        EXPECT_GE(makespan, f.finish * (1 - 1e-7));
        if (switching != store_and_forward) continue;
        const double hops = static_cast<double>(longest_path(messages));
        EXPECT_LE(makespan, f.finish * (1 + hops / rounds) * (1 + 1e-7));
      }
    }
    if (!s.branches) continue;
    ++planned;
    EXPECT_NEAR(s.branches->simulated.distribution.makespan / s.branches->plan.finish, 1, 1e-7);
    EXPECT_GE(s.branches->plan.finish, f.finish * (1 - 1e-7));
    double shares = 0;
    for (const double share : s.branches->plan.shares) shares += share;
    EXPECT_NEAR(shares, 1, 1e-7);
  }
  EXPECT_GT(planned, 100);
}

// All ways to give every node to a root link, written out, with the linear program of each: nothing is better than the
// branches of unequal speeds, and the split by number of nodes is worse somewhere.
double best_by_trial(const Network& network, const std::vector<Source>& sources) {
  struct Root {
    Source source;
    NodeIndex head;
  };
  std::vector<Root> roots;
  std::vector<NodeIndex> nodes;
  for (NodeIndex n = 0; n < network.nodes.size(); ++n) {
    if (std::none_of(sources.begin(), sources.end(), [&](const Source& s) { return s.node == n; })) nodes.push_back(n);
  }
  std::set<std::pair<NodeIndex, NodeIndex>> pairs;
  for (const Source& s : sources) {
    for (const LinkIndex l : network.out[s.node]) {
      const NodeIndex head = network.links[l].to;
      if (std::find(nodes.begin(), nodes.end(), head) == nodes.end()) continue;
      if (pairs.emplace(s.node, head).second) roots.push_back({s, head});
    }
  }
  double best = 0;
  std::vector<std::size_t> root_of(nodes.size());
  for (bool more = true; more;) {
    BranchPlan plan;
    std::size_t placed = 0, computing = 0;
    for (const NodeIndex n : nodes) computing += network.nodes[n].computes ? 1 : 0;
    for (std::size_t r = 0; r < roots.size(); ++r) {
      std::vector<bool> members(network.nodes.size());
      for (std::size_t i = 0; i < nodes.size(); ++i) members[nodes[i]] = root_of[i] == r;
      plan.branches.push_back(widest_tree(network, roots[r].source, roots[r].head, members));
      placed += plan.branches.back().queue.size();
      if (plan.branches.back().queue.empty()) plan.branches.pop_back();
    }
    if (placed == computing && best_branches(network, sources, plan)) best = std::max(best, 1 / plan.finish);
    more = false;
    for (std::size_t i = 0; i < root_of.size() && !more; ++i) {
      root_of[i] = (root_of[i] + 1) % roots.size();
      more = root_of[i] != 0;
    }
  }
  return best;
}

TEST(DltOptimum, UnequalSpeedsGetTheBestSplit) {
  std::mt19937 random(7);
  int tried = 0;
  for (int i = 0; i < 60; ++i) {
    const DltConfig config = random_case(random);
    const Network network = build_network(config);
    const auto sources = find_sources(config, network);
    const std::size_t others = network.nodes.size() - sources.size();
    std::size_t links = 0;
    for (const Source& s : sources) links += network.out[s.node].size();
    if (others > 8 || std::pow(links, others) > 5000 || equal_branches_are_best(network, sources)) continue;
    BranchPlan plan = make_branches(network, sources);
    const double found = best_branches(network, sources, plan) ? 1 / plan.finish : 0;
    EXPECT_NEAR(found, best_by_trial(network, sources), 1e-7 * (1 + found)) << i;
    ++tried;
  }
  EXPECT_GE(tried, 5);

  // One way is so slow that its node is better fed by the other way round.
  DltConfig config = mesh({2, 2}, "0", 0.5);
  config.links.push_back({{}, {{}, 0, 0}, {{}, 1, 1}, 50.0, false});
  const Study s = make_study(config);
  ASSERT_TRUE(s.branches);
  EXPECT_THAT(s.branches->plan.sizes(), ElementsAre(3));
  EXPECT_NEAR(message_speedup(s), branches_speedup({3}, 0.5), 1e-9);
}

// With equal speeds the search over all sets finds what the equal branches are.
TEST(DltOptimum, BestSplitOfEqualSpeedsIsTheEqualOne) {
  for (const auto& [dims, inject] : std::vector<std::pair<std::vector<std::uint32_t>, std::string>>{
           {{3, 3}, "centre"}, {{3, 3}, "corner"}, {{4, 3}, "edge"}, {{4, 4}, "corner"}, {{10}, "4"}}) {
    const DltConfig config = mesh(dims, inject, 0.3);
    const Network network = build_network(config);
    const auto sources = find_sources(config, network);
    BranchPlan by_size = make_branches(network, sources), by_sets;
    by_sets.branches = best_split(network, sources);
    ASSERT_TRUE(best_branches(network, sources, by_size));
    ASSERT_TRUE(best_branches(network, sources, by_sets));
    EXPECT_NEAR(by_size.finish, by_sets.finish, 1e-9) << dims.size() << inject;
  }
}

TEST(DltOptimum, RefusalsSayWhy) {
  DltConfig config = mesh({3, 3}, "centre", 0.5);
  config.nodes.push_back({{{}, 2, 2}, 2.0, {}});
  Study s = make_study(config);
  EXPECT_FALSE(s.predicted);
  EXPECT_THAT(s.refused, ::testing::HasSubstr("homogeneous"));
  s = make_study(mesh({3, 3}, "centre", 0.5, store_and_forward));
  EXPECT_FALSE(s.branches);
  EXPECT_THAT(s.no_branches, ::testing::HasSubstr("cut_through"));
  config = mesh({5, 4}, "centre", 0.5);
  config.nodes.push_back({{{}, 2, 2}, 2.0, {}});
  s = make_study(config);
  EXPECT_FALSE(s.branches);
  EXPECT_THAT(s.no_branches, ::testing::HasSubstr("up to 15 nodes"));
}

TEST(DltOptimum, CutOffNodesAreNamed) {
  DltConfig config = mesh({3, 3}, "corner", 0.5);
  for (const std::uint32_t to : {5u, 7u}) config.links.push_back({{}, {{}, 8, 8}, {{}, to, to}, {}, true});
  try {
    make_study(config);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), ::testing::HasSubstr("no link leads from the injection to node 8 (2,2)"));
  }
  config.nodes.push_back({{{}, 8, 8}, {}, false});
  EXPECT_LE(best_speedup(make_study(config)), 8);
}

TEST(DltOptimum, SomebodyMustCompute) {
  DltConfig config = mesh({2, 2}, "corner", 0.5);
  config.nodes.push_back({{{}, 0, 3}, {}, false});
  EXPECT_THROW(make_study(config), InputError);
  config.nodes.push_back({{{}, 3, 3}, {}, true});  // what the injection point can only send away
  const Study s = make_study(config);
  EXPECT_NEAR(best_speedup(s), 1, 1e-9);
  EXPECT_EQ(s.flow.shares[3], 1);
}

TEST(DltOptimum, OneNodeAlone) {
  const Study s = make_study(mesh({1}, "corner", 0.5));
  EXPECT_EQ(s.predicted->closed.speedup, 1);
  EXPECT_NEAR(best_speedup(s), 1, 1e-12);
  EXPECT_NEAR(message_speedup(s), 1, 1e-12);
}

TEST(DltCurve, FollowsSigma) {
  const DltConfig config = mesh({2, 2}, "corner", 0.3);
  const auto curve = make_curve(config, make_study(config));
  ASSERT_EQ(curve.size(), 41u);
  for (const CurvePoint& p : curve) {
    EXPECT_NEAR(*p.predicted, 4 - p.sigma, 1e-12);
    EXPECT_NEAR(*p.simulated, 4 - p.sigma, 1e-12);
    EXPECT_NEAR(*p.branches, 4 - p.sigma, 1e-8);
    EXPECT_NEAR(*p.flow, std::min(4.0, 1 + 2 / p.sigma), 1e-8);
    EXPECT_NEAR(p.shares[2], (1 - p.sigma) / (4 - p.sigma), 1e-12);
  }
}

}  // namespace
}  // namespace weft::dlt::test
