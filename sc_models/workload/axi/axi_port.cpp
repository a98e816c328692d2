#include "workload/axi/axi_port.h"

#include <fmt/format.h>

namespace weft::axi {

std::string ClockedModule::message(const std::string& what) const {
  return fmt::format("{}, cycle {}: {}", name(), cycle(), what);
}

void ClockedModule::misused(const std::string& what) const { SC_REPORT_ERROR("weft/axi", message(what).c_str()); }

void ClockedModule::warn(const std::string& what) const { SC_REPORT_WARNING("weft/axi", message(what).c_str()); }

void RuleChecker::violated(const std::string& rule) {
  ++violations;
  if (first.empty()) first = fmt::format("{}, edge {}: {}", name_, edge_, rule);
  if (report_) report_(rule);
}

}  // namespace weft::axi
