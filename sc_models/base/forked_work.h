#pragma once
// Function that runs in a forked copy of the process: the SystemC kernel does not restart, so a command that simulates
// several networks simulates each of them in a process of its own. Call it while the process has one thread and before
// it elaborates anything.

#include <functional>
#include <string>

namespace weft {

/// The text that `work` returns. The copy dies with this process. Throws RunError with the message of what `work`
/// throws, and when the copy cannot be made or is ended by a signal.
std::string in_forked_copy(const std::function<std::string()>& work);

}  // namespace weft
