#include "base/resource_need.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>
#include <utility>

#include "base/input_file.h"

namespace weft {
namespace {

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kMuch = std::uint64_t{256} << 20;
std::uint64_t g_usable_memory = 0;  // 0: not set

std::function<void(const std::string&)>& teller() {
  static std::function<void(const std::string&)> tell;
  return tell;
}

std::uint64_t machine() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long bytes = ::sysconf(_SC_PAGE_SIZE);
  return pages > 0 && bytes > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(bytes) : kNoLimit;
}

// cgroup version 2; version 1 has another path. "max" and a file that is not there: no limit.
std::uint64_t container() {
  std::uint64_t least = kNoLimit;
  for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    try {
      const std::string text = read_file(path);
      std::uint64_t value = 0;
      const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (code == std::errc()) least = std::min(least, value);
    } catch (const InputError&) {
      continue;
    }
  }
  return least;
}

std::uint64_t process() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : kNoLimit;
}

}  // namespace

std::uint64_t usable_memory() {
  if (g_usable_memory > 0) return g_usable_memory;
  static const std::uint64_t least = std::min({machine(), container(), process()});
  return least;
}

void set_usable_memory(std::uint64_t bytes) { g_usable_memory = bytes; }

bool is_usable_memory_set() { return g_usable_memory > 0; }

std::string memory_text(std::uint64_t bytes) {
  const double mebibytes = static_cast<double>(bytes) / (1 << 20);
  if (mebibytes >= 1024) return fmt::format("{:.1f} GiB", mebibytes / 1024);
  return mebibytes >= 10 ? fmt::format("{:.0f} MiB", mebibytes) : fmt::format("{:.2g} MiB", mebibytes);
}

void tell_memory_needs(std::function<void(const std::string&)> tell) { teller() = std::move(tell); }

void need_memory(std::uint64_t bytes, const Location& where, const std::string& what) {
  if (bytes <= usable_memory()) {
    if (bytes >= kMuch && teller()) teller()(fmt::format("{} needs about {} of memory", what, memory_text(bytes)));
    return;
  }
  throw InputError(where, fmt::format("{} would need about {} of memory, more than the {} that may be used (set by "
                                      "--max-memory)",
                                      what, memory_text(bytes), memory_text(usable_memory())));
}

}  // namespace weft
