#include "support/child.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "base/forked_work.h"
#include "support/patience.h"

namespace weft::test {

ChildResult in_child(const std::function<std::string()>& work) {
  const ForkedResult copy = fork_work([&] {
    alarm(soak() > 1 ? 10 * kPatienceSeconds : kPatienceSeconds);  // cases of a soak may be larger, too
    return work();
  });
  ChildResult result{copy.ok(), copy.text};
  if (copy.signal != 0) result.text += fmt::format("[killed by signal {}]", copy.signal);
  return result;
}

int soak() {
  const char* value = std::getenv("WEFT_SOAK");
  const int factor = value == nullptr ? 1 : std::atoi(value);
  return factor < 1 ? 1 : factor;
}

}  // namespace weft::test
