#include "base/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/diagnostics.h"

namespace weft {
namespace {

void close_end(int& fd) {
  if (fd >= 0) close(fd);
  fd = -1;
}

// Reads what is there; closes the end when the child has closed its own.
void read_some(int& fd, std::string& text) {
  std::array<char, 65536> buffer;
  const ssize_t n = read(fd, buffer.data(), buffer.size());
  if (n > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(n));
  } else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
    close_end(fd);
  }
}

// The child's side of the fork: only calls that are safe there.
[[noreturn]] void become(char* const* arguments, const ChildCommand& command, int in, int out, int err, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // the parent died before the line above
  if (command.apart) setpgid(0, 0);
  const char* const folder = command.folder.c_str();
  if (rlimit data{}; command.memory > 0 && getrlimit(RLIMIT_DATA, &data) == 0) {
    data.rlim_cur = std::min<rlim_t>(data.rlim_max, command.memory);
    setrlimit(RLIMIT_DATA, &data);
  }
  if (command.nice > 0) setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + command.nice);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  const char* what = folder;
  if (*folder == '\0' || chdir(folder) == 0) {
    what = arguments[0];
    execvp(arguments[0], arguments);
  }
  const char* why = std::strerror(errno);
  for (const char* part : {what, ": cannot be started: ", why}) {
    if (write(STDERR_FILENO, part, std::strlen(part)) < 0) break;
  }
  _exit(127);
}

}  // namespace

void ChildPool::start(std::size_t id, const ChildCommand& command) {
  std::vector<char*> arguments;
  for (const std::string& a : command.arguments) arguments.push_back(const_cast<char*>(a.c_str()));
  arguments.push_back(nullptr);
  // A socket, since writing to one whose reader is gone can be an error instead of a signal.
  std::array<int, 2> in{-1, -1};
  std::array<int, 2> out{-1, -1};
  std::array<int, 2> err{-1, -1};
  const bool ends = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in.data()) == 0 &&
                    pipe2(out.data(), O_CLOEXEC) == 0 && pipe2(err.data(), O_CLOEXEC) == 0;
  const pid_t parent = getpid();
  const pid_t pid = ends ? fork() : -1;
  if (pid == 0) become(arguments.data(), command, in[1], out[1], err[1], parent);
  const std::string why = std::strerror(errno);
  for (int* theirs : {&in[1], &out[1], &err[1]}) close_end(*theirs);
  if (pid < 0) {
    for (int* ours : {&in[0], &out[0], &err[0]}) close_end(*ours);
    throw RunError(fmt::format("{}: no process can be made: {}", command.arguments.front(), why));
  }
  Child child;
  child.id = id;
  child.pid = pid;
  child.in = in[0];
  child.out = out[0];
  child.err = err[0];
  child.input = command.input;
  write_input(child);
  children_.push_back(std::move(child));
}

void ChildPool::write_input(Child& child) {
  while (child.written < child.input.size()) {
    const ssize_t n = send(child.in, child.input.data() + child.written, child.input.size() - child.written,
                           MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    if (n < 0) break;  // the reader is gone; its status says more
    child.written += static_cast<std::size_t>(n);
  }
  close_end(child.in);
}

ChildPool::Finished ChildPool::take(std::size_t index) {
  Child& child = children_[index];
  close_end(child.in);
  int status = 0;
  rusage used{};
  while (wait4(child.pid, &status, 0, &used) < 0 && errno == EINTR) {
  }
  child.result.peak_memory = static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
  child.result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  Finished finished{child.id, std::move(child.result)};
  children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(index));
  return finished;
}

std::optional<ChildPool::Finished> ChildPool::wait(std::chrono::milliseconds timeout) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  while (!children_.empty()) {
    // First, since several may have ended in the same round.
    for (std::size_t i = 0; i < children_.size(); ++i) {
      if (children_[i].out < 0 && children_[i].err < 0) return take(i);
    }
    std::vector<pollfd> ends;
    for (const Child& c : children_) {
      ends.push_back({c.in, POLLOUT, 0});  // a negative number is left out
      ends.push_back({c.out, POLLIN, 0});
      ends.push_back({c.err, POLLIN, 0});
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (poll(ends.data(), ends.size(), static_cast<int>(std::max<std::int64_t>(0, left.count()))) <= 0) return {};
    for (std::size_t i = 0; i < children_.size(); ++i) {
      Child& c = children_[i];
      if (ends[3 * i].revents != 0) write_input(c);
      if (ends[3 * i + 1].revents != 0) read_some(c.out, c.result.out);
      if (ends[3 * i + 2].revents != 0) read_some(c.err, c.result.err);
    }
  }
  return {};
}

void ChildPool::signal(int number) const {
  for (const Child& c : children_) kill(c.pid, number);
}

void ChildPool::end_all() {
  signal(SIGKILL);
  while (!children_.empty()) {
    close_end(children_.front().out);
    close_end(children_.front().err);
    take(0);
  }
}

std::string shell_word(const std::string& argument) {
  constexpr const char* kSafe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-=:,";
  if (!argument.empty() && argument.find_first_not_of(kSafe) == std::string::npos) return argument;
  std::string out = "'";
  for (const char c : argument) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

ChildResult run_child(const ChildCommand& command) {
  ChildPool pool;
  pool.start(0, command);
  for (;;) {
    if (auto finished = pool.wait(std::chrono::hours(1))) return std::move(finished->result);
  }
}

}  // namespace weft
