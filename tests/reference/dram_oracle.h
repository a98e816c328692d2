#pragma once
// Brute-force model of a pseudo channel: a controller that looks at every clock at all commands it could give, and
// checks each against the list of those it has given. It shares the parameters with algorithms/dram and nothing else.

#include <cstdint>
#include <vector>

#include "algorithms/dram/dram_config.h"

namespace weft::test {

struct DramRequest {
  dram::Tick arrival = 0;
  std::uint64_t address = 0;
  bool write = false;
};

/// Clocks of the column commands of requests that are served in their order; row commands go ahead of it as far as
/// requests have arrived, activations in order.
std::vector<dram::Tick> dram_columns(const dram::Config& config, dram::Tick first_refresh,
                                     const std::vector<DramRequest>& requests);

/// A stream of consecutive words, each asked for as soon as one of `fifo` places is free: a word that is read keeps its
/// place until it has passed, a written one until it is in the memory.
struct DramStream {
  bool write = false;
  std::uint64_t address = 0;
  std::uint64_t words = 0;
  dram::Time start = 0;     ///< of the first request
  dram::Time first = 0;     ///< the first word passes, at the earliest
  double step = 0;          ///< picoseconds from word to word
  dram::Time pipeline = 0;  ///< from the end of the data of a read to the word
};

/// When the last word of each stream has passed, in picoseconds. Streams take turns of up to `batch` words; in each
/// clock the bursts that have been asked for and are next in their stream are candidates.
std::vector<dram::Time> dram_streams(const dram::Config& config, dram::Tick first_refresh,
                                     const std::vector<DramStream>& streams);

}  // namespace weft::test
