#pragma once
// Other programs, run as child processes of this one: several at a time, with what they print collected.
//
// A child dies with its parent (Linux: PR_SET_PDEATHSIG), reads its standard input from the given text, and stays in
// the parent's process group unless told otherwise. Not thread-safe: one thread starts and waits.

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weft {

struct ChildCommand {
  std::vector<std::string> arguments;  ///< the first is the program, looked up in the PATH
  std::string folder;                  ///< to run in; empty: where this program runs
  std::string input;                   ///< standard input
  std::uint64_t memory = 0;            ///< bytes of data it may allocate (RLIMIT_DATA); 0: as many as this program
  int nice = 0;                        ///< added to the niceness of this program
  bool apart = false;                  ///< in a process group of its own: Ctrl-C does not reach it
};

struct ChildResult {
  int status = -1;  ///< exit status; 127: it could not be started, and `err` says why; 128 + signal: it was killed
  std::string out;
  std::string err;
  std::uint64_t peak_memory = 0;  ///< largest resident size in bytes
};

class ChildPool {
 public:
  struct Finished {
    std::size_t id = 0;
    ChildResult result;
  };

  ChildPool() = default;
  ~ChildPool() { end_all(); }
  ChildPool(const ChildPool&) = delete;
  ChildPool& operator=(const ChildPool&) = delete;

  /// Throws RunError when no process can be made.
  void start(std::size_t id, const ChildCommand& command);
  std::size_t running() const { return children_.size(); }
  /// A child that has ended; nothing after `timeout`, when a signal came, or when none runs.
  std::optional<Finished> wait(std::chrono::milliseconds timeout);
  /// Sends a signal to all that still run.
  void signal(int number) const;
  /// Kills all that still run.
  void end_all();

 private:
  struct Child {
    std::size_t id = 0;
    pid_t pid = -1;
    int in = -1;
    int out = -1;
    int err = -1;
    std::string input;
    std::size_t written = 0;
    ChildResult result;
  };

  void write_input(Child& child);
  Finished take(std::size_t index);

  std::vector<Child> children_;
};

/// `argument` as a shell reads it.
std::string shell_word(const std::string& argument);

/// Runs one program to its end.
ChildResult run_child(const ChildCommand& command);

}  // namespace weft
