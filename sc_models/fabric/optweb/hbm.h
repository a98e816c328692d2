#pragma once
// HBM2 of a node with its memory interfaces: stripe i is memory I/O i, whose two interfaces (pseudo channels) hold K
// bytes each and are joined by a 2 x 2 crossbar to D#i and to the host. The bytes themselves are an
// optweb::SparseMemory.
//
// An interface moves a word per cycle, reading and writing together: a stream that is read from an interface to which
// another one is written at the same time gets half of it. A read answers after `read` cycles, a written word is
// acknowledged after `write` cycles; a fence waits for that. The host's accesses (host_port.h) take the same latencies;
// they do not slow the DMACs down.
// Source: section 3.2.3 and Figure 5 of the paper named in optweb/link_sync.h.

#include <systemc>
#include <vector>

#include "fabric/optweb/parameters.h"
#include "optweb/sparse_memory.h"

namespace weft {

class Hbm : public sc_core::sc_module {
 public:
  Hbm(sc_core::sc_module_name name, const OptwebParameters& parameters, NodeId node);

  optweb::SparseMemory& bytes() { return bytes_; }
  const optweb::SparseMemory& bytes() const { return bytes_; }

  /// Pace of a stream of an interface that others use or not.
  optweb::WordPace pace(bool shared) const { return parameters_.interface_pace(shared ? 2 : 1); }
  /// From a read request to the first word.
  Cycle read_latency() const { return parameters_.latency().read; }

  void count_read(std::uint32_t stripe, std::uint64_t words) { read_[stripe] += words; }
  /// The last of so many words is handed over at `at`.
  void count_write(std::uint32_t stripe, std::uint64_t words, Cycle at);
  /// Everything handed over so far is acknowledged.
  Cycle acknowledged() const { return acknowledged_; }

  std::uint64_t words_read(std::uint32_t stripe) const { return read_[stripe]; }
  std::uint64_t words_written(std::uint32_t stripe) const { return written_[stripe]; }

 private:
  const OptwebParameters& parameters_;
  optweb::SparseMemory bytes_;
  std::vector<std::uint64_t> read_;     // words, by stripe
  std::vector<std::uint64_t> written_;  // words, by stripe
  Cycle acknowledged_ = 0;
};

}  // namespace weft
