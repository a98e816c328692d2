#pragma once
// Time that a test waits for a process that should end by itself, and whether its use of the machine says anything.

namespace weft::test {

#ifdef __SANITIZE_ADDRESS__
inline constexpr int kPatienceSeconds = 600;  // everything takes several times as long
inline constexpr bool kUsageCounts = false;   // so do checks, and freed memory is kept back for a while
#else
inline constexpr bool kUsageCounts = true;
inline constexpr int kPatienceSeconds =
    110;  // many times what any takes; less than ctest gives a case (WeftTests.cmake)
#endif

}  // namespace weft::test
