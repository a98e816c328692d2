#pragma once
// run.json: what a report must not hold, because it differs from one run of a configuration to the next: packages,
// host, times. It stands beside report.json, which is the same in every run.

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "base/image/run_clock.h"
#include "parallel/ranks.h"

namespace weft::cli {

inline constexpr const char* kRunRecord = "run.json";
inline constexpr const char* kRunRecordSchema = "weft-run/1";

/// Clocks of a run, from the construction on.
class RunRecord {
 public:
  RunRecord() = default;
  /// Content of run.json in `folder`. `working_folder`: where the names of files in the configuration begin; empty:
  /// here.
  /// `of_ranks`: what each process of a run on several ranks says, else nothing; times and memory are those of this
  /// one.
  std::string json(const std::filesystem::path& folder, const std::filesystem::path& working_folder,
                   const std::vector<std::string>& of_ranks = {}) const;
  /// What this rank says.
  static std::string of_rank(const Ranks& ranks);

 private:
  std::chrono::steady_clock::time_point begin_ = running_now();
  std::chrono::system_clock::time_point date_ = std::chrono::system_clock::now();
};

}  // namespace weft::cli
