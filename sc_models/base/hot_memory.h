#pragma once
// Memory for what every cycle of a simulation uses, packed closely together. Objects of a network are built one after
// the other, names, sockets and tables among them; what is used all the time would lie scattered over all of that, on
// several times as many pages as it fills, and a processor knows the addresses of a few thousand pages only. (Large
// pages, base/hot_memory.h, need a system that has them to give; a virtual machine may only seem to.)

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>

namespace weft {

/// Memory of the size and alignment (a power of two up to 4096), and its return: it is used again when all that was
/// handed out has come back. For one thread, like the simulations it serves.
void* allocate_hot(std::size_t size, std::size_t alignment);
void free_hot(void* memory) noexcept;

inline constexpr std::size_t kHotStep = 64;  ///< a line of the cache
inline std::byte* hot_origin = nullptr;      ///< where that memory begins, once there is some

/// Pointer to an object in that memory, stored as a 32-bit cache-line index; index 0 is null.
template <class T>
class HotNumber {
 public:
  HotNumber() = default;
  explicit HotNumber(T* object)
      : line_(object == nullptr
                  ? 0
                  : static_cast<std::uint32_t>(
                        static_cast<std::size_t>(reinterpret_cast<std::byte*>(object) - hot_origin) / kHotStep)) {}
  T* get() const { return line_ == 0 ? nullptr : at(); }
  /// Precondition: not null.
  T& operator*() const { return *at(); }
  T* operator->() const { return at(); }
  explicit operator bool() const { return line_ != 0; }

 private:
  T* at() const { return reinterpret_cast<T*>(hot_origin + std::size_t{line_} * kHotStep); }
  std::uint32_t line_ = 0;
};

/// Base of classes whose objects and arrays live there.
struct HotObject {
  static void* operator new(std::size_t size) { return allocate_hot(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__); }
  static void* operator new(std::size_t size, std::align_val_t a) {
    return allocate_hot(size, static_cast<std::size_t>(a));
  }
  static void* operator new[](std::size_t size) { return allocate_hot(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__); }
  static void* operator new[](std::size_t size, std::align_val_t a) {
    return allocate_hot(size, static_cast<std::size_t>(a));
  }
  static void operator delete(void* p) noexcept { free_hot(p); }
  static void operator delete(void* p, std::align_val_t) noexcept { free_hot(p); }
  static void operator delete[](void* p) noexcept { free_hot(p); }
  static void operator delete[](void* p, std::align_val_t) noexcept { free_hot(p); }
};

/// An array of simple values there.
struct FreeHot {
  void operator()(void* memory) const noexcept { free_hot(memory); }
};
template <class T>
using HotArray = std::unique_ptr<T[], FreeHot>;
template <class T>
HotArray<T> make_hot_array(std::size_t size, std::size_t alignment = alignof(T)) {
  static_assert(std::is_trivially_destructible_v<T>);
  T* const first = static_cast<T*>(allocate_hot(size * sizeof(T), alignment));
  std::uninitialized_value_construct_n(first, size);
  return HotArray<T>(first);
}

// The memory of this process in large pages. The state of a network of thousands of ports is spread over tens of
// megabytes and used in no order that a processor could foresee; with pages of 4 KiB most accesses also wait for the
// address of their page, in virtual machines for several of them.

/// Asks the system to put what has been allocated so far into pages of 2 MiB. Where that cannot be (Linux before 6.1,
/// other systems) nothing changes but the speed.
void join_pages();

// Fetching ahead of use.

/// The line of the cache that `at` lies in.
inline void prefetch(const void* at) {
  __builtin_prefetch(at, 0, 3);
  // GCC takes a function that does nothing but prefetch for one without effect and leaves out its calls, and whatever
  // leads to them.
  asm volatile("");
}

/// The lines of [from, to), with `from` at the beginning of one.
inline void prefetch(const void* from, const void* to) {
  for (const auto* at = static_cast<const char*>(from); at < to; at += 64) prefetch(at);
}

}  // namespace weft
