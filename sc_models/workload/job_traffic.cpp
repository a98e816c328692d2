#include "workload/job_traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>

#include "algorithms/jobs/job.h"
#include "base/text.h"
#include "network/patterns.h"
#include "network/topology/build_topology.h"
#include "network/topology/topologies.h"

namespace weft {
namespace {

constexpr const char* kMixed = "mixed";

/// A pattern of a whole network, on rows of nodes as long as the jobs are.
jobs::JobPattern network_pattern(const std::string& name) {
  auto rows = std::make_shared<std::map<std::uint32_t, Graph>>();
  return [name, rows](std::uint32_t nodes, RandomStream& random) {
    if (nodes < 2) return std::vector<jobs::JobFlow>();
    auto at = rows->find(nodes);
    if (at == rows->end()) {
      at = rows->emplace(nodes, build_topology(topology_config("mesh", {{"dims", std::vector{nodes}}}))).first;
    }
    return jobs::flows_of(make_pattern(name, at->second, random, {}), false);
  };
}

}  // namespace

std::vector<std::string> job_pattern_names() {
  std::vector<std::string> names;
  for (const jobs::JobPatternEntry& p : jobs::job_patterns()) names.emplace_back(p.name);
  names.insert(names.end(), pattern_names().begin(), pattern_names().end());
  names.emplace_back(kMixed);
  return names;
}

jobs::JobPattern make_job_pattern(const std::string& name, const Location& where) {
  for (const jobs::JobPatternEntry& p : jobs::job_patterns()) {
    if (name != p.name) continue;
    return [&p](std::uint32_t nodes, RandomStream&) { return jobs::flows_of(p.pairs(nodes), p.one_flow); };
  }
  if (name == kMixed) {
    std::vector<jobs::JobPattern> choices;
    for (const char* one : {"ring", "exchange", "uniform", "one_to_all"}) {
      choices.push_back(make_job_pattern(one, where));
    }
    return [choices](std::uint32_t nodes, RandomStream& random) {
      return choices[random.below(choices.size())](nodes, random);
    };
  }
  if (std::find(pattern_names().begin(), pattern_names().end(), name) != pattern_names().end()) {
    return network_pattern(name);
  }
  const std::string hint = did_you_mean(name, job_pattern_names());
  throw InputError(
      where,
      fmt::format("unknown pattern '{}'{}", name,
                  hint.empty() ? fmt::format("; expected one of: {}", fmt::join(job_pattern_names(), ", ")) : hint));
}

}  // namespace weft
