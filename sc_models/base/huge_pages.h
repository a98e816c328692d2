#pragma once
// The memory of this process in large pages. The state of a network of thousands of ports is spread over tens of
// megabytes and used in no order that a processor could foresee; with pages of 4 KiB most accesses also wait for the
// address of their page, in virtual machines for several of them.

namespace weft {

/// Asks the system to put what has been allocated so far into pages of 2 MiB. Where that cannot be (Linux before 6.1,
/// other systems) nothing changes but the speed.
void join_pages();

}  // namespace weft
