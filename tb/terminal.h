#pragma once
// The terminal: interrupts and the progress bar.

#include <string>

namespace weft::cli {

/// From now on SIGINT and SIGTERM ask for an orderly end instead of killing the program; the third one kills it.
void catch_interrupts();
bool interrupted();

/// One line on standard error, drawn only when that is a terminal.
class ProgressBar {
 public:
  explicit ProgressBar(std::string title);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  void show(double done);

 private:
  std::string title_;
  bool terminal_;
  int shown_ = -1;
};

}  // namespace weft::cli
