#pragma once
// The memory of this process in large pages. The state of a network of thousands of ports is spread over tens of
// megabytes and used in no order that a processor could foresee; with pages of 4 KiB most accesses also wait for the
// address of their page, in virtual machines for several of them.

#include <cstddef>

namespace weft {

/// Asks the system to put what has been allocated so far into pages of 2 MiB. Returns the bytes for which it did; 0
/// where that cannot be (Linux before 6.1, other systems), which changes nothing but the speed.
std::size_t join_pages();

}  // namespace weft
