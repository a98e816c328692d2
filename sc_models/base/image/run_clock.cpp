#include "base/image/run_clock.h"

#include <sys/resource.h>

namespace weft {
namespace {

using Clock = std::chrono::steady_clock;

Clock::duration time_away{};
double processor_time_before = 0;

double processor_time_here() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace

Clock::time_point running_now() { return Clock::now() - time_away; }

double processor_time_used() { return processor_time_before + processor_time_here(); }

void continue_clocks(const RunClocks& from) {
  time_away += running_now() - from.running;
  processor_time_before = from.processor_time - processor_time_here();
}

}  // namespace weft
