#pragma once
// A folder in which tests run weft sweep as users do, and a small sweep of circuits to put there.

#include <gtest/gtest.h>

#include <functional>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "support/program.h"
#include "support/scratch.h"
#include "sweep/result_store.h"

namespace weft::test {

/// Runs of a few milliseconds.
inline constexpr const char* kSmallNet = R"(fabric: tdm
topology: { kind: mesh, dims: [4, 4] }
pattern: tornado
sources: { arrivals: poisson, interval: 30us, message: 1kB }
run: { measure: 200us }
)";
/// Four points of `net.yaml` with three seeds each.
inline std::string small_sweep(const std::string& title) {
  return "sweep: net.yaml\ntitle: " + title + R"(
axes:
  - { key: switch.slots, values: [8, 16] }
  - { key: sources.interval, name: interval, values: [40us, 20us] }
seeds: 3
metrics: { latency: sections.run.latency_max, waiting: 'tables.circuits[circuit=0].queueing' }
plots: { waiting: { x: interval, y: waiting, series: slots } }
)";
}

/// Runs of `net.yaml` of about half a second each, twelve of them.
inline constexpr const char* kSlowSweep = R"(sweep: net.yaml
set: { run.measure: 120ms, sources.interval: 10us }
axes: [ { key: switch.slots, values: [8, 9, 10, 11] } ]
seeds: 3
metrics: { latency: sections.run.latency_max }
)";

class SweepFolderTest : public ::testing::Test {
 protected:
  ProgramResult sweep(Arguments arguments, int interrupt_after_ms = 0, std::function<bool()> when = {}) const {
    arguments.insert(arguments.begin(), std::string("sweep"));
    return weft(arguments, {folder_.path(), interrupt_after_ms, std::move(when)});
  }
  nlohmann::json sweep_json(Arguments arguments) const {
    arguments.emplace_back("--json");
    return nlohmann::json::parse(sweep(std::move(arguments)).out);
  }
  std::size_t stored(const std::string& out) const {
    return ResultStore(folder_.path(out + "/results.sqlite")).known().size();
  }
  /// Files of two output folders.
  void expect_same_files(const std::string& a, const std::string& b, std::initializer_list<const char*> names) const {
    for (const char* name : names) {
      const std::string text = slurp(folder_.path(a + "/" + name));
      EXPECT_FALSE(text.empty()) << name;
      EXPECT_EQ(text, slurp(folder_.path(b + "/" + name))) << name;
    }
  }

  ScratchFolder folder_;
};

}  // namespace weft::test
