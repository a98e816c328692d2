#pragma once
// A sweep whose program is a small script.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "support/scratch.h"
#include "sweep/plan.h"
#include "sweep/result_store.h"
#include "sweep/run_sweep.h"
#include "sweep/sweep_config.h"

namespace weft::test {

// Says what it was called with; fails for seed 13; refuses the value 'bad'; warns of the value 'odd' and always of
// its configuration; otherwise reports its seed, with seed 21 a row that is late and two notes.
inline constexpr const char* kSweepProgram = R"(#!/bin/sh
echo "$@" >> "$(dirname "$0")/calls"
for a in "$@"; do
  [ "$previous" = --seed ] && seed=$a
  previous=$a
done
case "$*" in
  *x=bad*) echo '{"errors": [{"severity": "warning", "file": "net.yaml", "line": 1, "column": 1, "message": "unused"},
    {"severity": "error", "file": "--set x=bad", "line": 0, "column": 0, "message": "x is bad"},
    {"file": "net.yaml", "line": 4, "column": 2, "message": "no room"}]}'; exit 2;;
esac
if [ "$1" = check ]; then
  echo "$(dirname "$0")/net.yaml:3:7: warning: unused" >&2
  case "$*" in *x=odd*) echo '--set x=odd: warning: x is odd' >&2;; esac
  exit 0
fi
if [ "$seed" = 13 ]; then echo "error: lost a message" >&2; exit 1; fi
late=false
if [ "$seed" = 21 ]; then late=true; notes='"a is late", "so is nothing; else"'; fi
echo '{"figures": {"run": {"twice": {"value": '$((2 * seed))', "unit": "ns"}, "name": {"value": "n", "unit": ""}}},
  "notes": ['$notes'],
  "tables": {"t": {"columns": [{"key": "flow", "unit": ""}, {"key": "v", "unit": "1"}, {"key": "late", "unit": ""}],
    "rows": [{"flow": "a", "v": '$seed', "late": '$late'}, {"flow": "b", "v": 7, "late": false}]}}}'
)";

class Sweep : public ::testing::Test {
 protected:
  Sweep() {
    folder_.write("net.yaml", "fabric: tdm\nseed: 5\nfile: list.txt\n");
    folder_.write("list.txt", "1 2 3\n");
    folder_.write("program", kSweepProgram);
    chmod(folder_.path("program").c_str(), 0755);
    std::filesystem::create_directory(folder_.path("out"));
  }

  SweepConfig config(const std::string& values = "[1, 2]", const std::string& seeds = "3",
                     const std::string& metrics = "{ twice: sections.run.twice }", const std::string& more = "") const {
    return parse_sweep("sweep: net.yaml\naxes: [ { key: x, values: " + values +
                           " }, { key: y, values: [a, b] } ]\nseeds: " + seeds + "\nmetrics: " + metrics + "\n" + more,
                       "s.yaml", folder_.path(), {}, false);
  }
  SweepOptions options(std::size_t jobs = 2) const {
    SweepOptions o;
    o.program = folder_.path("program");
    o.jobs = jobs;
    return o;
  }
  std::string database() const { return folder_.path("out/results.sqlite"); }
  std::size_t calls() const {
    const std::string text = slurp(folder_.path("calls"));
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
  SweepOutcome run(const SweepConfig& c, std::size_t jobs = 2) {
    const SweepPlan plan = plan_sweep(c);
    ResultStore store(database());
    return run_sweep(c, plan, work_of(plan, store.known()).runs, store, options(jobs));
  }
  std::set<std::string> identities(const SweepConfig& c) const {
    std::set<std::string> out;
    for (const PlannedRun& r : plan_sweep(c).runs) out.insert(r.identity);
    return out;
  }

  ScratchFolder folder_;
};

}  // namespace weft::test
