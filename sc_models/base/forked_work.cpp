#include "base/forked_work.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <utility>

#include "base/diagnostics.h"

namespace weft {
namespace {

constexpr int kThrown = 1;

void write_all(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(file, text.data() + done, text.size() - done);
    if (n < 0 && errno != EINTR) return;
    if (n > 0) done += static_cast<std::size_t>(n);
  }
}

std::string read_all(int file, pid_t writer, const std::function<bool()>& stop) {
  constexpr int kLook = 100;  // ms between two looks whether to stop
  std::string text;
  char buffer[1 << 16];
  bool told = false;
  for (;;) {
    pollfd ready{file, POLLIN, 0};
    if (stop && ::poll(&ready, 1, kLook) <= 0) {
      if (!told && stop()) told = ::kill(writer, SIGINT) == 0;
      continue;
    }
    const ssize_t n = ::read(file, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(n));
  }
}

[[noreturn]] void work_in_copy(int file, const std::function<std::string()>& work) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  int status = 0;
  std::string text;
  try {
    text = work();
  } catch (const std::exception& e) {
    text = e.what();
    status = kThrown;
  } catch (...) {
    text = "unknown exception";
    status = kThrown;
  }
  write_all(file, text);
  ::close(file);
  ::_exit(status);
}

}  // namespace

ForkedResult fork_work(const std::function<std::string()>& work, const std::function<bool()>& stop) {
  int ends[2];
  if (::pipe(ends) != 0) throw RunError("no pipe to another process can be made");
  std::fflush(nullptr);  // what is not written yet would be written twice
  const pid_t pid = ::fork();
  if (pid < 0) {
    ::close(ends[0]);
    ::close(ends[1]);
    throw RunError("no other process can be made");
  }
  if (pid == 0) {
    ::close(ends[0]);
    work_in_copy(ends[1], work);
  }
  ::close(ends[1]);
  ForkedResult result;
  result.text = read_all(ends[0], pid, stop);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    result.signal = WTERMSIG(status);
  } else {
    result.exit_status = WEXITSTATUS(status);
  }
  return result;
}

std::string in_forked_copy(const std::function<std::string()>& work, const std::function<bool()>& stop) {
  ForkedResult result = fork_work(work, stop);
  if (result.signal != 0) throw RunError(fmt::format("a simulation was ended by signal {}", result.signal));
  if (!result.ok()) throw RunError(result.text);
  return std::move(result.text);
}

}  // namespace weft
