#pragma once
// The terminal: interrupts, warnings and the progress bar.

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "base/image/run_clock.h"

namespace weft::cli {

/// From now on nothing is said on standard output, and no progress is shown.
void be_quiet();

bool is_quiet();

/// From now on nothing is said at all: another process says it.
void be_silent();

/// Prints text with control characters escaped, but for tabs and line ends: it may hold names of the user. Words such
/// as "error:" have a colour on a terminal, unless the environment says NO_COLOR (no-color.org) or TERM=dumb.
void say_text(std::FILE* to, const std::string& text);

template <class... Args>
void say(std::FILE* to, fmt::format_string<Args...> format, Args&&... args) {
  say_text(to, fmt::format(format, std::forward<Args>(args)...));
}
/// On standard output.
template <class... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  say_text(stdout, fmt::format(format, std::forward<Args>(args)...));
}

/// A JSON document on standard output.
template <class Json>
void say_json(const Json& json) {
  say("{}\n", json.dump(1, ' ', false, Json::error_handler_t::replace));
}

/// From now on SIGINT, SIGTERM and SIGHUP ask for an orderly end instead of killing the program; the third one kills
/// it.
void catch_interrupts();
bool interrupted();
/// As if nobody had asked.
void forget_interrupts();

/// On standard error, a line each; a few of each kind.
void print_warnings(const std::vector<Diagnostic>& warnings);

/// "40 s", "3 min 20 s", "2 h 5 min".
std::string time_text(double seconds);
/// Simulated time: "2.4 us", "14 ms".
std::string simulated_text(double seconds);
/// "25 per s", "4.1 per min", "1.5 per h".
std::string rate_text(double per_second);

/// Text behind a bar that has got to `done` of 1 in `seconds`: "2 min 5 s left", once that can be told; empty before.
std::string time_left(double done, double seconds);

/// One line on standard error, drawn only when that is a terminal, a few times a second.
class ProgressBar {
 public:
  explicit ProgressBar(std::string title);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  void show(double done);
  /// The same with a text behind the bar.
  void show(double done, const std::string& note);
  double seconds() const;  ///< since it began

 private:
  std::string title_;
  std::chrono::steady_clock::time_point begin_ = running_now();
  std::chrono::steady_clock::time_point drawn_{};
  int shown_ = -1;
  std::string note_;
};

}  // namespace weft::cli
