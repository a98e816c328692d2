#pragma once
// The weft program (and other programs) as a user starts them.

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace weft::test {

using Arguments = std::vector<std::string>;
/// `arguments`, then `more`.
Arguments with(Arguments arguments, const Arguments& more);

struct ProgramResult {
  int status = -1;  ///< exit status; 128 + signal when it was killed
  std::string out;
  std::string err;
};

struct ProgramOptions {
  std::string folder;            ///< to run in; empty: where the test runs
  int interrupt_after_ms = 0;    ///< sends SIGINT that long after `when` holds, 0: never
  std::function<bool()> when{};  ///< empty: at its start
};
/// Holds once the file or folder is there.
std::function<bool()> when_there(std::string path);

/// `command[0]` is looked up in the PATH. Killed after kPatienceSeconds.
ProgramResult run_program(const std::vector<std::string>& command, const ProgramOptions& options = {});
/// The weft program of this build.
ProgramResult weft(std::vector<std::string> arguments, const ProgramOptions& options = {});

/// The weft program at work, its output thrown away; killed at the end of the test at the latest.
class RunningWeft {
 public:
  RunningWeft(std::vector<std::string> arguments, const std::string& folder);
  ~RunningWeft() { kill(); }
  RunningWeft(const RunningWeft&) = delete;
  RunningWeft& operator=(const RunningWeft&) = delete;
  /// Waits until `condition` holds. False: it did not within kPatienceSeconds, or the program has ended.
  bool wait_until(const std::function<bool()>& condition) const;
  /// SIGKILL. False: the program had ended by itself.
  bool kill();

 private:
  pid_t pid_ = -1;
};

}  // namespace weft::test
