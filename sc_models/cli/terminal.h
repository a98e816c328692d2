#pragma once
// The terminal: interrupts, warnings and the progress bar.

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics.h"

namespace weft::cli {

/// Prints text with control characters escaped, but for tabs and line ends: it may hold names of the user.
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

/// From now on SIGINT and SIGTERM ask for an orderly end instead of killing the program; the third one kills it.
void catch_interrupts();
bool interrupted();

/// On standard error, a line each; a few of each kind.
void print_warnings(const std::vector<Diagnostic>& warnings);

/// "40 s", "3 min 20 s", "2 h 5 min".
std::string time_text(double seconds);

/// One line on standard error, drawn only when that is a terminal.
class ProgressBar {
 public:
  explicit ProgressBar(std::string title);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  void show(double done);
  /// The same with a text behind the bar.
  void show(double done, const std::string& note);

 private:
  std::string title_;
  bool terminal_;
  int shown_ = -1;
  std::string note_;
};

}  // namespace weft::cli
