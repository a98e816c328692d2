#include "forked.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace weft::bench {

Sample in_child(const std::function<Sample()>& measure) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) {
    try {
      Sample sample = measure();
      rusage usage{};
      getrusage(RUSAGE_SELF, &usage);
      sample.peak_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
      const bool written = write(ends[1], &sample, sizeof sample) == static_cast<ssize_t>(sizeof sample);
      std::_Exit(written ? 0 : 1);
    } catch (const std::exception& e) {
      std::fprintf(stderr, "%s\n", e.what());
      std::_Exit(1);
    }
  }
  close(ends[1]);
  Sample sample;
  const bool complete = read(ends[0], &sample, sizeof sample) == static_cast<ssize_t>(sizeof sample);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!complete || status != 0) {
    std::fprintf(stderr, "a measurement failed\n");
    std::exit(1);
  }
  return sample;
}

}  // namespace weft::bench
