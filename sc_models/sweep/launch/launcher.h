#pragma once
// Schedulers that run workers: processes on any machines of a common file system, each of which runs many points.
//
// A launcher knows nothing of sweeps: it starts a shell script once per task and tells how many tasks still wait or
// run. Which results there are is read from the files of the workers.

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/words.h"

namespace weft {

enum class LauncherKind { slurm, mpi };
template <>
inline constexpr auto kWords<LauncherKind> = words("slurm", "mpi");

struct WorkerJob {
  std::string name;
  std::string script;                  ///< path; told its task by the shell text of Launcher::task()
  std::string log;                     ///< path of the scheduler's own messages, or of what the script prints outside
  std::vector<std::size_t> tasks;      ///< numbers from 1
  std::size_t cores = 0;               ///< of a worker; 0: as `arguments` say
  std::vector<std::string> arguments;  ///< of the user, for the scheduler
};

struct JobState {
  std::size_t waiting = 0;  ///< tasks
  std::size_t running = 0;
  bool is_over() const { return waiting + running == 0; }
};

class Launcher {
 public:
  virtual ~Launcher() = default;
  /// Shell text that sets the variable `task` of a script to the number of its task.
  virtual std::string task(const std::vector<std::size_t>& tasks) const = 0;
  /// Shell text in front of the command of a worker; empty, or a function that `functions` defines.
  virtual std::string runner() const { return {}; }
  virtual std::string functions() const { return {}; }
  /// Shell text for the number of cores that a worker has.
  virtual std::string cores() const = 0;
  /// Name of the job. Throws RunError when the scheduler takes none.
  virtual std::string submit(const WorkerJob& job) = 0;
  /// Nothing: the scheduler does not answer at this moment.
  virtual std::optional<JobState> state(const std::string& job) = 0;
  virtual void cancel(const std::string& job) = 0;
  /// Whether a job goes on without this process, so that another one can follow it by its name.
  virtual bool outlives() const = 0;
  /// What the scheduler said last; for messages.
  const std::string& said() const { return said_; }

 protected:
  std::string said_;
};

std::unique_ptr<Launcher> make_launcher(LauncherKind kind);

/// Words of a text as a shell separates them: at white space, but not inside quotes. Throws std::invalid_argument when
/// a quote has no end.
std::vector<std::string> shell_words(const std::string& text);

/// "1,3-5" for 1, 3, 4, 5.
std::string ranges_text(const std::vector<std::size_t>& sorted);

}  // namespace weft
