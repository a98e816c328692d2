#pragma once
// Function that runs in a forked copy of the process: the SystemC kernel does not restart, so a command that simulates
// several networks simulates each of them in a process of its own. Call it while the process has one thread and before
// it elaborates anything.

#include <functional>
#include <string>

namespace weft {

/// What became of such a copy.
struct ForkedResult {
  std::string text;     ///< that `work` returned, or the message of what it threw
  int exit_status = 0;  ///< 1: it threw
  int signal = 0;       ///< that ended the copy
  bool ok() const { return exit_status == 0 && signal == 0; }
};

/// The copy dies with this process. `stop`: asked now and then; once it says so the copy gets SIGINT, and is waited
/// for. Throws RunError when the copy cannot be made.
ForkedResult fork_work(const std::function<std::string()>& work, const std::function<bool()>& stop = {});

/// The text that `work` returns in a copy. Throws RunError with the message of what `work` throws as well, and when a
/// signal ends the copy.
std::string in_forked_copy(const std::function<std::string()>& work, const std::function<bool()>& stop = {});

}  // namespace weft
