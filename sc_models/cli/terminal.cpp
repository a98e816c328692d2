#include "cli/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>

#include "base/diagnostics.h"
#include "base/text.h"

namespace weft::cli {
namespace {

volatile std::sig_atomic_t g_interrupted = 0;

// The same interrupt may arrive twice (sent to the process and to its group); who insists sends a third.
void on_signal(int signal) {
  g_interrupted = g_interrupted + 1;
  if (g_interrupted >= 2) std::signal(signal, SIG_DFL);
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

bool interrupted() { return g_interrupted != 0; }

void say_text(std::FILE* to, const std::string& text) {
  const std::string shown = printable_lines(text);
  std::fwrite(shown.data(), 1, shown.size(), to);
}

void print_warnings(const std::vector<Diagnostic>& warnings) {
  for (const Diagnostic& d : shown_of(warnings)) say(stderr, "{}\n", d.text());
}

std::string time_text(double seconds) {
  const auto s = static_cast<long long>(std::ceil(std::max(0.0, seconds)));
  if (s < 60) return std::to_string(s) + " s";
  if (s < 3600) return std::to_string(s / 60) + " min " + std::to_string(s % 60) + " s";
  return std::to_string(s / 3600) + " h " + std::to_string(s % 3600 / 60) + " min";
}

ProgressBar::ProgressBar(std::string title) : title_(std::move(title)), terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  if (shown_ >= 0) std::fputs("\r\033[K", stderr);
}

void ProgressBar::show(double done) { show(done, {}); }

void ProgressBar::show(double done, const std::string& note) {
  if (!terminal_) return;
  const int percent = std::clamp(static_cast<int>(done * 100.0), 0, 100);
  if (percent == shown_ && printable(note) == note_) return;
  shown_ = percent;
  note_ = printable(note);
  constexpr int kWidth = 40;
  const int filled = percent * kWidth / 100;
  const std::string bar =
      std::string(static_cast<std::size_t>(filled), '#') + std::string(static_cast<std::size_t>(kWidth - filled), '.');
  std::fprintf(stderr, "\r%s [%s] %3d%%%s%s\033[K", title_.c_str(), bar.c_str(), percent, note_.empty() ? "" : "  ",
               note_.c_str());
  std::fflush(stderr);
}

}  // namespace weft::cli
