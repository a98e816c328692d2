#include "cli/check_guard.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <ctime>
#include <new>

#include "base/resource_need.h"
#include "cli/failure.h"

namespace weft::cli {
namespace {

// Messages, made ahead: what ends the process may not ask for memory.
struct Ending {
  std::string text;
  std::string json;  // empty: none is wanted
};
Ending g_time;
Ending g_memory;
timer_t g_timer{};
bool g_timed = false;
rlimit g_data{};
std::new_handler g_before = nullptr;

void write_all(int file, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t n = ::write(file, text.data() + at, text.size() - at);
    if (n <= 0) return;
    at += static_cast<std::size_t>(n);
  }
}

[[noreturn]] void end(const Ending& ending) {
  write_all(STDERR_FILENO, ending.text);
  write_all(STDOUT_FILENO, ending.json);
  ::_exit(kBadInput);
}

void time_is_over(int) { end(g_time); }
void memory_is_over() { end(g_memory); }

}  // namespace

CheckGuard::CheckGuard(const std::string& file, bool json) {
  const double seconds = usable_seconds();
  const std::uint64_t bytes = usable_memory();
  const auto ending = [&](const std::string& what) -> Ending {
    const InputError error(Location{file}, what);
    return {std::string(error.what()) + "\n", json ? refusal_json(error) : ""};
  };
  g_time = ending("the check takes " + beyond_usable_seconds());
  g_memory = ending(fmt::format("the check needs more than the {} of memory that may be used (set by --max-memory)",
                                memory_text(bytes)));

  struct sigaction action {};
  action.sa_handler = time_is_over;
  ::sigaction(SIGXCPU, &action, nullptr);
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGXCPU;
  g_timed = ::timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &g_timer) == 0;
  if (g_timed) {
    itimerspec at{};
    at.it_value.tv_sec = static_cast<std::time_t>(seconds);
    at.it_value.tv_nsec = std::max(1L, static_cast<long>((seconds - std::floor(seconds)) * 1e9));
    ::timer_settime(g_timer, TIMER_ABSTIME, &at, nullptr);
  }

  g_before = std::set_new_handler(memory_is_over);
  if (kLimitsData && ::getrlimit(RLIMIT_DATA, &g_data) == 0) {
    rlimit least = g_data;
    least.rlim_cur = std::min<rlim_t>(g_data.rlim_cur, bytes);
    ::setrlimit(RLIMIT_DATA, &least);
  }
}

CheckGuard::~CheckGuard() {
  if (kLimitsData) ::setrlimit(RLIMIT_DATA, &g_data);
  std::set_new_handler(g_before);
  if (g_timed) ::timer_delete(g_timer);
  ::signal(SIGXCPU, SIG_IGN);  // one may be on its way
}

}  // namespace weft::cli
