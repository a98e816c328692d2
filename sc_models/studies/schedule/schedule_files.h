#pragma once
// Files a schedule writes while it is made: the log, one JSON object per line, and the paper's text output (Fig. 13).
// Both appear under their names when they are complete.

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/jobs/simulation.h"
#include "base/output_folder.h"

namespace weft {

/// A text file written bit by bit; throws InputError when the disk is full.
class TextFile {
 public:
  explicit TextFile(const std::filesystem::path& path);
  ~TextFile();
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  void write(std::string_view text);
  /// Gives the file its name.
  void finish();

 private:
  [[noreturn]] void fail() const;
  OutputFile output_;
  std::FILE* file_ = nullptr;
};

/// Lines {"event": "submit" | "reject" | "reserve" | "start" | "end", "time": ..., "job": ..., ...}; `start` has the
/// nodes and the circuits with links and slots. The first line, event "schedule", describes the network.
class ScheduleLog final : public jobs::ScheduleObserver {
 public:
  ScheduleLog(const std::filesystem::path& path, const Graph& graph, const jobs::ScheduleOptions& options);
  void on_submit(const jobs::Job& job) override;
  void on_reject(const jobs::Job& job, const std::string& reason) override;
  void on_start(const jobs::RunningJob& job) override;
  void on_end(const jobs::RunningJob& job) override;
  void on_reserve(const jobs::Job& job, jobs::Time now, jobs::Time time) override;
  void finish() { file_.finish(); }

 private:
  const Graph& graph_;
  TextFile file_;
};

/// For every instant at which a job has started or ended: the jobs and what is in use, the path and slot of each pair,
/// the routing table of each switch.
class ScheduleTables final : public jobs::ScheduleObserver {
 public:
  ScheduleTables(const std::filesystem::path& path, const Graph& graph, std::uint32_t slots, double network_slots);
  void on_submit(const jobs::Job& job) override { waiting_.push_back(job.id); }
  void on_reject(const jobs::Job& job, const std::string&) override { leave(job.id); }
  void on_start(const jobs::RunningJob& job) override { leave(job.job.id); }
  void on_instant(const jobs::Instant& instant, const jobs::RunningJobs& running) override;
  void finish() { file_.finish(); }

 private:
  void leave(const std::string& id);
  const Graph& graph_;
  std::uint32_t slots_;
  double network_slots_;
  std::vector<std::string> waiting_;  // in the order of submission
  TextFile file_;
};

}  // namespace weft
