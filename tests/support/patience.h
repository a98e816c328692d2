#pragma once
// Time that a test waits for a process that should end by itself.

namespace weft::test {

#ifdef __SANITIZE_ADDRESS__
inline constexpr int kPatienceSeconds = 600;  // everything takes several times as long
#else
inline constexpr int kPatienceSeconds =
    110;  // many times what any takes; less than ctest gives a case (WeftTests.cmake)
#endif

}  // namespace weft::test
