// The heap of the program in large pages. A network, its plan and the records of a run are built object by object: with
// pages of 4 KiB the system is asked for each of tens of thousands of them, and a processor waits for their addresses.
// Only the program does so, not the library: what a process does with its heap is its own affair.

#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <new>

// Sanitizers bring their own heap.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WEFT_OTHER_HEAP
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define WEFT_OTHER_HEAP
#endif
#endif

#if defined(__GLIBC__) && !defined(WEFT_OTHER_HEAP)
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kHeapGrowth = 16 * kHugePage;
// What the C library would come to by itself if the above were not set: blocks below 32 MiB are kept when they are
// freed.
constexpr int kOwnMapping = 32 << 20;
constexpr int kNeverTrim = -1;  // memory with large pages is kept

// Whether the process may have so little memory that it had better not grow ahead of its needs.
constexpr rlim_t kLittle = rlim_t{1} << 30;
bool is_limited(decltype(RLIMIT_DATA) what) {
  rlimit limit{};
  return getrlimit(what, &limit) != 0 || limit.rlim_cur < kLittle;
}

const bool g_is_on = !is_limited(RLIMIT_DATA) && !is_limited(RLIMIT_AS) &&
                     mallopt(M_TOP_PAD, static_cast<int>(kHeapGrowth)) != 0 &&
                     mallopt(M_MMAP_THRESHOLD, kOwnMapping) != 0 && mallopt(M_TRIM_THRESHOLD, kNeverTrim) != 0;

std::atomic<std::uintptr_t> g_asked_end = 0;  // of the heap that large pages have been asked for

void ask(std::uintptr_t from, std::uintptr_t to) {
  from = from / kPage * kPage;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the heap
  madvise(reinterpret_cast<void*>(from), to - from, MADV_HUGEPAGE);
}

// For memory at `at` behind what has been asked for: the heap has grown, or it is a block of its own.
void ask_for(std::uintptr_t at, std::size_t size) {
  const int error = errno;  // not of the caller's business
  const auto heap_end = reinterpret_cast<std::uintptr_t>(sbrk(0));
  if (at >= heap_end) {
    if (size >= kHugePage) ask(at, at + size);
    errno = error;
    return;
  }
  const std::uintptr_t asked = g_asked_end.exchange(heap_end, std::memory_order_relaxed);
  ask(asked == 0 ? at : asked, heap_end);
  // The next growth ends where a large page does: one that is cut off there would be given as small ones. What a small
  // block lacks is added to it and rounded up to a page.
  const std::uintptr_t next_end = (heap_end + kHeapGrowth + kHugePage - 1) / kHugePage * kHugePage;
  mallopt(M_TOP_PAD, static_cast<int>(next_end - heap_end - kPage));
  errno = error;
}

}  // namespace

void* operator new(std::size_t size) {
  for (;;) {
    if (void* const memory = std::malloc(size == 0 ? 1 : size)) {
      const auto at = reinterpret_cast<std::uintptr_t>(memory);
      if (g_is_on && at + size >= g_asked_end.load(std::memory_order_relaxed)) ask_for(at, size);
      return memory;
    }
    // There may be room for the block, but not for more than that.
    if (g_is_on && mallopt(M_TOP_PAD, 0) != 0) {
      if (void* const memory = std::malloc(size)) return memory;
    }
    if (const std::new_handler handle = std::get_new_handler()) {
      handle();
    } else {
      throw std::bad_alloc();
    }
  }
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif
