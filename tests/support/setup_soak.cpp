#include "support/setup_runs.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "support/child.h"

namespace weft::test {
namespace {

using nlohmann::json;

void add(SetupSoak& sums, const json& flow) {
  const auto number = [&](const char* key) { return flow[key].get<std::uint64_t>(); };
  ++sums.flows;
  sums.refused += number("no_slots");
  sums.late += number("late");
  sums.lost += number("lost");
  sums.dropped += number("dropped");
  sums.taken_of_refused += number("taken_of_refused");
  for (const json& circuit : flow["circuits"]) sums.further += circuit["further"].get<bool>() ? 1 : 0;
}

// With one failure more, of links that another holds down all the while.
SetupCase with_hidden_failure(SetupCase c, std::uint64_t seed) {
  Fault f = c.faults[seed / 4 % c.faults.size()];
  const Cycle time = f.recover - f.at;
  f.at += time / 3;
  if (seed % 8 == 1) f.recover -= time / 3;
  c.faults.push_back(f);
  return c;
}

}  // namespace

SetupSoak soak_setup(Random kind) {
  const char* only = std::getenv("WEFT_SEED");
  const std::uint64_t first = only == nullptr ? 1 : std::strtoull(only, nullptr, 10);
  const std::uint64_t last = only == nullptr ? 120 * static_cast<std::uint64_t>(soak()) : first;
  SetupSoak sums;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    const SetupCase c = random_setup(seed, kind);
    const json o = setup_in_child(c);
    if (o["failure"] != "") {
      ADD_FAILURE() << "seed " << seed << ": " << o["failure"];
      return sums;
    }
    for (const json& f : o["flows"]) {
      if (kind != Random::multicasts || f["ends"].size() > 1) add(sums, f);
    }
    if (seed % 4 == 0 && setup_in_child(c, seed) != o) {
      ADD_FAILURE() << "seed " << seed << ": the order of modules matters";
      return sums;
    }
    if (seed % 4 == 1 && !c.faults.empty() && setup_in_child(with_hidden_failure(c, seed)) != o) {
      ADD_FAILURE() << "seed " << seed << ": a failure of links that are down already matters";
      return sums;
    }
  }
  sums.all = only == nullptr;
  return sums;
}

void expect_all_kinds(const SetupSoak& sums) {
  if (!sums.all) return;
  EXPECT_GT(sums.refused, 60U);
  EXPECT_GT(sums.late, 5U);
  EXPECT_GT(sums.lost, 20U);
  EXPECT_GT(sums.further, 20U);
}

}  // namespace weft::test
