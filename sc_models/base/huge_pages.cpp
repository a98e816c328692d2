#include "base/hot_memory.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>

namespace weft {
namespace {

constexpr std::uintptr_t kHugePage = 2U << 20;
constexpr int kCollapse = 25;  // MADV_COLLAPSE, newer than the C library of Debian 12

// A line of /proc/self/maps: writable memory of this process alone with neither a file nor the first stack behind it.
bool is_heap(const std::string& line, std::uintptr_t& from, std::uintptr_t& to) {
  unsigned long long first = 0;
  unsigned long long last = 0;
  unsigned long long inode = 0;
  char rights[5] = {};
  char name[32] = {};
  if (std::sscanf(line.c_str(), "%llx-%llx %4s %*x %*s %llu %31s", &first, &last, rights, &inode, name) < 4)
    return false;
  from = static_cast<std::uintptr_t>(first);
  to = static_cast<std::uintptr_t>(last);
  return std::string(rights) == "rw-p" && inode == 0 && (name[0] == '\0' || std::string(name) == "[heap]");
}

}  // namespace

void join_pages() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t from = 0;
    std::uintptr_t to = 0;
    if (!is_heap(line, from, to)) continue;
    from = (from + kHugePage - 1) / kHugePage * kHugePage;
    if (from >= to) continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address as the system writes it
    madvise(reinterpret_cast<void*>(from), to - from, MADV_HUGEPAGE);  // what is not in use yet
    for (; from + kHugePage <= to; from += kHugePage) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr)
      madvise(reinterpret_cast<void*>(from), kHugePage, kCollapse);  // it may refuse
    }
  }
}

}  // namespace weft
