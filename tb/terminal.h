#pragma once
// The terminal: interrupts, warnings and the progress bar.

#include <string>
#include <vector>

#include "base/diagnostics.h"

namespace weft::cli {

/// From now on SIGINT and SIGTERM ask for an orderly end instead of killing the program; the third one kills it.
void catch_interrupts();
bool interrupted();

/// On standard error, a line each.
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
