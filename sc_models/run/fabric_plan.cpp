#include "run/fabric_plan.h"

#include <systemc>

#include "base/diagnostics.h"

namespace weft {

void BuiltFabric::open_waves(const std::string& path) {
  throw InputError({"--waves " + path}, "this fabric has no signals; others have");
}

std::string fabric_name(const std::string& base) {
  if (sc_core::sc_find_object(base.c_str()) == nullptr) return base;
  return sc_core::sc_gen_unique_name(base.c_str());
}

const FabricPlan& fabric_plan(const Plan& plan) {
  const auto* const found = dynamic_cast<const FabricPlan*>(&plan);
  if (found == nullptr) throw InputError({plan.title()}, "this configuration has no fabric with endpoints");
  return *found;
}

ReportData FabricPlan::begin_report(const std::string& file, const std::string& implementation) const {
  ReportData report;
  report.title = title();
  report.config_file = file;
  report.seed = workload().traffic.seed;
  report.implementation = implementation;
  return report;
}

Part FabricPlan::part(Ranks& ranks) const { return {&ranks, cut_network(graph(), ranks.size())}; }

}  // namespace weft
