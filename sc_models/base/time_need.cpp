#include "base/resource_need.h"

#include <fmt/format.h>

#include <limits>

namespace weft {
namespace {

double g_usable_seconds = std::numeric_limits<double>::infinity();

}  // namespace

double usable_seconds() { return g_usable_seconds; }

void set_usable_seconds(double seconds) { g_usable_seconds = seconds; }

std::string beyond_usable_seconds() {
  return fmt::format("more than the {:g} s that a check may take (set by --max-time; a run has no such limit)",
                     g_usable_seconds);
}

void need_seconds(double seconds, const Location& where, const std::string& what) {
  if (seconds <= g_usable_seconds) return;
  throw InputError(where, fmt::format("{} would take about {:.2g} s, {}", what, seconds, beyond_usable_seconds()));
}

}  // namespace weft
