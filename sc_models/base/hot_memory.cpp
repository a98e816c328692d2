#include "base/hot_memory.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>

namespace weft {
namespace {

constexpr std::size_t kMostAddresses = std::size_t{1} << 36;  // addresses reserved
constexpr std::size_t kLeast = std::size_t{1} << 26;          // where there are fewer
constexpr std::size_t kPage = std::size_t{2} << 20;           // the largest pages
constexpr std::size_t kGrain = std::size_t{64}
                               << 20;  // of addresses that become memory, which is used as it is touched

std::byte* g_next = nullptr;
std::byte* g_memory_end = nullptr;
std::byte* g_addresses_end = nullptr;
std::size_t g_handed_out = 0;

// A process that may not have all the addresses it wants keeps the larger part of them for other things.
std::size_t most_addresses() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur / 4 > kMostAddresses)
    return kMostAddresses;
  return static_cast<std::size_t>(limit.rlim_cur) / 4;
}

void reserve() {
  for (std::size_t size = most_addresses(); size >= kLeast; size /= 2) {
    void* const from = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (from == MAP_FAILED) continue;
    g_addresses_end = static_cast<std::byte*>(from) + size;
    g_next = static_cast<std::byte*>(from) + (-reinterpret_cast<std::uintptr_t>(from) & (kPage - 1));
    hot_origin = g_memory_end = g_next;
    return;
  }
  throw std::bad_alloc();
}

// Makes memory of further addresses, at least up to `to`.
void extend(const std::byte* to) {
  const auto left = static_cast<std::size_t>(g_addresses_end - g_memory_end);
  const std::size_t more = std::min((static_cast<std::size_t>(to - g_memory_end) + kGrain - 1) / kGrain * kGrain, left);
  if (mprotect(g_memory_end, more, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  g_memory_end += more;
}

}  // namespace

void* allocate_hot(std::size_t size, std::size_t alignment) {
  if (hot_origin == nullptr) reserve();
  if (g_next == hot_origin) g_next += kHotStep;  // nothing has number 0
  const std::size_t gap = -reinterpret_cast<std::uintptr_t>(g_next) & (alignment - 1);
  if (static_cast<std::size_t>(g_addresses_end - g_next) < gap + size) throw std::bad_alloc();
  std::byte* const memory = g_next + gap;
  if (memory + size > g_memory_end) extend(memory + size);
  g_next = memory + size;
  ++g_handed_out;
  return memory;
}

void free_hot(void* memory) noexcept {
  if (memory != nullptr && --g_handed_out == 0) g_next = hot_origin;
}

}  // namespace weft
