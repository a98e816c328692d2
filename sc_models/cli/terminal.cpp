#include "cli/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <utility>

#include "base/diagnostics.h"
#include "base/text.h"
#include "parallel/mpi_job.h"

namespace weft::cli {
namespace {

volatile std::sig_atomic_t g_interrupted = 0;
bool g_quiet = false;
bool g_silent = false;

// Open MPI gives rank 0 a terminal of its own and passes on what comes out there, to a file too. Found before main(),
// since a command that runs as one process leaves the job.
const bool g_of_job = is_of_job();

bool has_colours(std::FILE* to) {
  const char* const off = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  if (off != nullptr && *off != '\0') return false;
  return !g_of_job && isatty(fileno(to)) == 1 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

struct ColouredWord {
  std::string_view word;
  std::string_view code;
};
constexpr ColouredWord kColouredWords[] = {
    {"error: ", "\033[1;31m"}, {"warning: ", "\033[1;33m"}, {"note: ", "\033[36m"}, {"PARTIAL: ", "\033[1;33m"}};

// The first such word of every line in its colour.
std::string coloured(const std::string& text) {
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    const ColouredWord* first = nullptr;
    std::size_t place = line.size();
    for (const ColouredWord& w : kColouredWords) {
      const std::size_t found = line.find(w.word);
      if (found < place && (found == 0 || line[found - 1] == ' ')) {
        place = found;
        first = &w;
      }
    }
    if (first == nullptr) {
      out += line;
    } else {
      out += line.substr(0, place);
      out += first->code;
      out += first->word.substr(0, first->word.size() - 1);
      out += "\033[0m";
      out += line.substr(place + first->word.size() - 1);
    }
    begin = end;
  }
  return out;
}

// Enough of a number that changes while it is read.
std::string two_digits(double value) { return fmt::format("{:.{}f}", value, value < 9.95 ? 1 : 0); }

// The same interrupt may arrive twice (sent to the process and to its group); who insists sends a third.
void on_signal(int signal) {
  g_interrupted = g_interrupted + 1;
  if (g_interrupted >= 2) std::signal(signal, SIG_DFL);
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  // The terminal is gone; under nohup that does not matter.
  if (std::signal(SIGHUP, on_signal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

bool interrupted() { return g_interrupted != 0; }

void forget_interrupts() {
  g_interrupted = 0;
  catch_interrupts();
}

void say_text(std::FILE* to, const std::string& text) {
  if (g_silent || (g_quiet && to == stdout)) return;
  std::string shown = printable_lines(text);
  if (has_colours(to)) shown = coloured(shown);
  std::fwrite(shown.data(), 1, shown.size(), to);
}

void be_quiet() { g_quiet = true; }

bool is_quiet() { return g_quiet; }

void be_silent() {
  g_quiet = g_silent = true;
  std::cout.setstate(std::ios::failbit);
  std::cerr.setstate(std::ios::failbit);
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

std::string simulated_text(double seconds) {
  constexpr std::pair<const char*, double> kUnits[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};
  const auto* unit = std::begin(kUnits);
  while (unit + 1 != std::end(kUnits) && seconds >= (unit + 1)->second) ++unit;
  return fmt::format("{} {}", two_digits(seconds / unit->second), unit->first);
}

std::string rate_text(double per_second) {
  constexpr double kLeast = 0.95;
  constexpr double kSeconds = 60;
  if (per_second >= kLeast) return two_digits(per_second) + " per s";
  if (per_second * kSeconds >= kLeast) return two_digits(per_second * kSeconds) + " per min";
  return two_digits(per_second * kSeconds * kSeconds) + " per h";
}

std::string time_left(double done, double seconds) {
  constexpr double kLeastSeconds = 2;  // before, nothing can be told
  constexpr double kLeastDone = 0.005;
  if (done < kLeastDone || done >= 1 || seconds < kLeastSeconds) return {};
  return time_text(seconds / done * (1 - done)) + " left";
}

ProgressBar::ProgressBar(std::string title) : title_(std::move(title)) {}

ProgressBar::~ProgressBar() {
  if (shown_ >= 0) std::fputs("\r\033[K", stderr);
}

double ProgressBar::seconds() const { return std::chrono::duration<double>(running_now() - begin_).count(); }

void ProgressBar::show(double done) { show(done, {}); }

void ProgressBar::show(double done, const std::string& note) {
  if (g_quiet) return;
  const int percent = std::clamp(static_cast<int>(done * 100.0), 0, 100);
  if (percent == shown_ && printable(note) == note_) return;
  constexpr auto kBetween = std::chrono::milliseconds(200);
  const auto now = running_now();
  if (shown_ >= 0 && percent < 100 && now - drawn_ < kBetween) return;
  drawn_ = now;
  // A run that goes on from a checkpoint may have lost its terminal.
  if (g_of_job || isatty(STDERR_FILENO) != 1) return;
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
