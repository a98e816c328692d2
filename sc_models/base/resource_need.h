#pragma once
// Memory and time that a command may use, asked before they are taken: a network of a few numbers can need more than
// any machine has.

#include <cstdint>
#include <functional>
#include <string>

#include "base/diagnostics.h"

namespace weft {

/// Whether a limit of the data of a process (RLIMIT_DATA) says what it allocates: sanitizers reserve address space that
/// is counted as data.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kLimitsData = false;
#elif defined(__has_feature)
inline constexpr bool kLimitsData = !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer);
#else
inline constexpr bool kLimitsData = true;
#endif

/// Usable memory in bytes: the limit that was set, else the memory of the machine, of its container or of the
/// process (ulimit), whichever is least.
std::uint64_t usable_memory();
void set_usable_memory(std::uint64_t bytes);
bool is_usable_memory_set();

/// "1.4 GiB", "300 MiB".
std::string memory_text(std::uint64_t bytes);

/// Told of what takes much memory (256 MiB) and may: "the circuits of phase 'a' need about 1.2 GiB of memory".
void tell_memory_needs(std::function<void(const std::string&)> tell);

/// Throws InputError at `where` when `what` ("the circuits of phase 'a'") needs more than may be used.
void need_memory(std::uint64_t bytes, const Location& where, const std::string& what);

/// Seconds of processor time that one step of a plan may take; infinite unless it is set, as `weft check` does.
double usable_seconds();
void set_usable_seconds(double seconds);
/// "more than the 20 s that a check may take (set by --max-time; a run has no such limit)".
std::string beyond_usable_seconds();

/// Throws InputError at `where` when `what` ("looking for deadlocks of 16384 switches") takes longer than may be spent.
/// `seconds`: an estimate for a present-day processor, within a factor of four.
void need_seconds(double seconds, const Location& where, const std::string& what);

}  // namespace weft
