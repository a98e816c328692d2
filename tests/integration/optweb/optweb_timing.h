#pragma once
// Runs of OPTWEB in mode `timing` that must succeed, with nodes brought in step before what is timed.

#include <string>

#include "schema/document.h"
#include "support/optweb_runs.h"

namespace weft::test {

inline const std::string kTimingHead = "fabric: optweb\nnodes: 4\nmode: timing\n";

inline std::string aligned(const std::string& instruction) {
  return kTimingHead + "program:\n  - { op: barrier }\n  - { op: barrier }\n  - " + instruction + "\n";
}
inline constexpr std::size_t kTimedLine = 2;  // of the instruction after the barriers

inline OptwebOutcome good_timing(const std::string& yaml, const Overrides& set = {}) {
  OptwebOutcome r = run_optweb_yaml(yaml, set);
  EXPECT_THAT(r.error + r.failure, ::testing::IsEmpty());
  return r;
}

}  // namespace weft::test
