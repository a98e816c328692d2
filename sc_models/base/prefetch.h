#pragma once
// Fetching ahead of use.

namespace weft {

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
