#pragma once
// The weft program (and other programs) as a user starts them.

#include <string>
#include <vector>

namespace weft::test {

struct ProgramResult {
  int status = -1;  ///< exit status; 128 + signal when it was killed
  std::string out;
  std::string err;
};

struct ProgramOptions {
  std::string folder;          ///< to run in; empty: where the test runs
  int interrupt_after_ms = 0;  ///< sends SIGINT that long after `until_file` is there, 0: never
  std::string until_file;
};

/// `command[0]` is looked up in the PATH. Killed after a minute.
ProgramResult run_program(const std::vector<std::string>& command, const ProgramOptions& options = {});
/// The weft program of this build.
ProgramResult weft(std::vector<std::string> arguments, const ProgramOptions& options = {});

}  // namespace weft::test
