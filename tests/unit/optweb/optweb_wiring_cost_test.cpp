// Cost and wiring of OPTWEB networks against the figures of its paper (sections 5.1 and 5.3), graphs that are counted,
// and sums by hand.

#include "algorithms/optweb/cost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bitset>
#include <cmath>

#include "network/topology/build_topology.h"
#include "network/topology/topologies.h"
#include "schema/document.h"
#include "studies/cost/optweb_cost.h"
#include "support/places.h"

namespace weft::optweb {
namespace {

OptwebCostConfig config(const std::string& text = "optics: 3\n", const Overrides& set = {}) {
  Diagnostics diagnostics;
  return parse_optweb_cost(text, "cost.yaml", ".", set, diagnostics);
}

std::string errors_in(const std::string& text) {
  try {
    config(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

const NetworkCost& named(const std::vector<NetworkCost>& costs, const std::string& name) {
  for (const NetworkCost& c : costs) {
    if (c.name == name) return c;
  }
  throw RunError("no network " + name);
}

TEST(OptwebCost, PublishedFigures) {
  Diagnostics diagnostics;
  const std::string file = test::source_dir() + "/configs/optweb/cost.yaml";
  for (const OptwebCostConfig& c : {config(), load_optweb_cost(file, {}, diagnostics)}) {
    const std::vector<NetworkCost> costs = network_costs(c);
    EXPECT_DOUBLE_EQ(named(costs, "packet network").total(), 9);
    const NetworkCost& w_oh = named(costs, "OPTWEB, W-OH");
    ASSERT_EQ(w_oh.parts.size(), 3u);
    EXPECT_DOUBLE_EQ(w_oh.parts[0].per_gbps, 1);
    EXPECT_DOUBLE_EQ(w_oh.parts[1].per_gbps, 3);
    EXPECT_DOUBLE_EQ(w_oh.total(), 5.5);
    EXPECT_EQ(std::lround(100 * w_oh.saving.value()), 39);  // 3.5 / 9
    // A whole FPGA would be 1250 / 800 = 1.5625; the stated 57.7% of its ALMs are 0.9016.
    EXPECT_NEAR(named(costs, "OPTWEB, W-OH by ALMs").total(), 4.9016, 1e-4);
  }
}

TEST(OptwebCost, TheFileSaysTheSameAsTheDefaults) {
  Diagnostics diagnostics;
  const OptwebCostConfig file = load_optweb_cost(test::source_dir() + "/configs/optweb/cost.yaml", {}, diagnostics);
  const OptwebCostConfig defaults = config();
  EXPECT_EQ(file.nodes, defaults.nodes);
  EXPECT_EQ(file.node_bandwidth, defaults.node_bandwidth);
  EXPECT_EQ(file.optics, defaults.optics);
  EXPECT_EQ(file.fpga_price, defaults.fpga_price);
  EXPECT_EQ(file.fpga_share, defaults.fpga_share);
  EXPECT_EQ(file.fibre, defaults.fibre);
  EXPECT_EQ(file.links, defaults.links);
  ASSERT_EQ(file.parts.size(), defaults.parts.size());
  for (std::size_t i = 0; i < file.parts.size(); ++i) {
    EXPECT_EQ(file.parts[i].name, defaults.parts[i].name);
    EXPECT_EQ(file.parts[i].price, defaults.parts[i].price);
    EXPECT_EQ(file.parts[i].per_node, defaults.parts[i].per_node);
  }
}

TEST(OptwebCost, PartsAddUp) {
  // 400 + 2*90 + 2*500 + 2*432 = 2444 $ per node of 800 Gb/s.
  EXPECT_DOUBLE_EQ(parts_per_gbps(config()), 3.055);
  EXPECT_DOUBLE_EQ(optics_per_gbps(config("nodes: 32\n")), 3.055);
  EXPECT_DOUBLE_EQ(optics_per_gbps(config()), 3);
  EXPECT_DOUBLE_EQ(optics_per_gbps(config("node_bandwidth: 400Gb/s\nparts: [{name: a, price: 10.5, per_node: 0.5}]\n")),
                   0.013125);
}

TEST(OptwebCost, NothingIsSavedOfWhatCostsNothing) {
  for (const NetworkCost& c : network_costs(config("optics: 3\npacket_network: 0\n"))) {
    EXPECT_FALSE(c.saving.has_value()) << c.name;
  }
}

TEST(OptwebCost, DirectWiringHasACostOnlyWithAPrice) {
  EXPECT_EQ(network_costs(config()).size(), 4u);
  const OptwebCostConfig c = config("optics: 3\ndirect_fibre: 100\n");
  // 992 fibres of 100 $ over 32 * 800 Gb/s, the transceiver and the FPGA.
  EXPECT_DOUBLE_EQ(named(network_costs(c), "OPTWEB, direct").total(), 99200.0 / 25600 + 1 + 1.5);
  EXPECT_FALSE(wiring_cost(config(), Wiring::direct, 8).has_value());
}

TEST(OptwebWiring, FibresAreTheDirectedLinksOfAFullMesh) {
  for (const std::uint32_t n : {2u, 4u, 8u, 16u, 32u, 64u}) {
    TopologyConfig topology = topology_config("full_mesh", {{"switches", n}});
    const Graph graph = build_topology(topology);
    std::uint64_t links = 0;
    for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
      for (PortId p = 0; p < graph.ports(sw); ++p) links += graph.peer(sw, p).sw != kNoId ? 1 : 0;
    }
    EXPECT_EQ(fibres(Wiring::direct, n), links);
    EXPECT_EQ(fibres(Wiring::p_oh, n), links);
    EXPECT_EQ(fibres(Wiring::w_oh, n), 2 * n);
  }
  // The paper prints 1,024 for P-OH at 32 nodes: 32 * 32, as if every FPGA had a fibre to itself.
  EXPECT_EQ(fibres(Wiring::p_oh, 32), 992u);
}

TEST(OptwebWiring, ParallelHubUpTo32NodesAsPublished) {
  const OptwebCostConfig c = config();
  for (std::uint32_t n = 2; n <= 200; ++n) {
    EXPECT_EQ(*wiring_cost(c, Wiring::p_oh, n) < *wiring_cost(c, Wiring::w_oh, n), n <= 32) << n;
  }
  EXPECT_NEAR(*wiring_crossing(c), 32.58, 0.005);
}

RC_GTEST_PROP(OptwebWiring, TheCrossingSeparatesTheCurves, ()) {
  const auto cents = *rc::gen::inRange<std::uint64_t>(1, 30'000);
  OptwebCostConfig c = config();
  c.fibre = cents;
  const double crossing = *wiring_crossing(c);
  for (std::uint32_t n = 2; n < 500; ++n) {
    if (std::abs(n - crossing) < 1e-6) continue;
    RC_ASSERT((*wiring_cost(c, Wiring::p_oh, n) < *wiring_cost(c, Wiring::w_oh, n)) == (n < crossing));
  }
  c.fibre = 0;
  RC_ASSERT(!wiring_crossing(c).has_value());
}

// The network as defined: FPGAs of a group all linked, the r-th of a group linked to the r-th of every other group.
struct BuiltDragonfly {
  static constexpr std::size_t kMost = 1024;
  std::vector<std::bitset<kMost>> near;  // with itself
  std::size_t links = 0;                 // of the first; 0 when another has a different number

  BuiltDragonfly(std::uint32_t groups, std::uint32_t per_group) : near(groups * per_group) {
    for (std::size_t a = 0; a < near.size(); ++a) {
      for (std::size_t b = 0; b < near.size(); ++b) {
        near[a][b] = a / per_group == b / per_group || a % per_group == b % per_group;
      }
    }
    links = near[0].count() - 1;
    for (const auto& n : near) links = n.count() - 1 == links ? links : 0;
  }
  bool two_hops_are_enough() const {
    for (const auto& n : near) {
      std::bitset<kMost> reached;
      for (std::size_t b = 0; b < near.size(); ++b) {
        if (n[b]) reached |= near[b];
      }
      if (reached.count() != near.size()) return false;
    }
    return true;
  }
};

TEST(OptwebDragonfly, FormulaAgainstBuiltNetworks) {
  for (std::uint32_t k = 1; k <= 12; ++k) {
    for (std::uint32_t g = 1; g <= k + 1; ++g) {
      // The size of a group for which the network as defined has k links per FPGA.
      std::uint32_t per_group = 0;
      for (std::uint32_t a = 1; a <= k + 1; ++a) {
        const BuiltDragonfly built(g, a);
        if (built.links != k) continue;
        EXPECT_EQ(per_group, 0u);
        per_group = a;
        EXPECT_TRUE(built.two_hops_are_enough());
      }
      EXPECT_EQ(dragonfly_nodes(g, k), g * per_group) << "k=" << k << " g=" << g;
    }
  }
}

TEST(OptwebDragonfly, Published) {
  EXPECT_EQ(dragonfly_nodes(4, 6), 16u);  // Figure 20
  EXPECT_EQ(largest_dragonfly_groups(64), 22u);
  EXPECT_EQ(dragonfly_nodes(22, 64), 968u);
  const BuiltDragonfly built(22, 44);
  EXPECT_EQ(built.near.size(), 968u);
  EXPECT_EQ(built.links, 64u);
  EXPECT_TRUE(built.two_hops_are_enough());
  // The project's own dragonfly of that size has the same degree.
  TopologyConfig topology = topology_config(
      "dragonfly", {{"groups", 22U}, {"routers_per_group", 44U}, {"nodes_per_router", 1U}, {"global_links", 21U}});
  const Graph graph = build_topology(topology);
  EXPECT_EQ(graph.nodes(), 968u);
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
    std::size_t links = 0;
    for (PortId p = 0; p < graph.ports(sw); ++p) links += graph.peer(sw, p).sw != kNoId ? 1 : 0;
    ASSERT_EQ(links, 64u) << sw;
  }
}

TEST(OptwebDragonfly, LargestBalancedOneByTrial) {
  for (std::uint32_t k = 1; k <= 200; ++k) {
    std::uint32_t best = 1;
    for (std::uint32_t g = 1; g <= k + 1; ++g) {
      if (dragonfly_balanced(g, k) && dragonfly_nodes(g, k) >= dragonfly_nodes(best, k)) best = g;
    }
    EXPECT_EQ(largest_dragonfly_groups(k), best) << k;
  }
  EXPECT_TRUE(dragonfly_balanced(22, 63));
  EXPECT_FALSE(dragonfly_balanced(22, 62));
}

TEST(OptwebCostConfig, WrongFilesAreErrors) {
  using testing::HasSubstr;
  EXPECT_THAT(errors_in("fibres: 3\n"),
              HasSubstr("cost.yaml:1:1: error: unknown key 'fibres' at the top level; did you mean 'fibre'?"));
  EXPECT_THAT(errors_in("nodes: 1\n"), HasSubstr("nodes: expected a whole number from 2 to 4096, got '1'"));
  EXPECT_THAT(errors_in("node_bandwidth: 800\n"),
              HasSubstr("cost.yaml:1:17: error: node_bandwidth: '800' is not a rate"));
  EXPECT_THAT(errors_in("transceiver: -1\n"), HasSubstr("transceiver: expected a decimal number from 0"));
  EXPECT_THAT(errors_in("parts: []\n"), HasSubstr("parts: "));
  EXPECT_THAT(errors_in("fpga: { share: 1.5 }\n"), HasSubstr("fpga.share: expected"));
  EXPECT_THAT(errors_in("parts: [{ name: EDFA, prise: 500, per_node: 2 }]\n"), HasSubstr("did you mean 'price'?"));
  EXPECT_EQ(errors_in("nodes: 2\n"), "");
}

// 2 * 30,000 + 10,272 of 702,720 ALMs are a tenth: 125 $ of 1,250 for 800 Gb/s.
TEST(OptwebCostConfig, LogicByBlocks) {
  const std::string blocks = "fpga: { blocks: [{ name: a, alms: 30000, count: 2 }, { name: b, alms: 10272 }] }\n";
  Diagnostics diagnostics;
  const OptwebCostConfig config = parse_optweb_cost(blocks, "cost.yaml", ".", {}, diagnostics);
  EXPECT_TRUE(diagnostics.list().empty());
  EXPECT_EQ(config.fpga_alms, 100'000u);
  EXPECT_DOUBLE_EQ(network_costs(config).back().parts[2].per_gbps, 125.0 / 800);
  const ReportData report = optweb_cost_report(config);
  const auto table =
      std::find_if(report.tables.begin(), report.tables.end(), [](const Table& t) { return t.key == "blocks"; });
  ASSERT_NE(table, report.tables.end());
  EXPECT_EQ(table->rows.size(), 2u);
  const auto input =
      std::find_if(config.inputs.begin(), config.inputs.end(), [](const CostInput& i) { return i.key == "fpga.size"; });
  ASSERT_NE(input, config.inputs.end());
  EXPECT_EQ(input->origin, CostOrigin::literature);

  using testing::HasSubstr;
  EXPECT_THAT(
      errors_in("fpga: { size: 70000, blocks: [{ name: a, alms: 30000, count: 2 }, { name: b, alms: 10272 }] }\n"),
      HasSubstr("cost.yaml:1:67: error: fpga.blocks: 70272 ALMs up to 'b'; the device has 70000 (fpga.size)"));
  EXPECT_THAT(errors_in("fpga: { blocks: [{ name: a, alm: 3 }] }\n"), HasSubstr("did you mean 'alms'?"));
  Diagnostics both;
  parse_optweb_cost("fpga: { alms: 0.5, blocks: [{ name: a, alms: 1 }] }\n", "cost.yaml", ".", {}, both);
  ASSERT_EQ(both.list().size(), 1u);
  EXPECT_THAT(both.list()[0].message, HasSubstr("fpga.alms has no effect beside fpga.blocks"));
}

TEST(OptwebCostConfig, MoreNodesThanLinksAreNoted) {
  const auto said = [](const std::string& text) {
    Diagnostics diagnostics;
    parse_optweb_cost(text, "cost.yaml", ".", {}, diagnostics);
    return diagnostics.list();
  };
  EXPECT_TRUE(said("nodes: 65\n").empty());
  const auto list = said("nodes: 66\n");
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].severity, Severity::warning);
  EXPECT_EQ(list[0].message, "nodes: 66 fully connected nodes need 65 links each, an FPGA has 64 ('links')");
  EXPECT_EQ(said("links: 30\n").size(), 1u);
  EXPECT_TRUE(said("most_nodes: 65\n").empty());
  const auto curves = said("nodes: 16\nmost_nodes: 64\nlinks: 24\n");
  ASSERT_EQ(curves.size(), 1u);
  EXPECT_EQ(curves[0].message,
            "most_nodes: from 26 nodes on a full mesh needs more links than the 24 of an FPGA ('links'); the column "
            "'buildable' of wiring.csv says so");
}

}  // namespace
}  // namespace weft::optweb
