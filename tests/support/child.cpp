#include "support/child.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <stdexcept>

namespace weft::test {
namespace {

void write_all(int fd, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = write(fd, text.data() + done, text.size() - done);
    if (n < 0 && errno != EINTR) return;
    if (n > 0) done += static_cast<std::size_t>(n);
  }
}

std::string read_all(int fd) {
  std::string text;
  char buffer[65536];
  for (;;) {
    const ssize_t n = read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(n));
  }
}

}  // namespace

ChildResult in_child(const std::function<std::string()>& work) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("pipe failed");
  const pid_t pid = fork();
  if (pid < 0) throw std::runtime_error("fork failed");
  if (pid == 0) {
    close(ends[0]);
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // does not outlive a test that is timed out
    alarm(60);
    int status = 0;
    std::string text;
    try {
      text = work();
    } catch (const std::exception& e) {
      text = e.what();
      status = 1;
    } catch (...) {
      text = "unknown exception";
      status = 1;
    }
    write_all(ends[1], text);
    close(ends[1]);
    _exit(status);
  }
  close(ends[1]);
  ChildResult result;
  result.text = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  result.ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (WIFSIGNALED(status)) result.text += fmt::format("[killed by signal {}]", WTERMSIG(status));
  return result;
}

int soak() {
  const char* value = std::getenv("WEFT_SOAK");
  const int factor = value == nullptr ? 1 : std::atoi(value);
  return factor < 1 ? 1 : factor;
}

}  // namespace weft::test
