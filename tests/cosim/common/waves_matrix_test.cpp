// Looking changes nothing: with and without waves, with model, RTL and lockstep, a run has the same report to the byte
// but for the line that says what ran.

#include <gmock/gmock.h>

#include <filesystem>

#include "schema/document.h"
#include "support/neutral_report.h"
#include "support/optweb_runs.h"
#include "support/packet_runs.h"
#include "support/places.h"
#include "support/tdm_runs.h"

namespace weft::test {
namespace {

const std::string kImplementations[] = {"model", "rtl", "lockstep"};

// run(implementation, wave file or "") gives the report. All six must be the same.
void expect_one_report(const std::string& what,
                       const std::function<std::string(const std::string&, const std::string&)>& run) {
  const ScratchFolder folder;
  std::string first;
  for (const std::string& implementation : kImplementations) {
    for (const std::string& waves : {std::string(), folder.path(implementation + ".fst")}) {
      const std::string report = neutral_report(run(implementation, waves));
      if (first.empty()) first = report;
      EXPECT_TRUE(report == first) << what << ", " << implementation << (waves.empty() ? "" : ", with waves");
      if (waves.empty()) continue;
      EXPECT_GT(std::filesystem::file_size(waves), 1000U) << waves;
    }
  }
}

std::string tdm_report(const std::string& yaml, const Overrides& set, const std::string& waves) {
  const Outcome out = run_yaml(yaml, set, [&](TdmRunOptions& o) { o.waves = waves; });
  EXPECT_EQ(out.error + out.failure, "");
  EXPECT_GT(out.slot_trace.size(), 1000U) << "there is hardly any traffic";
  return out.report;
}

class TdmWavesMatrix : public ::testing::TestWithParam<std::string> {};

TEST_P(TdmWavesMatrix, HasOneReport) {
  const std::string setup = GetParam();
  // A network of each way to set up its circuits; in_network knows no phases.
  const std::string flows =
      setup == "in_network"
          ? "circuits:\n  - { flow: many, source: 0, destinations: [2, 5, 3] }\n"
            "  - { flow: fat, source: 4, destination: 0, slots: 3 }\n"
          : "phases:\n  - { name: first, pattern: tornado }\n"
            "  - name: second\n    circuits:\n      - { flow: many, source: 0, destinations: [2, 5, 3] }\n"
            "      - { flow: fat, source: 4, destination: 0, slots: 3 }\n";
  const std::string yaml =
      "fabric: tdm\ntopology: { kind: mesh, dims: [3, 2] }\nswitch: { slots: 6, serdes: 4cycles }\n"
      "setup: { mode: " +
      setup +
      " }\nsources: { arrivals: poisson, interval: 900ns, message: "
      "300B }\nrun: { measure: 6us }\nobserve: { slot_trace: true }\n" +
      flows;
  expect_one_report(setup, [&](const std::string& which, const std::string& waves) {
    return tdm_report(yaml, {"switch.data_path.implementation=" + which, "switch.slot_lut.implementation=" + which},
                      waves);
  });
}

INSTANTIATE_TEST_SUITE_P(SetupModes, TdmWavesMatrix, ::testing::Values("preset", "central", "in_network"),
                         [](const auto& chosen) { return chosen.param; });

// Circuits that are all there before time begins: one word of each, none comes late.
TEST(WavesMatrix, PresetAllToAllHasOneReport) {
  const std::string yaml = slurp(source_dir() + "/configs/tdm/alltoall_4x4.yaml");
  expect_one_report("alltoall", [&](const std::string& which, const std::string& waves) {
    return tdm_report(yaml, {"switch.data_path.implementation=" + which, "observe.slot_trace=true"}, waves);
  });
}

struct SchedulerCase {
  std::string name, levels, keys;
};

class SchedulerWavesMatrix : public ::testing::TestWithParam<SchedulerCase> {};

TEST_P(SchedulerWavesMatrix, HasOneReport) {
  const std::string& name = GetParam().name;
  const std::string yaml =
      "fabric: packet\ntopology: { kind: mesh, dims: [2], nodes_per_switch: 2 }\nqos:\n  levels: { " +
      GetParam().levels + " }\n  scheduler: " + name + "\n  " + name + ": { " + GetParam().keys + " }" + R"(
traffic:
  - { level: NC, load: 0.3, source: bursts }
  - { level: BE, load: 0.5, source: bursts }
run: { warm_up: 1us, measure: 10us, drain: 20us }
)";
  expect_one_report(name, [&](const std::string& which, const std::string& waves) {
    const PacketOutcome out = run_packet_yaml(yaml, {"qos." + name + ".implementation=" + which},
                                              [&](PacketRunOptions& o) { o.waves = waves; });
    EXPECT_EQ(out.error + out.failure, "");
    return out.text;
  });
}

INSTANTIATE_TEST_SUITE_P(
    Schedulers, SchedulerWavesMatrix,
    ::testing::Values(SchedulerCase{"dtable", "NC: { message: 192B }, BE: { message: 1024B }",
                                    "table: [ { sl: NC, weight: 2 }, { sl: BE, weight: 7 } ]"},
                      SchedulerCase{"drr", "NC: { message: 192B, quantum: 2 }, BE: { message: 1024B, quantum: 7 }", ""},
                      SchedulerCase{
                          "ib_arbiter", "NC: { message: 192B }, BE: { message: 1024B }",
                          "high: [ { sl: NC, weight: 4 } ], low: [ { sl: BE, weight: 7 }, { sl: NC, weight: 1 } "
                          "], limit_of_high_priority: 0"}),
    [](const auto& chosen) { return chosen.param.name; });

class OptwebWavesMatrix : public ::testing::TestWithParam<std::string> {};

TEST_P(OptwebWavesMatrix, HasOneReport) {
  const std::string yaml = "fabric: optweb\nnodes: 4\nverify: data\n" + GetParam() +
                           "program:\n  - { op: barrier }\n  - { op: alltoall, size: 4KiB }\n"
                           "  - { op: compute, time: 1us }\n  - { op: allreduce, size: 1KiB }\n";
  expect_one_report("optweb", [&](const std::string& which, const std::string& waves) {
    const OptwebOutcome out = run_optweb_yaml(yaml,
                                              {"sequencer.implementation=" + which, "dmac.stripe_address=" + which,
                                               "link.implementation=" + which, "switch.implementation=" + which},
                                              [&](OptwebRunOptions& o) { o.waves = waves; });
    EXPECT_EQ(out.error + out.failure, "");
    return out.text;
  });
}

INSTANTIATE_TEST_SUITE_P(Clocks, OptwebWavesMatrix,
                         ::testing::Values("",
                                           "clocks: { phases: [0ps, 1ps, 2500ps, 4999ps], offsets_ppm: [0, 20, "
                                           "-30, 50] }\n"),
                         [](const auto& chosen) { return chosen.param.empty() ? "aligned" : "own"; });

}  // namespace
}  // namespace weft::test
