#pragma once
// Clocks of a run that may be continued from an image of its process (process_image.h).

#include <chrono>

namespace weft {

/// Time that the process has run: it stands still from the writing of an image until somebody goes on with it.
std::chrono::steady_clock::time_point running_now();
/// Processor time used, that of the processes before it included, in seconds.
double processor_time_used();

/// Where the clocks of a process stood.
struct RunClocks {
  std::chrono::steady_clock::time_point running = running_now();
  double processor_time = processor_time_used();
};
/// In a process that goes on: the clocks go on from there.
void continue_clocks(const RunClocks& from);

}  // namespace weft
