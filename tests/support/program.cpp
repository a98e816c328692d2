#include "support/program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <thread>
#include <utility>

#include "support/patience.h"
#include "support/places.h"

namespace weft::test {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void become(const std::vector<std::string>& command, const std::string& folder, int out, int err) {
  const int null = open("/dev/null", O_RDONLY);
  dup2(null, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  if (!folder.empty() && chdir(folder.c_str()) != 0) _exit(127);
  std::vector<char*> arguments;
  for (const std::string& a : command) arguments.push_back(const_cast<char*>(a.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

class Interrupter {
 public:
  Interrupter(pid_t pid, const ProgramOptions& options) : pid_(pid), options_(options) {}
  void tick() {
    if (options_.interrupt_after_ms == 0 || done_) return;
    if (!waiting_ && (!options_.when || options_.when())) {
      waiting_ = true;
      at_ = Clock::now() + std::chrono::milliseconds(options_.interrupt_after_ms);
    }
    if (!waiting_ || Clock::now() < at_) return;
    kill(pid_, SIGINT);
    done_ = true;
  }

 private:
  pid_t pid_;
  const ProgramOptions& options_;
  Clock::time_point at_;
  bool waiting_ = false;
  bool done_ = false;
};

}  // namespace

Arguments with(Arguments arguments, const Arguments& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::function<bool()> when_there(std::string path) {
  return [path = std::move(path)] { return std::filesystem::exists(path); };
}

ProgramResult run_program(const std::vector<std::string>& command, const ProgramOptions& options) {
  std::array<int, 2> out{};
  std::array<int, 2> err{};
  if (pipe2(out.data(), O_CLOEXEC) != 0 || pipe2(err.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe failed");
  const pid_t pid = fork();
  if (pid < 0) throw std::runtime_error("fork failed");
  if (pid == 0) become(command, options.folder, out[1], err[1]);
  close(out[1]);
  close(err[1]);
  ProgramResult result;
  Interrupter interrupter(pid, options);
  const auto end = Clock::now() + std::chrono::seconds(kPatienceSeconds);
  std::array<pollfd, 2> ends{pollfd{out[0], POLLIN, 0}, pollfd{err[0], POLLIN, 0}};
  const std::array<std::string*, 2> texts{&result.out, &result.err};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    poll(ends.data(), ends.size(), 20);
    interrupter.tick();
    if (Clock::now() > end) kill(pid, SIGKILL);
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends[i].fd < 0 || ends[i].revents == 0) continue;
      std::array<char, 65536> buffer{};
      const ssize_t n = read(ends[i].fd, buffer.data(), buffer.size());
      if (n > 0) texts[i]->append(buffer.data(), static_cast<std::size_t>(n));
      if (n == 0) {
        close(ends[i].fd);
        ends[i].fd = -1;
      }
    }
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

ProgramResult weft(std::vector<std::string> arguments, const ProgramOptions& options) {
  arguments.insert(arguments.begin(), weft_program());
  return run_program(arguments, options);
}

RunningWeft::RunningWeft(std::vector<std::string> arguments, const std::string& folder) {
  arguments.insert(arguments.begin(), weft_program());
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("fork failed");
  if (pid_ > 0) return;
  const int null = open("/dev/null", O_WRONLY);
  become(arguments, folder, null, null);
}

bool RunningWeft::wait_until(const std::function<bool()>& condition) const {
  const auto end = Clock::now() + std::chrono::seconds(kPatienceSeconds);
  while (Clock::now() < end) {
    if (condition()) return true;
    siginfo_t ended{};
    if (waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid != 0) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return condition();
}

bool RunningWeft::kill() {
  if (pid_ < 0) return false;
  ::kill(pid_, SIGKILL);
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFSIGNALED(status);
}

}  // namespace weft::test
