// The event simulation of distributions: by hand, and where the closed form is exact.

#include "algorithms/dlt/simulate.h"

#include "unit/dlt/dlt_support.h"

namespace weft::dlt::test {
namespace {

using enum DltSwitching;

// 0 -> 1 -> 2 with the given link times, and compute times 1.
Network line(double first, double second) {
  Network n;
  n.nodes.resize(3);
  n.links = {{0, 1, first}, {1, 2, second}};
  n.out = {{0}, {1}, {}};
  return n;
}

TEST(DltSimulation, OneMessageByHand) {
  const std::vector<Message> one{{2, 0.5, {0, 1}, 0}};
  // Both links pass 0.5 of the load in 0.1; computing takes 0.5.
  EXPECT_NEAR(simulate(line(0.2, 0.2), one, cut_through).makespan, 0.5, 1e-15);
  EXPECT_NEAR(simulate(line(0.2, 0.2), one, modified_store_and_forward).makespan, 0.6, 1e-15);
  EXPECT_NEAR(simulate(line(0.2, 0.2), one, store_and_forward).makespan, 0.7, 1e-15);
}

TEST(DltSimulation, ASlowLinkHoldsBackTheNextAndTheProcessor) {
  const std::vector<Message> one{{2, 0.5, {0, 1}, 0}};
  const Distribution d = simulate(line(4, 0.2), one, cut_through);
  ASSERT_EQ(d.transfers.size(), 2u);
  EXPECT_NEAR(d.transfers[1].start, 0, 1e-15);
  EXPECT_NEAR(d.transfers[1].end, 2, 1e-15);  // as slow as it receives
  EXPECT_NEAR(d.makespan, 2, 1e-15);          // computing waits for data
  // The next message waits for the link, not only for its own turn at the source.
  const Distribution two = simulate(line(4, 0.2), {{2, 0.5, {0, 1}, 0}, {1, 0.25, {0}, 0}}, cut_through);
  EXPECT_NEAR(two.finish[1], 3, 1e-15);
}

TEST(DltSimulation, MessagesQueueInOrderOfReadiness) {
  const Network n = line(0.4, 0.4);
  const Distribution d = simulate(n, {{1, 0.5, {0}, 0}, {2, 0.5, {0, 1}, 0}, {0, 0.1, {}, 0}}, cut_through);
  EXPECT_NEAR(d.finish[0], 0.1, 1e-15);
  EXPECT_NEAR(d.finish[1], 0.5, 1e-15);
  EXPECT_NEAR(d.finish[2], 0.7, 1e-15);  // begins at 0.2
  EXPECT_NEAR(d.link_busy[0], 0.4, 1e-15);
  EXPECT_NEAR(d.link_busy[1], 0.2, 1e-15);
  // Two messages for one node: computed one after the other, the second released late.
  const Distribution late = simulate(n, {{1, 0.1, {0}, 1}, {1, 0.5, {0}, 0}}, cut_through);
  EXPECT_NEAR(late.finish[1], 1.1, 1e-15);
}

Distribution simulate_prediction(const DltConfig& config, std::vector<double>* shares = nullptr) {
  const Network network = build_network(config);
  const auto source = find_sources(config, network).front();
  const Prediction p = closed_form(counts_of(config), config.sigma, config.switching);
  std::vector<double> by_node;
  for (const std::uint32_t d : hop_distances(network, {source})) by_node.push_back(p.shares[d]);
  auto messages = tree_messages(network, source.node, by_node, config.routes, {});
  messages.push_back({source.node, by_node[source.node], {}, 0});
  if (shares) *shares = by_node;
  return simulate(network, messages, config.switching);
}

TEST(DltSimulation, ChainsAndTwoByNFinishAsPredictedOnEveryNode) {
  for (const double sigma : {0.05, 0.3, 0.6, 0.95}) {
    for (const DltSwitching switching : kSwitchings) {
      for (const Dims& dims : {Dims{2}, Dims{7}, Dims{40}, Dims{2, 2}, Dims{10, 2}, Dims{2, 10}, Dims{25, 2}}) {
        const DltConfig config = mesh(dims, "corner", sigma, switching);
        std::vector<double> shares;
        const Distribution d = simulate_prediction(config, &shares);
        for (std::size_t n = 0; n < shares.size(); ++n) {
          EXPECT_NEAR(d.finish[n], shares[0], 1e-13) << dims.size() << "-d, node " << n << " sigma " << sigma;
        }
      }
      // Injected in the middle a chain is two chains.
      const DltConfig inner = mesh({9}, "4", sigma, switching);
      std::vector<double> shares;
      const double makespan = simulate_prediction(inner, &shares).makespan;
      EXPECT_NEAR(makespan, shares[4], 1e-13);
    }
  }
}

TEST(DltSimulation, FiveByFiveCornerFinishesLater) {
  DltConfig config = mesh({5, 5}, "corner", 0.3);
  std::vector<double> shares;
  double fewest = simulate_prediction(config, &shares).makespan;
  fewest /= shares[0];
  // By hand, in units of share[0]: the link that feeds 11 nodes carries 5.0573 of it, the last to one of distance 6.
  EXPECT_NEAR(fewest, 0.3 * 5.0573 + 0.7 * std::pow(0.7, 5), 1e-4);
  EXPECT_NEAR(fewest, 1.63, 5e-3);
  config.routes = DltRoutes::least_load;
  EXPECT_NEAR(simulate_prediction(config).makespan / shares[0], 1.532, 5e-4);
  config.routes = DltRoutes::dimension_order;
  // x first: one link feeds the 20 nodes off the column of the corner.
  double carried = 0;
  for (int x = 1; x < 5; ++x) {
    for (int y = 0; y < 5; ++y) carried += std::pow(0.7, x + y - 1);
  }
  EXPECT_NEAR(simulate_prediction(config).makespan / shares[0], 0.3 * carried + 0.7 * std::pow(0.7, 7), 1e-12);
}

TEST(DltSimulation, NothingIsLostAndLinksAreExclusive) {
  for (const DltSwitching switching : kSwitchings) {
    DltConfig config = mesh({6, 4}, "edge", 0.4, switching);
    const Network network = build_network(config);
    std::vector<double> shares(network.nodes.size(), 1.0 / 24);
    const auto messages = tree_messages(network, 3, shares, DltRoutes::least_load, {});
    EXPECT_EQ(messages.size(), 23u);
    const Distribution d = simulate(network, messages, switching);
    std::vector<double> free(network.links.size());
    for (const Activity& a : d.transfers) {  // in order of start
      EXPECT_GE(a.start, free[a.place] - 1e-15);
      free[a.place] = a.end;
    }
    EXPECT_EQ(d.computations.size(), 23u);
  }
}

}  // namespace
}  // namespace weft::dlt::test
