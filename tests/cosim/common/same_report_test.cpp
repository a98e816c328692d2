// model, rtl and lockstep give the same report to the byte, and the same slot trace, whatever stands in the network.

#include "schema/document.h"
#include "support/child.h"
#include "support/places.h"
#include "support/random_network.h"
#include "support/tdm_runs.h"

namespace weft::test {
namespace {

const Overrides kTrace{"observe.slot_trace=true"};

Overrides with(Overrides set, const std::string& lut, const std::string& path) {
  set.push_back("switch.slot_lut.implementation=" + lut);
  set.push_back("switch.data_path.implementation=" + path);
  return set;
}

// Runs with the models, and with each mix; all must agree.
void expect_same(const std::string& yaml, const std::vector<std::pair<std::string, std::string>>& mixes) {
  const Outcome model = run_yaml(yaml, with(kTrace, "model", "model"));
  ASSERT_EQ(model.error, "");
  ASSERT_EQ(model.failure, "");
  ASSERT_TRUE(model.complete);
  ASSERT_GT(model.slot_trace.size(), 1000U) << "there is hardly any traffic";
  for (const auto& [lut, path] : mixes) {
    const Outcome other = run_yaml(yaml, with(kTrace, lut, path));
    ASSERT_EQ(other.error, "") << lut << " " << path;
    ASSERT_EQ(other.failure, "") << lut << " " << path;
    EXPECT_NE(other.report, model.report) << "the report does not say what ran";
    EXPECT_TRUE(other.neutral_report() == model.neutral_report()) << lut << " " << path;
    EXPECT_TRUE(other.slot_trace == model.slot_trace) << lut << " " << path;
  }
}

const std::vector<std::pair<std::string, std::string>> kAll{{"rtl", "rtl"}, {"lockstep", "lockstep"}, {"model", "rtl"}};

TEST(SameReport, MeshWithMulticastAndFatCircuits) {
  std::string yaml = slurp(source_dir() + "/configs/tdm/mesh_4x4.yaml");
  yaml.replace(yaml.find("warm_up: 100us, measure: 2ms"), 28, "warm_up: 10us, measure: 60us");
  yaml.replace(yaml.find("interval: 60us, message: 4KiB"), 29, "interval: 6us, message: 400B");
  expect_same(yaml, kAll);
}

// Single entries of the slot tables change while data flows, requests are refused, links and switches fail.
TEST(SameReport, CircuitsThatComeAndGo) {
  for (const std::string name : {"setup_4x4", "setup_faults", "setup_multicast"}) {
    expect_same(slurp(source_dir() + "/configs/tdm/" + name + ".yaml"), kAll);
  }
}

TEST(SameReport, ThreePhasesWithSlotUpdate) {
  expect_same(R"(
fabric: tdm
topology: { kind: torus, dims: [3, 3] }
switch: { slots: 7, serdes: 9cycles, pipeline: 1cycle, reconfiguration: 2cycles }
slots: { slot_update: true }
setup: { mode: central, processing: 3cycles }
phases:
  - name: first
    pattern: tornado
    sources: { arrivals: saturated, message: 400B, messages: 20 }
  - name: second
    circuits:
      - { flow: a, source: 0, destinations: [4, 8, 5], slots: 2 }
      - { flow: b, source: 7, destination: 1, slots: 3 }
    sources: { arrivals: periodic, message: 300B, interval: 700ns, messages: 20 }
  - name: third
    circuits: [ { source: 8, destinations: [0, 1, 2, 3] }, { source: 3, destination: 5 } ]
    sources: { arrivals: poisson, message: 100B, interval: 300ns, messages: 30 }
)",
              kAll);
}

TEST(SameReport, EachSwitchAnother) {
  const std::string yaml = R"(
fabric: tdm
topology: { kind: mesh, dims: [4, 2] }
switch:
  slots: 6
  serdes: 4cycles
  instances:
    sw[1]: { data_path: { implementation: rtl } }
    sw[2..4]: { data_path: { implementation: lockstep }, slot_lut: { implementation: rtl } }
    sw[6]: { slot_lut: { implementation: lockstep } }
pattern: bit_complement
sources: { arrivals: saturated, message: 500B, messages: 30 }
)";
  std::string plain = yaml;
  plain.erase(plain.find("  instances:"), plain.find("pattern:") - plain.find("  instances:"));
  const Outcome a = run_yaml(yaml, kTrace);
  const Outcome b = run_yaml(plain, kTrace);
  ASSERT_EQ(a.error + a.failure + b.error + b.failure, "");
  EXPECT_TRUE(a.neutral_report() == b.neutral_report());
  EXPECT_TRUE(a.slot_trace == b.slot_trace);
  EXPECT_NE(a.json()["implementation"], b.json()["implementation"]);
}

// More than 8 ports, then more than 64 slots: the large RTL.
TEST(SameReport, ManyPorts) {
  expect_same(
      "fabric: tdm\ntopology: { kind: full_mesh, switches: 10 }\npattern: tornado\n"
      "sources: { message: 200B, messages: 6 }\n",
      {{"lockstep", "lockstep"}, {"rtl", "rtl"}});
}

TEST(SameReport, ManySlots) {
  expect_same(
      "fabric: tdm\ntopology: { kind: mesh, dims: [2, 1] }\nswitch: { slots: 100 }\n"
      "circuits: [ { source: 0, destination: 1, slots: 40 }, { source: 1, destination: 0, slots: 2 } ]\n"
      "sources: { message: 4250B, messages: 3 }\n",
      {{"lockstep", "lockstep"}, {"rtl", "rtl"}});
}

TEST(SameReport, RandomNetworks) {
  for (int i = 0; i < 12 * soak(); ++i) {
    const std::string yaml = random_network(static_cast<std::uint64_t>(90'000 + i), {3, false});
    const Outcome model = run_yaml(yaml, kTrace);
    ASSERT_EQ(model.error + model.failure, "") << yaml;
    for (const std::string which : {"rtl", "lockstep"}) {
      const Outcome other = run_yaml(yaml, with(kTrace, which, which));
      ASSERT_EQ(other.error + other.failure, "") << which << "\n" << yaml;
      ASSERT_TRUE(other.neutral_report() == model.neutral_report()) << which << "\n" << yaml;
      ASSERT_TRUE(other.slot_trace == model.slot_trace) << which << "\n" << yaml;
    }
  }
}

}  // namespace
}  // namespace weft::test
