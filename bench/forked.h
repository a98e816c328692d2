#pragma once
// One measurement in a process of its own: the SystemC kernel cannot start twice, and memory is counted per process.

#include <cstdint>
#include <functional>

namespace weft::bench {

struct Sample {
  double elaborate_s = 0;  ///< building modules and binding sockets
  double run_s = 0;        ///< sc_start
  std::uint64_t word_hops = 0;
  std::uint64_t flit_hops = 0;
  std::uint64_t message_hops = 0;
  std::uint64_t switch_cycles = 0;
  std::uint64_t peak_bytes = 0;  ///< largest resident set of the process
};

/// Runs `measure` in a child process and returns what it measured. Ends the program when the child fails.
Sample in_child(const std::function<Sample()>& measure);

}  // namespace weft::bench
