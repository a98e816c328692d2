// Ideal network against closed forms of queueing theory: the waiting of an output-queued switch, and that of a source
// with one server.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/diagnostics.h"
#include "run/ideal/ideal_family.h"
#include "run/ideal/ideal_plan.h"
#include "support/child.h"

namespace weft::test {
namespace {

nlohmann::json run_ideal(const std::string& yaml) {
  const ChildResult child = in_child([&] {
    Diagnostics diagnostics;
    const IdealConfig config = parse_ideal_config(yaml, "t.yaml", ".", {}, diagnostics);
    const RunResult result = IdealPlan(config).run({});
    if (!result.failure.empty()) throw std::runtime_error(result.failure);
    return report_json(result.report);
  });
  EXPECT_TRUE(child.ok) << child.text;
  return child.ok ? nlohmann::json::parse(child.text) : nlohmann::json();
}

std::string ideal(const std::string& network, const std::string& traffic) {
  return "fabric: ideal\nideal: { " + network + " }\nlink: { rate: 64GB/s, flit: 64B }\n" +  // a cycle is 1 ns
         "qos: { levels: { one: { message: 64B }, five: { message: 320B } } }\ntraffic: [ " + traffic +
         " ]\nrun: { warm_up: 20us, measure: 400us }\n";
}

double run_figure(const nlohmann::json& report, const std::string& key) {
  return report.at("figures").at("run").at(key).at("value").get<double>();
}

// Karol, Hluchyj, Morgan 1987: mean wait of an output-queued switch with N inputs at load p.
TEST(IdealNetwork, SerialReceiversAreAnOutputQueuedSwitch) {
  constexpr double kNodes = 16;
  for (const double load : {0.3, 0.6, 0.8}) {
    const auto report = run_ideal(
        ideal("nodes: 16, latency: 5cycles", "{ level: one, load: " + std::to_string(load) + ", self_traffic: true }"));
    const double expected = 5 + (kNodes - 1) / kNodes * load / (2 * (1 - load));
    EXPECT_NEAR(run_figure(report, "latency_mean"), expected, 0.015 * expected) << load;
    EXPECT_NEAR(run_figure(report, "accepted"), load, 0.01);
  }
}

// Messages of D flits at a source that sends one flit per cycle, with at most one message per cycle: Geo/D/1, mean wait
// q D (D - 1) / (2 (1 - q D)) with q messages per cycle.
TEST(IdealNetwork, SourcesAreServersOfConstantTime) {
  for (const double load : {0.4, 0.8}) {
    const auto report = run_ideal(ideal("nodes: 8, latency: 3cycles, receivers: parallel",
                                        "{ level: five, load: " + std::to_string(load) + " }"));
    const double wait = load * 4 / (2 * (1 - load));
    EXPECT_NEAR(run_figure(report, "queueing"), wait, 0.03 * wait) << load;
    EXPECT_NEAR(run_figure(report, "latency_mean"), wait + 3 + 4, 0.03 * (wait + 7)) << load;
    EXPECT_EQ(run_figure(report, "serialization"), 4);
    EXPECT_EQ(run_figure(report, "network"), 3);
  }
}

TEST(IdealNetwork, PairsHaveLatenciesOfTheirOwn) {
  const auto report = run_ideal(ideal("nodes: 2, latency: 5cycles, pairs: [ { from: 0, to: 1, latency: 11cycles } ]",
                                      "{ level: one, load: 0.01 }"));
  EXPECT_EQ(run_figure(report, "latency_min"), 5);
  EXPECT_EQ(run_figure(report, "latency_max"), 11);
}

}  // namespace
}  // namespace weft::test
