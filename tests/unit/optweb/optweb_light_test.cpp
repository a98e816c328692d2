// Wavelength plans against a router that is played, power budgets against sums by hand, and what is refused; origins
// and sensitivity of the cost.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "algorithms/optweb/cost.h"
#include "algorithms/optweb/optics/light_plan.h"
#include "studies/cost/optweb_cost.h"
#include "support/places.h"

namespace weft::optweb {
namespace {

using testing::AllOf;
using testing::HasSubstr;

OptwebCostConfig light_config(const std::string& text = "optics: 3\n", const Overrides& set = {}) {
  Diagnostics diagnostics;
  return parse_optweb_cost(text, "cost.yaml", ".", set, diagnostics);
}

std::string light_errors(const std::string& text, const Overrides& set = {}) {
  try {
    light_config(text, set);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

constexpr Rate kNode{800'000'000'000};

LightConfig light_of(LightRouter router, OptwebWiring wiring = OptwebWiring::w_oh) {
  LightConfig out = light_config().light;
  out.router = router;
  out.wiring = wiring;
  return out;
}

// Every node lights its wavelengths; the grating takes each to one output, where no two may be alike.
TEST(OptwebLight, ACyclicGratingTakesEveryWavelengthToItsNode) {
  const LightConfig light = light_of(LightRouter::awg);
  for (std::uint32_t n = 2; n <= 64; ++n) {
    const LightPlan plan = light_plan(light, n, kNode);
    EXPECT_EQ(plan.lanes, (800 + 25 * n - 1) / (25 * n)) << n;
    std::map<NodeId, std::set<std::uint32_t>> at_output;
    std::map<std::pair<NodeId, NodeId>, std::uint32_t> lanes;
    for (const LightLink& l : plan.links) {
      for (const std::uint32_t c : l.wavelengths) {
        ASSERT_LT(c, plan.wavelengths);
        const NodeId output = (l.from + c) % n;
        ASSERT_EQ(output, l.to);
        ASSERT_TRUE(at_output[output].insert(c).second) << "two senders of wavelength " << c;
        ++lanes[{l.from, output}];
      }
    }
    ASSERT_EQ(lanes.size(), std::size_t{n} * (n - 1));
    for (const auto& [pair, count] : lanes) ASSERT_EQ(count, plan.lanes);
    for (const auto& [output, wavelengths] : at_output) ASSERT_EQ(wavelengths.size(), plan.per_output);
    ASSERT_EQ(light_plan_fault(light, plan), "");
  }
}

TEST(OptwebLight, FaultsOfPlansAreNamed) {
  const LightConfig light = light_of(LightRouter::awg);
  LightPlan plan = light_plan(light, 8, kNode);
  plan.links[3].wavelengths[0] += 1;
  EXPECT_EQ(light_plan_fault(light, plan), "wavelength 5 of node 0 comes to node 5, not 4");
  plan = light_plan(light, 8, kNode);
  plan.links[0].wavelengths[1] = plan.links[0].wavelengths[0];
  EXPECT_EQ(light_plan_fault(light, plan), "wavelength 1 twice in the fibre of node 0");
  plan.links.pop_back();
  EXPECT_EQ(light_plan_fault(light, plan), "pairs of nodes are missing");
  const LightConfig coupler = light_of(LightRouter::coupler);
  plan = light_plan(coupler, 4, kNode);
  plan.links[9].wavelengths[0] = 0;
  EXPECT_EQ(light_plan_fault(coupler, plan), "wavelength 0 twice in the fibre of node 3");
}

TEST(OptwebLight, ACouplerNeedsAWavelengthPerPairAndLane) {
  const LightConfig light = light_of(LightRouter::coupler);
  for (std::uint32_t n = 2; n <= 12; ++n) {
    const LightPlan plan = light_plan(light, n, kNode);
    EXPECT_EQ(plan.wavelengths, n * (n - 1) * plan.lanes);
    EXPECT_EQ(plan.per_output, plan.wavelengths);
    EXPECT_EQ(light_plan_fault(light, plan), "");
  }
  // 4 * 3 pairs of 8 lanes are 96 of 101 wavelengths, but a coupler of four loses 6 dB.
  EXPECT_EQ(light_plan(light, 4, kNode).wavelengths, 96u);
  EXPECT_NEAR(light_extremes(light, light_plan(light, 4, kNode)).weakest.spare, -1.05, 0.01);
  EXPECT_EQ(largest_light(light, kNode, 64), 3u);
}

TEST(OptwebLight, TheBandHoldsWhatLiesWithinIt) {
  LightConfig light = light_of(LightRouter::awg);
  for (const std::int64_t spacing : {250, 500, 1000, 2000}) {
    light.spacing = spacing;
    std::uint32_t fit = 0;
    while (wavelength_nm(light, fit) - wavelength_nm(light, 0) <= 40) ++fit;
    EXPECT_EQ(band_wavelengths(light), fit) << spacing;
  }
  light.spacing = 500;
  EXPECT_EQ(band_wavelengths(light), 101u);  // 40 nm at 0.4 nm
  EXPECT_NEAR(wavelength_nm(light, 0), 1528.77, 0.005);
  EXPECT_EQ(largest_light(light, kNode, 65), 65u);  // as the paper has it: 64 are possible
}

TEST(OptwebLight, BudgetByHand) {
  const LightConfig light = light_of(LightRouter::awg);
  const LightPlan plan = light_plan(light, 32, kNode);
  const double all = 10 * std::log10(31.0);
  // Light: 13 dBm, multiplexer 4.5, splitter to 32 and 1.5; amplified by 25 dB or up to 26 dBm of all 31 wavelengths.
  const double split = 13 - 4.5 - 10 * std::log10(32.0) - 1.5;
  const double lit = std::min(split + 25, 26 - all);
  // Demultiplexer 4.5, chip 1.5, modulator 8.4, chip 1.5, multiplexer 4.5.
  const double sent = std::min(lit - 20.4 + 25, 26 - all);
  // Connectors 1, router 4.5 and up to 1.5, connectors 1, demultiplexer 4.5, chip 1.5; cables of 1 m and 5 m.
  const double corner = sent - 1 - 4.5 - 1.5 - 1 - 4.5 - 1.5 - 0.006 * 0.35;
  const LightBudget weakest = light_extremes(light, plan).weakest;
  EXPECT_NEAR(weakest.received, corner, 1e-9);
  EXPECT_NEAR(weakest.received, -2.9157, 1e-4);
  EXPECT_NEAR(weakest.margin, corner + 9.7, 1e-9);
  EXPECT_NEAR(weakest.spare, corner + 6.7, 1e-9);
  EXPECT_NEAR(weakest.headroom, 4 - corner, 1e-9);
  EXPECT_TRUE((std::set<NodeId>{weakest.from, weakest.to} == std::set<NodeId>{0, 31}));
  // Central ports lose less: (1/31)^2 of 1.5 dB at each side, half of it each.
  const LightBudget central = light_budget(light, plan, 15, 16);
  EXPECT_NEAR(central.received - weakest.received, 1.5 - 1.5 / (31.0 * 31.0), 1e-3);
  ASSERT_EQ(weakest.levels.size(), light.path.size());
  EXPECT_NEAR(weakest.levels[3].total, 26, 1e-9);  // the amplifier is at its limit
}

// Few wavelengths share an amplifier: without a level each gets more than a receiver stands.
TEST(OptwebLight, AmplifiersAreSetToALevel) {
  LightConfig light = light_of(LightRouter::awg);
  const LightPlan plan = light_plan(light, 4, {100'000'000'000});
  EXPECT_EQ(plan.sources, 3u);
  const LightExtremes set = light_extremes(light, plan);
  EXPECT_TRUE(set.close());
  EXPECT_NEAR(set.weakest.levels[9].power, 12, 1e-9);
  EXPECT_NEAR(set.weakest.received, 12 - 14, 0.003);
  for (LightStage& s : light.path) s.level.reset();
  // 13 - 12 + 25 reach the limit of 26 dBm in all; so does what is left of it, and 25 more.
  const LightExtremes unset = light_extremes(light, plan);
  EXPECT_FALSE(unset.close());
  EXPECT_LT(unset.strongest.headroom, -4);
}

TEST(OptwebLight, FibresWithoutAHubLoseLess) {
  const LightConfig light = light_of(LightRouter::awg, OptwebWiring::p_oh);
  const LightPlan plan = light_plan(light, 32, kNode);
  EXPECT_EQ(plan.links.size(), fibres(Wiring::p_oh, 32));
  EXPECT_EQ(plan.wavelengths, 1u);
  EXPECT_NEAR(light_extremes(light, plan).weakest.received, 13 - 1.5 - 8.4 - 1.5 - 1 - 1 - 1.5, 0.005);
}

TEST(OptwebLight, WhatDoesNotCloseIsRefused) {
  EXPECT_THAT(light_errors("nodes: 32\nlight: { launch: -10dBm }\n"),
              AllOf(HasSubstr("cost.yaml:2:1: error: light: the power budget does not close: from node 0 to node 31 "),
                    HasSubstr("the receiver needs -9.70 dBm and a margin of 3.00 dB, "),
                    HasSubstr(" dB are missing; 4 nodes are possible with these parts")));
  EXPECT_THAT(light_errors("nodes: 32\nlight: { router: coupler }\n"),
              HasSubstr("light: 32 nodes with 1 lane a link need 992 wavelengths (coupler), and 101 fit into 'band'; 3 "
                        "nodes are possible with these parts"));
  EXPECT_THAT(light_errors("light: { overload: -5dBm }\n"), HasSubstr("light: too much light: from node "));
  EXPECT_THAT(light_errors("light: { wiring: p_oh, launch: 2dBm }\n"),
              HasSubstr("with these parts not even two nodes"));
  EXPECT_EQ(light_errors("light: { margin: 6.7dB }\n"), "");
  EXPECT_THAT(light_errors("light: { margin: 6.8dB }\n"), HasSubstr("0.02 dB are missing"));
  // No full mesh, no plan: the wiring alone is counted.
  EXPECT_EQ(light_errors("nodes: 66\n"), "");
}

TEST(OptwebLight, WrongPathsAreErrors) {
  const auto path = [](const std::string& stage) {
    return light_errors("light: { path: [{ name: hub, kind: router }, { name: x, " + stage + " }] }\n");
  };
  EXPECT_THAT(path("kind: amplifier, gain: 3dB"),
              HasSubstr("light.path.1: an amplifier needs 'gain' and 'most_output'"));
  EXPECT_THAT(path("gain: 3dB"), HasSubstr("light.path.1: only an amplifier has 'gain'"));
  EXPECT_THAT(path("pieces: per_node"), HasSubstr("'pieces' counts a part; name it with 'part'"));
  EXPECT_THAT(path("kind: router"), HasSubstr("light.path: light passes one router, got 2"));
  EXPECT_THAT(path("loss: 3"), HasSubstr("light.path.1.loss: expected a number of dB from 0dB to 100dB"));
  EXPECT_THAT(path("loss: -3dB"), HasSubstr("light.path.1.loss: expected"));
  EXPECT_THAT(path("kind: ruoter"), HasSubstr("did you mean 'router'?"));
  EXPECT_THAT(light_errors("light: { fibre_path: [{ name: hub, kind: router }] }\n"),
              HasSubstr("light.fibre_path.0: direct wiring and P-OH have no router"));
  EXPECT_THAT(light_errors("light: { shortest: 6m }\n"), HasSubstr("light.shortest: is longer than 'longest'"));
  EXPECT_THAT(light_errors("light: { sensitivity: 5dBm }\n"), HasSubstr("light.sensitivity: is above 'overload'"));
}

TEST(OptwebOrigins, FittedFiguresAreMarked) {
  const auto origin = [](const OptwebCostConfig& c, const std::string& key) {
    for (const CostInput& i : c.inputs) {
      if (i.key == key) return to_string(i.origin) + ": " + i.source;
    }
    return std::string("none");
  };
  const OptwebCostConfig c = light_config("nodes: 32\n");
  EXPECT_THAT(origin(c, "fpga.share"), HasSubstr("fitted: remainder"));
  EXPECT_THAT(origin(c, "fibre"), HasSubstr("fitted: from 75"));
  EXPECT_THAT(origin(c, "transceiver"), HasSubstr("stated: "));
  EXPECT_EQ(origin(light_config("nodes: 32\nfibre: 60\n"), "fibre"), "given: cost.yaml:2");
  const std::string named = "fibre: 60\norigins: [{ key: fibre, origin: literature, source: a catalogue }]\n";
  EXPECT_EQ(origin(light_config(named), "fibre"), "literature: a catalogue");
  EXPECT_EQ(origin(light_config(named, {"fibre=70"}), "fibre"), "given: --set");
  EXPECT_THAT(light_errors("origins: [{ key: fiber, origin: ours, source: x }]\n"),
              HasSubstr("origins: 'fiber' is no figure of this file; did you mean 'fibre'?"));
  Diagnostics diagnostics;
  const OptwebCostConfig file = load_optweb_cost(test::source_dir() + "/configs/optweb/cost.yaml", {}, diagnostics);
  // A figure that is taken away leaves its origin without effect.
  EXPECT_NO_THROW(load_optweb_cost(test::source_dir() + "/configs/optweb/cost.yaml", {"optics=null"}, diagnostics));
  const OptwebCostConfig defaults = light_config("nodes: 32\n");
  for (const CostInput& i : file.inputs) {
    EXPECT_NE(i.origin, CostOrigin::given) << i.key;
    // The file says of each figure what is known of the default.
    if (i.key != "optics") {
      EXPECT_EQ(to_string(i.origin) + ": " + i.source, origin(defaults, i.key)) << i.key;
    }
  }
}

TEST(OptwebLight, TheFileHasThePathOfTheDefaults) {
  Diagnostics diagnostics;
  const LightConfig file = load_optweb_cost(test::source_dir() + "/configs/optweb/cost.yaml", {}, diagnostics).light;
  const LightConfig defaults = light_config().light;
  ASSERT_EQ(file.path.size(), defaults.path.size());
  for (std::size_t i = 0; i < file.path.size(); ++i) {
    const LightStage& a = file.path[i];
    const LightStage& b = defaults.path[i];
    EXPECT_EQ(std::tie(a.name, a.part, a.kind, a.loss, a.gain, a.most_output, a.level, a.carries, a.pieces, a.source),
              std::tie(b.name, b.part, b.kind, b.loss, b.gain, b.most_output, b.level, b.carries, b.pieces, b.source));
  }
}

TEST(OptwebSensitivity, WhatEachPriceMoves) {
  const OptwebCostConfig c = light_config();
  std::map<std::string, CostMove> moves;
  for (const CostMove& m : cost_moves(c)) moves.emplace(m.key, m);
  ASSERT_EQ(moves.size(), 6u);
  EXPECT_DOUBLE_EQ(moves.at("transceiver").at_low.total(), 5.3);
  EXPECT_DOUBLE_EQ(moves.at("transceiver").at_high.total(), 5.7);
  EXPECT_DOUBLE_EQ(moves.at("optics").at_high.total(), 6.1);
  EXPECT_DOUBLE_EQ(*moves.at("optics").crossing_high, 1 + 3.6 * 800 / 76);
  EXPECT_DOUBLE_EQ(moves.at("fpga.share").at_low.total(), 4 + 1250 * 0.768 / 800);
  EXPECT_DOUBLE_EQ(moves.at("fpga.share").at_high.total(), 4 + 1250.0 / 800);  // no more than the device
  EXPECT_DOUBLE_EQ(moves.at("fpga.share").high, 1 / 0.96);
  EXPECT_DOUBLE_EQ(moves.at("fibre").at_low.total(), 5.5);  // it moves the crossing alone
  EXPECT_DOUBLE_EQ(*moves.at("fibre").crossing_low, 1 + 2400 / 60.8);
  EXPECT_DOUBLE_EQ(*moves.at("packet_network").at_low.saving, 1 - 5.5 / 7.2);
  // By parts, each part is an input of its own.
  EXPECT_EQ(cost_moves(light_config("nodes: 32\n")).size(), 9u);
}

TEST(OptwebLight, PartsOfThePlanByHand) {
  const OptwebCostConfig c = light_config();
  const LightPlan plan = *planned_light(c);
  // A source for each of 31 wavelengths, one multiplexer and one splitter for all 32 nodes; per node three filters, a
  // port of the router and two amplifiers.
  EXPECT_DOUBLE_EQ(pieces_in_plan(c, plan, "light source"), 31.0 / 32);
  EXPECT_DOUBLE_EQ(pieces_in_plan(c, plan, "WDM filter"), 4 + 1.0 / 32);
  EXPECT_DOUBLE_EQ(pieces_in_plan(c, plan, "EDFA"), 2);
  EXPECT_NEAR(*plan_per_gbps(c, plan), (400 * 31.0 / 32 + 90 * (4 + 1.0 / 32) + 432.0 / 32 + 1000) / 800, 1e-12);
  OptwebCostConfig other = c;
  other.parts[0].name = "laser";
  EXPECT_FALSE(plan_per_gbps(other, plan).has_value());
}

}  // namespace
}  // namespace weft::optweb
