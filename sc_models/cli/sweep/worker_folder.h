#pragma once
// Files of the workers of a launched sweep, in the folder `workers` beside its results.
//
//   worker.sh        the script of every worker
//   part_<i>/        results.sqlite of part i, as `weft sweep --shard` writes it
//   part_<i>.log     what its worker said
//   part_<i>.job     what its worker said outside of the program, such as the scheduler's messages
//   part_<i>.status  its exit status; not there while it runs, or when it was killed
//   job.json         the job that runs them: scheduler, its number, number of parts, identity of the plan

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/sweep/steps.h"
#include "sweep/launch/launcher.h"

namespace weft::cli {

/// A job that may still run.
struct LaunchedJob {
  LauncherKind launcher = LauncherKind::slurm;
  std::string id;
  std::size_t parts = 0;
  std::vector<std::size_t> tasks;
  std::string plan;  ///< identity of the sweep that it is of
};

class WorkerFolder {
 public:
  explicit WorkerFolder(const std::filesystem::path& results);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path part(std::size_t i) const;
  std::filesystem::path log(std::size_t i) const;
  /// Databases of all parts that there are, of whatever number of parts.
  std::vector<std::string> stores() const;

  std::optional<LaunchedJob> job() const;
  void note_job(const LaunchedJob& job) const;
  void forget_job() const;

  /// Gives part `i` what is stored of its runs already, so that its worker does not run them again.
  void seed(const OpenedSweep& sweep, const ResultStore& store, const std::vector<std::size_t>& shards,
            const std::vector<std::size_t>& parts) const;
  /// Writes the script of the workers. Removes the status and the log of the tasks.
  void write_script(const OpenedSweep& sweep, const Launcher& launcher, const std::vector<std::size_t>& tasks) const;
  /// Whether worker i has begun.
  bool started(std::size_t i) const;
  /// Whether any worker has messages.
  bool has_logs() const;
  /// Exit status of a worker that has ended by itself.
  std::optional<int> status(std::size_t i) const;
  /// Runs that its worker said it has done last.
  std::size_t runs_done(std::size_t i) const;
  /// The last lines that its worker said.
  std::string last_words(std::size_t i) const;
  /// Removes what a worker writes into the folder of its part.
  void remove_part(const std::filesystem::path& part) const;
  /// Removes everything that a launch writes; files of others stay, and the folders they are in.
  void remove() const;

 private:
  std::filesystem::path path_;
};

}  // namespace weft::cli
