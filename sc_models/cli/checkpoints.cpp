#include "cli/checkpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <systemc>
#include <utility>

#include "base/diagnostics.h"
#include "base/image/process_image.h"
#include "base/image/run_clock.h"
#include "cli/output.h"
#include "cli/terminal.h"

namespace weft::cli {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
namespace {

constexpr int kRest = 4;  // the run gets at least that much of the time that a checkpoint takes

/// Signals that end a run wait.
class InterruptsHeld {
 public:
  InterruptsHeld() {
    sigset_t held;
    sigemptyset(&held);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&held, signal);
    sigprocmask(SIG_BLOCK, &held, &before_);
  }
  ~InterruptsHeld() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  InterruptsHeld(const InterruptsHeld&) = delete;
  InterruptsHeld& operator=(const InterruptsHeld&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

Clock::duration wall_time(const std::string& option, const std::string& text) {
  struct Unit {
    std::string_view name;
    double seconds;
  };
  constexpr std::array kUnits{Unit{"ms", 1e-3}, Unit{"s", 1}, Unit{"min", 60}, Unit{"h", 3600}};
  constexpr double kLongest = 1e9;
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc{} && number > 0 && std::isfinite(number)) {
    for (const Unit& u : kUnits) {
      if (std::string_view(rest, static_cast<std::size_t>(end - rest)) != u.name || number * u.seconds > kLongest)
        continue;
      return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(number * u.seconds));
    }
  }
  throw InputError({option + " " + text},
                   "expected a time on the clock above 0, such as 90s, 10min or 2h (units: ms, s, min, h)");
}

Checkpoints::Checkpoints(const OutputFolder& folder, Clock::duration every, std::string run)
    : path_((folder.path() / kCheckpoint).string()),
      place_(fs::canonical(folder.path()).string()),
      run_(std::move(run)),
      every_(every),
      due_(running_now() + every) {
  const std::string why = no_process_image();
  if (!why.empty()) throw InputError({"--checkpoint-every"}, "there are no checkpoints here: " + why);
}

bool Checkpoints::interrupted() {
  constexpr std::uint32_t kCalls = 16;  // between two looks at the clock
  if (ends_) return true;
  if (cli::interrupted()) {
    ends_ = save();
    return ends_;
  }
  if (++calls_ % kCalls == 0 && running_now() >= due_) save();
  return false;
}

// False: this is the process that goes on.
bool Checkpoints::save() {
  const std::string meaning = fmt::format("{}, {:.6g} us simulated", run_, sc_core::sc_time_stamp().to_seconds() * 1e6);
  bool written = true;
  const auto begin = running_now();
  try {
    written = save_process(path_, {place_, meaning}, forget_interrupts) == ImageMoment::written;
  } catch (const std::exception& e) {
    say(stderr, "warning: no checkpoint: {}\n", e.what());
  }
  const auto end = running_now();
  due_ = end + std::max(every_, kRest * (end - begin));
  return written;
}

bool Checkpoints::any() const {
  std::error_code wrong;
  return fs::exists(path_, wrong);
}

void Checkpoints::remove() const {
  std::error_code wrong;
  fs::remove(path_, wrong);
  fs::remove(path_ + ".part", wrong);
}

void resume_run(const std::string& folder) {
  const fs::path file = fs::path(folder) / kCheckpoint;
  std::error_code wrong;
  if (!fs::is_directory(folder, wrong)) throw InputError({folder}, "is not a folder of results");
  if (!fs::exists(file, wrong)) {
    throw InputError(
        {folder}, fmt::format("has no checkpoint ({}): a run writes them with --checkpoint-every, and removes the last "
                              "one at its end",
                              kCheckpoint));
  }
  ProcessImage image(file);
  const ImageNote& note = image.note();
  if (fs::canonical(folder, wrong).string() != note.place) {
    throw InputError(
        {file.string()},
        fmt::format("was written in '{}', and the run goes on in that folder only: move it back", note.place));
  }
  const InterruptsHeld held;  // for the run that goes on, which writes what is removed here
  {
    // What the run has left after the checkpoint, a partial report perhaps, is written again.
    OutputFolder left(folder, results_of({}, {}, {kCheckpoint}));
    left.clear();
  }
  say(stderr, "note: going on with {}\n", note.meaning);
  image.resume();
}

}  // namespace weft::cli
