#pragma once
// Checkpoints of a run: images of the process in its folder of results (base/image/process_image.h). A run of any
// family goes on from the last one and ends with the report that it would have had anyway.

#include <chrono>
#include <cstdint>
#include <string>

#include "base/output_folder.h"

namespace weft::cli {

/// Time of the clock on the wall: "90s", "10min", "1.5h". Throws InputError, which names the option.
std::chrono::steady_clock::duration wall_time(const std::string& option, const std::string& text);

class Checkpoints {
 public:
  /// One `every` so often by the clock on the wall, or less often when writing one takes more than a fifth of that
  /// time; in a folder that keeps them. Throws InputError where processes cannot be saved.
  Checkpoints(const OutputFolder& folder, std::chrono::steady_clock::duration every, std::string run);

  /// Whether the user has interrupted the run: to be asked in every busy cycle, since it also writes what is due, and
  /// one before the end that is asked for. Those that cannot be written cost a warning, not the run.
  bool interrupted();

  /// Whether there is one to go on with.
  bool any() const;
  /// The run has got to its end: there is nothing to go on with.
  void remove() const;

 private:
  bool save();

  std::string path_;
  std::string place_;
  std::string run_;
  std::chrono::steady_clock::duration every_;
  std::chrono::steady_clock::time_point due_;
  std::uint32_t calls_ = 0;
  bool ends_ = false;
};

/// Goes on with the run whose last checkpoint is in the folder; returns only by an exception, InputError for a folder
/// without one that can be used.
[[noreturn]] void resume_run(const std::string& folder);

}  // namespace weft::cli
